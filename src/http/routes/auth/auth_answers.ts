/** Answers about members who are signed in, and their sessions. */
import type * as z from "zod";
import type { Member } from "../../../domain/people/member.ts";
import { operatorRoleOf } from "../../../domain/people/operators.ts";
import {
  isCodeFresh,
  type OwnerProof,
  type SessionCaller,
  type SignedIn,
} from "../../../identity/identity.ts";
import { definedFields, NO_STORE } from "../../../edge/answer.ts";
import type { AnyCall } from "../../call.ts";
import type { USER_ANSWER, USER_IN_SESSION } from "../../../edge/schemas/identity.ts";
import { addDeviceCookie } from "../../../edge/callers/device_cookie.ts";
import { setSessionCookie } from "../../../edge/callers/session_cookie.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";

/** Returns a member as it sees itself. */
export async function userJson(
  call: AnyCall,
  member: Member,
): Promise<z.infer<typeof USER_ANSWER>> {
  return {
    uid: member.uid,
    email: await call.services.identity.email(member.uid),
    role: operatorRoleOf(member) ?? "member",
    level: member.level,
    otp: member.hasTwoFactor,
    state: member.state,
    created_at: isoSeconds(member.createdAt),
  };
}

/**
 * Does what only the member itself may do in a session.
 *
 * @param given the proof that the call carries
 */
export function asOwner<T>(
  call: AnyCall,
  given: { readonly password?: string | undefined; readonly email_code?: string | undefined },
  act: (generation: number) => Promise<T>,
): Promise<T> {
  const { password, email_code: emailCode } = given;
  const proof = definedFields<OwnerProof>({ password, emailCode });
  return call.services.identity.asOwner(call.session, proof, call.origin, act);
}

/** Returns the same with the CSRF token of its session, and until when that has a fresh code. */
export async function userInSessionJson(
  call: AnyCall,
  { member, csrfToken, freshCode }: Omit<SessionCaller, "sessionId">,
): Promise<z.infer<typeof USER_IN_SESSION>> {
  const isFresh = isCodeFresh(freshCode, member, call.engine.now());
  return {
    ...await userJson(call, member),
    csrf_token: csrfToken,
    confirmed_until: isFresh ? isoSeconds(freshCode.until) : null,
  };
}

/** Answers with a new session: sets its cookie and returns its member. */
export async function answerSignedIn(
  call: AnyCall,
  status: 200 | 201,
  signedIn: SignedIn,
): Promise<Response> {
  const lifeMs = signedIn.expiresAt - call.engine.now();
  setSessionCookie(call, signedIn.cookie, Math.max(1, Math.ceil(lifeMs / 1000)));
  const answer = call.json(status, await userInSessionJson(call, signedIn), NO_STORE);
  return await onKnownDevice(call, signedIn.member, answer);
}

/** Makes the device that gets an answer known to a member that has just proven itself on it. */
export async function onKnownDevice(
  call: AnyCall,
  member: Member,
  answer: Response,
): Promise<Response> {
  const { device = "" } = call.origin;
  const held = await call.services.identity.rememberDevice(member, device);
  addDeviceCookie(call, held, answer);
  return answer;
}

/** Example for the contract. */
export const USER_EXAMPLE = {
  uid: "ID0A1B2C3D4E",
  email: "carol@example.org",
  role: "member",
  level: 1,
  otp: true,
  state: "active",
  created_at: "2020-03-02T10:51:00Z",
};
