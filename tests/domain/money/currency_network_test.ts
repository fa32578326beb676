import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import type { CurrencyNetwork } from "../../../src/domain/money/currency.ts";
import { currencyDefinition, DomainVenue } from "../../support/domain_venue.ts";

const ETHER: CurrencyNetwork = { name: "ethereum", digits: 18 };
const DOLLARS: CurrencyNetwork = {
  name: "ethereum",
  contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  digits: 6,
};

describe("a currency's network", () => {
  it("is a coin's, and one coin's alone", () => {
    const test = new DomainVenue();
    const create = (id: string, network: CurrencyNetwork, type: "coin" | "fiat" = "coin") =>
      answer(test, {
        kind: "create_currency",
        currency: { ...currencyDefinition(id, 8), type, network },
      });
    assertEquals(create("eur", ETHER, "fiat"), "currency_network_invalid network");
    assertEquals(create("eth", ETHER), "accepted");
    assertEquals(create("usdt", DOLLARS), "accepted");
    assertEquals(create("weth", ETHER), "currency_network_taken network");
    assertEquals(create("usdx", { ...DOLLARS, digits: 18 }), "currency_network_taken network");
    assertEquals(create("usdy", { ...DOLLARS, name: "sepolia" }), "accepted");
    assertEquals(test.venue.currencyById.get("usdt")?.network, DOLLARS);
  });

  it("comes later if there was none, and stays", () => {
    const test = new DomainVenue();
    const change = (network: CurrencyNetwork) =>
      answer(test, { kind: "change_currency", id: "eth", changes: { network } });
    answer(test, { kind: "create_currency", currency: currencyDefinition("eth", 8) });
    assertEquals(change(ETHER), "accepted");
    assertEquals(change({ ...ETHER }), "accepted");
    for (const other of [DOLLARS, { ...ETHER, digits: 8 }, { ...ETHER, name: "sepolia" }]) {
      assertEquals(change(other), "currency_network_fixed network");
    }
    assertEquals(
      answer(test, { kind: "change_currency", id: "eth", changes: { name: "Ether" } }),
      "accepted",
    );
    assertEquals(test.venue.currencyById.get("eth")?.network, ETHER);
  });
});

function answer(test: DomainVenue, command: Command): string {
  const outcome = test.do(command);
  return "rejected" in outcome ? `${outcome.rejected} ${outcome.field ?? ""}` : "accepted";
}
