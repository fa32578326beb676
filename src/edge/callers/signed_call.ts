/** What a caller signs: a call, or the handshake for which a log-in over an open socket stands. */
import type { Context } from "hono";
import type { ClientAddress } from "../client_address.ts";
import type { Env } from "../env.ts";
import { pathAndQuery } from "../reading/query.ts";

/** The signature of a call, as its headers or a log-in's message have it. */
export interface SignedHeaders {
  readonly kid: string;
  readonly nonce: string;
  readonly signature: string;
  readonly bodySignature: string | undefined;
}

/** What a signature is judged by, besides the key. */
export interface SignedCall {
  readonly method: string;
  /** As the caller sent them. */
  readonly pathAndQuery: string;
  /** Empty if there is none; null if it could not be read. */
  readonly body: string | null;
  /** Where it comes from. */
  readonly address: string;
}

/** A call over HTTP. What few calls are judged by is looked up when it is asked for. */
export class SignedHttpCall implements SignedCall {
  readonly #c: Context<Env>;
  readonly #clientAddress: ClientAddress;

  constructor(c: Context<Env>, clientAddress: ClientAddress) {
    this.#c = c;
    this.#clientAddress = clientAddress;
  }

  get method(): string {
    return this.#c.req.method;
  }

  get pathAndQuery(): string {
    return pathAndQuery(this.#c.req.url);
  }

  get body(): string | null {
    return this.#c.get("isBodyUnread") ? null : this.#c.get("rawBody") ?? "";
  }

  get address(): string {
    return this.#clientAddress(this.#c);
  }
}
