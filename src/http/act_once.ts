/**
 * Operators' calls that move money take an `idempotency_key`: sent again with it, such a call answers
 * as it did, and nothing happens. So a call without an answer can simply be repeated.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import * as z from "zod";
import type { ActName, SoughtAct } from "../domain/people/act_names.ts";
import type { Receipt } from "../domain/command.ts";
import { reject } from "../domain/rejection.ts";
import { readReceipt } from "../secrets/acts.ts";
import type { Engine } from "../engine/engine.ts";
import { rejectionError, unavailable } from "../edge/errors.ts";
import { OBJECT, optional, text } from "../edge/schemas/fields.ts";

/** Name of the field. */
export const IDEMPOTENCY_KEY = "idempotency_key";
const KEY_LENGTH_MAX = 128;
const VISIBLE_ASCII = /^[!-~]+$/;
/** Bytes of a digest: two different calls never share one. */
const DIGEST_BYTES = 16;
/** How many lookups in the rows are tried before the call is given up. */
const LOOKUPS_MAX = 3;

/** The field that such a call takes besides its own. */
export const ACT_KEY = z.object({
  [IDEMPOTENCY_KEY]: optional(
    text({
      prefix: "admin.act",
      name: IDEMPOTENCY_KEY,
      lengthMax: KEY_LENGTH_MAX,
      pattern: VISIBLE_ASCII,
    }, {
      description:
        "Your own name for this call, never used for another. Sent again with it and the same " +
        "fields, the call is answered as the first time and nothing happens, however much later.",
      example: "payment-2041",
    }),
  ),
}, OBJECT);

/** Error identifiers of the field. */
export const ACT_KEY_ERRORS = [
  `admin.act.invalid_${IDEMPOTENCY_KEY}`,
  `admin.act.too_long_${IDEMPOTENCY_KEY}`,
  `admin.act.duplicate_${IDEMPOTENCY_KEY}`,
];

/** A call with a key, and what the venue has told its caller if it is a repeat. */
export interface OnceCall {
  readonly sought: SoughtAct;
  readonly earlier: Receipt | null;
}

/** Returns the name of a call by its key, and by what it asks for: action, target and fields. */
export function actName(key: string, action: string, target: object, body: object): ActName {
  const { [IDEMPOTENCY_KEY]: _, ...fields } = body as Record<string, unknown>;
  const request = JSON.stringify([action, sorted(target), sorted(fields)]);
  return { name: digest(key), request: digest(request) };
}

/**
 * Looks a call up by its key. The answer reaches up to where the venue's own memory of keys begins;
 * that is checked beforehand, because the nonce is good for one command only.
 *
 * @throws {ApiError} 422 if the key is another call's, 503 if the rows stay behind
 */
export async function findOnce(
  engine: Pick<Engine, "findAct" | "folded" | "readSidecar" | "venue">,
  name: ActName,
): Promise<OnceCall> {
  for (let tries = 0; tries < LOOKUPS_MAX; tries++) {
    const lookup = await engine.findAct(name.name);
    const { known, checkedAt } = lookup;
    if (known !== null && known.request !== name.request) {
      throw rejectionError(reject("act_name_taken", IDEMPOTENCY_KEY));
    }
    const sought = { ...name, ...lookup };
    if (known !== null) return { sought, earlier: await readReceipt(engine, known.act) };
    if (checkedAt >= engine.venue.actNames.knownSince) return { sought, earlier: null };
    await engine.folded();
  }
  throw unavailable();
}

function sorted(record: object): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}

function digest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, DIGEST_BYTES));
}
