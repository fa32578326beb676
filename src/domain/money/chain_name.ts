/**
 * Names on a chain: transactions and addresses. One thing may have several spellings there, of which
 * one is canonical. Names are shown as they came, and compared by their canonical form: else a
 * payment that is entered under another spelling would count twice.
 */
import { cashName } from "./cash_address.ts";
import type { Currency, NameForm } from "./currency.ts";

/** Shorter ones may be an operator's own numbering, in which case may count. */
const HEX = /^(?:0x)?([0-9a-f]{32,})$/i;
/** In upper case, as QR codes have it; a decoder refuses mixed case. No other has to be changed. */
const UPPER_BECH32 = /^[!-@[-`{-~A-Z]+1[02-9AC-HJ-NP-Z]{6,}$/;

/** Returns how names of a currency are compared; older versions of the program did not record it. */
export function nameFormOf({ nameForm, type }: Pick<Currency, "nameForm" | "type">): NameForm {
  return nameForm ?? (type === "coin" ? "common" : "exact");
}

/** Returns a name as it is compared with others. */
export function canonicalName(form: NameForm, name: string): string {
  if (form === "exact") return name;
  const hex = HEX.exec(name)?.[1];
  if (hex !== undefined) return hex.toLowerCase();
  if (form === "cash") return cashName(name) ?? name;
  return UPPER_BECH32.test(name) ? name.toLowerCase() : name;
}

/** Returns whether two names are of one thing. */
export function isSameName(form: NameForm, one: string, other: string): boolean {
  return one === other || canonicalName(form, one) === canonicalName(form, other);
}

/**
 * Returns the spellings under which older versions of the program, which compared names as they
 * were, may have recorded a name; the canonical one comes first.
 */
export function spellings(form: NameForm, name: string): readonly string[] {
  const canonical = canonicalName(form, name);
  if (form === "exact" || !HEX.test(canonical)) return distinct([canonical, name]);
  const upper = canonical.toUpperCase();
  return distinct([canonical, name, upper, `0x${canonical}`, `0x${upper}`]);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
