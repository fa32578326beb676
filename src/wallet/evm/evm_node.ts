/** Asks a node, by JSON-RPC over HTTP. Ethereum's JSON writes amounts as hex, so none are floats. */
import { base64 } from "@scure/base";
import { EvmNodeError, LongAnswerError, RpcRefusedError } from "./evm_node_error.ts";
import { within } from "../../engine/within.ts";

/** Time limit for an answer, in ms, and limit of its size, in bytes. */
const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
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
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #msMax: number;
  readonly #bytesMax: number;

  /** @throws {EvmNodeError} the URL is none; what it is, the error doesn't say */
  constructor({ url, answerMsMax, answerBytesMax }: HttpNodeOptions) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      throw new EvmNodeError("unreachable", "its URL is none");
    }
    const { username, password } = parsed;
    const person = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    parsed.username = "";
    parsed.password = "";
    this.#url = parsed;
    this.#headers = {
      "Content-Type": "application/json",
      ...(username === ""
        ? {}
        : { Authorization: `Basic ${base64.encode(new TextEncoder().encode(person))}` }),
    };
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
    const text = await this.#post(asked, Math.min(this.#bytesMax, calls.length * bytesMax));
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      throw new EvmNodeError("contradicting", "its answer is no JSON");
    }
    const replies = new Map<unknown, Reply>();
    for (const one of Array.isArray(body) ? body : [body]) {
      if (typeof one === "object" && one !== null) replies.set(one.id, one as Reply);
    }
    // A list that is refused as a whole is answered by one error without an id.
    const whole = replies.get(null);
    return questions.map(({ method }, id) => resultOf(method, replies.get(id) ?? whole));
  }

  async #post(body: string, bytesMax: number): Promise<string> {
    const stop = new AbortController();
    try {
      return await within(this.#msMax, this.#answer(body, bytesMax, stop.signal));
    } catch (error) {
      if (error instanceof EvmNodeError) throw error;
      // What fetch says names the URL.
      throw new EvmNodeError("unreachable", "it gave no answer in time");
    } finally {
      stop.abort();
    }
  }

  async #answer(body: string, bytesMax: number, signal: AbortSignal): Promise<string> {
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body,
      signal,
      // An answer from elsewhere would be that of another node, told what this one was asked.
      redirect: "error",
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new EvmNodeError("unreachable", `it answers with status ${answer.status}`);
    }
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new LongAnswerError();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }
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
