/**
 * Signatures computed before a timed run. Request `i` belongs to member `i % members`, and its
 * nonce is the first plus `i / members`, so only the signature's 64 hex bytes per request are kept.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** An access key and its secret. */
export interface Credential {
  readonly kid: string;
  readonly secret: string;
}

const SIGNATURE_BYTES = 64;
const DIGEST_BYTES = 32;
const HEX = new TextEncoder().encode("0123456789abcdef");
const encoder = new TextEncoder();

/** Signs the nonces of one key. */
export class KeySigner {
  readonly #keyed;
  readonly #message = new Uint8Array(256);
  readonly #digest = new Uint8Array(DIGEST_BYTES);

  constructor(readonly credential: Credential) {
    this.#keyed = hmac.create(sha256, encoder.encode(credential.secret));
  }

  /** Writes the hex signature of a nonce into `target`. */
  signInto(nonce: number, target: Uint8Array, at: number): void {
    const text = String(nonce) + this.credential.kid;
    const { written } = encoder.encodeInto(text, this.#message);
    this.#keyed.clone().update(this.#message.subarray(0, written)).digestInto(this.#digest);
    for (let index = 0; index < DIGEST_BYTES; index++) {
      const byte = this.#digest[index] ?? 0;
      target[at + 2 * index] = HEX[byte >> 4] ?? 0;
      target[at + 2 * index + 1] = HEX[byte & 15] ?? 0;
    }
  }

  /** Returns the three headers of a signed request. */
  headers(nonce: number): Record<string, string> {
    const signature = new Uint8Array(SIGNATURE_BYTES);
    this.signInto(nonce, signature, 0);
    return {
      "x-auth-apikey": this.credential.kid,
      "x-auth-nonce": String(nonce),
      "x-auth-signature": new TextDecoder().decode(signature),
    };
  }
}

/** Allots nonces that no key of the run has used, in ranges for all keys. */
export class NonceRanges {
  #last = 0;

  /**
   * Takes `count` consecutive nonces, up to the present if possible.
   *
   * @param aheadMs shift into the future, to the middle of a long run
   */
  take(count: number, aheadMs = 0): number {
    const first = Math.max(this.#last + 1, Date.now() + Math.round(aheadMs) - count);
    this.#last = first + count - 1;
    return first;
  }

  /** Excludes nonces before the present: a venue refuses those older than its start. */
  startNow(): void {
    this.#last = Math.max(this.#last, Date.now());
  }
}

/** Signed headers for a number of requests, spread evenly over the members. */
export class PresignedRequests {
  readonly #signatures: Uint8Array;
  readonly #keyHeaders: Uint8Array[];
  readonly #firstNonce: number;

  constructor(
    readonly signers: readonly KeySigner[],
    readonly count: number,
    nonces: NonceRanges,
    aheadMs = 0,
  ) {
    this.#firstNonce = nonces.take(Math.ceil(count / signers.length), aheadMs);
    this.#keyHeaders = signers.map(({ credential }) =>
      encoder.encode(`X-Auth-Apikey: ${credential.kid}\r\nX-Auth-Signature: `)
    );
    this.#signatures = new Uint8Array(count * SIGNATURE_BYTES);
    for (let index = 0; index < count; index++) {
      const signer = signers[index % signers.length];
      signer?.signInto(this.#nonce(index), this.#signatures, index * SIGNATURE_BYTES);
    }
  }

  /** Writes a whole request with the signed headers of `index`; returns its length in bytes. */
  writeInto(target: Uint8Array, index: number, requestLine: string, body: string): number {
    const start = `${requestLine} HTTP/1.1\r\nHost: venue\r\nX-Auth-Nonce: ${
      this.#nonce(index)
    }\r\n`;
    let at = encoder.encodeInto(start, target).written;
    const keyHeader = this.#keyHeaders[index % this.#keyHeaders.length];
    if (keyHeader === undefined || index >= this.count) throw new RangeError("No such request");
    target.set(keyHeader, at);
    at += keyHeader.length;
    const signature = index * SIGNATURE_BYTES;
    target.set(this.#signatures.subarray(signature, signature + SIGNATURE_BYTES), at);
    at += SIGNATURE_BYTES;
    const end = body === ""
      ? "\r\n\r\n"
      : `\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    return at + encoder.encodeInto(end, target.subarray(at)).written;
  }

  #nonce(index: number): number {
    return this.#firstNonce + Math.floor(index / this.signers.length);
  }
}
