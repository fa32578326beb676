import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import {
  type CurrencyNetwork,
  currencyOn,
  type NetworkTerms,
  waysOf,
} from "../../../src/domain/money/currency.ts";
import { currencyDefinition, DomainVenue, units } from "../../support/domain_venue.ts";

const ETHER: CurrencyNetwork = { name: "ethereum", digits: 18 };
const DOLLARS: CurrencyNetwork = {
  name: "ethereum",
  contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  digits: 6,
};

describe("a currency's networks", () => {
  it("are a coin's, and one coin's alone", () => {
    const test = new DomainVenue();
    const create = (id: string, network: CurrencyNetwork, type: "coin" | "fiat" = "coin") =>
      answer(test, {
        kind: "create_currency",
        currency: { ...currencyDefinition(id, 8), type, networks: [network] },
      });
    assertEquals(create("eur", ETHER, "fiat"), "currency_network_invalid network");
    assertEquals(create("eth", ETHER), "accepted");
    assertEquals(create("usdt", DOLLARS), "accepted");
    assertEquals(create("weth", ETHER), "currency_network_taken network");
    assertEquals(create("usdx", { ...DOLLARS, digits: 18 }), "currency_network_taken network");
    assertEquals(create("usdy", { ...DOLLARS, name: "sepolia" }), "accepted");
    assertEquals(test.venue.currencyById.get("usdt")?.networks, [DOLLARS]);
  });

  it("are added to, and each stays what it is", () => {
    const test = new DomainVenue();
    const add = (network: CurrencyNetwork, id = "eth") =>
      answer(test, { kind: "add_network", id, network });
    answer(test, { kind: "create_currency", currency: currencyDefinition("eth", 8) });
    assertEquals(add(ETHER, "nothing"), "currency_not_found id");
    assertEquals(add(ETHER), "accepted");
    for (const other of [ETHER, DOLLARS, { ...ETHER, digits: 8 }]) {
      assertEquals(add(other), "currency_network_taken network");
    }
    assertEquals(add({ ...ETHER, name: "sepolia" }), "accepted");
    answer(test, { kind: "create_currency", currency: currencyDefinition("usdt", 8) });
    assertEquals(add({ ...DOLLARS, name: "sepolia" }, "usdt"), "accepted");
    assertEquals(add(ETHER, "usdt"), "currency_network_taken network");
    assertEquals(add(DOLLARS, "usdt"), "accepted");
    assertEquals(
      answer(test, { kind: "change_currency", id: "eth", changes: { name: "Ether" } }),
      "accepted",
    );
    const ether = test.venue.currency(0);
    assertEquals(ether.networks, [ETHER, { ...ETHER, name: "sepolia" }]);
    assertEquals(waysOf(ether), [{ currency: "eth" }, { currency: "eth", network: "sepolia" }]);
  });

  it("have the currency's terms, or their own", () => {
    const test = new DomainVenue();
    const networks = [ETHER, { ...ETHER, name: "sepolia" }];
    const currency = {
      ...currencyDefinition("eth", 8),
      networks,
      withdrawFee: units("0.1"),
      minWithdrawAmount: units("1"),
      minConfirmations: 3,
    };
    answer(test, { kind: "create_currency", currency });
    const change = (changes: Partial<NetworkTerms>, network = "sepolia") =>
      answer(test, { kind: "change_network", id: "eth", network, changes });
    const termsOn = (name?: string) => {
      const on = currencyOn(test.venue.currency(0), name);
      return [on.depositEnabled, on.withdrawalEnabled, on.withdrawFee, on.minConfirmations];
    };
    const own = [true, true, units("0.1"), 3];
    assertEquals([termsOn("sepolia"), termsOn(), termsOn("ethereum")], [own, own, own]);
    assertEquals(change({ withdrawFee: units("0.5"), minConfirmations: 7 }), "accepted");
    assertEquals(change({ depositEnabled: false }), "accepted");
    assertEquals([termsOn("sepolia"), termsOn()], [[false, true, units("0.5"), 7], own]);
    assertEquals(change({ withdrawFee: units("1") }), "fee_above_minimum withdraw_fee");
    assertEquals(change({ withdrawFee: 1n }), "amount_off_precision withdraw_fee");
    assertEquals(
      answer(test, {
        kind: "change_currency",
        id: "eth",
        changes: { minWithdrawAmount: units("0.4") },
      }),
      "fee_above_minimum withdraw_fee",
    );
    assertEquals(change({ withdrawFee: null, minConfirmations: null }), "accepted");
    assertEquals(termsOn("sepolia"), [false, true, units("0.1"), 3]);
    assertEquals(change({ withdrawFee: units("0.2") }, "ethereum"), "accepted");
    assertEquals([termsOn(), termsOn("ethereum")].map(([, , fee]) => fee), [
      units("0.2"),
      units("0.2"),
    ]);
    const stop = { depositEnabled: false, withdrawalEnabled: false };
    answer(test, { kind: "change_currency", id: "eth", changes: stop });
    assertEquals(change({ depositEnabled: true, withdrawalEnabled: true }), "accepted");
    assertEquals(termsOn("sepolia").slice(0, 2), [false, false], "the currency is stopped");
    assertEquals(change({}, "moon"), "currency_network_not_found network");
    const nothing = { kind: "change_network", id: "x", network: "y", changes: {} } as const;
    assertEquals(answer(test, nothing), "currency_not_found id");
  });
});

function answer(test: DomainVenue, command: Command): string {
  const outcome = test.do(command);
  return "rejected" in outcome ? `${outcome.rejected} ${outcome.field ?? ""}` : "accepted";
}
