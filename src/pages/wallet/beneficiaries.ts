/** Where one's money may go: one's own addresses and bank accounts. */
import { venue } from "../shared/session.ts";
import { LiveList, newestFirst } from "../live/live_list.ts";
import { Shown } from "../shared/shown.ts";
import type { Beneficiary } from "./money.ts";

/** Which dialog about addresses is open, and about what. */
export type OpenAddress =
  | { readonly kind: "add" }
  | { readonly kind: "confirm" | "delete"; readonly beneficiary: Beneficiary };

/** The dialog that is open; null for none. */
export const openAddress: Shown<OpenAddress | null> = new Shown<OpenAddress | null>(null);

const LIST_LIMIT = 1000;

/** All of them, newest first, and how far they are known. */
export const addressList: LiveList<Beneficiary> = new LiveList<Beneficiary>({
  keyOf: ({ id }) => id,
  read: () => venue.get("/api/v2/backend/account/beneficiaries", { query: { limit: LIST_LIMIT } }),
  arrange: newestFirst,
});
/** All of them, the newest first; null until they are known. */
export const beneficiaries: Shown<readonly Beneficiary[] | null> = addressList.rows;

/** Puts one into the list as it is now. */
export function noteBeneficiary(changed: Beneficiary): void {
  addressList.tell(changed);
}

/** Takes one out of the list. */
export function forgetBeneficiary(gone: number): void {
  addressList.remove(gone);
}

/** Returns the address of a coin, with its tag, or whose bank account it is. */
export function destinationOf({ data }: Beneficiary): string {
  const text = (name: string) => typeof data[name] === "string" ? data[name] as string : "";
  const account = [text("full_name"), text("account_number"), text("bank_name")];
  const tags = Object.keys(data).filter((name) => name !== "address" && text(name) !== "")
    .map((name) => ` ${name}=${text(name)}`);
  return text("address") === ""
    ? account.filter((part) => part !== "").join(", ")
    : `${text("address")}${tags.join("")}`;
}
