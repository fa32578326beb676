/** A member's second factor. */
import { isRejection } from "../../../domain/command.ts";
import { IdentityError } from "../../../identity/identity_error.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import {
  CODES_THROTTLED,
  created,
  KNOWN_DEVICE,
  OWNER_ERRORS,
  PROOFS_THROTTLED,
  SIGNED_IN,
  withCookie,
} from "../../endpoint_parts.ts";
import { rejectionError } from "../../../edge/errors.ts";
import {
  DONE,
  FIRST_OTP_CODE,
  OTP_CODE,
  OTP_OR_RECOVERY_CODE,
  OTP_SECRET,
  RECOVERY_CODES,
} from "../../../edge/schemas/identity.ts";
import { asOwner, onKnownDevice } from "./auth_answers.ts";

const BASE = "/api/v2/auth/resource/otp";

async function generateSecret(call: Call): Promise<Response> {
  const { secret, uri, svg } = await call.services.identity.twoFactor.generate(call.caller.member);
  const barcode = `data:image/svg+xml;base64,${btoa(svg)}`;
  return call.json(201, { data: { url: uri, secret, barcode, svg } });
}

async function enable(call: BodyCall<typeof FIRST_OTP_CODE>): Promise<Response> {
  const { body, caller, origin, session: { sessionId } } = call;
  const { twoFactor } = call.services.identity;
  const codes = await asOwner(
    call,
    body,
    (generation) => twoFactor.enable(caller.member, body.code, origin, { sessionId, generation }),
  );
  return await onKnownDevice(call, call.session.member, call.json(201, { recovery_codes: codes }));
}

async function disable(call: BodyCall<typeof OTP_OR_RECOVERY_CODE>): Promise<Response> {
  const { body, caller, origin, session: { sessionId } } = call;
  const { twoFactor } = call.services.identity;
  await asOwner(
    call,
    body,
    (generation) => twoFactor.disable(caller.member, body.code, origin, { sessionId, generation }),
  );
  return await onKnownDevice(call, call.session.member, call.json(201, {}));
}

async function verify(call: BodyCall<typeof OTP_CODE>): Promise<Response> {
  const { engine, caller, session } = call;
  const { twoFactor } = call.services.identity;
  const otp = await twoFactor.prove(caller.member, call.body.code, session);
  const outcome = await engine.submit({ kind: "spend_otp", otp }, null);
  if (!isRejection(outcome)) return call.json(201, {});
  switch (outcome.rejected) {
    case "two_factor_off":
      throw new IdentityError("two_factor_off");
    case "otp_invalid":
      throw new IdentityError("code_wrong");
    default:
      throw rejectionError(outcome);
  }
}

const WRONG_CODE = "resource.otp.invalid";
const ALREADY_ON = { 400: ["resource.otp.already_enabled"] };
const NOT_ON = { 400: ["resource.otp.not_enabled"] };
const DONE_ANSWER = created("An empty object.", DONE, {});
const CODE_EXAMPLE = { code: "123456" };
const PROVEN_EXAMPLE = { code: "123456", password: "Tr0ub4dor&3x" };

/** Endpoints of the second factor. */
export const AUTH_TWO_FACTOR_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "generateOtpSecret",
    method: "POST",
    paths: [`${BASE}/generate_qrcode`],
    ...SIGNED_IN,
    summary: "Create a secret for an authenticator",
    description:
      "Takes effect once enabled with one of its codes, and replaces any secret created before.",
    answer: created("The secret, also as a QR code.", OTP_SECRET, {
      data: {
        url: "otpauth://totp/kvenue:carol%40example.org?issuer=kvenue&secret=JBSWY3DPEHPK3PXP",
        secret: "JBSWY3DPEHPK3PXP",
        barcode: "data:image/svg+xml;base64,PHN2Zy8+",
        svg: "<svg/>",
      },
    }),
    errors: ALREADY_ON,
    handle: generateSecret,
  }),
  endpoint({
    id: "enableOtp",
    method: "POST",
    paths: [`${BASE}/enable`],
    ...SIGNED_IN,
    summary: "Turn on the second factor",
    description: "Ends all other sessions, and disables the API keys that you made for good.",
    body: { schema: FIRST_OTP_CODE, example: PROVEN_EXAMPLE },
    answer: withCookie(
      created("Recovery codes, shown only once.", RECOVERY_CODES, {
        recovery_codes: ["K7FJ-AXQ4-M2ZC-PL5N"],
      }),
      KNOWN_DEVICE,
    ),
    errors: {
      ...ALREADY_ON,
      422: [...OWNER_ERRORS, WRONG_CODE, "resource.otp.not_generated"],
      ...PROOFS_THROTTLED,
    },
    handle: enable,
  }),
  endpoint({
    id: "disableOtp",
    method: "POST",
    paths: [`${BASE}/disable`],
    ...SIGNED_IN,
    summary: "Turn off the second factor",
    description: "Ends all other sessions, and disables the API keys that you made for good.",
    body: { schema: OTP_OR_RECOVERY_CODE, example: PROVEN_EXAMPLE },
    answer: withCookie(DONE_ANSWER, KNOWN_DEVICE),
    errors: { ...NOT_ON, 422: [...OWNER_ERRORS, WRONG_CODE], ...PROOFS_THROTTLED },
    handle: disable,
  }),
  endpoint({
    id: "verifyOtp",
    method: "POST",
    paths: [`${BASE}/verify`],
    ...SIGNED_IN,
    summary: "Verify a one-time code",
    description: "The code is used up.",
    body: { schema: OTP_CODE, example: CODE_EXAMPLE },
    answer: DONE_ANSWER,
    errors: { ...NOT_ON, 422: [WRONG_CODE], ...CODES_THROTTLED },
    handle: verify,
  }),
];
