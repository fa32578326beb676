import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { ConfigError } from "../../src/server/config_error.ts";
import { networkRails } from "../../src/server/network_wallet.ts";
import { EvmRows } from "../../src/wallet/evm/evm_rows.ts";
import { present } from "../../src/domain/assert.ts";
import { walletCursorKey } from "../../src/engine/sidecar_rows.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { networkNamed } from "../../src/wallet/networks.ts";
import { addressOfKey as utxoAddress } from "../../src/wallet/utxo/utxo_addresses.ts";
import { WalletNotices } from "../../src/wallet/wallet_notices.ts";
import { utxoNetwork } from "../../src/wallet/utxo/utxo_networks.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";
import { itUnless } from "../support/unless.ts";

/** Nobody listens there. */
const NODE = "http://127.0.0.1:1/";
const SEED = new Uint8Array(32).fill(7);

/** How networks spell the addresses of keys, by the currencies below. */
const addressesOf = {
  ether: addressOfKey,
  ltc: (key: Uint8Array) =>
    utxoAddress(present(utxoNetwork("litecoin-regtest"), "there is a network"), key),
};

/** Returns the hash of a block of the chain below. */
function hashAt(height: number): string {
  return `0x${(height + 1).toString(16).padStart(64, "0")}`;
}

