/** The formats of log and rows, and the errors of a program that does not know one. */
import { InvariantError } from "../domain/assert.ts";

/**
 * Version of the log's format; a process that meets a newer one stops reading and writing. It grows
 * with each new kind of event, and when what was a row beside the log moves into it; a start gives the
 * head the newest one. Since 2 a market records whether it has had an order; since 3 an
 * order that was reported as pending has a message when it rests. Since 4 a deposit that came under
 * another name than the canonical one has both, an act may have a name, members and keys have a
 * generation, under which keys end for good, an order that ends without a trade is counted, and a
 * trade of a member with itself is told and counted on both sides; and an order keeps what it pays in
 * fees. Since 5 a limit of withdrawals of 0 lets nothing pass and null is none, see
 * `older_records.ts`, rows of fees and limits are deleted, and a withdrawal may be one that is paid by
 * hand; the
 * venue's settings are in the log, and currencies of profit and loss that are no longer named are kept
 * on. Since 6 each withdrawal of a coin says who pays it, somebody by hand or the rail, and
 * the name of a payment that came back is its deposit's too; the groups and levels of members are in
 * the log, beside which they were a row. A restore says which copy it goes on from. A
 * beneficiary may be disabled, and a withdrawal need approval since it is. Since 7 a member may have
 * a role as an operator, and an act be a person's. Since 8 a currency may live on several networks;
 * addresses, deposits and beneficiaries that are not on its first one say where they are.
 */
export const LOG_FORMAT = 8;

/**
 * Version of the rows' format. It grows with every change that a program which knows only the
 * present one could not read; up to 1 a candle's volume was a safe integer, up to 2 a member's row did
 * not count the orders that ended without a trade, a trade of a member with itself was stored as the
 * maker's alone, a withdrawal did not say why it needs approval, and an order did not hold its fees;
 * up to 3 a limit of withdrawals of 0 was none, and no withdrawal was marked as paid by hand; up to 4
 * none was marked as its rail's, and there were no rows of members' funds; up to 5 a
 * currency had one network, and no deposit named its own.
 * Codecs go on reading what was written before: a block that grows takes its older records along as
 * they are, under the newest format. An audit compares other rows as the newest codec writes them.
 */
export const ROW_FORMAT = 6;

/** What is stored is intact, but of a version that this program does not read. */
export class OtherVersionError extends InvariantError {
  override name = "OtherVersionError";
}

/**
 * A log or a row has a newer format than this program knows. A running venue that meets one,
 * because another process is newer, can't go on, as with any broken invariant.
 */
export class NewerFormatError extends OtherVersionError {
  override name = "NewerFormatError";
}

/**
 * Checks that this program can read a format.
 *
 * @throws {NewerFormatError} if it is too new
 */
export function checkFormat(what: string, format: number, known: number): void {
  if (format <= known) return;
  throw new NewerFormatError(
    `${what} has format ${format}, but this program knows ${known}: a newer version ` +
      "has written it, so start that one",
  );
}
