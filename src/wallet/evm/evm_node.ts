/** Asks a node, by JSON-RPC over HTTP. Ethereum's JSON writes amounts as hex, so none are floats. */
import { NodeAnswerError, type NodeAnswerFault, NodeHttp } from "../rails/node_http.ts";
import { EvmNodeError, LongAnswerError, RpcRefusedError } from "./evm_node_error.ts";

/** Time limit for an answer, in ms, and limit of its size, in bytes, for however many questions. */
const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** How long the answer to one question may be, in bytes: a number, a hash or a node's excuse. */
const SHORT_BYTES_MAX = 64 * 1024;
/**
 * That of those with longer ones. A block has up to 10 MiB of transactions, twice that in hex; by
 * their hashes alone, 20,000 transactions. A log takes 375 units of gas at least, and 400 bytes:
 * the 2^24 units that one transaction may take are 18 MB. What a call fails with is a contract's
 * choice, and has what memory a payment's gas can buy, in hex, twice.
 */
const BYTES_MAX: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 32 * 1024 * 1024,
  eth_getBlockReceipts: ANSWER_BYTES_MAX,
  eth_getTransactionReceipt: ANSWER_BYTES_MAX,
  eth_getLogs: ANSWER_BYTES_MAX,
  eth_getTransactionByHash: 2 * 1024 * 1024,
  eth_getCode: 2 * 1024 * 1024,
  eth_call: 2 * 1024 * 1024,
  eth_estimateGas: 2 * 1024 * 1024,
};
const HEADER_BYTES_MAX = 2 * 1024 * 1024;
/** Questions in one request, and requests that are asked at once. */
const BATCH_MAX = 100;
const REQUESTS_AT_ONCE = 3;

/** One question to a node. */
export interface RpcQuestion {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What answers questions about a network. */
export interface JsonRpc {
  /**
   * Returns the answers to questions, in their order.
   *
   * @param bytesMax how long the answer to each of them may be, on the average; any if not given
   * @throws {EvmNodeError} the node can't be reached, or answers no JSON-RPC
   * @throws {LongAnswerError} its answers are longer
   * @throws {RpcRefusedError} it refuses one of them, the first of which it names
   */
  ask(questions: readonly RpcQuestion[], bytesMax?: number): Promise<readonly unknown[]>;
}

/** Where a node is, and how long it may take. */
export interface HttpNodeOptions {
  /** With user and password, if the node wants them. */
  readonly url: string;
  readonly answerMsMax?: number;
  readonly answerBytesMax?: number;
}

/** A node that is reached by HTTP. */
export class HttpNode implements JsonRpc {
  readonly #http: NodeHttp;
  readonly #msMax: number;
  readonly #bytesMax: number;

  /** @throws {EvmNodeError} the URL is none; what it is, the error doesn't say */
  constructor({ url, answerMsMax, answerBytesMax }: HttpNodeOptions) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      throw new EvmNodeError("unreachable", "its URL is none");
    }
    this.#http = new NodeHttp(parsed);
    this.#msMax = answerMsMax ?? ANSWER_MS_MAX;
    this.#bytesMax = answerBytesMax ?? ANSWER_BYTES_MAX;
  }

  async ask(
    questions: readonly RpcQuestion[],
    bytesMax: number = Infinity,
  ): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (let i = 0; i < questions.length; i += BATCH_MAX * REQUESTS_AT_ONCE) {
      const requests = Array.from({ length: REQUESTS_AT_ONCE }, (_, n) => i + n * BATCH_MAX)
        .filter((start) => start < questions.length)
        .map((start) => this.#askSome(questions.slice(start, start + BATCH_MAX), bytesMax));
      answers.push(...(await Promise.all(requests)).flat());
    }
    return answers;
  }

  async #askSome(questions: readonly RpcQuestion[], bytesMax: number): Promise<unknown[]> {
    const calls = questions.map(({ method, params }, id) => ({
      jsonrpc: "2.0",
      id,
      method,
      params,
    }));
    // Not every node takes a list of one.
    const asked = JSON.stringify(calls.length === 1 ? calls[0] : calls);
    const bytes = questions.reduce((sum, one) => sum + Math.min(bytesMax, bytesMaxOf(one)), 0);
    const body = await this.#post(asked, Math.min(this.#bytesMax, bytes));
    const replies = new Map<unknown, Reply>();
    for (const one of Array.isArray(body) ? body : [body]) {
      if (typeof one === "object" && one !== null) replies.set(one.id, one as Reply);
    }
    // A list that is refused as a whole is answered by one error without an id.
    const whole = replies.get(null);
    return questions.map(({ method }, id) => resultOf(method, replies.get(id) ?? whole));
  }

  async #post(asked: string, bytesMax: number): Promise<unknown> {
    const takes = (status: number) => status >= 200 && status < 300;
    const { status, body } = await this.#http.post(asked, { msMax: this.#msMax, bytesMax, takes })
      .catch((error) => {
        throw error instanceof NodeAnswerError ? FAULTS[error.fault]() : error;
      });
    if (takes(status)) return body;
    throw new EvmNodeError("unreachable", `it answers with status ${status}`);
  }
}

const noAnswer = () => new EvmNodeError("unreachable", "it gave no answer in time");
const FAULTS: Readonly<Record<NodeAnswerFault, () => EvmNodeError>> = {
  none: noAnswer,
  late: noAnswer,
  long: () => new LongAnswerError(),
  bad: () => new EvmNodeError("contradicting", "its answer is no JSON of a node"),
};

function bytesMaxOf({ method, params }: RpcQuestion): number {
  const isHeader = method === "eth_getBlockByNumber" && params[1] === false;
  return isHeader ? HEADER_BYTES_MAX : BYTES_MAX[method] ?? SHORT_BYTES_MAX;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

function resultOf(method: string, reply: Reply | undefined): unknown {
  if (reply?.error) {
    const { code, message } = reply.error;
    throw new RpcRefusedError(method, Number.isInteger(code) ? Number(code) : 0, `${message}`);
  }
  if (reply?.result === undefined) {
    throw new EvmNodeError("contradicting", `it gives no answer to ${method}`);
  }
  return reply.result;
}
