/** A transaction byte by byte, of which its txid is the proof. */
import { hex } from "@scure/base";
import { RawOldTx, RawTx } from "@scure/btc-signer/script.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** What a transaction's bytes say. */
export interface RawTransaction {
  readonly txid: string;
  readonly spends: readonly { readonly txid: string; readonly index: number }[];
  readonly outputs: readonly { readonly amount: bigint; readonly script: string }[];
}

const VERSION_BYTES = 4;
/** After the version of a transaction with Litecoin's confidential part and without witnesses. */
const CONFIDENTIAL_FLAG = "0008";
/** Its confidential part, which is empty in blocks, and the lock time. */
const CONFIDENTIAL_END = 10;
const LOCKTIME_END = 8;

/** Reads a transaction in hex; null if it is none. */
export function readRawTransaction(text: string): RawTransaction | null {
  try {
    const { version, inputs, outputs, lockTime } = RawTx.decode(hex.decode(withoutEmptyPart(text)));
    const named = RawOldTx.encode({ version, inputs, outputs, lockTime });
    const txid = hex.encode(sha256(sha256(named)).reverse());
    const spends = inputs.map(({ txid, index }) => ({ txid: hex.encode(txid), index }));
    const paid = outputs.map(({ amount, script }) => ({ amount, script: hex.encode(script) }));
    return { txid, spends, outputs: paid };
  } catch {
    return null;
  }
}

/** What Litecoin's blocks pay back from their confidential part has a flag, and nothing behind it. */
function withoutEmptyPart(text: string): string {
  const version = text.slice(0, 2 * VERSION_BYTES);
  const flag = text.slice(version.length, version.length + CONFIDENTIAL_FLAG.length);
  if (flag !== CONFIDENTIAL_FLAG) return text;
  const body = text.slice(version.length + flag.length, -CONFIDENTIAL_END);
  return version + body + text.slice(-LOCKTIME_END);
}