/** A chain of empty blocks whose node does not say what to pay for gas: nothing can be swept. */
class TiplessNode implements AsyncDisposable {
  readonly #server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const asked = await request.json();
    const answers = (Array.isArray(asked) ? asked : [asked]).map(({ id, method, params }) => ({
      jsonrpc: "2.0",
      id,
      ...this.#answer(method, params),
    }));
    return Response.json(Array.isArray(asked) ? answers : answers[0]);
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  #answer(method: string, [height]: readonly unknown[]): object {
    if (method === "eth_chainId") return { result: "0x7a69" };
    if (method === "eth_syncing") return { result: false };
    if (method === "eth_getLogs") return { result: [] };
    if (method !== "eth_getBlockByNumber") return { error: { code: -32601, message: "unknown" } };
    const number = height === "latest" ? 20 : Number(height);
    return {
      result: {
        number: `0x${number.toString(16)}`,
        hash: hashAt(number),
        parentHash: hashAt(number - 1),
        timestamp: "0x1",
        baseFeePerGas: "0x1",
        transactions: [],
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

interface Wallet {
  readonly url?: string;
  readonly nodes?: readonly string[];
  readonly seed?: Uint8Array | null;
  readonly cold?: ReadonlyMap<string, string>;
}

/** Runs a test on a venue with a coin on each of two networks. */
async function withCoins(test: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await openEngine({ kvPath: ":memory:" });
  try {
    for (
      const [id, name, digits] of [["ether", "anvil", 18], ["ltc", "litecoin-regtest", 8]] as const
    ) {
      const currency = { ...currencyDefinition(id, 8), networks: [{ name, digits }] };
      await engine.submit({ kind: "create_currency", currency }, null);
    }
    await engine.submit({
      kind: "create_member",
      uid: "alice",
      emailDigest: "digest",
      level: 3,
      group: "any",
    }, null);
    await test(engine);
  } finally {
    await engine.close();
  }
}

/** Returns the rails of a process, and what it warns of. */
async function railsOf(
  engine: Engine,
  { url = NODE, nodes = ["anvil"], seed = SEED, cold = new Map() }: Wallet,
) {
  const warned: [string, Readonly<Record<string, unknown>>][] = [];
  const informed: [string, Readonly<Record<string, unknown>>][] = [];
  const log = {
    info: (event: string, fields: Readonly<Record<string, unknown>>) =>
      informed.push([event, fields]),
    warn: (event: string, fields: Readonly<Record<string, unknown>>) =>
      warned.push([event, fields]),
    error() {},
  };
  const walletNodes = new Map(nodes.map((name) => [name, url]));
  const rails = await networkRails(
    engine,
    { walletNodes, walletSeed: seed, walletCold: cold },
    log,
  );
  return { rails, warned, informed };
}

describe("the rails to networks", () => {
  it("serve the coins whose networks the process has a node of", () =>
    withCoins(async (engine) => {
      const { rails } = await railsOf(engine, {});
      assertEquals([rails.serves({ currency: "ether" }), rails.pays({ currency: "ether" })], [
        true,
        true,
      ]);
      assertEquals([rails.serves({ currency: "ltc" }), rails.pays({ currency: "ltc" })], [
        false,
        false,
      ]);
      assertEquals([rails.serves({ currency: "btc" }), rails.pays({ currency: "btc" })], [
        false,
        false,
      ]);
    }));

  it("know which addresses are the wallet's, with and without the seed", () =>
    withCoins(async (engine) => {
      const cold = new Map([
        ["anvil", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
        ["litecoin-regtest", "rltc1q7706fcanltpsf5zdms4whhdjzcu299lcjrl096"],
      ]);
      const accounts = [["ether", "anvil"], ["ltc", "litecoin-regtest"]] as const;
      for (const seed of [SEED, null]) {
        const { rails } = await railsOf(engine, { nodes: [...cold.keys()], seed, cold });
        for (const [currency, name] of accounts) {
          const network = present(networkNamed(name), "there is a network");
          const keys = AccountKeys.ofSeed(SEED, network.account);
          const own = addressesOf[currency](keys.publicKeyAt({ own: 0 }));
          const other = addressesOf[currency](keys.publicKeyAt({ member: 0 }));
          const asked = [own, cold.get(name) ?? "", other];
          assertEquals(asked.map((one) => rails.isOwn({ currency }, one)), [true, true, false]);
        }
      }
      const { rails } = await railsOf(engine, { nodes: [] });
      assertEquals(rails.isOwn({ currency: "ether" }, cold.get("anvil") ?? ""), false);
    }));

  it("make the same addresses with and without the seed, and pay only with it", () =>
    withCoins(async (engine) => {
      const nodes = ["anvil", "litecoin-regtest"];
      const first = await railsOf(engine, { nodes });
      const watching = await railsOf(engine, { nodes, seed: null });
      assertEquals([first.warned, watching.warned], [[], []]);
      // Nothing answers there that tells where the coin begins.
      await engine.createSidecar({ key: new EvmRows("anvil").start("ether"), value: "1:0x01:0" });
      const made = await first.rails.createAddress({ currency: "ether" }, "alice");
      assertEquals(await watching.rails.createAddress({ currency: "ether" }, "alice"), made);
      for (const currency of ["ether", "ltc"]) {
        assertEquals([watching.rails.serves({ currency }), watching.rails.pays({ currency })], [
          true,
          false,
        ]);
      }
    }));

  it("wait for a process with the seed where the venue has no keys yet", () =>
    withCoins(async (engine) => {
      const { rails, warned } = await railsOf(engine, { seed: null });
      assertEquals(warned, [["wallet_account_missing", { network: "anvil" }]]);
      await rails.tend("anvil");
      assertEquals([rails.serves({ currency: "ether" }), rails.states()], [false, []]);
      await railsOf(engine, {});
      await rails.tend("anvil").catch(() => {});
      assertEquals([rails.serves({ currency: "ether" }), rails.pays({ currency: "ether" })], [
        true,
        false,
      ]);
      assertEquals(warned.length, 1);
    }));

  it("tell of each network what they know, whatever the others are like", () =>
    withCoins(async (engine) => {
      const { rails } = await railsOf(engine, { nodes: ["anvil", "litecoin-regtest"] });
      const unknown = { height: null, fault: null };
      assertEquals(rails.states(), [
        { network: "anvil", ...unknown },
        { network: "litecoin-regtest", ...unknown },
      ]);
      await assertRejects(() => rails.watch({ currency: "ltc" }, null));
      assertEquals(rails.states(), [
        { network: "anvil", ...unknown },
        { network: "litecoin-regtest", height: null, fault: "unreachable" },
      ]);
    }));

  it("tell of the same fault once a minute", () =>
    withCoins(async (engine) => {
      await using node = new TiplessNode();
      const { rails, warned } = await railsOf(engine, { url: node.url });
      for (let round = 0; round < 2; round++) await rails.tend("anvil");
      const error = "The node refuses eth_maxPriorityFeePerGas: other (-32601)";
      assertEquals(
        warned.map(([event, { network, error }]) => [event, network, String(error)]),
        [["network_fault", "anvil", `RpcRefusedError: ${error}`]],
      );
    }));

  it("stand still where a block is gone at which a coin's cursor stands", () =>
    withCoins(async (engine) => {
      await using node = new TiplessNode();
      const key = walletCursorKey("networks", { currency: "ether" });
      const { rails } = await railsOf(engine, { url: node.url });
      await engine.createSidecar({ key, value: `5:${hashAt(5)}` });
      await rails.tend("anvil");
      assertEquals(rails.states()[0]?.fault, null);
      await engine.changeSidecar(key, () => `5:${hashAt(6)}`);
      const next = (await railsOf(engine, { url: node.url })).rails;
      await assertRejects(() => next.tend("anvil"));
      const [{ fault = null, replaced } = {}] = next.states();
      assertEquals([fault, replaced], ["reorganised", {
        height: 5,
        hash: hashAt(6),
        depth: 13,
        kept: 4,
      }]);
    }));

  it("are refused with another seed, of which nothing is told", () =>
    withCoins(async (engine) => {
      await railsOf(engine, {});
      const seed = new Uint8Array(32).fill(8);
      const error = await assertRejects(() => railsOf(engine, { seed }), ConfigError);
      assertEquals(
        error.message,
        "WALLET_SEED is not the one that the venue's addresses on anvil are made from: " +
          "start with that one, or with a KV_PATH of its own",
      );
    }));

  itUnless(NO_ANVIL)(
    "tell once of what they move to the cold address, and at which limit",
    () =>
      withCoins(async (engine) => {
        await using node = await AnvilNode.start();
        const changes = { hotLimit: units("2") };
        const onAnvil = { kind: "change_network", id: "ether", network: "anvil" } as const;
        await engine.submit({ ...onAnvil, changes }, null);
        const cold = new Map([["anvil", "0x4444444444444444444444444444444444444444"]]);
        const started = () => railsOf(engine, { url: node.url, cold });
        const first = await started();
        const { ownAddress } = present(first.rails.railTo("anvil"), "there is a node");
        await node.send({ to: ownAddress, value: 3_500_000_000_000_000_001n });
        await node.mine(13);
        await first.rails.tend("anvil");
        const second = await started();
        for (let block = 0; block < 3; block++) {
          await node.mine();
          for (const { rails } of [first, second]) await rails.tend("anvil");
        }
        const listed = await new WalletNotices(engine, { info() {}, error() {} }).list();
        const [{ at: _, ...notice } = { at: 0, txid: "" }] = listed;
        assertEquals(notice, {
          kind: "moved_to_cold",
          currency: "ether",
          network: "anvil",
          id: 0,
          txid: notice.txid,
          reason: "1.500000000000000001 ether, beyond the limit of 2",
        });
        assert(await node.rpc("eth_getTransactionReceipt", notice.txid) !== null);
        assertEquals([first.informed, second.informed], [[["moved_to_cold", notice]], []]);
        assertEquals(listed.length, 1);
      }),
  );
});
