/** A node of Bitcoin's family, asked by JSON-RPC over HTTP. */
import { NodeRefusalError, UtxoFaultError } from "./utxo_faults.ts";

/** What the node's JSON holds; numbers that are not whole stay the texts that they were. */
export type NodeValue =
  | null
  | boolean
  | number
  | string
  | readonly NodeValue[]
  | { readonly [name: string]: NodeValue };

/** A node that can be asked. */
export interface JsonRpc {
  /**
   * Asks the node.
   *
   * @throws {NodeRefusalError} it answers that it won't
   * @throws {UtxoFaultError} there is no answer, or none that makes sense
   */
  call(method: string, ...params: readonly NodeValue[]): Promise<NodeValue>;
}

/** Time limit for an answer, in ms. */
const ANSWER_MS_MAX = 8_000;
/** Bytes of the longest answer: a full block with all of its transactions. */
const ANSWER_BYTES_MAX = 96 * 1024 * 1024;
/** Questions at once: as many as a node works on; it refuses what would have to wait for long. */
const QUESTIONS_AT_ONCE = 4;
/** Questions that are answered by names alone, and by many of them: no number in them is an amount. */
const NAMES_ONLY: ReadonlySet<string> = new Set(["getrawmempool"]);
/** What a node answers while it starts. */
const WARMING_UP = -28;
const WHOLE = /^-?\d+$/;

/** How a node is reached. */
export interface UtxoNodeOptions {
  /** Of the node; a user and a password may be in it. */
  readonly url: string;
  /** Time limit for an answer, in ms. */
  readonly answerMsMax?: number;
  readonly answerBytesMax?: number;
}

/** A node by its URL. */
export class UtxoNode implements JsonRpc {
  readonly #url: URL;
  readonly #authorization: string | null;
  readonly #answerMsMax: number;
  readonly #answerBytesMax: number;
  #lastId = 0;
  #asking = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ url, answerMsMax, answerBytesMax }: UtxoNodeOptions) {
    this.#url = new URL(url);
    const { username, password } = this.#url;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization = username === "" ? null : `Basic ${base64(credentials)}`;
    this.#url.username = "";
    this.#url.password = "";
    this.#answerMsMax = answerMsMax ?? ANSWER_MS_MAX;
    this.#answerBytesMax = answerBytesMax ?? ANSWER_BYTES_MAX;
  }

  async call(method: string, ...params: readonly NodeValue[]): Promise<NodeValue> {
    this.#lastId += 1;
    const id = this.#lastId;
    const body = JSON.stringify({ jsonrpc: "1.0", id, method, params });
    const text = await this.#inTurn(() => this.#asked(method, body));
    const answer = NAMES_ONLY.has(method) ? parse(text) : parseExactly(text);
    if (answer === undefined || !isRecord(answer) || answer.id !== id) {
      throw new UtxoFaultError("unreachable", `The node's answer to ${method} makes no sense`);
    }
    const { error, result } = answer;
    if (error === null || error === undefined) return result ?? null;
    const code = isRecord(error) && typeof error.code === "number" ? error.code : 0;
    if (code === WARMING_UP) throw new UtxoFaultError("behind", "The node is still starting");
    throw new NodeRefusalError(method, code);
  }

  /** Asks as soon as few enough questions are on their way. */
  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#asking < QUESTIONS_AT_ONCE) this.#asking += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await ask();
    } finally {
      const next = this.#waiting.shift();
      // Who waits takes the place of who leaves.
      if (next === undefined) this.#asking -= 1;
      else next();
    }
  }

  /** Returns the text of an answer; whatever goes wrong names neither the URL nor the password. */
  async #asked(method: string, body: string): Promise<string> {
    const signal = AbortSignal.timeout(this.#answerMsMax);
    const headers = new Headers({ "content-type": "application/json" });
    if (this.#authorization !== null) headers.set("authorization", this.#authorization);
    let text: string | null;
    let status: number;
    try {
      const answer = await fetch(this.#url, {
        method: "POST",
        headers,
        body,
        signal,
        redirect: "error",
      });
      status = answer.status;
      text = await this.#text(answer);
    } catch {
      const why = signal.aborted ? "is too slow to answer" : "can't be asked for";
      throw new UtxoFaultError("unreachable", `The node ${why} ${method}`);
    }
    if (text === null) {
      throw new UtxoFaultError("unreachable", `The node's answer to ${method} is too long`);
    }
    if (status === 401 || status === 403) {
      throw new UtxoFaultError("unreachable", "The node does not take the credentials");
    }
    return text;
  }

  /** Reads a body; null if it is too long. */
  async #text(answer: Response): Promise<string | null> {
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      if (bytes > this.#answerBytesMax) return null;
      text += decoder.decode(part, { stream: true });
    }
    return text + decoder.decode();
  }
}

/** Returns whether a value is an object with names. */
export function isRecord(
  value: NodeValue | undefined,
): value is { readonly [name: string]: NodeValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON without any floating point; undefined if it is none. */
export function parseExactly(text: string): NodeValue | undefined {
  return parse(text, exactNumber);
}

function parse(text: string, reviver?: typeof exactNumber): NodeValue | undefined {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** Runtimes give the text of each number, which the types do not know yet. */
function exactNumber(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== "number") return value;
  const source = context?.source ?? String(value);
  return Number.isSafeInteger(value) && WHOLE.test(source) ? value : source;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
