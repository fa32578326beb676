/** Requesting, listing and totalling withdrawals. */
import type * as z from "zod";
import type { OtpProof } from "../../domain/identity_command.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import { withdrawNetwork } from "../../domain/money/withdraw_network.ts";
import { withdrawSums } from "../../domain/money/withdraw_sums.ts";
import { beforehand, type WithdrawFilter } from "../../engine/engine.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../../edge/answer.ts";
import {
  backendPaths,
  CODES_THROTTLED,
  created,
  NOT_FOUND,
  ofAccount,
  ok,
  okPage,
} from "../endpoint_parts.ts";
import { ApiError } from "../../edge/errors.ts";
import { expectedReceipt } from "../../domain/command.ts";
import type { RejectionAnswers } from "../../edge/rejection_answers.ts";
import { WITHDRAW_EXAMPLE, WITHDRAW_SUMS_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import { pageRequest } from "../../edge/schemas/lists.ts";
import {
  NEW_WITHDRAW,
  NO_BENEFICIARY,
  WITHDRAW,
  WITHDRAW_SUMS,
  WITHDRAWS_QUERY,
} from "../../edge/schemas/withdraws.ts";
import { NO_TEXT } from "../../wallet/withdraw_texts.ts";
import { amountText } from "../../edge/wire/wire.ts";
import { type WithdrawJson, withdrawJson } from "../../edge/wire/withdraw_wire.ts";
import { msOf } from "../../edge/filters.ts";
import { currencyIndex, currencyOf, NO_CURRENCY } from "./account_currency.ts";
import { recordId } from "./named_records.ts";

const PREFIX = "account.withdraw";
const NO_TWO_FACTOR = `${PREFIX}.2fa_disabled`;

const REQUEST_ANSWERS: RejectionAnswers = {
  beneficiary_not_found: { status: 422, identifier: NO_BENEFICIARY },
  currency_not_found: { status: 422, identifier: NO_CURRENCY },
  two_factor_off: { status: 422, identifier: NO_TWO_FACTOR },
};

async function createWithdraw(call: BodyCall<typeof NEW_WITHDRAW>): Promise<Response> {
  const { engine, services, body } = call;
  const { member } = call.caller;
  const { uid } = engine.venue.holder(member).member;
  const currency = await currencyOf(call, body.currency);
  const network = withdrawNetwork(engine.venue, { member, beneficiary: body.beneficiary_id });
  const way = { currency: currency.id, network };
  const { note = "" } = body;
  const noteRow = note === "" ? null : await services.withdrawTexts.prepareNote(uid, note);
  const receipt = await call.submit({
    kind: "request_withdraw",
    member,
    otp: await proofOf(call, body.otp),
    beneficiary: body.beneficiary_id,
    currency: currency.id,
    amount: body.amount,
    ...(services.wallet.isPaidByHand(way) ? { isByHand: true } : {}),
  }, {
    activity: { topic: "withdraw", action: "create" },
    needsSession: true,
    answers: REQUEST_ANSWERS,
    sidecar: (receipt) =>
      noteRow === null || receipt.kind !== "withdraw_set" ? [] : [noteRow(receipt.withdraw.id)],
  });
  const { withdraw } = expectedReceipt(receipt, "withdraw_set");
  await services.withdrawNotices.requested(withdraw);
  return await answerChanged(call, 201, withdraw);
}

/** Answers with a withdrawal as it has become, without texts if this process can't open them. */
async function answerChanged(
  call: AnyCall,
  status: 200 | 201,
  withdraw: Withdraw,
): Promise<Response> {
  const { engine, fraction, services } = call;
  const [text = NO_TEXT] = await call.shown(services.withdrawTexts.of([withdraw]), []);
  return call.json(status, withdrawJson(engine.venue, withdraw, text, fraction));
}

/** Returns the proof of a code; without a second factor, one that proves nothing. */
async function proofOf({ engine, caller, services }: AnyCall, code: string): Promise<OtpProof> {
  const { member, key, session } = caller;
  const isOn = () => engine.venue.holder(member).member.hasTwoFactor;
  // Another process may just have turned it on.
  if (!isOn()) await engine.fresh();
  if (!isOn()) return { member, generation: 0, step: null };
  const place = key === null ? { sessionId: session.sessionId } : { sessionId: null, kid: key.kid };
  return await services.identity.twoFactor.prove(member, code, place);
}

/** Returns withdrawals as JSON; they may belong to different members. */
async function withdrawsJson(
  { engine, services, fraction }: AnyCall,
  withdraws: readonly Withdraw[],
): Promise<WithdrawJson[]> {
  const texts = await services.withdrawTexts.of(withdraws);
  return withdraws.flatMap((withdraw, index) => {
    const text = texts[index];
    return text === undefined ? [] : [withdrawJson(engine.venue, withdraw, text, fraction)];
  });
}

/**
 * Returns the caller's withdrawal that the path names.
 *
 * @throws {ApiError} 404 if there is none
 */
async function namedWithdraw(call: AnyCall): Promise<Withdraw> {
  const { engine, caller } = call;
  await beforehand(engine.fresh());
  const withdraw = await beforehand(engine.withdraw(recordId(call)));
  if (withdraw?.member !== caller.member) throw new ApiError(404, "record.not_found");
  return withdraw;
}

async function readWithdraw(call: Call): Promise<Response> {
  const [json] = await withdrawsJson(call, [await namedWithdraw(call)]);
  return call.json(200, json);
}

async function cancelWithdraw(call: Call): Promise<Response> {
  const { services } = call;
  const { id, member } = await namedWithdraw(call);
  const receipt = await call.submit({ kind: "cancel_withdraw", member, id }, {
    activity: { topic: "withdraw", action: "cancel" },
    answers: CANCEL_ANSWERS,
  });
  const { withdraw } = expectedReceipt(receipt, "withdraw_set");
  await services.withdrawNotices.ended(withdraw);
  return await answerChanged(call, 200, withdraw);
}

const CANNOT_CANCEL = `${PREFIX}.cant_cancel`;
const CANCEL_ANSWERS: RejectionAnswers = {
  withdraw_state_invalid: { status: 422, identifier: CANNOT_CANCEL },
};

async function listWithdraws(call: QueryCall<typeof WITHDRAWS_QUERY>): Promise<Response> {
  const { engine, services, query } = call;
  const { member } = call.caller;
  const { rid } = query;
  const filter = definedFields<WithdrawFilter>({
    currency: await currencyIndex(call, query.currency),
    states: query.state,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
    beneficiaries: rid === undefined
      ? undefined
      : await services.beneficiaries.idsOfRid(engine.venue.holder(member), rid),
  });
  const request = pageRequest(query, query.order_by, PREFIX);
  const page = await engine.withdraws(member, filter, request);
  return call.page(await withdrawsJson(call, page.items), query, page);
}

function readSums(call: Call): Response {
  const { engine, fraction } = call;
  const sums = withdrawSums(engine.venue, engine.venue.holder(call.caller.member), engine.now());
  const answer: z.infer<typeof WITHDRAW_SUMS> = {
    last_4_hours: amountText(sums.last4Hours, fraction),
    last_24_hours: amountText(sums.last24Hours, fraction),
    last_1_month: amountText(sums.lastMonth, fraction),
  };
  return call.json(200, answer);
}

/** Endpoints of withdrawals. */
export const WITHDRAW_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createWithdraw",
    method: "POST",
    paths: backendPaths("account/withdraws"),
    ...ofAccount("withdraw"),
    summary: "Request a withdrawal",
    description:
      "Withdraws to an active beneficiary. Locks the amount, which includes the fee. A " +
      "withdrawal above your limits stays `accepted` until the operator approves it, or until " +
      "you take it back. " +
      "Requires the second factor; each code works once. A new beneficiary is on hold for " +
      "some time. So is one activated after, or shortly before, a change of your password or " +
      "second factor.",
    levels: ["withdraw"],
    body: {
      schema: NEW_WITHDRAW,
      example: { otp: 123456, beneficiary_id: 7, currency: "btc", amount: "0.25" },
      isFormFirst: true,
    },
    answer: created("The withdrawal, with its amount locked.", WITHDRAW, WITHDRAW_EXAMPLE),
    errors: {
      422: [
        NO_CURRENCY,
        `${PREFIX}.disabled_api`,
        "account.beneficiary.invalid_state_for_withdrawal",
        "account.beneficiary.on_hold",
        NO_TWO_FACTOR,
        "account.currency.withdrawal_disabled",
        `${PREFIX}.insufficient_balance`,
      ],
      ...CODES_THROTTLED,
    },
    handle: createWithdraw,
  }),
  endpoint({
    id: "listWithdraws",
    method: "GET",
    paths: backendPaths("account/withdraws"),
    ...ofAccount("read"),
    summary: "List your withdrawals",
    levels: ["withdraw"],
    query: WITHDRAWS_QUERY,
    answer: okPage("Withdrawals by id, newest first by default.", WITHDRAW, WITHDRAW_EXAMPLE),
    errors: { 422: [NO_CURRENCY] },
    handle: listWithdraws,
  }),
  endpoint({
    id: "readWithdrawSums",
    method: "GET",
    paths: backendPaths("account/withdraws/sums"),
    ...ofAccount("read"),
    summary: "Get your recent withdrawal totals",
    description:
      "In the platform currency, at current prices. Withdrawals that failed or were rejected " +
      "or cancelled do not count.",
    levels: ["withdraw"],
    answer: ok("The totals.", WITHDRAW_SUMS, WITHDRAW_SUMS_EXAMPLE),
    handle: readSums,
  }),
  // After the totals, whose path has no id.
  endpoint({
    id: "readWithdraw",
    method: "GET",
    paths: backendPaths("account/withdraws/{id}"),
    ...ofAccount("read"),
    summary: "Get a withdrawal",
    answer: ok("The withdrawal.", WITHDRAW, WITHDRAW_EXAMPLE),
    errors: NOT_FOUND,
    handle: readWithdraw,
  }),
  endpoint({
    id: "cancelWithdraw",
    method: "DELETE",
    paths: backendPaths("account/withdraws/{id}"),
    ...ofAccount("withdraw"),
    summary: "Take back a withdrawal",
    description:
      "Possible while it is `accepted` and waits for the operator's approval, or for the wallet " +
      "to send it; not once it is being paid, nor if the operator pays it by hand and has " +
      "approved it, nor after the venue has gone on from a backup, until withdrawals are open again. " +
      "Its amount is available again, and counts against no limit.",
    answer: ok("The withdrawal, `canceled`.", WITHDRAW, {
      ...WITHDRAW_EXAMPLE,
      state: "canceled",
      waits_for: null,
      approval_reason: null,
      done_at: "2020-03-02T10:52:00Z",
    }),
    errors: { ...NOT_FOUND, 422: [CANNOT_CANCEL, `${PREFIX}.disabled_api`] },
    handle: cancelWithdraw,
  }),
];
