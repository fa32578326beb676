/** The two forms of a deposit address, for coins whose addresses have two. */
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase58 } from "../../domain/money/base58.ts";
import {
  type CashAddress,
  decodeEitherForm,
  encodeCashAddress,
  legacyPayload,
} from "../../domain/money/cash_address.ts";
import type { NameForm } from "../../domain/money/currency.ts";

/** Bytes of the checksum of a legacy address. */
const CHECKSUM_BYTES = 4;

/** An address in its forms. */
export interface AddressForms {
  /** In the form that every coin has. */
  readonly address: string;
  /** The same as CashAddr, with its prefix; absent for a coin without that form. */
  readonly cashAddress?: string;
}

/** Returns the forms of an address that a rail has given in any of them. */
export function addressForms(form: NameForm, given: string): AddressForms {
  const address = form === "cash" ? decodeEitherForm(given) : null;
  if (address === null) return { address: given };
  return { address: legacyAddress(address) ?? given, cashAddress: encodeCashAddress(address) };
}

/** Writes an address in its legacy form; null if it has none. */
export function legacyAddress(address: CashAddress): string | null {
  const payload = legacyPayload(address);
  if (payload === null) return null;
  const checksum = sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
  return encodeBase58(Uint8Array.of(...payload, ...checksum));
}
