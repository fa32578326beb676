/**
 * Addresses and the scripts that they stand for: of hashes of public keys and scripts in base58check
 * or CashAddr, and of witnesses of the versions 0 (BIP-173) and 1 (BIP-350).
 */
import { bech32, bech32m, createBase58check } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { hash160 } from "@scure/btc-signer/utils.js";
import { decodeCashAddress, encodeCashAddress } from "../../domain/money/cash_address.ts";
import type { UtxoNetwork } from "./utxo_networks.ts";

/** Characters of the longest address: others are not even looked at. */
const ADDRESS_LENGTH_MAX = 128;
const HASH_BYTES = 20;
/** Bytes of a witness's program: of a key's hash, and of a script's or a taproot key. */
const PROGRAM_BYTES = [20, 32];
const TAPROOT_BYTES = 32;
/** Types in CashAddr; wallets that know tokens have two of their own for the same. */
const CASH_TYPES = 4;

const base58check = createBase58check(sha256);

/** What an output pays to. */
type Payee =
  | { readonly kind: "key"; readonly hash: Uint8Array }
  | { readonly kind: "script"; readonly hash: Uint8Array }
  | { readonly kind: "witness"; readonly version: 0 | 1; readonly program: Uint8Array };

/** Returns the script of an address; null if it is none of the network's. */
export function scriptOfAddress(network: UtxoNetwork, address: string): Uint8Array | null {
  const payee = address.length > ADDRESS_LENGTH_MAX ? null : read(network, address);
  return payee === null ? null : scriptOf(payee);
}

/** Returns the canonical spelling of an address; null if it is none of the network's. */
export function canonicalAddress(network: UtxoNetwork, address: string): string | null {
  const payee = address.length > ADDRESS_LENGTH_MAX ? null : read(network, address);
  return payee === null ? null : written(network, payee);
}

/** Returns the script that pays a public key. */
export function scriptOfKey(network: UtxoNetwork, publicKey: Uint8Array): Uint8Array {
  return scriptOf(payeeOfKey(network, publicKey));
}

/** Returns the address of a public key. */
export function addressOfKey(network: UtxoNetwork, publicKey: Uint8Array): string {
  return written(network, payeeOfKey(network, publicKey));
}

/**
 * Returns the address that a script in lower-case hex pays to, if it is of the one kind that the
 * wallet's keys have; else null.
 */
export function keyAddressOfScript(network: UtxoNetwork, script: string): string | null {
  const hash = (network.bech32 === null ? KEY_SCRIPT : WITNESS_SCRIPT).exec(script)?.[1];
  return hash === undefined ? null : written(network, payeeOf(network, fromHex(hash)));
}

const WITNESS_SCRIPT = /^0014([0-9a-f]{40})$/;
const KEY_SCRIPT = /^76a914([0-9a-f]{40})88ac$/;

function payeeOfKey(network: UtxoNetwork, publicKey: Uint8Array): Payee {
  return payeeOf(network, hash160(publicKey));
}

function payeeOf(network: UtxoNetwork, hash: Uint8Array): Payee {
  return network.bech32 === null
    ? { kind: "key", hash }
    : { kind: "witness", version: 0, program: hash };
}

function read(network: UtxoNetwork, address: string): Payee | null {
  return readWitness(network, address) ?? readCash(network, address) ??
    readBase58(network, address);
}

function readWitness(network: UtxoNetwork, address: string): Payee | null {
  const { bech32: prefix } = network;
  if (prefix === null || !address.toLowerCase().startsWith(`${prefix}1`)) return null;
  // One of the two checksums at most is right.
  for (const [version, code] of [[0, bech32], [1, bech32m]] as const) {
    const decoded = code.decodeUnsafe(address);
    if (decoded === undefined) continue;
    const [digit, ...words] = decoded.words;
    const program = code.fromWordsUnsafe(words);
    if (decoded.prefix !== prefix || digit !== version || !program) return null;
    const isWhole = version === 0
      ? PROGRAM_BYTES.includes(program.length)
      : program.length === TAPROOT_BYTES;
    return isWhole ? { kind: "witness", version, program: Uint8Array.from(program) } : null;
  }
  return null;
}

function readCash(network: UtxoNetwork, address: string): Payee | null {
  if (network.cashPrefix === null) return null;
  const decoded = decodeCashAddress(address);
  if (decoded === null || decoded.prefix !== network.cashPrefix) return null;
  const { type, hash } = decoded;
  if (type >= CASH_TYPES || hash.length !== HASH_BYTES) return null;
  return { kind: (type & 1) === 0 ? "key" : "script", hash };
}

function readBase58({ keyVersion, scriptVersions }: UtxoNetwork, address: string): Payee | null {
  const bytes = decodeBase58check(address);
  if (bytes?.length !== 1 + HASH_BYTES) return null;
  const [version = -1] = bytes;
  const hash = bytes.slice(1);
  if (version === keyVersion) return { kind: "key", hash };
  return scriptVersions.includes(version) ? { kind: "script", hash } : null;
}

function decodeBase58check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}

function written(network: UtxoNetwork, payee: Payee): string {
  if (payee.kind === "witness") {
    const code = payee.version === 0 ? bech32 : bech32m;
    const words = [payee.version, ...code.toWords(payee.program)];
    return code.encode(network.bech32 ?? "", words);
  }
  const { cashPrefix, keyVersion, scriptVersions: [scriptVersion = 0] } = network;
  if (cashPrefix !== null) {
    const type = payee.kind === "key" ? 0 : 1;
    return encodeCashAddress({ prefix: cashPrefix, type, hash: payee.hash });
  }
  const version = payee.kind === "key" ? keyVersion : scriptVersion;
  return base58check.encode(Uint8Array.of(version, ...payee.hash));
}

function scriptOf(payee: Payee): Uint8Array {
  switch (payee.kind) {
    case "key":
      return Uint8Array.of(0x76, 0xa9, HASH_BYTES, ...payee.hash, 0x88, 0xac);
    case "script":
      return Uint8Array.of(0xa9, HASH_BYTES, ...payee.hash, 0x87);
    case "witness": {
      const opcode = payee.version === 0 ? 0x00 : 0x51;
      return Uint8Array.of(opcode, payee.program.length, ...payee.program);
    }
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
