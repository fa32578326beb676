/** Narrows the receipt of a command that has only one kind of receipt. */
import type { Receipt } from "../domain/command.ts";

/**
 * Returns the receipt as one of the given kind.
 *
 * @throws {TypeError} if it is of another kind
 */
export function expectedReceipt<K extends Receipt["kind"]>(
  receipt: Receipt,
  kind: K,
): Extract<Receipt, { readonly kind: K }> {
  if (receipt.kind === kind) return receipt as Extract<Receipt, { readonly kind: K }>;
  throw new TypeError(`Unexpected receipt "${receipt.kind}"`);
}
