import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type MailFigures, NO_MAIL } from "../../../src/edge/figures.ts";
import type { Health } from "../../../src/engine/engine.ts";
import { type DiskSpace, VenueWatch } from "../../../src/server/watching/venue_watch.ts";
import type { NetworkState } from "../../../src/wallet/network_rails.ts";
import { DomainVenue } from "../../support/domain_venue.ts";
import { moneyVenue } from "../../support/money_venue.ts";

const GIGABYTE = 1024 ** 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What a test sets of a watched venue. */
interface Set {
  mail?: MailFigures;
  networks?: readonly NetworkState[];
  disk?: DiskSpace | null;
  health?: Health;
  backupMark?: string;
  now?: number;
  hasDifferingSettings?: boolean;
}

async function watching(set: Set, venue = moneyVenue().venue): Promise<VenueWatch> {
  const watch = new VenueWatch({
    engine: { venue, now: () => set.now ?? venue.time },
    health: () => set.health ?? { isReady: true, reason: "" },
    mail: () => set.mail ?? NO_MAIL,
    networks: () => set.networks ?? [],
    path: "/somewhere/venue.db",
    backupMark: set.backupMark ?? null,
    hasDifferingSettings: () => set.hasDifferingSettings ?? false,
    diskOf: (path) => {
      assertEquals(path, "/somewhere");
      return Promise.resolve(set.disk ?? null);
    },
  });
  await watch.look();
  return watch;
}

describe("what an operator has to look at", () => {
  it("is nothing if all is well, or nothing is known", async () => {
    const { degraded, ready, storage } = (await watching({})).figures();
    assertEquals([ready, degraded], [true, []]);
    assertEquals(storage, { disk_free: null, disk_size: null, backup_age_ms: null });
  });

  it("is a disk that is nearly full, by its size", async () => {
    const at = async (free: number, size: number) =>
      (await watching({ disk: { free, size } })).degraded();
    const full = ["disk_nearly_full"] as const;
    assertEquals(await at(2 * GIGABYTE, 100 * GIGABYTE), []);
    assertEquals(await at(0.9 * GIGABYTE, 100 * GIGABYTE), [...full]);
    assertEquals(await at(0.5 * GIGABYTE, GIGABYTE), [], "half of a small one is left");
    assertEquals(await at(0.05 * GIGABYTE, 0.1 * GIGABYTE), [...full]);
  });

  it("is mail that is not taken for a minute", async () => {
    const failing = (failing_ms: number) => watching({ mail: { ...NO_MAIL, failing_ms } });
    assertEquals((await failing(MINUTE_MS)).degraded(), []);
    assertEquals((await failing(MINUTE_MS + 1)).degraded(), ["mail_failing"]);
  });

  it("is a backup that is older than a day and a half, by its mark", async () => {
    const backupMark = await Deno.makeTempFile();
    const at = Date.now() - HOUR_MS;
    await Deno.utime(backupMark, new Date(at), new Date(at));
    const old = async (hours: number) => {
      const watch = await watching({ backupMark, now: at + hours * HOUR_MS });
      return [watch.degraded(), Math.round((watch.figures().storage.backup_age_ms ?? 0) / HOUR_MS)];
    };
    assertEquals(await old(36), [[], 36]);
    assertEquals(await old(37), [["backup_old"], 37]);
    await Deno.remove(backupMark);
    assertEquals((await watching({ backupMark })).figures().storage.backup_age_ms, null);
  });

  it("is a process that was started with other settings", async () => {
    assertEquals((await watching({ hasDifferingSettings: true })).degraded(), ["settings_differ"]);
  });

  it("is a currency whose price is far from its market's", async () => {
    const funds = { btc: "1", usdt: "10" };
    const test = new DomainVenue().withMarket("btc", "usdt")
      .withMember("ann", funds).withMember("bob", funds);
    assertEquals((await watching({}, test.venue)).degraded(), []);
    test.sell("ann", "1", "2");
    test.buy("bob", "1", "2");
    assertEquals((await watching({}, test.venue)).degraded(), ["price_far"]);
  });

  it("is one network that can't be relied on, whatever the others do", async () => {
    const well = { network: "anvil", height: 7, fault: null };
    assertEquals((await watching({ networks: [well] })).degraded(), []);
    const networks = [well, { network: "sepolia", height: 9, fault: "behind" as const }];
    const { degraded, networks: shown } = (await watching({ networks })).figures();
    assertEquals([degraded, shown], [["network_fault"], networks]);
  });

  it("is told beside why it is not ready", async () => {
    const health = { isReady: false, reason: "behind" } as const;
    const { ready, not_ready_reason: reason } = (await watching({ health })).figures();
    assertEquals([ready, reason], [false, "behind"]);
  });
});

