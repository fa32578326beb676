/** A real node of Litecoin on a network of its own, for one test; and the world around the venue. */
import { bech32, hex } from "@scure/base";
import { RawOldTx } from "@scure/btc-signer/script.js";
import { present } from "../../src/domain/assert.ts";
import { UtxoNode } from "../../src/wallet/utxo/utxo_node.ts";
import type { JsonRpc, NodeValue } from "../../src/wallet/utxo/utxo_node.ts";
import { eventually } from "./eventually.ts";

const PROGRAM = "litecoind";
const USER = "tester";
/** Blocks whose coins the world has, and after them as many that no reorganisation makes them young. */
const WORLD_BLOCKS = 10;
const LATER_BLOCKS = 120;

/** A node whose wallet is the world's: it mines, and pays to members. */
export class LitecoinNode implements AsyncDisposable {
  private constructor(
    readonly url: string,
    readonly rpc: JsonRpc,
    private readonly process: Deno.ChildProcess,
    private readonly directory: string,
  ) {}

  /** Starts a node with the first coins mined. */
  static async start(
    program: string = findLitecoin() ?? PROGRAM,
    options: readonly string[] = [],
  ): Promise<LitecoinNode> {
    const directory = await Deno.makeTempDir({ prefix: "venue_litecoin_" });
    const port = freePort();
    const password = crypto.randomUUID();
    const process = new Deno.Command(program, {
      args: [
        "-regtest",
        "-server",
        "-listen=0",
        "-printtoconsole=0",
        "-dbcache=4",
        // It would make a thousand keys before it answers.
        "-keypool=1",
        "-fallbackfee=0.0001",
        "-walletrbf=1",
        "-mempoolreplacement=1",
        // The confidential part would want a payment into it at block 432.
        "-vbparams=mweb:4000000000:4000000001",
        `-rpcport=${port}`,
        `-rpcuser=${USER}`,
        `-rpcpassword=${password}`,
        `-datadir=${directory}`,
        ...options,
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const url = `http://${USER}:${password}@127.0.0.1:${port}/`;
    const rpc = new UtxoNode({ url, answerMsMax: 30_000, answerBytesMax: 96 * 1024 * 1024 });
    await eventually(
      "a node that answers",
      () => rpc.call("getblockcount").then(() => true, () => false),
    );
    await rpc.call("createwallet", "world");
    const node = new LitecoinNode(url, rpc, process, directory);
    await node.mine(WORLD_BLOCKS, await node.address());
    await node.mine(LATER_BLOCKS);
    return node;
  }

  /** Mines blocks, none the same as one that was taken back; returns their hashes. */
  async mine(blocks: number, address: string = nobody()): Promise<string[]> {
    return await this.rpc.call("generatetoaddress", blocks, address) as string[];
  }

  /** Mines a block with these transactions and no others. */
  async mineOnly(...txids: readonly string[]): Promise<string> {
    const made = await this.rpc.call("generateblock", nobody(), txids) as { hash: string };
    return made.hash;
  }

  /** Pays to an address, in coins; returns the txid. */
  async pay(address: string, coins: string): Promise<string> {
    return await this.rpc.call("sendtoaddress", address, coins) as string;
  }

  /** Pays to an address with so many outputs of one transaction, in units of 10⁻⁸; returns the txid. */
  async payMany(address: string, amount: bigint, count: number): Promise<string> {
    const { scriptPubKey } = await this.rpc.call("validateaddress", address) as {
      readonly scriptPubKey: string;
    };
    const outputs = Array.from(
      { length: count },
      () => ({ amount, script: hex.decode(scriptPubKey) }),
    );
    const bare = hex.encode(RawOldTx.encode({ version: 2, inputs: [], outputs, lockTime: 0 }));
    const funded = await this.rpc.call("fundrawtransaction", bare, {}, false) as { hex: string };
    const signed = await this.rpc.call("signrawtransactionwithwallet", funded.hex) as {
      hex: string;
    };
    return await this.rpc.call("sendrawtransaction", signed.hex) as string;
  }

  /** Returns two payments of one coin of the world's, in hex: to an address, and to nobody else. */
  async doubleSpend(
    address: string,
    amount: bigint = 4_999_990_000n,
  ): Promise<{ readonly first: string; readonly second: string }> {
    const unspent = await this.rpc.call("listunspent", 101) as {
      readonly txid: string;
      readonly vout: number;
    }[];
    const { txid, vout } = present(unspent[0], "the world has a coin");
    const coin = [{ txid, vout }];
    const rest = 4_999_990_000n - amount;
    const back = rest === 0n ? {} : { [await this.address()]: coins(rest) };
    return {
      first: await this.spend(coin, { [address]: coins(amount), ...back }),
      second: await this.spend(coin, { [await this.address()]: coins(4_999_900_000n) }),
    };
  }

  /** Returns a payment of coins of the world's, in hex, that can be replaced; amounts are in coins. */
  async spend(
    coins: readonly { readonly txid: string; readonly vout: number }[],
    outputs: Readonly<Record<string, string>>,
  ): Promise<string> {
    const inputs = coins.map((coin) => ({ ...coin, sequence: 0xffff_fffd }));
    const raw = await this.rpc.call("createrawtransaction", inputs, outputs);
    const { hex } = await this.rpc.call("signrawtransactionwithwallet", raw) as { hex: string };
    return hex;
  }

  /** Returns a new address of the world. */
  async address(): Promise<string> {
    return await this.rpc.call("getnewaddress") as string;
  }

  /** Takes back the last blocks; others are mined in their place. */
  async reorganise(blocks: number, mine: () => Promise<unknown>): Promise<void> {
    const height = await this.height();
    const hash = await this.rpc.call("getblockhash", height - blocks + 1);
    await this.rpc.call("invalidateblock", hash);
    await mine();
  }

  /** Sends the world's payments again that no block has: a reorganisation may lose them. */
  async resend(txids: Iterable<string>): Promise<void> {
    for (const txid of txids) {
      const { hex } = await this.rpc.call("gettransaction", txid) as { readonly hex: string };
      // One that others wait for is sent first; too many of them wait for the next block.
      await this.rpc.call("sendrawtransaction", hex).catch(() => null);
    }
  }

  /** Returns whether a payment of the world's is in a block. */
  async isMined(txid: string): Promise<boolean> {
    const { confirmations } = await this.rpc.call("gettransaction", txid) as {
      readonly confirmations: number;
    };
    return confirmations > 0;
  }

  async height(): Promise<number> {
    return await this.rpc.call("getblockcount") as number;
  }

  /** Returns what an address has received in blocks, in units. */
  async received(address: string, confirmations: number = 1): Promise<bigint> {
    const coins = await this.rpc.call("getreceivedbyaddress", address, confirmations);
    return units(coins);
  }

  /** Returns the unspent outputs of these addresses in the chain, in units. */
  async unspent(...addresses: readonly string[]): Promise<bigint> {
    const objects = addresses.map((address) => `addr(${address})`);
    const found = await this.rpc.call("scantxoutset", "start", objects) as {
      total_amount: NodeValue;
    };
    return units(found.total_amount);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.process.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.process.status;
    await Deno.remove(this.directory, { recursive: true });
  }
}

/** Returns the node's program; null where it is not installed. */
export function findLitecoin(): string | null {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.map((folder) => `${folder}/${PROGRAM}`).find(isFile) ?? null;
}

/** Why tests with a node can't run here; false if they can. */
export const NO_LITECOIN: string | false = findLitecoin() === null
  ? `there is no ${PROGRAM}`
  : false;

/** Runs a test with a node. */
export async function withLitecoin(test: (node: LitecoinNode) => Promise<void>): Promise<void> {
  await using node = await LitecoinNode.start();
  await test(node);
}

/** Reads coins as units of 10⁻⁸. */
export function units(coins: NodeValue): bigint {
  const text = typeof coins === "number" ? coins.toFixed(8) : String(coins);
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(8, "0"));
}

/** Writes units of 10⁻⁸ as coins. */
export function coins(amount: bigint): string {
  const digits = amount.toString().padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Returns an address that nobody has the key of. */
export function nobody(): string {
  const hash = crypto.getRandomValues(new Uint8Array(20));
  return bech32.encode("rltc", [0, ...bech32.toWords(hash)]);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
