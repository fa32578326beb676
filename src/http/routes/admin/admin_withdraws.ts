/** Withdrawals, for operators. */
import type * as z from "zod";
import { present } from "../../../domain/assert.ts";
import type { Beneficiary } from "../../../domain/people/beneficiary.ts";
import type { Way } from "../../../domain/money/currency.ts";
import { isClaimed, type Withdraw, type WithdrawAction } from "../../../domain/money/withdraw.ts";
import { withdrawWay } from "../../../domain/money/withdraw_network.ts";
import type { Page, WithdrawFilter } from "../../../engine/engine.ts";
import { waitingFor } from "../../../wallet/waiting_withdraws.ts";
import type { ChangeWithdraw } from "../../../domain/money_command.ts";
import { NO_TEXT } from "../../../wallet/withdraw_texts.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import { NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import {
  type ADMIN_BENEFICIARY,
  ADMIN_WITHDRAW,
  ADMIN_WITHDRAW_DETAIL,
  ADMIN_WITHDRAW_DETAIL_EXAMPLE,
  ADMIN_WITHDRAW_EXAMPLE,
  ADMIN_WITHDRAW_WORDS,
  ADMIN_WITHDRAWS_QUERY,
  type PAYEE_STATE,
  WITHDRAW_SUCCESS,
} from "../../../edge/schemas/admin/admin_money.ts";
import { pageRequest } from "../../../edge/schemas/lists.ts";
import { msOf } from "../../../edge/filters.ts";
import { ALREADY_ASKED, askSecond, asksSecond } from "../../second_operator.ts";
import { withdrawJson } from "../../../edge/wire/withdraw_wire.ts";
import { namedCurrency, namedHolder, recordId, UNKNOWN_ERRORS } from "../named_records.ts";

async function adminWithdrawsJson(
  call: AnyCall,
  withdraws: readonly Withdraw[],
): Promise<z.infer<typeof ADMIN_WITHDRAW>[]> {
  const texts = await call.services.withdrawTexts.of(withdraws);
  return withdraws.map((withdraw, place) => adminWithdrawJson(call, withdraw, texts[place]));
}

function adminWithdrawJson(
  { engine: { venue }, fraction }: AnyCall,
  withdraw: Withdraw,
  text = NO_TEXT,
): z.infer<typeof ADMIN_WITHDRAW> {
  const { member, beneficiaries } = venue.holder(withdraw.member);
  return {
    ...withdrawJson(venue, withdraw, text, fraction),
    uid: member.uid,
    member_state: member.state,
    beneficiary_id: withdraw.beneficiary,
    beneficiary_state: payeeState(beneficiaries.get(withdraw.beneficiary)),
    is_approved: withdraw.isApproved,
    waiting_for: waitingFor(venue, withdraw),
    is_by_hand: withdraw.isByHand ?? false,
    claims: withdraw.claims,
  };
}

async function answerWithdraw(
  call: AnyCall,
  withdraw: Withdraw,
): Promise<Response> {
  const [text] = await call.shown(call.services.withdrawTexts.of([withdraw]), [NO_TEXT]);
  return call.json(200, adminWithdrawJson(call, withdraw, text));
}

