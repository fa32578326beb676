/** A node of Bitcoin's family, asked by JSON-RPC over HTTP. */
import { NodeAnswerError, type NodeAnswerFault, NodeHttp } from "../rails/node_http.ts";
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
/** How long an answer may be, in bytes: a number, a hash, an output or a node's excuse. */
const SHORT_BYTES_MAX = 64 * 1024;
/**
 * That of those with longer ones. A full block of Bitcoin or Litecoin has up to some 16 MB, one of
 * Bitcoin Cash seven times its bytes; a mempool a million names of 67 bytes; a transaction that may
 * wait for a block 3 MB, more where its node takes larger ones; an old node knows of thousands of
 * branches.
 */
const BYTES_MAX: Readonly<Record<string, number>> = {
  getblock: 96 * 1024 * 1024,
  getchaintips: 4 * 1024 * 1024,
  getrawmempool: 64 * 1024 * 1024,
  getrawtransaction: 16 * 1024 * 1024,
};
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
  /** Limit of any answer, in bytes, in place of each question's own. */
  readonly answerBytesMax?: number;
}

/** A node by its URL. */
export class UtxoNode implements JsonRpc {
  readonly #http: NodeHttp;
  readonly #answerMsMax: number;
  readonly #answerBytesMax: number | undefined;
  #lastId = 0;
  #asking = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ url, answerMsMax, answerBytesMax }: UtxoNodeOptions) {
    this.#http = new NodeHttp(new URL(url));
    this.#answerMsMax = answerMsMax ?? ANSWER_MS_MAX;
    this.#answerBytesMax = answerBytesMax;
  }

  async call(method: string, ...params: readonly NodeValue[]): Promise<NodeValue> {
    this.#lastId += 1;
    const id = this.#lastId;
    const body = JSON.stringify({ jsonrpc: "1.0", id, method, params });
    const answer = await this.#inTurn(() => this.#asked(method, body));
    if (!isRecord(answer) || answer.id !== id) throw unreadable("bad", method);
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

  async #asked(method: string, body: string): Promise<NodeValue> {
    const terms = {
      msMax: this.#answerMsMax,
      bytesMax: this.#answerBytesMax ?? BYTES_MAX[method] ?? SHORT_BYTES_MAX,
      takes: (status: number) => status !== 401 && status !== 403,
      revise: withExactAmounts,
    };
    const answer = await this.#http.post(body, terms).catch((error) => {
      throw error instanceof NodeAnswerError ? unreadable(error.fault, method) : error;
    });
    if (terms.takes(answer.status)) return answer.body as NodeValue;
    throw new UtxoFaultError("unreachable", "The node does not take the credentials");
  }
}

const FAULTS: Readonly<Record<NodeAnswerFault, (method: string) => string>> = {
  none: (method) => `The node can't be asked for ${method}`,
  late: (method) => `The node is too slow to answer ${method}`,
  long: (method) => `The node's answer to ${method} is too long`,
  bad: (method) => `The node's answer to ${method} makes no sense`,
};

function unreadable(fault: NodeAnswerFault, method: string): UtxoFaultError {
  return new UtxoFaultError("unreachable", FAULTS[fault](method));
}

/** Returns whether a value is an object with names. */
export function isRecord(
  value: NodeValue | undefined,
): value is { readonly [name: string]: NodeValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a JSON text with the amounts of coins as texts, without any floating point. Asking for the
 * text of each number while it is parsed takes ten times as long.
 */
export function withExactAmounts(text: string): string {
  return text.replace(AMOUNT, '"$1":"$2"');
}
