/** Strangers send tokens to a wallet of Bitcoin Cash, whose node tells of them as BCHN does. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hex } from "@scure/base";
import { RawOldTx } from "@scure/btc-signer/script.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { present } from "../../../src/domain/assert.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import { blockHashOf, merkleRootOf } from "../../../src/wallet/utxo/block_proof.ts";
import { scriptOfAddress } from "../../../src/wallet/utxo/utxo_addresses.ts";
import {
  NodeRefusalError,
  TokenOutputError,
  UtxoFaultError,
} from "../../../src/wallet/utxo/utxo_faults.ts";
import { type UtxoNetwork, utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { SEED, UNIT } from "./rail_world.ts";

const NETWORK = present(utxoNetwork("bitcoin-cash-regtest"), "there is such a network");
const CATEGORY = "aa".repeat(32);
/** Of some amount; and of one with a commitment of two bytes. */
const FUNGIBLE = `ef${CATEGORY}1001`;
const COMMITTED = `ef${CATEGORY}7102beeffd1027`;
/** Without an amount and without anything else: no token. */
const MALFORMED = `ef${CATEGORY}00`;
const PLAIN = 100_000_000n;
const TINY = 1_000n;

/** An output as its bytes have it, and as the node tells it otherwise. */
interface Output {
  readonly amount: bigint;
  readonly script: string;
  /** What the bytes have before the script. */
  readonly prefix?: string;
  readonly told?: Readonly<Record<string, NodeValue>>;
}

interface Transaction {
  readonly txid: string;
  readonly told: Readonly<Record<string, NodeValue>>;
}

/** Makes a transaction that spends a stranger's coin, or those of a new block. */
function transaction(
  spends: { readonly txid: string; readonly index: number },
  outputs: readonly Output[],
  coinbase: Uint8Array | null = null,
): Transaction {
  const { txid: from, index } = spends;
  const finalScriptSig = coinbase ?? new Uint8Array();
  const bytes = RawOldTx.encode({
    version: 2,
    inputs: [{ txid: hex.decode(from), index, finalScriptSig, sequence: 0xffffffff }],
    outputs: outputs.map(({ amount, prefix = "", script }) => ({
      amount,
      script: hex.decode(prefix + script),
    })),
    lockTime: 0,
  });
  const txid = hex.encode(sha256(sha256(bytes)).reverse());
  const vout = outputs.map(({ amount, script, told = {} }, n) => ({
    n,
    value: formatDecimal(amount, 8),
    scriptPubKey: { hex: script },
    ...told,
  }));
  const vin = [coinbase === null ? { txid: from, vout: index } : { coinbase: "00" }];
  return { txid, told: { txid, hex: hex.encode(bytes), vin, vout } };
}

/** Pays by the coin of a stranger's transaction. */
function paying(...outputs: readonly Output[]): Transaction {
  return transaction({ txid: "11".repeat(32), index: 0 }, outputs);
}

/** Returns an output of little with a token, told as BCHN does. */
function withToken(script: string, prefix: string): Output {
  const told = { tokenData: { category: CATEGORY, amount: "1" } };
  return { amount: TINY, script, prefix, told };
}

/** A node. */
class Node {
  readonly #blocks: Record<string, NodeValue>[] = [
    { hash: NETWORK.landmarks[0]?.hash ?? "", height: 0 },
  ];
  waiting: readonly Transaction[] = [];

  mine(...transactions: readonly Transaction[]): void {
    const height = this.#blocks.length;
    const none = { txid: "00".repeat(32), index: 0xffffffff };
    const first = transaction(none, [{ amount: 1n, script: "51" }], Uint8Array.of(1, height));
    const all = [first, ...transactions];
    const parent = String(this.#blocks.at(-1)?.hash);
    const merkleRoot = merkleRootOf(all.map(({ txid }) => txid));
    const [version, bits] = ["20000000", "207fffff"] as const;
    const header = { version, parent, merkleRoot, time: height, bits, nonce: 1 };
    this.#blocks.push({
      hash: blockHashOf(header),
      height,
      previousblockhash: parent,
      merkleroot: merkleRoot,
      versionHex: version,
      bits,
      time: height,
      nonce: 1,
      tx: all.map(({ told }) => told),
    });
  }

  mineMany(blocks: number): void {
    for (let block = 0; block < blocks; block++) this.mine();
  }

  call(method: string, ...[param]: readonly NodeValue[]): Promise<NodeValue> {
    const last = present(this.#blocks.at(-1), "there is a block");
    const { height = 0, hash = "" } = last;
    const txids = this.waiting.map(({ txid }) => txid);
    const answers: Readonly<Record<string, () => NodeValue | undefined>> = {
      getblockchaininfo: () => ({ blocks: height, bestblockhash: hash, headers: height }),
      getblockhash: () => this.#blocks[Number(param)]?.hash,
      getblock: () => this.#blocks.find((block) => block.hash === param),
      getrawmempool: () => txids,
      getrawtransaction: () => this.waiting.find(({ txid }) => txid === param)?.told,
    };
    const answer = answers[method]?.();
    return answer === undefined
      ? Promise.reject(new NodeRefusalError(method, -5))
      : Promise.resolve(answer);
  }
}

/** A rail, and a member with an address. */
class World implements AsyncDisposable {
  readonly node = new Node();
  readonly faults: unknown[] = [];
  readonly rail: UtxoRail;
  /** Scripts of the member's address and of the wallet's own. */
  alice = "";
  own = "";

