/**
 * Checks what a rail says before it goes into the log. Nodes have their own conventions: Bitcoin's
 * reports negative confirmations for a transaction that conflicts with the chain. The rows have to
 * hold whatever the log has taken: one number that they can't would stop the venue.
 */
import { ANY_OUTPUT } from "../../domain/money/deposit.ts";
import { CHAIN_NAME_LENGTH_MAX } from "../../domain/limits.ts";
import { canonicalTag, type TagRule } from "../../domain/money/tag.ts";
import { LEDGER_DIGITS, powerOfTen, WHOLE_DIGITS_MAX } from "../../domain/money/money.ts";
import type { FindOutcome, SeenOutput, SendOutcome } from "./rail.ts";

const AMOUNT_END = powerOfTen(WHOLE_DIGITS_MAX + LEDGER_DIGITS);

/** A rail has returned something impossible; treated as if it had not answered. */
export class RailAnswerError extends Error {
  override name = "RailAnswerError";
  constructor(part: string) {
    super(`The rail returned ${part}`);
  }
}

/** @throws {RailAnswerError} */
export function checkOutput({ txid, output, amount, confirmations }: SeenOutput): void {
  checkTxid(txid);
  if (!isCount(output) || output >= ANY_OUTPUT) throw new RailAnswerError("an invalid output");
  // A value from a node's JSON may be a number, which the ledger can't add.
  if (typeof amount !== "bigint" || amount < 0n || amount >= AMOUNT_END) {
    throw new RailAnswerError("an invalid amount");
  }
  checkConfirmations(confirmations);
}

/**
 * Returns the outcome if it is valid. One that is neither `sent` nor `refused` may have been sent
 * all the same: treated as a refusal, it would reach the member twice.
 *
 * @throws {RailAnswerError}
 */
export function checkedSend(outcome: SendOutcome): SendOutcome {
  if (outcome.kind === "refused") return outcome;
  checkSent(outcome.kind);
  checkTxid(outcome.txid);
  return outcome;
}

/**
 * Returns the outcome if it is valid.
 *
 * @throws {RailAnswerError}
 */
export function checkedFind(outcome: FindOutcome): FindOutcome {
  if (outcome.kind === "absent") return outcome;
  checkSent(outcome.kind);
  checkTxid(outcome.txid);
  checkConfirmations(outcome.confirmations);
  return outcome;
}

/**
 * Returns the tag that a rail has given a member, in its canonical form.
 *
 * @throws {RailAnswerError}
 */
export function checkedTag(rule: TagRule, tag: string | undefined): string {
  const canonical = canonicalTag(rule, tag);
  if (canonical === null) throw new RailAnswerError("an invalid tag");
  return canonical;
}

/** @throws {RailAnswerError} */
export function checkAddress(address: string): void {
  if (!isName(address)) throw new RailAnswerError("an invalid address");
}

function checkSent(kind: string): void {
  if (kind !== "sent") throw new RailAnswerError("an invalid outcome");
}

/** Without a txid, a deposit would count as a new one each time it is seen. */
function checkTxid(txid: string): void {
  if (!isName(txid)) throw new RailAnswerError("an invalid transaction");
}

function isName(text: string): boolean {
  return typeof text === "string" && text !== "" && text.length <= CHAIN_NAME_LENGTH_MAX &&
    text.isWellFormed();
}

function checkConfirmations(confirmations: number): void {
  if (!isCount(confirmations)) throw new RailAnswerError("invalid confirmations");
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
