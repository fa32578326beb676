/** The venue's settings, for operators. */
import { BODY_SIGNATURE_HEADER, refuseBodyUnsigned } from "../../../edge/callers/body_signature.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { ofOperators, ok } from "../../endpoint_parts.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import {
  SETTING_CHANGES,
  VENUE_SETTINGS_ANSWER,
  VENUE_SETTINGS_EXAMPLE,
} from "../../../edge/schemas/admin/admin_settings.ts";
import { settingsJson } from "../../../edge/venue_settings.ts";

const SETTINGS_ANSWER = ok("The settings.", VENUE_SETTINGS_ANSWER, VENUE_SETTINGS_EXAMPLE);

function readSettings(call: Call): Response {
  return call.json(200, settingsJson(call.engine.venue.settings));
}

/** Nobody is shut out by its own change: who demands body signatures of itself can make them. */
async function setSettings(call: BodyCall<typeof SETTING_CHANGES>): Promise<Response> {
  const { c, caller, body: { bodySignatures } } = call;
  const isKeys = bodySignatures !== undefined && caller.key !== null;
  const bodySignature = c.req.header(BODY_SIGNATURE_HEADER);
  const refusal = isKeys ? refuseBodyUnsigned(bodySignature, bodySignatures, caller.key) : null;
  if (refusal !== null) throw refusal;
  const receipt = await call.submit({ kind: "set_settings", changes: call.body });
  return call.json(200, settingsJson(expectedReceipt(receipt, "settings_set").settings));
}

/** Endpoints of settings. */
export const ADMIN_SETTING_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readSettings",
    method: "GET",
    paths: ["/api/v2/admin/settings"],
    ...ofOperators("viewer"),
    summary: "Get the settings of the whole venue",
    answer: SETTINGS_ANSWER,
    handle: readSettings,
  }),
  endpoint({
    id: "setSettings",
    method: "PATCH",
    paths: ["/api/v2/admin/settings"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Change settings of the whole venue",
    description: "All processes obey them, whatever they were started with. Orders, sessions and " +
      "withdrawals that there are already keep what they were given. A change after which your " +
      "own calls need a body signature has to have one itself, so that it can be taken back.",
    body: { schema: SETTING_CHANGES, example: { price_band: "7.5", reason: "a volatile market" } },
    answer: SETTINGS_ANSWER,
    errors: { 422: ["admin.currency.doesnt_exist"] },
    handle: setSettings,
  }),
];
