/** The settings of the wallet's networks: their nodes, and the seed of what signs. */
import { SEED_BYTES_MAX, SEED_BYTES_MIN } from "../wallet/keys/account_keys.ts";
import { NETWORK_NAMES, networkNamed } from "../wallet/networks.ts";

/** Hexadecimal digits per byte. */
const DIGITS_PER_BYTE = 2;

/**
 * Reads `network=url,…` into urls by network.
 *
 * @throws {Error} whose message continues the setting's name and shows nothing of a URL
 */
export function parseWalletNodes(text: string): ReadonlyMap<string, string> {
  const nodes = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.trim().split("=");
    const url = rest.join("=");
    if (!NETWORK_NAMES.includes(name)) {
      throw new Error(
        `must name networks, of ${NETWORK_NAMES.join(", ")}, each with "=" and a URL`,
      );
    }
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new Error(`must have an http or https URL for ${name}`);
    }
    if (nodes.has(name)) throw new Error(`must have one URL for ${name}`);
    nodes.set(name, url);
  }
  return nodes;
}

/**
 * Reads `network=address,…` into canonical addresses by network.
 *
 * @throws {Error} whose message continues the setting's name and shows nothing of an address
 */
export function parseWalletCold(text: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", address = "", ...rest] = part.trim().split("=");
    const network = networkNamed(name);
    if (network === undefined || rest.length > 0) {
      throw new Error(
        `must be network=address,…, of the networks ${NETWORK_NAMES.join(", ")}`,
      );
    }
    const canonical = network.canonicalAddress(address);
    if (canonical === null) throw new Error(`must be an address of the network for ${name}`);
    if (addresses.has(name)) throw new Error("must be one address for each network");
    addresses.set(name, canonical);
  }
  return addresses;
}

/**
 * Reads a seed as BIP-32 has it.
 *
 * @throws {Error} whose message continues the setting's name and shows nothing of the seed
 */
export function parseWalletSeed(text: string): Uint8Array {
  const length = text.length / DIGITS_PER_BYTE;
  const isSeed = /^[0-9a-f]+$/i.test(text) && Number.isInteger(length) &&
    length >= SEED_BYTES_MIN && length <= SEED_BYTES_MAX;
  if (!isSeed) {
    throw new Error(
      `must be ${SEED_BYTES_MIN} to ${SEED_BYTES_MAX} bytes in hex, for example the output of ` +
        "`openssl rand -hex 32`",
    );
  }
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
