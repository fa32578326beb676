import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as keys from "../../src/store/keys.ts";

/** What is exported besides keys. */
const NO_KEYS: ReadonlySet<string> = new Set([
  "BLOCK_TABLES",
  "HISTORY_TABLES",
  "STATE_TABLES",
  "TABLES",
  "isStorable",
  "keyBytes",
  "keyFamilies",
  "singleKeys",
]);

const TABLES = [
  "member_orders",
  "member_trades",
  "market_trades",
  "member_deposits",
  "member_withdraws",
  "member_funds",
  "ended_deposits",
  "ended_withdraws",
  "deposit_names",
  "act_names",
  "pnl",
  "pnl_prices",
  "pnl_currencies",
  "candles",
  "fees",
  "currencies",
  "withdraw_limits",
  "keys",
  "beneficiaries",
  "members",
  "markets",
  "open_orders",
  "open_deposits",
  "open_withdraws",
];

describe("the keys of the log and its rows", () => {
  it("are what stores that exist have", () => {
    const examples: Record<string, [stored: keys.Key, expected: Deno.KvKey]> = {
      logPrefix: [keys.logPrefix(), ["kvenue1"]],
      headKey: [keys.headKey(), ["kvenue1", "head"]],
      epochKey: [keys.epochKey("a-b"), ["kvenue1", "epoch", "a-b"]],
      firstLayoutHeadKey: [keys.firstLayoutHeadKey(), ["kvenue", 1, "head"]],
      logKey: [keys.logKey(), ["kvenue1", "log"]],
      entryKey: [keys.entryKey(7, 1), ["kvenue1", "log", 7, 1]],
      lastEntryKey: [keys.lastEntryKey(), ["kvenue1", "last"]],
      watermarkKey: [keys.watermarkKey(), ["kvenue1", "watermark"]],
      rowKey: [keys.rowKey("candles", 1, 60, 5), ["kvenue1", "candles", 1, 60, 5]],
      sidecarKey: [keys.sidecarKey(["acts", 3]), ["kvenue1", "side", "acts", 3]],
    };
    for (const [name, [stored, expected]] of Object.entries(examples)) {
      assertEquals(stored, expected, name);
    }
    const names = Object.keys(keys).filter((name) => !NO_KEYS.has(name));
    assertEquals(names.sort(), Object.keys(examples).sort());
  });

  it("are those of these tables, written in this order", () => {
    assertEquals([...keys.TABLES], TABLES);
    assertEquals([...keys.STATE_TABLES], TABLES.slice(14));
  });

  it("are all named for whoever looks for others", () => {
    assertEquals(keys.singleKeys("a-b").map((key) => key.join("/")), [
      "kvenue1/head",
      "kvenue1/epoch/a-b",
      "kvenue1/last",
      "kvenue1/watermark",
    ]);
    assertEquals(
      keys.keyFamilies().map((key) => key.join("/")),
      ["log", "side", ...TABLES].map((family) => `kvenue1/${family}`),
    );
  });
});
