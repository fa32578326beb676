/** The adjustments of a member's balances by operators, as the member and operators list them. */
import type * as z from "zod";
import { parseDecimal } from "../../domain/money.ts";
import { type Act, readMemberActs } from "../../engine/acts.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, NOT_FOUND, ofAccount, okPage, OPERATOR } from "../endpoint_parts.ts";
import { MEMBER_ADJUSTMENT } from "../schemas/admin_members.ts";
import { PAGE_QUERY, pageOf } from "../schemas/lists.ts";
import { amountText, type Fraction, isoSeconds } from "../wire.ts";
import { holderOf } from "./admin_members.ts";

const ADJUSTMENT = "createAdjustment";

async function answerAdjustments(
  call: QueryCall<typeof PAGE_QUERY>,
  uid: string,
): Promise<Response> {
  const all = await readMemberActs(call.engine, uid, { offset: 0, limit: Infinity });
  const made = all.items.flatMap(({ act }) => act?.action === ADJUSTMENT ? [act] : []);
  const page = pageOf(made, call.query, "pagination");
  const items = page.items.map((act) => adjustmentJson(act, call.fraction));
  call.chargeRecords(all.scanned);
  return call.page(items, call.query, page);
}

function adjustmentJson(act: Act, fraction: Fraction): z.infer<typeof MEMBER_ADJUSTMENT> {
  const { currency, amount } = act.changes;
  return {
    id: Number(act.made),
    currency: String(currency),
    amount: amountText(parseDecimal(String(amount)) ?? 0n, fraction),
    reason: act.reason,
    created_at: isoSeconds(act.at),
  };
}

const ANSWER = okPage("Adjustments, newest first.", MEMBER_ADJUSTMENT, {
  id: 3,
  currency: "btc",
  amount: "-0.5",
  reason: "a deposit that the bank took back",
  created_at: "2020-03-02T10:51:00Z",
});

/** Endpoints of adjustments. */
export const ADJUSTMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listAdjustments",
    method: "GET",
    paths: backendPaths("account/adjustments"),
    ...ofAccount("read"),
    summary: "List the adjustments of your balances by the operator",
    query: PAGE_QUERY,
    answer: ANSWER,
    handle: (call: QueryCall<typeof PAGE_QUERY>) =>
      answerAdjustments(call, call.engine.venue.holder(call.caller.member).member.uid),
  }),
  endpoint({
    id: "listMemberAdjustments",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/adjustments"],
    ...OPERATOR,
    summary: "List the adjustments of a member's balances",
    query: PAGE_QUERY,
    answer: ANSWER,
    errors: NOT_FOUND,
    handle: (call: QueryCall<typeof PAGE_QUERY>) =>
      answerAdjustments(call, holderOf(call).member.uid),
  }),
];
