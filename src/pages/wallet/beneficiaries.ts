/** Where one's money may go: one's own addresses and bank accounts. */
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";
import type { Beneficiary } from "./money.ts";

/** All of them, the newest first; null until they are known. */
export const beneficiaries: Shown<readonly Beneficiary[] | null> = new Shown<
  readonly Beneficiary[] | null
>(null);

/** Which dialog about addresses is open, and about what. */
export type OpenAddress =
  | { readonly kind: "add" }
  | { readonly kind: "confirm" | "delete"; readonly beneficiary: Beneficiary };

/** The dialog that is open; null for none. */
export const openAddress: Shown<OpenAddress | null> = new Shown<OpenAddress | null>(null);

const LIST_LIMIT = 1000;

/** Reads all of them. */
export async function loadBeneficiaries(): Promise<void> {
  const query = { limit: LIST_LIMIT };
  const all = await venue.get("/api/v2/backend/account/beneficiaries", { query });
  beneficiaries.set([...all].sort((one, other) => other.id - one.id));
}

/** Puts one into the list as it is now. */
export function noteBeneficiary(changed: Beneficiary): void {
  const others = (beneficiaries.value ?? []).filter(({ id }) => id !== changed.id);
  beneficiaries.set([changed, ...others].sort((one, other) => other.id - one.id));
}

/** Takes one out of the list. */
export function forgetBeneficiary(gone: number): void {
  beneficiaries.set((beneficiaries.value ?? []).filter(({ id }) => id !== gone));
}

/** Returns the address of a coin, or whose bank account it is. */
export function destinationOf({ data }: Beneficiary): string {
  const text = (name: string) => typeof data[name] === "string" ? data[name] as string : "";
  const account = [text("full_name"), text("account_number"), text("bank_name")];
  return text("address") || account.filter((part) => part !== "").join(", ");
}
