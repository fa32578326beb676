/** A node of Bitcoin's family, asked by JSON-RPC over HTTP. */
import { NodeRefusalError, UtxoFaultError } from "./utxo_faults.ts";

/** What the node's JSON holds; amounts of coins stay the texts that they were. */
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
/** Amounts of coins: floating point would lose digits of large ones. */
const AMOUNT = /"(value|feerate)"\s*:\s*(-?\d[\d.eE+-]*)/g;
/** What a node answers while it starts. */
const WARMING_UP = -28;

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
    const answer = parseExactly(text);
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

/**
 * Parses JSON, amounts of coins without any floating point; undefined if it is none. Asking for the
 * text of each number takes ten times as long, and a full block has all others wait.
 */
export function parseExactly(text: string): NodeValue | undefined {
  try {
    return JSON.parse(text.replace(AMOUNT, '"$1":"$2"'));
  } catch {
    return undefined;
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
