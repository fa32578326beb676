import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { walletCursorKey } from "../../src/engine/sidecar_rows.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { DepositWatch } from "../../src/wallet/deposit_watch.ts";
import type { SeenOutput } from "../../src/wallet/rails/rail.ts";
import { WatchTurns } from "../../src/wallet/watch_turns.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

const BTC = { currency: "btc" };

/** Returns outputs to members of these names, in this order. */
function outputsTo(...uids: readonly string[]): SeenOutput[] {
  return uids.map((address, output) => ({
    address,
    txid: "ab".repeat(32),
    output,
    amount: units("1"),
    confirmations: 0,
    isDropped: false,
  }));
}

/** Returns a watch of these outputs that has time for one of them in a tick. */
function hurriedWatch(venue: WalletVenue, outputs: readonly SeenOutput[]): DepositWatch {
  return new DepositWatch({
    engine: venue.engine,
    rail: venue.changedRail({
      watch: () => Promise.resolve({ outputs, cursor: "after" }),
      look: () => Promise.resolve(null),
    }),
    addresses: {
      uidOf: (_way, address) => Promise.resolve(address),
      isShared: () => Promise.resolve(false),
    },
    notices: {
      add: () => Promise.resolve(),
      read: () => Promise.resolve(null),
      withdraw: () => Promise.resolve(),
    },
    onFault: (error) => venue.faults.push(error),
    watched: { least: 1, ms: 0 },
  });
}

describe("outputs that a watch shows", () => {
  it("are taken in turns by member, some in a tick", async () => {
    await using venue = await WalletVenue.open();
    const outputs = outputsTo(...Array.from({ length: 300 }, () => "bob"), "alice");
    const watch = hurriedWatch(venue, outputs);
    const { signal } = new AbortController();
    await watch.tick(signal);
    assertEquals(venue.test.venue.counters.deposits, 1);
    await watch.tick(signal);
    const members = [...venue.test.venue.deposits.values()].map(({ member }) => member);
    assertEquals(members, [venue.test.member("bob"), venue.test.member("alice")]);
    assertEquals(venue.faults, []);
  });

  it("are passed once the deposits of all are known", async () => {
    await using venue = await WalletVenue.open();
    const watch = hurriedWatch(venue, outputsTo("bob", "bob", "bob", "alice", "bob"));
    const key = walletCursorKey("sandbox", BTC);
    // Alice's has its turn again between bob's.
    for (const deposits of [1, 2, 3, 3, 4, 4, 5]) {
      assertEquals(await venue.engine.readSidecar(key), null);
      await watch.tick(new AbortController().signal);
      assertEquals(venue.test.venue.counters.deposits, deposits);
    }
    assertEquals(await venue.engine.readSidecar(key), "after");
    const indexes = [...venue.test.venue.deposits.values()].map(({ output }) => output);
    assertEquals(indexes, [0, 3, 1, 2, 4]);
  });
});

describe("a rail that is silent", () => {
  it("is asked of one deposit in a round, and next of another, whatever their states", async () => {
    await using venue = await WalletVenue.open();
    const asked: string[] = [];
    const watch = new DepositWatch({
      engine: venue.engine,
      rail: venue.changedRail({
        watch: () => Promise.resolve({ outputs: [], cursor: null }),
        look: async (_way, txid) => {
          asked.push(txid);
          await sleep(1_050);
          throw new Error("too late");
        },
      }),
      addresses: null,
      notices: {
        add: () => Promise.resolve(),
        read: () => Promise.resolve(null),
        withdraw: () => Promise.resolve(),
      },
      onFault: (error) => venue.faults.push(error),
    });
    const txids = ["1a", "2a", "3b", "4b"];
    for (const txid of txids) {
      await venue.test.must({
        kind: "observe_deposit",
        uid: "bob",
        currency: "btc",
        amount: units("1"),
        txid,
        output: 0,
        confirmations: 0,
        ...await venue.engine.findDeposit(0, txid, 0),
      });
    }
    const round = async () => {
      await watch.tick(new AbortController().signal);
      return asked.splice(0);
    };
    assertEquals([await round(), await round()], [["1a"], ["2a"]]);
    for (const id of [3, 4]) {
      await venue.test.must({ kind: "change_deposit", id, action: "accept" });
    }
    const moving = [await round(), await round(), await round()];
    assertEquals(moving, [["3b"], ["4b"], ["3b"]]);
    assertEquals(venue.faults.length, 5);
  });

  it("is asked of one coin in a round, and next of another", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({ kind: "create_currency", currency: currencyDefinition("ltc", 8) });
    const asked: string[] = [];
    const watch = new DepositWatch({
      engine: venue.engine,
      rail: venue.changedRail({
        serves: () => true,
        watch: async ({ currency }) => {
          asked.push(currency);
          await sleep(1_050);
          throw new Error("too late");
        },
      }),
      addresses: null,
      notices: {
        add: () => Promise.resolve(),
        read: () => Promise.resolve(null),
        withdraw: () => Promise.resolve(),
      },
      onFault: (error) => venue.faults.push(error),
    });
    for (let round = 0; round < 3; round++) await watch.tick(new AbortController().signal);
    assertEquals(asked.length, 3);
    assertEquals(new Set(asked.slice(0, 2)).size, 2);
  });
});

describe("WatchTurns", () => {
  const all = ["m1", "m2", "m3", "a1", "b1"].map((name) => ({ name, owner: name.slice(0, 1) }));

  it("gives each owner a turn before anybody has a second one", () => {
    const turns = new WatchTurns();
    assertEquals(turns.order(all).map(({ name }) => name), ["m1", "a1", "b1", "m2", "m3"]);
  });

  it("has those go first that have waited longest, and forgets who is gone", () => {
    const turns = new WatchTurns();
    const next = (some = all) => {
      const [one] = turns.order(some);
      if (one !== undefined) turns.took(one);
      return one?.name;
    };
    const names = Array.from({ length: 10 }, () => next());
    assertEquals(names, ["m1", "a1", "b1", "m2", "a1", "b1", "m3", "a1", "b1", "m1"]);
    assertEquals(next([]), undefined);
    assertEquals(next(), "m1");
  });
});
