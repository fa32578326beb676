/** Addresses: 20 bytes, whose checksum is in the case of their letters (EIP-55). */
import { addr } from "micro-eth-signer";

const ADDRESS = /^0x(?:[0-9a-fA-F]{40})$/;
const ZERO = `0x${"0".repeat(40)}`;

/**
 * Returns the spelling of an address that has its checksum; null if it is none, or is wrong by its
 * checksum. One case for all letters has no checksum. Coins sent to zero are lost: that is none.
 */
export function canonicalEvmAddress(address: string): string | null {
  if (!ADDRESS.test(address) || address === ZERO) return null;
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const canonical = addr.addChecksum(`0x${lower}`);
  const hasChecksum = digits !== lower && digits !== digits.toUpperCase();
  return hasChecksum && address !== canonical ? null : canonical;
}

/** Returns the address of a public key, in its canonical spelling. */
export function addressOfKey(publicKey: Uint8Array): string {
  return addr.fromPublicKey(publicKey);
}
