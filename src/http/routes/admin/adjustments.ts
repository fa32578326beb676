/** The adjustments of a member's balances by operators, as the member and operators list them. */
import * as z from "zod";
import type { FundsRecord, Movement } from "../../../domain/money/funds.ts";
import type { Member } from "../../../domain/people/member.ts";
import { parseDecimal } from "../../../domain/money/money.ts";
import { type Act, readNumberedActs } from "../../../secrets/acts.ts";
import type { QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { backendPaths, NOT_FOUND, ofAccount, ofOperators, okPage } from "../../endpoint_parts.ts";
import { MEMBER_ADJUSTMENT } from "../../../edge/schemas/admin/admin_members.ts";
import { directionField, idPageFields, idPageOf } from "../../../edge/schemas/lists.ts";
import { amountText, currencyId, isoSeconds } from "../../../edge/wire/wire.ts";
import { holderOf } from "./admin_members.ts";

const ADJUSTMENT = "createAdjustment";
const ADJUSTMENTS_QUERY = z.object({
  ...idPageFields("pagination"),
  order_by: directionField("pagination"),
});

/** An adjustment in the log, and the number of the act that it was, if it was one. */
interface Adjustment extends Movement, Pick<FundsRecord, "at"> {
  readonly id: number;
  readonly act: number;
}

async function answerAdjustments(
  call: QueryCall<typeof ADJUSTMENTS_QUERY>,
  { index, uid }: Member,
): Promise<Response> {
  const { engine, fraction, query } = call;
  const all = { offset: 0, limit: Infinity, direction: "desc" } as const;
  const moved = await engine.funds.moved(index, engine.funds.now(index), {}, all);
  const adjustments = moved.items.flatMap(adjustmentsIn).reverse();
  const found = idPageOf(adjustments, query, query.order_by, "pagination");
  const page = { ...found, isScanLimited: moved.isScanLimited };
  const acts = await readNumberedActs(engine, page.items.map(({ act }) => act));
  const items = page.items.map((one, place): z.infer<typeof MEMBER_ADJUSTMENT> => ({
    id: one.id,
    currency: currencyId(engine.venue, one.currency),
    amount: amountText(one.gross, fraction),
    reason: reasonOf(one, uid, acts[place] ?? null),
    created_at: isoSeconds(one.at),
  }));
  call.chargeRecords(moved.scanned);
  return call.page(items, query, page);
}

function adjustmentsIn({ acts, at, moved }: FundsRecord): Adjustment[] {
  if (moved?.kind !== "adjustment") return [];
  return moved.movements.map((one) => ({ ...one, id: moved.of, at, act: acts + 1 }));
}

/** Returns the reason of an adjustment; empty if it was no act, or none was given. */
function reasonOf({ id, gross }: Adjustment, uid: string, act: Act | null): string {
  // If it took two operators, the first one has said why.
  const asked = act?.approval?.state === "approved" ? act.approval : act;
  if (act === null || asked?.action !== ADJUSTMENT) return "";
  const { changes, reason } = asked;
  const { made = String(id), member = changes["uid"] } = act;
  // The next act may be that of another adjustment, which was one.
  const isSame = made === String(id) && member === uid &&
    parseDecimal(String(changes["amount"])) === gross;
  return isSame ? reason : "";
}

const ANSWER = okPage("Adjustments by id, newest first by default.", MEMBER_ADJUSTMENT, {
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
    query: ADJUSTMENTS_QUERY,
    answer: ANSWER,
    handle: (call: QueryCall<typeof ADJUSTMENTS_QUERY>) =>
      answerAdjustments(call, call.engine.venue.holder(call.caller.member).member),
  }),
  endpoint({
    id: "listMemberAdjustments",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/adjustments"],
    ...ofOperators("viewer"),
    summary: "List the adjustments of a member's balances",
    query: ADJUSTMENTS_QUERY,
    answer: ANSWER,
    errors: NOT_FOUND,
    handle: (call: QueryCall<typeof ADJUSTMENTS_QUERY>) =>
      answerAdjustments(call, holderOf(call).member),
  }),
];
