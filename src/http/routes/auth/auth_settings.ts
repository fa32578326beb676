/** Settings that front ends of this family read before anybody signs in. */
import { PASSWORD_BITS_MIN, passwordBits } from "../../../identity/proofs/password_strength.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, ok, VISITOR } from "../../endpoint_parts.ts";
import {
  IDENTITY_SETTINGS,
  NEW_PASSWORD,
  PASSWORD_STRENGTH,
} from "../../../edge/schemas/identity.ts";

const BASE = "/api/v2/auth/identity";
/** There is no captcha: failed sign-ins are throttled instead. */
const SETTINGS = { captcha_type: "none", password_min_entropy: PASSWORD_BITS_MIN } as const;

function readSettings(call: Call): Response {
  return call.json(200, SETTINGS);
}

function measurePassword(call: BodyCall<typeof NEW_PASSWORD>): Response {
  return call.json(201, { entropy: passwordBits(call.body.password) });
}

/** Endpoints of the settings for signing up and in. */
export const AUTH_SETTING_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readIdentitySettings",
    method: "GET",
    paths: [`${BASE}/configs`],
    ...VISITOR,
    summary: "Get the sign-up settings",
    answer: ok("The settings.", IDENTITY_SETTINGS, SETTINGS),
    handle: readSettings,
  }),
  endpoint({
    id: "measurePassword",
    method: "POST",
    paths: [`${BASE}/password/validate`],
    ...VISITOR,
    summary: "Rate a password",
    description:
      "A password is strong enough if its entropy reaches the `password_min_entropy` of the " +
      "settings.",
    body: { schema: NEW_PASSWORD, example: { password: "Tr0ub4dor&3x" } },
    answer: created("The password's strength.", PASSWORD_STRENGTH, { entropy: 78 }),
    handle: measurePassword,
  }),
];
