/** Signatures of calls and sockets, by what browsers, Deno and Node have in common. */

/** A key of the venue. */
export interface Key {
  /** The key's id. */
  readonly kid: string;
  readonly secret: string;
}

/** What is signed of a call. */
export interface SignedCall {
  readonly method: string;
  /** Path from `/api/v2` on, with its query. */
  readonly path: string;
  /** The body as it is sent, "" if there is none. */
  readonly body: string;
}

const ENCODER = new TextEncoder();

/** Signs with one key. */
export class Signer {
  readonly kid: string;
  readonly #hmac: Promise<CryptoKey>;

  constructor({ kid, secret }: Key) {
    this.kid = kid;
    this.#hmac = crypto.subtle.importKey(
      "raw",
      ENCODER.encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    // Whoever signs hears of it.
    this.#hmac.catch(() => {});
  }

  /** Returns the signature of a nonce, as hex. */
  async sign(nonce: number): Promise<string> {
    return await this.#sign(`${nonce}${this.kid}`);
  }

  /** Returns the headers of a call; with `call`, they cover what is asked, too. */
  async headers(nonce: number, call: SignedCall | null): Promise<Record<string, string>> {
    const headers: Record<string, string> = {
      "X-Auth-Apikey": this.kid,
      "X-Auth-Nonce": String(nonce),
      "X-Auth-Signature": await this.sign(nonce),
    };
    if (call === null) return headers;
    const { method, path, body } = call;
    const hash = hex(await crypto.subtle.digest("SHA-256", ENCODER.encode(body)));
    const text = `${nonce}${this.kid}${method}${path}${hash}`;
    return { ...headers, "X-Auth-Body-Signature": await this.#sign(text) };
  }

  async #sign(text: string): Promise<string> {
    return hex(await crypto.subtle.sign("HMAC", await this.#hmac, ENCODER.encode(text)));
  }
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