  private constructor(readonly test: EngineVenue, changes: Partial<UtxoNetwork>) {
    const network = { ...NETWORK, ...changes };
    this.rail = new UtxoRail({
      engine: test.engine,
      network,
      node: this.node,
      keys: AccountKeys.ofSeed(SEED, network.accountPath),
      cold: null,
      coins: () => [
        { currency: "bch", contract: null, digits: 8, precision: 4, hotLimit: null, price: 0n },
      ],
      cursors: () => Promise.resolve([]),
      placeOf: () => ({ member: 0 }),
      ownersOf: async (addresses) => {
        const { address } = await this.rail.createAddress("bch", "alice");
        return addresses.map((one) => one === address ? "alice" : null);
      },
      bookingOf: () => Promise.resolve("none"),
      owedOf: () => 0n,
      onMoved: () => Promise.resolve(),
      onLost: () => Promise.resolve(),
      onReturned: () => Promise.resolve(),
      onFault: (error) => this.faults.push(error),
    });
  }

  static async open(changes: Partial<UtxoNetwork> = {}): Promise<World> {
    const world = new World(await EngineVenue.open(), changes);
    world.node.mineMany(NETWORK.finalDepth + 1);
    const { rail } = world;
    const { address } = await rail.createAddress("bch", "alice");
    [world.alice, world.own] = [address, rail.ownAddress].map((one) =>
      hex.encode(present(scriptOfAddress(NETWORK, one), "it is an address"))
    ) as [string, string];
    await world.watch();
    return world;
  }

  async watch(): Promise<readonly SeenOutput[]> {
    return (await this.rail.watch("bch", null)).outputs;
  }

  /** Returns what is told of, as text. */
  get told(): readonly string[] {
    return this.faults.map(String);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test.close();
  }
}

describe("a token that is sent to a wallet", () => {
  for (const prefix of [FUNGIBLE, COMMITTED]) {
    it(`counts as nobody's, and keeps nobody waiting: ${prefix.slice(66)}`, async () => {
      await using world = await World.open();
      const { node, rail, alice, own, faults } = world;
      node.mine(paying(
        withToken(alice, prefix),
        { amount: PLAIN, script: alice },
        withToken(own, prefix),
      ));
      const height = NETWORK.finalDepth + 2;
      const seen = await world.watch();
      assertEquals(seen.map(({ output, amount }) => [output, amount]), [[1, PLAIN * UNIT]]);
      assertEquals(await rail.look("bch", seen[0]?.txid ?? "", 0), null);
      node.mineMany(NETWORK.finalDepth + 1);
      await world.watch();
      const { hot, deposits } = await rail.balances("bch");
      assertEquals([hot, deposits, await rail.rests("bch")], [PLAIN, 0n, 0n]);
      const prefixOfCoins = networkKey(NETWORK.name, "coin");
      const coins = await world.test.engine.listSidecar({ prefix: prefixOfCoins, limit: 9 });
      assertEquals(coins.length, 1);
      const what = `Payments of block ${height} hold tokens: they are not credited`;
      assertEquals(world.told, [`TokenOutputError: ${what}`], "once");
      assertEquals(faults.every((one) => one instanceof TokenOutputError), true);
      assertEquals(rail.health().fault, null);
    });
  }

  it("is not told of before a block has it: it costs no fee until then", async () => {
    await using world = await World.open();
    world.node.waiting = [paying(withToken(world.alice, FUNGIBLE))];
    assertEquals([await world.watch(), world.told], [[], []]);
    assertEquals(world.rail.health().fault, null);
  });

  it("is known by its bytes, whatever the node tells apart from its script", async () => {
    await using world = await World.open();
    const { node, alice } = world;
    const { prefix = "", ...told } = withToken(alice, FUNGIBLE);
    // None in truth, and one of which the node is silent.
    node.mine(paying(told, { amount: PLAIN, script: alice, prefix }));
    assertEquals((await world.watch()).map(({ output }) => output), []);
    assertEquals(world.told.length, 1);
    assertEquals((await world.rail.balances("bch")).deposits, TINY);
  });

  it("is known by the node's word where that tells no bytes", async () => {
    await using world = await World.open();
    const { node, alice } = world;
    const { txid, told: { hex: _, ...told } } = paying(
      withToken(alice, FUNGIBLE),
      { amount: PLAIN, script: alice },
    );
    node.mine({ txid, told });
    assertEquals((await world.watch()).map(({ output }) => output), [1]);
    assertEquals(world.told.length, 1);
  });
});

describe("what begins like a token", () => {
  it("is some script of nobody's if the node does not tell it as one", async () => {
    await using world = await World.open();
    world.node.mine(paying({ amount: PLAIN, script: MALFORMED + world.alice }));
    assertEquals([await world.watch(), world.told], [[], []]);
  });

  it("contradicts what the node tells if its bytes are another transaction's", async () => {
    await using world = await World.open();
    const token = withToken(world.alice, FUNGIBLE);
    const { txid, told } = paying(token);
    const { told: { hex: bytes = "" } } = transaction({ txid, index: 0 }, [token]);
    world.node.mine({ txid, told: { ...told, hex: bytes } });
    await assertRejects(() => world.watch(), UtxoFaultError, "nothing sensible");
  });

  const other = `76a914${"00".repeat(20)}88ac`;
  for (
    const [what, told, bytes, changes] of [
      ["another script", {}, other, {}],
      ["another amount", { value: "0.5" }, "", {}],
      ["a script, on a network without tokens", {}, "", { tokenPrefix: null }],
    ] as const
  ) {
    it(`contradicts what the node tells of ${what}`, async () => {
      await using world = await World.open(changes);
      const token = withToken(bytes === "" ? world.alice : bytes, FUNGIBLE);
      const scriptPubKey = { hex: world.alice };
      world.node.mine(paying({ ...token, told: { ...token.told, scriptPubKey, ...told } }));
      await assertRejects(() => world.watch(), UtxoFaultError, "nothing sensible");
      assertEquals([world.rail.health().fault, world.told], ["contradicting", []]);
    });
  }
});
