/** Signing up, confirming an email address, and resetting a forgotten password. */
import type * as z from "zod";
import type { BodyCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, KNOWN_DEVICE, VISITOR, withCookie } from "../../endpoint_parts.ts";
import { invalidField } from "../../../edge/errors.ts";
import {
  CODE_REQUEST,
  DONE,
  EMAIL_CONFIRMATION,
  NEW_USER,
  PASSWORD_RESET,
  USER_ANSWER,
} from "../../../edge/schemas/identity.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { onKnownDevice, USER_EXAMPLE, userJson } from "./auth_answers.ts";

const BASE = "/api/v2/auth/identity/users";

async function signUp(call: BodyCall<typeof NEW_USER>): Promise<Response> {
  const { uid, email, createdAt } = await call.services.identity.signUp(call.body, call.origin);
  const answer: z.infer<typeof USER_ANSWER> = {
    uid,
    email,
    role: "member",
    level: 0,
    otp: false,
    state: "pending",
    created_at: isoSeconds(createdAt),
  };
  return call.json(201, answer);
}

async function sendEmailCode(call: BodyCall<typeof CODE_REQUEST>): Promise<Response> {
  await call.services.identity.resendEmailCode(call.body.email, call.origin);
  return call.json(201, {});
}

async function confirmEmail(call: BodyCall<typeof EMAIL_CONFIRMATION>): Promise<Response> {
  const { token: code, password } = call.body;
  const member = await call.services.identity.confirmEmail({ code, password }, call.origin);
  return await onKnownDevice(call, member, call.json(201, await userJson(call, member)));
}

async function sendResetCode(call: BodyCall<typeof CODE_REQUEST>): Promise<Response> {
  await call.services.identity.sendResetCode(call.body.email, call.origin);
  return call.json(201, {});
}

async function resetPassword(call: BodyCall<typeof PASSWORD_RESET>): Promise<Response> {
  const { reset_password_token: token, password, confirm_password, disable_otp } = call.body;
  if (password !== confirm_password) {
    throw invalidField("identity.user.passwords_doesnt_match", "confirm_password");
  }
  const { identity } = call.services;
  const member = await identity.resetPassword(token, password, call.origin, disable_otp);
  return await onKnownDevice(call, member, call.json(201, {}));
}

const WEAK_PASSWORD = "password.requirements";
const CODE_SENT = created(
  "An empty object, whether or not the address belongs to a member.",
  DONE,
  {},
);
const NEW_CODE =
  "The previous code is no longer valid. Of more than three codes within five minutes the third " +
  "stays valid, and no further ones are sent.";
const TOO_MANY_FAILURES = { 429: ["identity.session.too_many_failures"] };
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
      "Sends a code to the email address, which confirms it together with the password given " +
      "here; the member begins to exist then, and may sign in. A sign-up waits for a day, and " +
      "replaces an earlier one with the same address. The response is the same whether or not " +
      "the address belongs to a member, who gets a message that says so.",
    body: { schema: NEW_USER, example: { email: "carol@example.org", password: "Tr0ub4dor&3x" } },
    answer: created("The member that it is going to be.", USER_ANSWER, {
      ...USER_EXAMPLE,
      level: 0,
      otp: false,
      state: "pending",
    }),
    errors: {
      422: [WEAK_PASSWORD],
      ...TOO_MANY_FAILURES,
    },
    handle: signUp,
  }),
  endpoint({
    id: "sendEmailCode",
    method: "POST",
    paths: [`${BASE}/email/generate_code`],
    ...VISITOR,
    summary: "Send a new code to confirm an email address",
    description: NEW_CODE,
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
    description:
      "Takes the code from the message and the password of the sign-up that caused it, so that " +
      "nobody confirms what somebody else has begun. Five wrong passwords end the code. The " +
      "member is active then, but not signed in.",
    body: {
      schema: EMAIL_CONFIRMATION,
      example: { token: "code from the message", password: "Tr0ub4dor&3x" },
    },
    answer: withCookie(
      created("The member, now active.", USER_ANSWER, { ...USER_EXAMPLE, otp: false }),
      KNOWN_DEVICE,
    ),
    errors: { 422: ["identity.user.wrong_password"], ...TOO_MANY_FAILURES },
    handle: confirmEmail,
  }),
  endpoint({
    id: "sendResetCode",
    method: "POST",
    paths: [`${BASE}/password/generate_code`],
    ...VISITOR,
    summary: "Send a code to reset a password",
    description: NEW_CODE,
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
      "Ends all sessions of the member, and codes that were sent before, disables the API keys " +
      "that it made for good, and lifts locks for wrong passwords, but not those for wrong " +
      "one-time codes. With `disable_otp` it also turns off the second factor, if that was turned " +
      "on less than 48 hours ago: whoever reads the mailbox alone can't turn off an older one.",
    body: {
      schema: PASSWORD_RESET,
      example: {
        reset_password_token: "code from the message",
        password: "C0rrect-h0rse",
        confirm_password: "C0rrect-h0rse",
      },
    },
    answer: withCookie(created("An empty object.", DONE, {}), KNOWN_DEVICE),
    errors: {
      422: [
        WEAK_PASSWORD,
        "identity.user.passwords_doesnt_match",
        "identity.password.invalid_token",
        "identity.password.otp_not_new",
      ],
      ...TOO_MANY_FAILURES,
    },
    handle: resetPassword,
  }),
];
