import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBeneficiary } from "../../../support/beneficiaries.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const CURRENCIES = "/api/v2/admin/currencies";
const CONTRACT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const LITECOIN = "rltc1q7706fcanltpsf5zdms4whhdjzcu299lcjrl096";
const ETHEREUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

function create(venue: TestVenue, fields: Record<string, unknown>): Promise<Answer> {
  return venue.post("operator", CURRENCIES, { id: "one", name: "One", ...fields });
}

function add(venue: TestVenue, id: string, json: Record<string, unknown>): Promise<Answer> {
  return venue.call("operator", "POST", `${CURRENCIES}/${id}/networks`, { json });
}

function changeTerms(
  venue: TestVenue,
  network: string,
  json: Record<string, unknown>,
): Promise<Answer> {
  return venue.call("operator", "PATCH", `${CURRENCIES}/one/networks/${network}`, { json });
}

describe("a currency's network", () => {
  it("is shown, and what it is there", () =>
    withVenue(async (venue) => {
      const own = await create(venue, { id: "ether", network: "sepolia" });
      assertEquals(own.status, 201, own.text);
      assertEquals(networkOf(own), ["sepolia", null, 18]);
      const lower = CONTRACT.toLowerCase();
      const fields = { id: "dollar", network: "sepolia", contract: lower, network_digits: 6 };
      assertEquals(networkOf(await create(venue, fields)), ["sepolia", CONTRACT, 6]);
      assertEquals((await create(venue, { id: "plain" })).body.networks, []);
      const later = await add(venue, "plain", { network: "litecoin-regtest" });
      assertEquals([later.status, networkOf(later)], [201, ["litecoin-regtest", null, 8]]);
    }));

  it("compares names as the network does", () =>
    withVenue(async (venue) => {
      const cash = await create(venue, { network: "bitcoin-cash-regtest" });
      assertEquals(cash.body.name_form, "cash");
    }));

  it("is refused where it can't be so, with the field that is wrong", () =>
    withVenue(async (venue) => {
      await create(venue, { id: "ether", network: "sepolia" });
      const cases: [Record<string, unknown>, string, string][] = [
        [{ network: "moon" }, "invalid_network", "network"],
        [{ network: "dogecoin" }, "invalid_network", "network"],
        [{ contract: CONTRACT }, "missing_network", "network"],
        [{ network_digits: 6 }, "missing_network", "network"],
        [{ network: "anvil", network_digits: 6 }, "invalid_network_digits", "network_digits"],
        [{ network: "anvil", contract: CONTRACT }, "missing_network_digits", "network_digits"],
        [{ network: "anvil", contract: "0x1" }, "invalid_contract", "contract"],
        [
          { network: "anvil", contract: CONTRACT.replace("dAC", "DAC") },
          "invalid_contract",
          "contract",
        ],
        [{ network: "litecoin-regtest", contract: LITECOIN }, "invalid_contract", "contract"],
        [{ network: "sepolia" }, "duplicate_network", "network"],
        [{ network: "anvil", type: "fiat" }, "invalid_network", "network"],
      ];
      for (const [fields, reason, field] of cases) {
        const answer = await create(venue, fields);
        assertEquals([answer.status, answer.body.errors], [422, [`admin.currency.${reason}`]]);
        assertEquals(answer.body.details.field, field);
      }
      for (const [fields, reason, field] of cases) {
        if (fields["network"] === undefined || fields["type"] !== undefined) continue;
        await create(venue, { id: "later" });
        const answer = await add(venue, "later", fields);
        assertEquals([answer.status, answer.body.errors], [422, [`admin.currency.${reason}`]]);
        assertEquals(answer.body.details.field, field);
      }
      const missing = await add(venue, "later", {});
      assertEquals(missing.body.errors, ["admin.currency.missing_network"]);
      assertEquals((await add(venue, "nothing", { network: "anvil" })).status, 404);
    }));

  it("is one whose names are compared as the currency's are", () =>
    withVenue(async (venue) => {
      const form = "admin.currency.other_name_form";
      await create(venue, { id: "cash", network: "bitcoin-cash-regtest" });
      await create(venue, { id: "plain" });
      const answers = [
        await add(venue, "cash", { network: "anvil" }),
        await add(venue, "plain", { network: "bitcoin-cash-regtest" }),
        await create(venue, { id: "exact", network: "anvil", name_form: "exact" }),
      ];
      for (const { status, body } of answers) {
        assertEquals([status, body.errors, body.details.field], [422, [form], "network"]);
      }
    }));

  it("is one more only of the same coin, and of the same worth", () =>
    withVenue(async (venue) => {
      const token = { contract: CONTRACT, network_digits: 6 };
      await create(venue, { id: "ether", network: "ethereum" });
      await create(venue, { id: "dollar", network: "ethereum", ...token });
      await create(venue, { id: "test", network: "anvil" });
      await create(venue, { id: "wrapped", network: "anvil", ...token });
      const cases: [string, Record<string, unknown>, string][] = [
        ["ether", { network: "sepolia" }, "422 admin.currency.other_worth"],
        ["ether", { network: "bitcoin" }, "422 admin.currency.other_coin"],
        ["dollar", { network: "sepolia", ...token }, "422 admin.currency.other_worth"],
        ["test", { network: "ethereum" }, "422 admin.currency.other_worth"],
        ["test", { network: "litecoin-regtest" }, "422 admin.currency.other_coin"],
        ["test", { network: "sepolia" }, "201 "],
        ["wrapped", { network: "litecoin-regtest" }, "201 "],
      ];
      for (const [id, fields, expected] of cases) {
        const { status, body } = await add(venue, id, fields);
        assertEquals(`${status} ${body.errors ?? ""}`, expected);
        if (status === 422) assertEquals(body.details.field, "network");
      }
    }));

  it("has terms of its own, or the currency's", () =>
    withVenue(async (venue) => {
      const own = { withdraw_fee: "0.1", min_withdraw_amount: "1", min_confirmations: 2 };
      await create(venue, { ...own, network: "anvil" });
      const terms = { withdraw_fee: "0.5", min_confirmations: 9, hot_limit: "2.5" };
      const added = await add(venue, "one", { network: "sepolia", ...terms });
      assertEquals(added.status, 201, added.text);
      const first = {
        network: "anvil",
        contract: null,
        deposit_enabled: true,
        withdrawal_enabled: true,
        withdraw_fee: "0.1",
        min_confirmations: 2,
      };
      const second = { ...first, network: "sepolia", withdraw_fee: "0.5", min_confirmations: 9 };
      const more = { network_digits: 18, hot_limit: null };
      assertEquals(added.body.networks, [
        { ...first, ...more },
        { ...second, ...more, hot_limit: "2.5" },
      ]);
      const { body: shown } = await venue.get(null, "/api/v2/trading/public/currencies/one");
      assertEquals(shown.networks, [first, second]);
      const none = { withdraw_fee: null, min_confirmations: null, hot_limit: null };
      const { body } = await changeTerms(venue, "sepolia", { ...none, deposit_enabled: false });
      assertEquals(body.networks[1], {
        ...first,
        ...more,
        network: "sepolia",
        deposit_enabled: false,
      });
      const dear = await changeTerms(venue, "anvil", { withdraw_fee: "1" });
      assertEquals(dear.body.errors, ["admin.currency.fee_above_minimum"]);
      const noFlag = await changeTerms(venue, "anvil", { deposit_enabled: null });
      assertEquals(noFlag.body.errors, ["admin.currency.invalid_deposit_enabled"]);
      assertEquals((await changeTerms(venue, "moon", {})).status, 404);
    }));
});

