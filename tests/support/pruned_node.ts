/** A node that keeps the state of its last blocks alone, as most do. */

/** Methods by which a state is asked for. */
const OF_STATE = ["eth_call", "eth_getBalance", "eth_getTransactionCount", "eth_getCode"];
/** Blocks whose state it keeps; others keep 128. */
const KEPT_BLOCKS = 20;

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Passes questions on to a node that keeps all states. */
export class PrunedNode implements AsyncDisposable {
  /** Whether it keeps all states, too. */
  isArchive = false;
  readonly #url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(url: string) {
    this.#url = url;
    const listen = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(listen, async (request) => {
      const asked = await request.json() as Question | readonly Question[];
      const answers = await Promise.all([asked].flat().map((one) => this.#answer(one as Question)));
      return Response.json(Array.isArray(asked) ? answers : answers[0]);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(question: Question): Promise<unknown> {
    if (this.isArchive || !await this.#isOld(question)) return await this.#ask(question);
    const error = { code: -32000, message: "missing trie node" };
    return { jsonrpc: "2.0", id: question.id, error };
  }

  async #isOld({ method, params: [, at] }: Question): Promise<boolean> {
    if (!OF_STATE.includes(method) || at === "latest" || at === "pending") return false;
    const { blockHash } = at as { readonly blockHash?: string };
    const height = blockHash === undefined
      ? at
      : (await this.#result("eth_getBlockByHash", blockHash, false) as { number: string }).number;
    return Number(height) < Number(await this.#result("eth_blockNumber")) - KEPT_BLOCKS;
  }

  async #result(method: string, ...params: unknown[]): Promise<unknown> {
    return (await this.#ask({ id: 1, method, params })).result;
  }

  async #ask(question: Question): Promise<{ readonly result?: unknown }> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...question });
    const headers = { "Content-Type": "application/json" };
    return await (await fetch(this.#url, { method: "POST", headers, body })).json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
