/** A chain of one's own for tests: `anvil`, which npm has as `@foundry-rs/anvil`. */
import { eventually } from "./eventually.ts";

/** Where npm's package, whose command is a script, keeps the program itself. */
const PROGRAM = `node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil`;
/** Gas that a test's transactions may take: nobody wants to know how much it is. */
const GAS = "0x100000";

/** Returns where the program is on this machine, `ANVIL` if that is set; null if it is not there. */
export function findAnvil(): string | null {
  const named = Deno.env.get("ANVIL");
  if (named !== undefined) return named;
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    try {
      const path = Deno.realPathSync(`${folder}/anvil`);
      if (!path.endsWith(".mjs")) return path;
      const inside = `${path.slice(0, path.lastIndexOf("/"))}/${PROGRAM}`;
      return Deno.statSync(inside).isFile ? inside : path;
    } catch {
      // It is not in this folder.
    }
  }
  return null;
}

/** Why tests with a chain can't run here; false if they can. */
export const NO_ANVIL: string | false = findAnvil() === null ? "there is no anvil" : false;

/** A node with its chain, on which only the test makes blocks. */
export class AnvilNode {
  readonly #process: Deno.ChildProcess;
  /** Where it answers JSON-RPC. */
  readonly url: string;
  /** An account with many coins, for which the node signs. */
  readonly funder: string;

  private constructor(process: Deno.ChildProcess, url: string, funder: string) {
    this.#process = process;
    this.url = url;
    this.funder = funder;
  }

  /**
   * Starts a node on a free port.
   *
   * @param given more arguments, such as `--timestamp`, which makes another chain
   */
  static async start(...given: string[]): Promise<AnvilNode> {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const process = new Deno.Command(findAnvil() ?? "anvil", {
      args: [
        "--port",
        `${port}`,
        "--no-mining",
        "--order",
        "fifo",
        "--balance",
        "1000000000",
        ...given,
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const url = `http://127.0.0.1:${port}`;
    await eventually("the node", () => ask(url, "eth_chainId", []).catch(() => null));
    const [funder] = await ask(url, "eth_accounts", []) as string[];
    return new AnvilNode(process, url, funder ?? "");
  }

  /** Asks the node; throws what it refuses. */
  async rpc(method: string, ...params: unknown[]): Promise<unknown> {
    return await ask(this.url, method, params);
  }

  /** Makes blocks, the first of which holds all transactions that wait. */
  async mine(blocks: number = 1): Promise<void> {
    for (let i = 0; i < blocks; i++) await this.rpc("evm_mine");
  }

  /** Replaces the last blocks by empty ones; transactions that were in them are gone. */
  async reorganise(blocks: number): Promise<void> {
    await this.rpc("anvil_reorg", blocks, []);
  }

  /** The height of the last block. */
  async height(): Promise<number> {
    return Number(await this.rpc("eth_blockNumber"));
  }

  /** Returns an address's coins after the last block, in wei. */
  async balance(address: string): Promise<bigint> {
    return BigInt(String(await this.rpc("eth_getBalance", address, "latest")));
  }

  /** Returns an address's units of a token. */
  async tokens(contract: string, address: string): Promise<bigint> {
    const data = `0x70a08231${word(address)}`;
    return BigInt(String(await this.rpc("eth_call", { to: contract, data }, "latest")));
  }

  /** Sends a transaction of the funder, which waits for a block; returns its txid. */
  async send(terms: { to?: string; value?: bigint; data?: string }): Promise<string> {
    const { to, value = 0n, data = "0x" } = terms;
    const txid = await this.rpc("eth_sendTransaction", {
      from: this.funder,
      gas: GAS,
      value: `0x${value.toString(16)}`,
      data,
      ...(to === undefined ? {} : { to }),
    });
    return String(txid);
  }

  /** Calls a function of a contract in a transaction; arguments are addresses and numbers. */
  async call(
    to: string,
    selector: string,
    given: readonly (string | bigint)[],
    value: bigint = 0n,
  ): Promise<string> {
    return await this.send({ to, value, data: `0x${selector}${given.map(word).join("")}` });
  }

  /** Puts a contract on the chain, in a block; returns its address. */
  async deploy(code: string, ...given: bigint[]): Promise<string> {
    const txid = await this.send({ data: code + given.map(word).join("") });
    await this.mine();
    const receipt = await this.rpc("eth_getTransactionReceipt", txid);
    return (receipt as { contractAddress: string }).contractAddress;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.status;
  }
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "Content-Type": "application/json" };
  const answer = await (await fetch(url, { method: "POST", headers, body })).json();
  if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

/** Returns 32 bytes of a call. */
function word(value: string | bigint): string {
  const digits = typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase();
  return digits.padStart(64, "0");
}
