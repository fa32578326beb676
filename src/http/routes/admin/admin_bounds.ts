/** Withdrawal limits and venue-wide switches, for operators. */
import { ANY_LEVEL } from "../../../domain/money/withdraw_limits.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import { classAnswers, requireClass } from "../../member_classes.ts";
import { switchesJson, withdrawLimitJson } from "../../../edge/wire/market_wire.ts";
import {
  NEW_WITHDRAW_LIMIT,
  SWITCH_CHANGES,
  SWITCHES,
  WITHDRAW_LIMIT,
  WITHDRAW_LIMIT_EXAMPLE,
} from "../../../edge/schemas/admin/admin_bounds.ts";
import { PAGE_QUERY } from "../../../edge/schemas/lists.ts";
import { listWithdrawLimits, WITHDRAW_LIMITS_ANSWER } from "../venue_info.ts";

const WORDS = "admin.withdraw_limit";

async function setWithdrawLimit(call: BodyCall<typeof NEW_WITHDRAW_LIMIT>): Promise<Response> {
  const { body: row, engine, fraction } = call;
  const { group, level } = row;
  await requireClass(engine, WORDS, { group, level }, "kyc_level");
  const answers = classAnswers(WORDS, "kyc_level");
  await call.submit({ kind: "set_withdraw_limit", row }, { answers });
  return call.json(201, withdrawLimitJson(row, fraction));
}

/**
 * Deletes the row that the path names.
 *
 * @throws {ApiError} 404 if there is none
 */
async function deleteWithdrawLimit(call: Call): Promise<Response> {
  const row = { level: levelOf(call.param("kyc_level")), group: call.param("group") };
  const receipt = await call.submit({ kind: "delete_withdraw_limit", row });
  const { row: deleted } = expectedReceipt(receipt, "withdraw_limit_deleted");
  return call.json(200, withdrawLimitJson(deleted, call.fraction));
}

/** Returns the level that a path names, as rows are read: no other spelling names it. */
function levelOf(given: string): number {
  if (given === "any") return ANY_LEVEL;
  const level = Number(given);
  if (String(level) !== given || level < 0) throw new ApiError(404, "record.not_found");
  return level;
}

function readSwitches(call: Call): Response {
  return call.json(200, switchesJson(call.engine.venue.switches));
}

async function setSwitches(call: BodyCall<typeof SWITCH_CHANGES>): Promise<Response> {
  const receipt = await call.submit({ kind: "set_switches", switches: call.body });
  return call.json(200, switchesJson(expectedReceipt(receipt, "switches_set").switches));
}

const SWITCHES_ANSWER = ok("The switches.", SWITCHES, { trading: true, withdrawals: false });

/** Endpoints of limits and switches. */
export const ADMIN_BOUNDS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "setWithdrawLimit",
    method: "POST",
    paths: ["/api/v2/admin/withdraw_limits"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Set a row of the withdrawal limit table",
    description:
      "The most specific row applies to a member: level and group, level, group, any. A " +
      "withdrawal above the limit waits for an operator, as does any withdrawal of a currency " +
      "whose price is 0. A limit of 0 lets nothing leave without an operator, null is no limit. " +
      "Withdrawals already requested are not affected.",
    body: {
      schema: NEW_WITHDRAW_LIMIT,
      example: {
        kyc_level: "any",
        group: "any",
        limit_24_hour: "1000.0",
        limit_1_month: "10000.0",
      },
    },
    answer: created("The row.", WITHDRAW_LIMIT, WITHDRAW_LIMIT_EXAMPLE),
    errors: { 422: ["admin.venue.contradicting_limits"] },
    handle: setWithdrawLimit,
  }),
  endpoint({
    id: "deleteWithdrawLimit",
    method: "DELETE",
    paths: ["/api/v2/admin/withdraw_limits/{kyc_level}/{group}"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Delete a row of the withdrawal limit table",
    description: "The next less specific row applies from then on; if there is none, no limit.",
    answer: ok("The row as it was.", WITHDRAW_LIMIT, WITHDRAW_LIMIT_EXAMPLE),
    errors: NOT_FOUND,
    handle: deleteWithdrawLimit,
  }),
  endpoint({
    id: "listAllWithdrawLimits",
    method: "GET",
    paths: ["/api/v2/admin/withdraw_limits"],
    ...ofOperators("viewer"),
    summary: "List the withdrawal limit table",
    query: PAGE_QUERY,
    answer: WITHDRAW_LIMITS_ANSWER,
    handle: listWithdrawLimits,
  }),
  endpoint({
    id: "readSwitches",
    method: "GET",
    paths: ["/api/v2/admin/switches"],
    ...ofOperators("viewer"),
    summary: "Get the venue-wide switches",
    answer: SWITCHES_ANSWER,
    handle: readSwitches,
  }),
  endpoint({
    id: "setSwitches",
    method: "PATCH",
    paths: ["/api/v2/admin/switches"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Stop or resume trading or withdrawals",
    description:
      "Takes effect on every process at once. To stop a single currency, use its own fields; a " +
      "market or a member, its state.",
    body: {
      schema: SWITCH_CHANGES,
      example: { withdrawals: false, reason: "moving the hot wallet" },
    },
    answer: SWITCHES_ANSWER,
    handle: setSwitches,
  }),
];
