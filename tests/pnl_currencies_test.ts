import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { keepPnlCurrencies, setPnlCurrencies } from "../src/pnl_currencies.ts";
import { eventually } from "./support/eventually.ts";
import { ObservedEngine } from "./support/observed_engine.ts";
import { currencyDefinition } from "./support/domain_venue.ts";

function fail(error: unknown): void {
  throw error;
}

async function create({ engine }: ObservedEngine, id: string): Promise<void> {
  await engine.submit({ kind: "create_currency", currency: currencyDefinition(id) }, null);
}

describe("keepPnlCurrencies()", () => {
  it("sets what the venue knows, in the order given", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "btc");
    await create(observed, "usdt");
    assertEquals(await keepPnlCurrencies(observed.engine, ["usdt", "btc"], fail), []);
    assertEquals(observed.engine.venue.pnlCurrencies, ["usdt", "btc"]);
  });

  it("asks nothing if that is already set", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "usdt");
    await setPnlCurrencies(observed.engine, ["usdt"]);
    const submitted = observed.submitted.length;
    await keepPnlCurrencies(observed.engine, ["usdt"], fail);
    assertEquals(observed.submitted.length, submitted);
  });

  it("adds a currency when it is made, and names those missing until then", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "btc");
    assertEquals(await keepPnlCurrencies(observed.engine, ["usdt", "btc"], fail), ["usdt"]);
    assertEquals(observed.engine.venue.pnlCurrencies, ["btc"]);
    await create(observed, "eth");
    await create(observed, "usdt");
    const kept = () => observed.engine.venue.pnlCurrencies.join();
    await eventually("both currencies", () => kept() === "usdt,btc");
  });

  it("leaves alone what another process sets later", async () => {
    await using observed = await ObservedEngine.open();
    const { engine } = observed;
    await create(observed, "btc");
    await keepPnlCurrencies(engine, ["usdt"], fail);
    await create(observed, "usdt");
    await eventually("the currency", () => engine.venue.pnlCurrencies.join() === "usdt");
    await setPnlCurrencies(engine, ["btc"]);
    const submitted = observed.submitted.length;
    await engine.submit({ kind: "change_currency", id: "usdt", changes: { name: "Tether" } }, null);
    const kinds = observed.submitted.slice(submitted).map(({ kind }) => kind);
    assertEquals(kinds, ["change_currency"]);
  });

  it("reports what the store refuses later", async () => {
    await using observed = await ObservedEngine.open();
    const faults: unknown[] = [];
    await keepPnlCurrencies(observed.engine, ["usdt"], (error) => faults.push(error));
    observed.onSubmit = (command) => {
      if (command.kind === "set_pnl_currencies") throw new Error("no store");
    };
    await create(observed, "usdt");
    await eventually("the fault", () => faults.length > 0);
    assertEquals(faults.length, 1);
    assertStringIncludes(String(faults[0]), "no store");
  });

  it("keeps nothing if nothing is wanted", async () => {
    await using observed = await ObservedEngine.open();
    await create(observed, "usdt");
    await setPnlCurrencies(observed.engine, ["usdt"]);
    await keepPnlCurrencies(observed.engine, [], fail);
    assertEquals(observed.engine.venue.pnlCurrencies, []);
  });
});