describe("what waits", () => {
  it("is told by what it waits for, with the age of the oldest", async () => {
    const test = moneyVenue();
    const now = test.venue.time + 5 * MINUTE_MS;
    const none = { count: 0, oldest_ms: 0 };
    const waiting = async () => (await watching({ now }, test.venue)).figures().waiting;
    assertEquals(await waiting(), {
      approval: none,
      payment_by_hand: none,
      rail: none,
      decision: none,
      hold: none,
      deposits: none,
    });
    const to = test.activeBeneficiary("ann", "btc");
    const { id } = test.withdraw("ann", "btc", "1", to);
    test.observe("ann", "btc", "1");
    const told = await waiting();
    assertEquals([told.rail.count, told.deposits.count], [1, 1]);
    assert(told.rail.oldest_ms > 0 && told.rail.oldest_ms <= 5 * MINUTE_MS);
    test.sink.at += MINUTE_MS;
    test.moveWithdraw(id, "claim");
    assertEquals((await waiting()).rail, told.rail, "no try makes it younger");
    test.moveWithdraw(id, "park");
    const watch = await watching({ now }, test.venue);
    const { rail, decision } = watch.figures().waiting;
    assertEquals([rail.count, decision.count], [0, 1]);
    assertEquals(watch.degraded(), ["payouts_parked"]);
  });

  it("tells payments by hand, approvals and holds apart, as the list of withdrawals does", async () => {
    const test = moneyVenue();
    const to = ["btc", "eur"].map((code) => test.activeBeneficiary("ann", code));
    const waiting = async () => {
      const { waiting } = (await watching({}, test.venue)).figures();
      const { approval, payment_by_hand, rail, decision, hold } = waiting;
      return [approval, payment_by_hand, rail, decision, hold].map(({ count }) => count);
    };
    const byHand = test.withdraw("ann", "btc", "1", to[0] ?? 0);
    test.moveWithdraw(byHand.id, "leave_to_hand");
    const fiat = test.withdraw("ann", "eur", "1", to[1] ?? 0);
    assertEquals(await waiting(), [1, 1, 0, 0, 0]);
    test.moveWithdraw(fiat.id, "approve");
    assertEquals(await waiting(), [0, 2, 0, 0, 0]);
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(await waiting(), [0, 1, 0, 0, 1], "fiat that is approved may be under way");
  });
});

describe("the disk of a store", () => {
  it("is told by the platform", async () => {
    const { venue } = moneyVenue();
    const path = await Deno.makeTempFile();
    const watch = new VenueWatch({
      engine: { venue, now: () => 0 },
      health: () => ({ isReady: true, reason: "" }),
      mail: () => NO_MAIL,
      networks: () => [],
      path,
      backupMark: null,
      hasDifferingSettings: () => false,
    });
    await watch.look();
    const { disk_free: free, disk_size: size } = watch.figures().storage;
    assert(free !== null && size !== null && 0 < free && free <= size, `${free} of ${size}`);
    await Deno.remove(path);
  });
});