describe("the confirmations of a coin on a network", () => {
  const ASKED = "admin.currency.invalid_min_confirmations";

  it("are at most those that its rail counts", () =>
    withVenue(async (venue) => {
      const change = (json: Record<string, unknown>) =>
        venue.call("operator", "PATCH", `${CURRENCIES}/one`, { json });
      for (const [network, most] of [["anvil", 12], ["litecoin-regtest", 12], ["sepolia", 64]]) {
        const answer = await create(venue, { network, min_confirmations: Number(most) + 1 });
        assertEquals([answer.status, answer.body.errors], [422, [ASKED]]);
        assertEquals(answer.body.details.field, "min_confirmations");
      }
      const made = await create(venue, { min_confirmations: 13 });
      assertEquals(made.status, 201, "what no rail to a network serves may ask for any");
      assertEquals((await add(venue, "one", { network: "anvil" })).body.errors, [ASKED]);
      const few = { network: "anvil", min_confirmations: 12 };
      assertEquals((await add(venue, "one", few)).status, 201);
      for (const min_confirmations of [13, null]) {
        const { body } = await changeTerms(venue, "anvil", { min_confirmations });
        assertEquals([body.errors, body.details.value], [[ASKED], "13"]);
      }
      assertEquals((await change({ min_confirmations: 14 })).status, 200, "it is not its own");
      assertEquals((await change({ min_confirmations: 12 })).status, 200);
      assertEquals((await changeTerms(venue, "anvil", { min_confirmations: null })).status, 200);
      assertEquals((await change({ min_confirmations: 13 })).body.errors, [ASKED]);
      const { body } = await change({ name: "Still one" });
      assertEquals([body.name, body.min_confirmations], ["Still one", 12]);
    }));
});

describe("an address on a network", () => {
  it("is one of the network's, and kept as that spells it", () =>
    withVenue(async (venue) => {
      await create(venue, { id: "ltc", network: "litecoin-regtest" });
      await create(venue, { id: "ether", network: "sepolia" });
      const token = { network: "sepolia", contract: CONTRACT, network_digits: 6 };
      await create(venue, { id: "dollar", ...token });
      const kept: [string, string, string][] = [
        ["ltc", LITECOIN.toUpperCase(), LITECOIN],
        ["ether", ETHEREUM.toLowerCase(), ETHEREUM],
      ];
      for (const [currency, address, canonical] of kept) {
        const made = await createBeneficiary(venue, "alice", { currency, data: { address } });
        assertEquals([made.status, made.body.data], [201, { address: canonical }], made.text);
      }
      const wrong: [string, string][] = [
        ["ltc", ETHEREUM],
        ["ltc", LITECOIN.replace("96", "95")],
        ["ltc", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
        ["ether", LITECOIN],
        ["ether", ETHEREUM.replace("5aA", "5AA")],
        ["ether", `0x${"0".repeat(40)}`],
        ["ether", CONTRACT.toLowerCase()],
      ];
      for (const [currency, address] of wrong) {
        const made = await createBeneficiary(venue, "alice", { currency, data: { address } });
        assertEquals(made.status, 422);
        assertEquals(made.body.errors, ["account.beneficiary.invalid_address"]);
        assertEquals(made.body.details, { field: "data", value: address });
      }
    }));
});

/** Returns what a currency is on its last network. */
function networkOf({ body }: Answer): unknown[] {
  const { network, contract, network_digits } = body.networks.at(-1);
  return [network, contract, network_digits];
}
