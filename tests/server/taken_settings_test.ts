import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { LogFields } from "../../src/server/logger.ts";
import {
  differingSettings,
  takeSettings,
  warnOfMissingCurrencies,
} from "../../src/server/taken_settings.ts";
import { currencyDefinition } from "../support/domain_venue.ts";
import { ObservedEngine } from "../support/observed_engine.ts";

const MASTER_KEY = "01".repeat(32);

function configOf(environment: Record<string, string>) {
  return readConfig({ MASTER_KEY, ...environment }, []);
}

/** Starts a process with this environment; returns the lines that it logs. */
async function started(
  { engine }: ObservedEngine,
  environment: Record<string, string>,
): Promise<[string, LogFields][]> {
  const lines: [string, LogFields][] = [];
  const log = (event: string, fields: LogFields = {}) => lines.push([event, fields]);
  await takeSettings(engine, configOf(environment), { info: log, warn: log });
  warnOfMissingCurrencies(engine, { warn: log });
  return lines;
}

async function create({ engine }: ObservedEngine, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await engine.submit({ kind: "create_currency", currency: currencyDefinition(id) }, null);
  }
}

describe("takeSettings()", () => {
  it("has a new store take what the first process is started with", async () => {
    await using observed = await ObservedEngine.open();
    const lines = await started(observed, { PRICE_BAND: "7.5", WALLET_RAIL: "sandbox" });
    assertEquals(observed.engine.venue.settings, {
      ...DEFAULT_SETTINGS,
      priceBandBps: 750,
      walletRail: "sandbox",
    });
    assertEquals(lines.map(([event]) => event), ["venue_settings"]);
    assertEquals(lines[0]?.[1].PRICE_BAND, "7.5");
    assertEquals(lines[0]?.[1].SESSION_HOURS, 24);
  });

  it("has the log take the groups and levels that an older program kept beside it", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    const key = ["member_classes"];
    await engine.writeSidecar({ key, value: { groups: ["vip"], levelMax: 5 } });
    await started(observed, {});
    const { memberClasses } = engine.venue.storedSettings;
    assertEquals(memberClasses, { groups: ["vip"], levelMax: 5 });
    assertEquals(await engine.readSidecar(key), null);
    const { sequence } = engine.venue;
    await started(observed, {});
    assertEquals(engine.venue.sequence, sequence, "nothing is written");
  });

  it("warns of what another process is started with, and obeys the store", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "usdt", "btc");
    await started(observed, { PRICE_BAND: "5", PNL_CURRENCIES: "usdt,btc" });
    const { sequence } = observed.engine.venue;
    const lines = await started(observed, {
      PRICE_BAND: "off",
      PNL_CURRENCIES: "off",
      SESSION_HOURS: "24",
      NONCE_WINDOW_MS: "4000",
    });
    assertEquals(observed.engine.venue.sequence, sequence, "nothing is written");
    assertEquals(observed.engine.venue.pnlCurrencies, ["usdt", "btc"]);
    assertEquals(
      lines.filter(([event]) => event === "setting_differs").map(([, line]) => line),
      [
        { setting: "NONCE_WINDOW_MS", environment: 4000, store: 5000 },
        { setting: "PRICE_BAND", environment: "off", store: "5" },
        { setting: "PNL_CURRENCIES", environment: [], store: ["usdt", "btc"] },
      ],
    );
  });

  it("does not warn of what a process was not given", async () => {
    await using observed = await ObservedEngine.open();
    await started(observed, { PRICE_BAND: "5", BENEFICIARY_HOLD_HOURS: "0" });
    const lines = await started(observed, {});
    assertEquals(lines.map(([event]) => event), ["venue_settings"]);
    assertEquals(differingSettings(configOf({}), observed.engine.venue.settings), []);
  });

  it("keeps profit and loss in a currency once it is made, and names those missing", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "btc");
    const lines = await started(observed, { PNL_CURRENCIES: "usdt,btc" });
    assertEquals(lines.at(-1), ["pnl_currencies_missing", { currencies: ["usdt"] }]);
    const { venue } = observed.engine;
    assertEquals(venue.pnlCurrencies, ["btc"]);
    await create(observed, "eth", "usdt");
    assertEquals(venue.pnlCurrencies, ["usdt", "btc"]);
    assertEquals(venue.pnlKept, ["usdt", "btc"]);
  });
});