async function listWithdraws(call: QueryCall<typeof ADMIN_WITHDRAWS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const { uid, currency, state, txid, is_approved, waiting_for } = query;
  const { venue } = engine;
  const waits = (withdraw: Withdraw) => {
    const reason = waitingFor(venue, withdraw);
    return reason !== null && (waiting_for?.has(reason) ?? false);
  };
  const filter = definedFields<WithdrawFilter>({
    currency: currency === undefined ? undefined : namedCurrency(venue, currency).index,
    states: state,
    isApproved: is_approved,
    waits: waiting_for === undefined ? undefined : waits,
    txid,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const request = pageRequest(query, query.order_by, ADMIN_WITHDRAW_WORDS);
  const page: Page<Withdraw> = uid === undefined
    ? await engine.allWithdraws(filter, request)
    : await engine.withdraws(namedHolder(venue, uid).member.index, filter, request);
  const withdraws = await adminWithdrawsJson(call, page.items);
  return call.page(withdraws, query, page);
}

async function readWithdraw(call: Call): Promise<Response> {
  const withdraw = await call.engine.withdraw(recordId(call));
  if (withdraw === null) throw new ApiError(404, "record.not_found");
  const beneficiary = await beneficiaryOf(call, withdraw);
  // Where it cannot be read, the destination among the texts cannot either.
  const [text] = beneficiary === null ? [] : await call.services.withdrawTexts.of([withdraw]);
  return call.json(200, { ...adminWithdrawJson(call, withdraw, text), beneficiary });
}

/** Returns where a withdrawal goes, even if it was deleted since; null if it cannot be read. */
async function beneficiaryOf(
  { engine, services }: AnyCall,
  { member, beneficiary: id }: Withdraw,
): Promise<z.infer<typeof ADMIN_BENEFICIARY> | null> {
  const found = engine.venue.holder(member).beneficiaries.get(id);
  const beneficiary = present(found, `beneficiary ${id} exists`);
  const texts = await services.beneficiaries.textsIfKept(beneficiary);
  if (texts === null) return null;
  return { id, name: texts.name, state: payeeState(beneficiary), data: texts.data };
}

function payeeState(beneficiary: Beneficiary | undefined): z.infer<typeof PAYEE_STATE> {
  const { isDisabled, state } = present(beneficiary, "a withdrawal's beneficiary exists");
  return isDisabled ? "disabled" : state;
}

async function changeWithdraw(
  call: AnyCall,
  change: Pick<ChangeWithdraw, "action" | "txid" | "updatedAt" | "isByHand">,
): Promise<Response> {
  const receipt = await call.submit({ kind: "change_withdraw", id: recordId(call), ...change });
  const { withdraw } = expectedReceipt(receipt, "withdraw_set");
  if (call.earlier === null) await call.services.withdrawNotices.ended(withdraw);
  return await answerWithdraw(call, withdraw);
}

/** Approves a withdrawal; without a rail it is paid by hand, whatever rail comes later. */
async function approveWithdraw(call: AnyCall): Promise<Response> {
  const { way, withdraw } = await namedWithdraw(call);
  const change = {
    action: "approve",
    ...(call.services.wallet.isPaidByHand(way) ? { isByHand: true as const } : {}),
  } as const;
  if (!asksSecond(call)) return await changeWithdraw(call, change);
  const { id } = withdraw;
  const { uid: member } = call.engine.venue.holder(withdraw.member).member;
  const command = { kind: "change_withdraw", id, ...change } as const;
  return await askSecond(call, { asked: { kind: "withdraw", id }, command, member });
}

async function succeedWithdraw(call: BodyCall<typeof WITHDRAW_SUCCESS>): Promise<Response> {
  const { txid } = call.body;
  return await changeWithdraw(call, {
    action: "succeed",
    ...(txid === undefined ? {} : { txid }),
  });
}

/** Has the rail pay; without one nobody would. */
async function changeForRail(call: AnyCall, action: "hand_over" | "retry"): Promise<Response> {
  const { way, withdraw } = await namedWithdraw(call);
  const isCoin = call.engine.venue.isCoin(withdraw.currency);
  const isUnpaid = call.services.wallet.isPaidByHand(way) && isCoin;
  if (call.earlier === null && isUnpaid) throw stateRefused("no_rail");
  return await changeWithdraw(call, { action });
}

/** Returns the error of a withdrawal, or of its payout, that is in a state unfit for the act. */
function stateRefused(value: string): ApiError {
  return new ApiError(422, INVALID_STATE, { details: { field: "state", value, rule: "state" } });
}

async function failWithdraw(call: AnyCall): Promise<Response> {
  const { way, withdraw } = await namedWithdraw(call);
  const { wallet } = call.services;
  const isAsked = wallet.serves(way) || !wallet.isPaidByHand(way);
  if (call.earlier !== null || !isAsked) return await changeWithdraw(call, { action: "fail" });
  await refuseSent(call, withdraw);
  // Another process may have claimed and sent it since.
  return await changeWithdraw(call, { action: "fail", updatedAt: withdraw.updatedAt });
}

/** Refuses a withdrawal that its rail has sent or may send: the member would get it twice. */
async function refuseSent({ engine, services }: AnyCall, withdraw: Withdraw): Promise<void> {
  if (isClaimed(withdraw, engine.now())) throw stateRefused(withdraw.state);
  const payout = await services.wallet.payoutOf(withdraw);
  if (payout?.kind === "absent" || payout?.isFailed === true) return;
  throw stateRefused(payout === null ? "unknown" : payout.kind);
}

/**
 * Returns the withdrawal that a call names, and its currency.
 *
 * @throws {ApiError} 404 if there is none
 */
async function namedWithdraw(
  call: AnyCall,
): Promise<{ readonly withdraw: Withdraw; readonly way: Way }> {
  const { engine } = call;
  await engine.fresh();
  const withdraw = await engine.withdraw(recordId(call));
  if (withdraw === null) throw new ApiError(404, "record.not_found");
  return { withdraw, way: withdrawWay(engine.venue, withdraw) };
}

const WITHDRAW_ANSWER = ok("The withdrawal.", ADMIN_WITHDRAW, ADMIN_WITHDRAW_EXAMPLE);

const INVALID_STATE = `${ADMIN_WITHDRAW_WORDS}.invalid_state`;

/** Names of actions in ids, where they are others. */
const IDS: Partial<Record<WithdrawAction, string>> = { hand_over: "handOver" };

type Handle = (call: Call) => Promise<Response>;

function changeEndpoint(
  action: WithdrawAction,
  summary: string,
  description: string,
  handle: Handle = (call) => changeWithdraw(call, { action }),
  errors: readonly string[] = [],
): Endpoint {
  return endpoint({
    id: `${IDS[action] ?? action}Withdraw`,
    method: "POST",
    paths: [`/api/v2/admin/withdraws/{id}/${action}`],
    ...ofOperators("finance", { needsCode: true }),
    summary,
    description,
    needsReason: true,
    isOnce: true,
    ...(action === "approve" ? { isForTwo: true } : {}),
    answer: WITHDRAW_ANSWER,
    errors: { ...NOT_FOUND, 422: [INVALID_STATE, ...errors] },
    handle,
  });
}

/** A withdrawal that may not be paid now is not made ready for it either. */
const UNPAYABLE = [
  `${ADMIN_WITHDRAW_WORDS}.member_locked`,
  `${ADMIN_WITHDRAW_WORDS}.beneficiary_disabled`,
  "account.withdraw.disabled_api",
  "account.currency.withdrawal_disabled",
];

/** Endpoints of withdrawals. */
export const ADMIN_WITHDRAW_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listAllWithdraws",
    method: "GET",
    paths: ["/api/v2/admin/withdraws"],
    ...ofOperators("viewer"),
    summary: "List the withdrawals of all members",
    query: ADMIN_WITHDRAWS_QUERY,
    answer: okPage(
      "Withdrawals by id, newest first by default.",
      ADMIN_WITHDRAW,
      ADMIN_WITHDRAW_EXAMPLE,
    ),
    errors: { 422: UNKNOWN_ERRORS },
    handle: listWithdraws,
  }),
  endpoint({
    id: "readAnyWithdraw",
    method: "GET",
    paths: ["/api/v2/admin/withdraws/{id}"],
    ...ofOperators("viewer"),
    summary: "Get a withdrawal",
    description: "Unlike lists, it tells where the money goes, as the member entered it.",
    answer: ok("The withdrawal.", ADMIN_WITHDRAW_DETAIL, ADMIN_WITHDRAW_DETAIL_EXAMPLE),
    errors: NOT_FOUND,
    handle: readWithdraw,
  }),
  changeEndpoint(
    "approve",
    "Approve a withdrawal",
    "For withdrawals above the limits or of a fiat currency. A coin then goes to its rail. " +
      "Fiat is paid by hand and then succeeds or fails. A coin without a rail is paid by hand " +
      "too, whatever rail comes later, and then succeeds or is rejected. It is refused while the member is locked, or " +
      "withdrawals, or those of the currency, are stopped, and once an operator has deleted the " +
      "beneficiary. A lock, and such a deletion, take back approvals, also of withdrawals within the " +
      "limits and of fiat, unless the rail has begun to pay: what was paid by hand by then succeeds " +
      "all the same.",
    approveWithdraw,
    [...UNPAYABLE, ALREADY_ASKED],
  ),
  changeEndpoint(
    "hand_over",
    "Hand a withdrawal over to the rail",
    "For one that `is_by_hand` and that nobody has paid: the rail pays it once it is approved. It is " +
      "refused while the withdrawal could not be approved, and for a coin without a rail.",
    (call) => changeForRail(call, "hand_over"),
    UNPAYABLE,
  ),
  changeEndpoint(
    "reject",
    "Reject a withdrawal",
    "Only possible before a process has claimed it; the amount becomes available again.",
  ),
  changeEndpoint(
    "retry",
    "Retry a parked withdrawal",
    "Keeps the payout id, so that the rail never sends it twice. It is refused while the " +
      "withdrawal could not be approved, and for a coin without a rail.",
    (call) => changeForRail(call, "retry"),
    UNPAYABLE,
  ),
  endpoint({
    id: "succeedWithdraw",
    method: "POST",
    paths: ["/api/v2/admin/withdraws/{id}/succeed"],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Mark a withdrawal as succeeded",
    description:
      "Removes the locked amount; the venue keeps the fee. One that `is_by_hand` can succeed once " +
      "it is approved; `txid` is then required. What its rail is about to send can't. After a restore, " +
      "until withdrawals are open again, each can that was paid after the copy was made, approved or " +
      "not, by the rail or by hand: with the `txid` that paid it. Its rail does not pay it again.",
    isOnce: true,
    needsReason: true,
    body: {
      schema: WITHDRAW_SUCCESS,
      example: { txid: "SEPA-2020-03-02-17", reason: "paid by the bank" },
    },
    answer: WITHDRAW_ANSWER,
    errors: { ...NOT_FOUND, 422: [INVALID_STATE, `${ADMIN_WITHDRAW_WORDS}.missing_txid`] },
    handle: succeedWithdraw,
  }),
  changeEndpoint(
    "fail",
    "Mark a withdrawal as failed",
    "The amount becomes available again, so make sure that the payout was not sent. A " +
      "withdrawal that a process is sending cannot fail until its claim expires, five seconds " +
      "after the last change. If the coin has a rail, the rail is asked first: a payout that " +
      "it has sent fails only if the chain has given it up, and one whose fate it does not " +
      "know cannot fail; `details.value` is `sent` or `unknown`, or `processing` while a process " +
      "may be sending it.",
    failWithdraw,
  ),
];
