/** Signing up, confirming an email address, and resetting a forgotten password. */
import type { BodyCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { created, VISITOR, withCookie } from "../endpoint_parts.ts";
import { invalidField } from "../errors.ts";
import {
  CODE_REQUEST,
  DONE,
  EMAIL_CONFIRMATION,
  NEW_USER,
  PASSWORD_RESET,
  USER_ANSWER,
  USER_IN_SESSION,
} from "../schemas/identity.ts";
import { answerSignedIn, USER_EXAMPLE, userJson } from "./auth_answers.ts";

const BASE = "/api/v2/auth/identity/users";

async function signUp(call: BodyCall<typeof NEW_USER>): Promise<Response> {
  return await answerSignedIn(
    call,
    201,
    await call.services.identity.signUp(call.body, call.origin),
  );
}

async function sendEmailCode(call: BodyCall<typeof CODE_REQUEST>): Promise<Response> {
  await call.services.identity.resendEmailCode(call.body.email, call.origin);
  return call.json(201, {});
}

async function confirmEmail(call: BodyCall<typeof EMAIL_CONFIRMATION>): Promise<Response> {
  const member = await call.services.identity.confirmEmail(call.body.token, call.origin);
  return call.json(201, await userJson(call, member));
}

async function sendResetCode(call: BodyCall<typeof CODE_REQUEST>): Promise<Response> {
  await call.services.identity.sendResetCode(call.body.email, call.origin);
  return call.json(201, {});
}

async function resetPassword(call: BodyCall<typeof PASSWORD_RESET>): Promise<Response> {
  const { reset_password_token: token, password, confirm_password } = call.body;
  if (password !== confirm_password) {
    throw invalidField("identity.user.passwords_doesnt_match", "confirm_password");
  }
  await call.services.identity.resetPassword(token, password, call.origin);
  return call.json(201, {});
}

const WEAK_PASSWORD = "password.requirements";
const CODE_SENT = created(
  "An empty object, whether or not the address belongs to a member.",
  DONE,
  {},
);
const SENT_RECENTLY = { 429: ["identity.code.sent_recently"] };

/** Endpoints for people who are not signed in, except signing in itself. */
export const AUTH_USER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "signUp",
    method: "POST",
    paths: [BASE],
    ...VISITOR,
    summary: "Sign up",
    description:
      "Creates a member and sends a code to confirm its email address. Starts a session, " +
      "which gives access to nothing until then.",
    body: { schema: NEW_USER, example: { email: "carol@example.org", password: "Tr0ub4dor&3x" } },
    answer: withCookie(
      created("The member; the session cookie is set.", USER_IN_SESSION, {
        ...USER_EXAMPLE,
        level: 0,
        otp: false,
        state: "pending",
        csrf_token: "f00d…",
      }),
      "The session's cookie.",
    ),
    errors: {
      422: ["email.taken", WEAK_PASSWORD],
      429: ["identity.session.too_many_failures"],
    },
    handle: signUp,
  }),
  endpoint({
    id: "sendEmailCode",
    method: "POST",
    paths: [`${BASE}/email/generate_code`],
    ...VISITOR,
    summary: "Send a new code to confirm an email address",
    description: "The previous code is no longer valid.",
    body: { schema: CODE_REQUEST, example: { email: "carol@example.org" } },
    answer: CODE_SENT,
    errors: SENT_RECENTLY,
    handle: sendEmailCode,
  }),
  endpoint({
    id: "confirmEmail",
    method: "POST",
    paths: [`${BASE}/email/confirm_code`],
    ...VISITOR,
    summary: "Confirm an email address",
    body: { schema: EMAIL_CONFIRMATION, example: { token: "code from the message" } },
    answer: created("The member, now active.", USER_ANSWER, { ...USER_EXAMPLE, otp: false }),
    handle: confirmEmail,
  }),
  endpoint({
    id: "sendResetCode",
    method: "POST",
    paths: [`${BASE}/password/generate_code`],
    ...VISITOR,
    summary: "Send a code to reset a password",
    body: { schema: CODE_REQUEST, example: { email: "carol@example.org" } },
    answer: CODE_SENT,
    errors: SENT_RECENTLY,
    handle: sendResetCode,
  }),
  endpoint({
    id: "resetPassword",
    method: "POST",
    paths: [`${BASE}/password/confirm_code`],
    ...VISITOR,
    summary: "Reset a password",
    description:
      "Ends all sessions of the member and lifts locks for wrong passwords, but not those " +
      "for wrong one-time codes.",
    body: {
      schema: PASSWORD_RESET,
      example: {
        reset_password_token: "code from the message",
        password: "C0rrect-h0rse",
        confirm_password: "C0rrect-h0rse",
      },
    },
    answer: created("An empty object.", DONE, {}),
    errors: {
      422: [
        WEAK_PASSWORD,
        "identity.user.passwords_doesnt_match",
        "identity.password.invalid_token",
      ],
    },
    handle: resetPassword,
  }),
];
