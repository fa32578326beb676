import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { ConfigError } from "../../src/server/config_error.ts";
import { networkRails } from "../../src/server/network_wallet.ts";
import { currencyDefinition } from "../support/domain_venue.ts";

/** Nobody listens there. */
const NODE = "http://127.0.0.1:1/";
const SEED = new Uint8Array(32).fill(7);

interface Wallet {
  readonly nodes?: readonly string[];
  readonly seed?: Uint8Array | null;
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
async function railsOf(engine: Engine, { nodes = ["anvil"], seed = SEED }: Wallet) {
  const warned: unknown[] = [];
  const log = {
    warn: (event: string, fields: unknown) => warned.push([event, fields]),
    error() {},
  };
  const walletNodes = new Map(nodes.map((name) => [name, NODE]));
  const rails = await networkRails(
    engine,
    { walletNodes, walletSeed: seed, walletCold: new Map() },
    log,
  );
  return { rails, warned };
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

  it("make the same addresses with and without the seed, and pay only with it", () =>
    withCoins(async (engine) => {
      const nodes = ["anvil", "litecoin-regtest"];
      const first = await railsOf(engine, { nodes });
      const watching = await railsOf(engine, { nodes, seed: null });
      assertEquals([first.warned, watching.warned], [[], []]);
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
      assertEquals(rails.serves({ currency: "ether" }), false);
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

  it("are refused with another seed, of which nothing is told", () =>
    withCoins(async (engine) => {
      await railsOf(engine, {});
      const seed = new Uint8Array(32).fill(8);
      const error = await assertRejects(() => railsOf(engine, { seed }), ConfigError);
      assertEquals(
        error.message,
        "WALLET_SEED is not the one that the venue's addresses on anvil are made from",
      );
    }));
});
