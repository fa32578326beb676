import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { walletCursorKey } from "../../src/engine/sidecar_rows.ts";
import { DepositWatch } from "../../src/wallet/deposit_watch.ts";
import type { SeenOutput } from "../../src/wallet/rails/rail.ts";
import { WatchTurns } from "../../src/wallet/watch_turns.ts";
import { units } from "../support/domain_venue.ts";
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
    notices: { add: () => Promise.resolve() },
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
