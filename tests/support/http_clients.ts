import { assertEquals } from "@std/assert";
import { Browser } from "./browser.ts";
import { signedHeaders } from "./signed_headers.ts";

/** An answer's body; the caller knows its shape. */
// deno-lint-ignore no-explicit-any
type Json = any;

interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** A program that signs its calls with a key. */
export class SignedClient {
  #nonce = 0;

  constructor(
    readonly url: string,
    readonly kid: string,
    readonly secret: string,
  ) {}

  /** Makes a call; `path` follows `/api/v2`. */
  async call(method: string, path: string, body?: unknown): Promise<Answered> {
    this.#nonce = Math.max(this.#nonce + 1, Date.now());
    const headers = signedHeaders(this.kid, this.secret, this.#nonce);
    return await send(this.url, method, path, headers, body);
  }

  /** Makes a call whose answer must have the status; returns its body. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Json> {
    return expectStatus(status, method, path, await this.call(method, path, body));
  }

  /** Makes a call that must be refused with the status and identifier. */
  async fails(
    status: number,
    identifier: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<void> {
    const answer = await this.call(method, path, body);
    assertEquals([answer.status, answer.body.errors], [status, [identifier]], `${method} ${path}`);
  }
}

/** A person with a browser, at the venue with the URL. */
export class Person extends Browser {
  constructor(readonly url: string) {
    super();
  }

  /** Makes a call; `path` follows `/api/v2`. */
  async call(method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await send(this.url, method, path, this.headers(method), body);
    this.keep(answer.headers, answer.body);
    return answer;
  }

  /** Makes a call whose answer must have the status; returns its body. */
  async must(status: number, method: string, path: string, body?: unknown): Promise<Json> {
    return expectStatus(status, method, path, await this.call(method, path, body));
  }
}

function expectStatus(status: number, method: string, path: string, answer: Answered): Json {
  assertEquals(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answered & { readonly headers: Headers }> {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === "" ? null : JSON.parse(text),
    headers: answer.headers,
  };
}
