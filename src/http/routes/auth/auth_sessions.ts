/** Signing in and out, and the member's sessions. */
import * as z from "zod";
import type { SessionInfo } from "../../../identity/identity.ts";
import { IdentityError } from "../../../identity/identity_error.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import {
  CODES_THROTTLED,
  created,
  ok,
  SIGNED_IN,
  VISITOR,
  withCookie,
} from "../../endpoint_parts.ts";
import {
  CONFIRMED_SESSION,
  DONE,
  NEW_SESSION,
  OTP_CODE,
  SESSION_ANSWER,
  SESSIONS_ENDED,
  USER_IN_SESSION,
} from "../../../edge/schemas/identity.ts";
import { clearSessionCookie } from "../../../edge/callers/session_cookie.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { answerSignedIn, USER_EXAMPLE } from "./auth_answers.ts";

const SESSIONS = "/api/v2/auth/resource/users/sessions";

/** Example of a session. */
export const SESSION_EXAMPLE = {
  id: "5f1c2a9be03d4c77",
  user_ip: "203.0.113.7",
  user_agent: "Mozilla/5.0",
  current: true,
  created_at: "2020-03-02T10:51:00Z",
  last_seen_at: "2020-03-02T11:02:41Z",
  expires_at: "2020-03-03T10:51:00Z",
};

async function signIn(call: BodyCall<typeof NEW_SESSION>): Promise<Response> {
  const { email, password, otp_code: code } = call.body;
  const request = { email, password, ...(code === undefined ? {} : { code }) };
  const { identity } = call.services;
  const signedIn = await identity.signIn(request, call.origin).catch(noteFailure);
  return await answerSignedIn(call, 200, signedIn);

  function noteFailure(error: unknown): never {
    if (error instanceof IdentityError && isFailure(error)) {
      const { address } = call.origin;
      call.services.auth.failures.note({ address, reason: error.identifier });
    }
    throw error;
  }
}

/** Returns whether a sign-in failed; a missing code or an unavailable venue is no failure. */
function isFailure({ status, refusal }: IdentityError): boolean {
  return status !== 503 && refusal !== "sign_in_code_missing";
}

async function signOut(call: Call): Promise<Response> {
  await call.services.identity.signOut(call.session, call.origin);
  clearSessionCookie(call);
  return call.json(200, {});
}

/**
 * Returns a session as JSON.
 *
 * @param current id of the session of the call; empty if it comes in none of them
 */
export function sessionJson(info: SessionInfo, current: string): z.infer<typeof SESSION_ANSWER> {
  return {
    id: info.id,
    user_ip: info.address,
    user_agent: info.userAgent,
    current: info.id === current,
    created_at: isoSeconds(info.createdAt),
    last_seen_at: isoSeconds(info.lastSeenAt),
    expires_at: isoSeconds(info.expiresAt),
  };
}

async function listSessions(call: Call): Promise<Response> {
  const { member, sessionId } = call.session;
  const sessions = await call.services.identity.sessions.list(member.uid);
  return call.json(200, sessions.map((info) => sessionJson(info, sessionId)));
}

async function confirmSession(call: BodyCall<typeof OTP_CODE>): Promise<Response> {
  const { body: { code }, origin, session } = call;
  const until = await call.services.identity.twoFactor.confirm(session, code, origin);
  return call.json(201, { confirmed_until: isoSeconds(until) });
}

async function endSession(call: Call): Promise<Response> {
  const { member, sessionId } = call.session;
  const id = call.param("id");
  await call.services.identity.sessions.end(member.uid, id);
  if (id === sessionId) clearSessionCookie(call);
  return call.json(200, {});
}

async function endOtherSessions(call: Call): Promise<Response> {
  const { member, sessionId } = call.session;
  const ended = await call.services.identity.sessions.endOthers(member.uid, sessionId);
  return call.json(200, { ended });
}

/** Endpoints of sessions. */
export const AUTH_SESSION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "signIn",
    method: "POST",
    paths: ["/api/v2/auth/identity/sessions"],
    ...VISITOR,
    summary: "Sign in",
    description:
      "An unknown email address and a wrong password get the same response. Wrong passwords are " +
      "counted by network; from a device that the member has signed in from, apart from all " +
      "others. After too many from different networks (429 " +
      "`identity.session.too_many_failures`), a sign-in from any other device also needs the " +
      "member's one-time code in the same request, or a reset of the password.",
    body: {
      schema: NEW_SESSION,
      example: { email: "carol@example.org", password: "Tr0ub4dor&3x", otp_code: "123456" },
    },
    answer: withCookie(
      ok("The member; the session cookie is set.", USER_IN_SESSION, {
        ...USER_EXAMPLE,
        csrf_token: "f00d…",
        confirmed_until: null,
      }),
      "The session's cookie, and one that makes the device known.",
    ),
    errors: {
      401: [
        "identity.session.invalid_params",
        "identity.session.missing_otp",
        "identity.session.invalid_otp",
        "identity.session.not_active",
        "identity.session.locked",
        "identity.session.banned",
      ],
      429: [
        "identity.session.too_many_failures",
        "identity.otp.too_many_failures",
        "identity.otp.locked",
      ],
    },
    handle: signIn,
  }),
  endpoint({
    id: "signOut",
    method: "DELETE",
    paths: ["/api/v2/auth/identity/sessions"],
    ...SIGNED_IN,
    summary: "Sign out",
    answer: withCookie(
      ok("The session has ended; the cookie is removed.", DONE, {}),
      "Removes the cookie.",
    ),
    handle: signOut,
  }),
  endpoint({
    id: "listSessions",
    method: "GET",
    paths: [SESSIONS],
    ...SIGNED_IN,
    summary: "List your sessions",
    answer: ok("Open sessions, newest first.", z.array(SESSION_ANSWER), [
      SESSION_EXAMPLE,
    ]),
    handle: listSessions,
  }),
  endpoint({
    id: "confirmSession",
    method: "POST",
    paths: [`${SESSIONS}/confirm`],
    ...SIGNED_IN,
    summary: "Give this session a fresh code",
    description:
      "A one-time code, which is used up, for what an operator does in a session. It is fresh for 10 " +
      "minutes, in this session, and until the password or the second factor changes.",
    body: { schema: OTP_CODE, example: { code: "123456" } },
    answer: created("Until when the code is fresh.", CONFIRMED_SESSION, {
      confirmed_until: "2020-03-02T11:01:00Z",
    }),
    errors: {
      400: ["resource.otp.not_enabled"],
      422: ["resource.otp.invalid"],
      ...CODES_THROTTLED,
    },
    handle: confirmSession,
  }),
  endpoint({
    id: "endOtherSessions",
    method: "DELETE",
    paths: [SESSIONS],
    ...SIGNED_IN,
    summary: "End all other sessions",
    answer: ok("The number of sessions ended.", SESSIONS_ENDED, { ended: 2 }),
    handle: endOtherSessions,
  }),
  endpoint({
    id: "endSession",
    method: "DELETE",
    paths: [`${SESSIONS}/{id}`],
    ...SIGNED_IN,
    summary: "End a session",
    answer: withCookie(
      ok("The session has ended.", DONE, {}),
      "Removes the cookie, if it was that of this session.",
    ),
    errors: { 404: ["resource.session.not_found"] },
    handle: endSession,
  }),
];
