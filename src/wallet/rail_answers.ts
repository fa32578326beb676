/**
 * What a rail says, before it goes into the log. A node has words of its own: Bitcoin's counts
 * fewer than no confirmations where a transaction contradicts the chain. What the log has taken
 * the rows have to hold, for ever: one number that they can't would stop the whole venue.
 */
import { ANY_OUTPUT } from "../domain/deposit.ts";
import { LEDGER_DIGITS, powerOfTen, WHOLE_DIGITS_MAX } from "../domain/money.ts";
import type { FindOutcome, SeenOutput, SendOutcome } from "./rail.ts";

/** Of a transaction or an address: as long as what the interface takes for one. */
const NAME_LENGTH_MAX = 256;
const AMOUNT_END = powerOfTen(WHOLE_DIGITS_MAX + LEDGER_DIGITS);

/** A rail has said what can't be; it is as if it had not answered. */
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
  // Of a node's JSON it may be a number, which no sum of the ledger can be made with.
  if (typeof amount !== "bigint" || amount < 0n || amount >= AMOUNT_END) {
    throw new RailAnswerError("an invalid amount");
  }
  checkConfirmations(confirmations);
}

/**
 * The outcome, as it came. What neither was sent nor refused may have been sent all the same: taken
 * for a refusal, it would be the member's twice.
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
 * The outcome, as it came.
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

/** @throws {RailAnswerError} */
export function checkAddress(address: string): void {
  if (!isName(address)) throw new RailAnswerError("an invalid address");
}

function checkSent(kind: string): void {
  if (kind !== "sent") throw new RailAnswerError("an invalid outcome");
}

/** Without a name, a deposit would be a new one whenever it is seen. */
function checkTxid(txid: string): void {
  if (!isName(txid)) throw new RailAnswerError("an invalid transaction");
}

function isName(text: string): boolean {
  return typeof text === "string" && text !== "" && text.length <= NAME_LENGTH_MAX &&
    text.isWellFormed();
}

function checkConfirmations(confirmations: number): void {
  if (!isCount(confirmations)) throw new RailAnswerError("invalid confirmations");
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
