import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Venue } from "../../src/domain/venue.ts";
import { Prng } from "../support/prng.ts";
import { DirectVenue } from "./direct_venue.ts";
import { OracleError } from "./oracle.ts";

/** Whether a venue has something of all that the oracle compares. */
function holdsEverything(venue: Venue): boolean {
  const { deposits, withdraws, fees, withdrawLimits, holders, orders } = venue;
  return deposits.size > 0 && withdraws.size > 0 &&
    fees.rows().length > 0 && withdrawLimits.rows().length > 0 &&
    [...orders.values()].some(({ level }) => level !== null) &&
    holders.some(({ beneficiaries }) => beneficiaries.size > 0) &&
    holders.some(({ countedWithdraws }) => countedWithdraws.size > 0);
}

describe("the oracle notices a venue's memory that", () => {
  const test = new DirectVenue(new Prng(11));
  const { oracle, venue } = test;
  const check = () => oracle.compare(venue, venue.sequence);
  for (let runs = 0; !holdsEverything(venue); runs++) {
    assert(runs < 200, "the workload fills no venue");
    test.run(500);
  }

  it("lacks anything of the log", () => {
    const maps = new Map<string, Map<unknown, unknown>>(Object.entries({
      deposits: venue.deposits,
      withdraws: venue.withdraws,
    }));
    for (const { beneficiaries, countedWithdraws } of venue.holders) {
      if (beneficiaries.size > 0) maps.set("beneficiaries", beneficiaries);
      if (countedWithdraws.size > 0) maps.set("withdrawals that count", countedWithdraws);
    }
    assertEquals(maps.size, 4);
    for (const [name, map] of maps) {
      const all = [...map];
      assert(all.length > 0, name);
      map.clear();
      assertThrows(check, OracleError, undefined, name);
      for (const [key, value] of all) map.set(key, value);
    }
    for (const table of [venue.fees, venue.withdrawLimits]) {
      const { rows } = table;
      assert(table.rows().length > 0);
      table.rows = () => [];
      assertThrows(check, OracleError);
      table.rows = rows;
    }
    check();
  });

  it("differs from the log", () => {
    const account = venue.holder(4).accounts[0];
    const order = [...venue.orders.values()].find(({ level }) => level !== null);
    if (account === undefined || order === undefined) throw new Error("The venue is too empty");
    check();
    account.available += 1n;
    assertThrows(check, OracleError);
    account.available -= 1n;
    order.remaining += 1;
    assertThrows(check, OracleError);
    order.remaining -= 1;
    venue.counters.trades += 1;
    assertThrows(check, OracleError);
    venue.counters.trades -= 1;
    check();
    assertEquals(oracle.compare(venue, venue.sequence + 1), false);
  });
});
