/** The receipt of a command that is answered in one way alone. */
import type { Receipt } from "../domain/command.ts";

/**
 * The receipt as the one of its kind.
 *
 * @throws {TypeError} it is of another kind
 */
export function expectedReceipt<K extends Receipt["kind"]>(
  receipt: Receipt,
  kind: K,
): Extract<Receipt, { readonly kind: K }> {
  if (receipt.kind === kind) return receipt as Extract<Receipt, { readonly kind: K }>;
  throw new TypeError(`Unexpected receipt "${receipt.kind}"`);
}
