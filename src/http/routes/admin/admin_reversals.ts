/** Reversals of deposits and withdrawals that have ended, for operators. */
import { ANY_OUTPUT, type Deposit, REVERSIBLES } from "../../../domain/money/deposit.ts";
import { reversalName } from "../../../domain/money/decide_reversal.ts";
import { withdrawNetwork } from "../../../domain/money/withdraw_network.ts";
import type { Reverse } from "../../../domain/money_command.ts";
import type { AnyCall, BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import {
  ADMIN_DEPOSIT,
  ADMIN_DEPOSIT_EXAMPLE,
  WITHDRAW_RETURN,
} from "../../../edge/schemas/admin/admin_money.ts";
import { adminDepositJson, lookUp, lookUpFreed } from "./admin_deposits.ts";
import { recordId } from "../named_records.ts";

async function reverse(
  call: AnyCall,
  reversed: Reverse["reversed"],
  more: Pick<Reverse, "payment"> = {},
): Promise<Response> {
  const { type, record } = reversed;
  const name = reversalName({ type, id: record.id });
  const lookup = await lookUp(call, record.currency, name, ANY_OUTPUT);
  const receipt = await call.submit({ kind: "reverse", reversed, ...more, ...lookup });
  const { deposit } = expectedReceipt(receipt, "deposit_set");
  return call.json(201, adminDepositJson(call, deposit));
}

async function reverseDeposit(call: Call): Promise<Response> {
  const { engine } = call;
  await engine.fresh();
  const record: Deposit | null = await engine.deposit(recordId(call));
  if (record === null) throw new ApiError(404, "record.not_found");
  return await reverse(call, { type: "deposit", record });
}

async function returnWithdraw(call: BodyCall<typeof WITHDRAW_RETURN>): Promise<Response> {
  const { engine, body: { txid } } = call;
  await engine.fresh();
  const record = await engine.withdraw(recordId(call));
  if (record === null) throw new ApiError(404, "record.not_found");
  // What came back to the member's own address has been credited there.
  const currency = engine.venue.currency(record.currency);
  const network = withdrawNetwork(engine.venue, record);
  const on = network === undefined ? {} : { network };
  const sought = { currency, output: ANY_OUTPUT, ...on };
  const more = txid === undefined
    ? {}
    : { payment: { txid, ...await lookUpFreed(call, { ...sought, txid }) } };
  return await reverse(call, { type: "withdraw", record }, more);
}

const DUPLICATE_TXID = "admin.deposit.duplicate_txid";
const MADE = "admin.deposit.already_reversed";
const [OF_DEPOSIT, OF_WITHDRAW] = REVERSIBLES;

/** Endpoints of reversals. */
export const ADMIN_REVERSAL_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "reverseDeposit",
    method: "POST",
    paths: ["/api/v2/admin/deposits/{id}/reverse"],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Reverse a deposit",
    description:
      "For one that was credited by mistake, or whose transaction is gone from its chain: a deposit " +
      "of its own, with negative amount and fee, takes it back, once. The member must have as much " +
      "available, since no balance becomes negative: cancel its orders first, or make up what is " +
      "missing by an adjustment. Its transaction can then be entered again, for another member.",
    isOnce: true,
    needsReason: true,
    answer: created("The reversal.", ADMIN_DEPOSIT, {
      ...ADMIN_DEPOSIT_EXAMPLE,
      amount: "-0.5",
      received: "-0.5",
      output: null,
      reverses: { type: OF_DEPOSIT, id: 2041 },
    }),
    errors: {
      ...NOT_FOUND,
      422: ["admin.deposit.invalid_state", MADE, "market.account.insufficient_balance"],
    },
    handle: reverseDeposit,
  }),
  endpoint({
    id: "returnWithdraw",
    method: "POST",
    paths: ["/api/v2/admin/withdraws/{id}/return"],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Book a payment that came back",
    description:
      "For a withdrawal that has succeeded and whose payment was returned: a deposit of its own " +
      "gives the member what was sent, once. The fee stays with the venue. Refused if a deposit " +
      "has its transaction, which no later deposit can have either.",
    isOnce: true,
    needsReason: true,
    body: {
      schema: WITHDRAW_RETURN,
      example: { txid: "SEPA-2020-03-04-R1", reason: "the account is closed" },
    },
    answer: created("The deposit.", ADMIN_DEPOSIT, {
      ...ADMIN_DEPOSIT_EXAMPLE,
      output: null,
      reverses: { type: OF_WITHDRAW, id: 815 },
    }),
    errors: { ...NOT_FOUND, 422: ["admin.withdraw.invalid_state", MADE, DUPLICATE_TXID] },
    handle: returnWithdraw,
  }),
];
