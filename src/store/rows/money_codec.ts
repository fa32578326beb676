/** Deposits and withdrawals as bytes in rows. */
import { type Deposit, DEPOSIT_STATES, REVERSIBLES } from "../../domain/money/deposit.ts";
import { APPROVAL_REASONS, type Withdraw, WITHDRAW_STATES } from "../../domain/money/withdraw.ts";
import { codeOf, wordOf } from "../log/event_codec.ts";
import type { RecordCodec } from "./block_codec.ts";

/** Times the code of what a deposit reverses, above the codes of states. */
const REVERSES = 64;
/** Mark of a deposit that names its network, among the codes of states. */
const ON_NETWORK = 32;

/** Returns the code of what a deposit reverses; 0 for nothing. */
function reversedCode({ reverses }: Deposit): number {
  return reverses === undefined ? 0 : 1 + codeOf(REVERSIBLES, reverses.type);
}

/** Complete deposits, open or ended. */
export const DEPOSIT_CODEC: RecordCodec<Deposit> = {
  write(writer, deposit) {
    writer.uint(deposit.id);
    writer.uint(deposit.member);
    writer.uint(deposit.currency);
    writer.bigint(deposit.amount);
    writer.bigint(deposit.fee);
    writer.text(deposit.txid);
    writer.uint(deposit.output);
    writer.uint(deposit.confirmations);
    const mark = deposit.network === undefined ? 0 : ON_NETWORK;
    writer.byte(codeOf(DEPOSIT_STATES, deposit.state) + mark + REVERSES * reversedCode(deposit));
    writer.uint(deposit.createdAt);
    writer.uint(deposit.updatedAt);
    writer.uint(deposit.completedAt);
    if (deposit.reverses !== undefined) writer.uint(deposit.reverses.id);
    if (deposit.network !== undefined) writer.text(deposit.network);
  },
  read(reader) {
    const about = {
      id: reader.uint(),
      member: reader.uint(),
      currency: reader.uint(),
      amount: reader.bigint(),
      fee: reader.bigint(),
      txid: reader.text(),
      output: reader.uint(),
      confirmations: reader.uint(),
    };
    const marks = reader.byte();
    const deposit: Deposit = {
      ...about,
      state: wordOf(DEPOSIT_STATES, marks % ON_NETWORK),
      createdAt: reader.uint(),
      updatedAt: reader.uint(),
      completedAt: reader.uint(),
    };
    const code = Math.floor(marks / REVERSES);
    return {
      ...deposit,
      ...(code === 0
        ? {}
        : { reverses: { type: wordOf(REVERSIBLES, code - 1), id: reader.uint() } }),
      ...(marks % REVERSES < ON_NETWORK ? {} : { network: reader.text() }),
    };
  },
  id: (deposit) => deposit.id,
};

/** Returns the code of why a withdrawal needs approval; 0 for no reason. */
function reasonCode({ approvalReason }: Withdraw): number {
  return approvalReason === undefined ? 0 : 1 + codeOf(APPROVAL_REASONS, approvalReason);
}

/** Marks of who pays a withdrawal, above the codes of reasons; those of older programs have none. */
const BY_HAND = 128;
const BY_RAIL = 64;

/** Returns the mark of who pays a withdrawal. */
function payerMark({ isByHand }: Withdraw): number {
  return isByHand === undefined ? 0 : isByHand ? BY_HAND : BY_RAIL;
}

/** Complete withdrawals, open or ended. */
export const WITHDRAW_CODEC: RecordCodec<Withdraw> = {
  write(writer, withdraw) {
    writer.uint(withdraw.id);
    writer.uint(withdraw.member);
    writer.uint(withdraw.currency);
    writer.bigint(withdraw.amount);
    writer.bigint(withdraw.fee);
    writer.uint(withdraw.beneficiary);
    writer.byte(codeOf(WITHDRAW_STATES, withdraw.state));
    writer.byte((withdraw.isApproved ? 1 : 0) + 2 * reasonCode(withdraw) + payerMark(withdraw));
    writer.text(withdraw.txid);
    writer.uint(withdraw.confirmations);
    writer.uint(withdraw.claims);
    writer.uint(withdraw.createdAt);
    writer.uint(withdraw.updatedAt);
    writer.uint(withdraw.doneAt);
  },
  read(reader) {
    const about = {
      id: reader.uint(),
      member: reader.uint(),
      currency: reader.uint(),
      amount: reader.bigint(),
      fee: reader.bigint(),
      beneficiary: reader.uint(),
      state: wordOf(WITHDRAW_STATES, reader.byte()),
    };
    const marks = reader.byte();
    const approval = marks % BY_RAIL;
    return {
      ...about,
      isApproved: approval % 2 === 1,
      ...(approval < 2 ? {} : { approvalReason: wordOf(APPROVAL_REASONS, (approval >> 1) - 1) }),
      ...(marks < BY_RAIL ? {} : { isByHand: marks >= BY_HAND }),
      txid: reader.text(),
      confirmations: reader.uint(),
      claims: reader.uint(),
      createdAt: reader.uint(),
      updatedAt: reader.uint(),
      doneAt: reader.uint(),
    };
  },
  id: (withdraw) => withdraw.id,
};
