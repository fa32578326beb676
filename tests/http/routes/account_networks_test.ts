/** A member's money of a coin that lives on two networks. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Way } from "../../../src/domain/money/currency.ts";
import { activeBeneficiary, createBeneficiary, UIDS } from "../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const ACCOUNT = "/api/v2/backend/account";
const NO_NETWORK = "account.currency.network_doesnt_exist";
const ETHEREUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CONTRACT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TOKEN = { contract: CONTRACT, network_digits: 6 };
const SECOND = "?network=sepolia";

/** Runs a test on a sandbox whose dollars live on anvil and on sepolia, there for a fee. */
function withDollars(test: (venue: TestVenue) => Promise<void>): Promise<void> {
  return withVenue(async (venue) => {
    const dollar = { id: "usdx", name: "Dollar", precision: 6, network: "anvil", ...TOKEN };
    const made = await venue.post("operator", `${ADMIN}/currencies`, dollar);
    assertEquals(made.status, 201, made.text);
    const second = { network: "sepolia", ...TOKEN, withdraw_fee: "2" };
    const added = await venue.post("operator", `${ADMIN}/currencies/usdx/networks`, second);
    assertEquals(added.status, 201, added.text);
    await test(venue);
  });
}

async function address(venue: TestVenue, query: string): Promise<Record<string, unknown>> {
  let answer = await venue.get("alice", `${ACCOUNT}/deposit_address/usdx${query}`);
  while (answer.body.state === "pending") {
    answer = await venue.get("alice", `${ACCOUNT}/deposit_address/usdx${query}`);
  }
  return answer.body;
}

describe("the address of a coin on two networks", () => {
  it("is the first one's unless another is named", () =>
    withDollars(async (venue) => {
      const [first, named, second] = [
        await address(venue, ""),
        await address(venue, "?network=anvil"),
        await address(venue, SECOND),
      ];
      assertEquals(first, named);
      assertEquals([first.network, second.network], ["anvil", "sepolia"]);
      assertEquals(first.address === second.address, false);
      const btc = await venue.get("alice", `${ACCOUNT}/deposit_address/btc`);
      assertEquals(btc.body.network, undefined);
    }));

  it("is refused for another network, or while deposits are stopped there", () =>
    withDollars(async (venue) => {
      for (
        const [currency, network] of [["usdx", "moon"], ["usdx", "bitcoin-regtest"], [
          "btc",
          "anvil",
        ]]
      ) {
        const path = `${ACCOUNT}/deposit_address/${currency}?network=${network}`;
        const { status, body } = await venue.get("alice", path);
        assertEquals([status, body.errors], [422, [NO_NETWORK]]);
        assertEquals(body.details, { field: "network", value: network });
      }
      const stop = { json: { deposit_enabled: false } };
      const path = `${ADMIN}/currencies/usdx/networks/sepolia`;
      assertEquals((await venue.call("operator", "PATCH", path, stop)).status, 200);
      const stopped = await venue.get("alice", `${ACCOUNT}/deposit_address/usdx${SECOND}`);
      assertEquals(stopped.body.errors, ["account.currency.deposit_disabled"]);
      assertEquals((await address(venue, "")).network, "anvil");
    }));
});

describe("a deposit of a coin on two networks", () => {
  it("says by which it came, and goes to the address of that", () =>
    withDollars(async (venue) => {
      const pay = (more: Record<string, unknown>) =>
        venue.post("operator", `${ADMIN}/sandbox/deposits`, {
          uid: UIDS.alice,
          currency: "usdx",
          amount: "5",
          ...more,
        });
      const paid = [await pay({}), await pay({ network: "sepolia" })];
      assertEquals(paid.map(({ body }) => body.network), ["anvil", "sepolia"]);
      const wrong = await pay({ network: "moon" });
      assertEquals([wrong.status, wrong.body.details?.field], [422, "network"]);
      for (let block = 0; block < 4; block++) {
        venue.clock.now += 1000;
        await venue.wallet.tick();
      }
      const { body: deposits } = await venue.get("alice", `${ACCOUNT}/deposits?currency=usdx`);
      const seen = deposits.map((one: Record<string, unknown>) => [one["network"], one["state"]]);
      assertEquals(seen, [["sepolia", "collected"], ["anvil", "collected"]]);
      await venue.engine.folded();
      const list = `${ACCOUNT}/transactions?currency=usdx`;
      const { body: transactions } = await venue.get("alice", list);
      const shown = transactions.map((one: Record<string, unknown>) => [
        one["network"],
        one["address"],
      ]);
      const [first, second] = [await address(venue, ""), await address(venue, SECOND)];
      assertEquals(shown, [["sepolia", second.address], ["anvil", first.address]]);
      const { text } = await venue.get("alice", `${ACCOUNT}/statements/transactions.csv`);
      const lines = text.trim().split("\r\n").map((line) => line.split(",").at(-1));
      assertEquals([lines[0], lines.slice(1).toSorted()], ["network", ["anvil", "sepolia"]]);
    }));

  it("is entered by hand once for each network", () =>
    withDollars(async (venue) => {
      const enter = (more: Record<string, unknown>) =>
        venue.post("operator", `${ADMIN}/deposits`, {
          uid: UIDS.bob,
          currency: "usdx",
          amount: "5",
          txid: "replayed",
          ...more,
        });
      const answers = [
        await enter({ txid: undefined }),
        await enter({}),
        await enter({ network: "anvil" }),
        await enter({ network: "anvil" }),
        await enter({ network: "sepolia" }),
        await enter({ network: "sepolia" }),
        await enter({ network: "moon" }),
      ];
      const duplicate = ["admin.deposit.duplicate_txid"];
      assertEquals(answers.map(({ status, body }) => [status, body.network ?? body.errors]), [
        [201, "anvil"],
        [422, ["admin.deposit.missing_network"]],
        [201, "anvil"],
        [422, duplicate],
        [201, "sepolia"],
        [422, duplicate],
        [422, ["admin.currency.network_doesnt_exist"]],
      ]);
      assertEquals(answers[1]?.body.details, { field: "network" });
    }));

  it("is answered again as it was before the second network was there", () =>
    withVenue(async (venue) => {
      const dollar = { id: "usdx", name: "Dollar", precision: 6, network: "anvil", ...TOKEN };
      await venue.post("operator", `${ADMIN}/currencies`, dollar);
      const enter = () =>
        venue.post("operator", `${ADMIN}/deposits`, {
          uid: UIDS.bob,
          currency: "usdx",
          amount: "5",
          txid: "early",
          idempotency_key: "one-deposit-of-dollars",
        });
      const first = await enter();
      await venue.post("operator", `${ADMIN}/currencies/usdx/networks`, {
        network: "sepolia",
        ...TOKEN,
      });
      const again = await enter();
      assertEquals([first.status, again.status, again.body.id], [201, 201, first.body.id]);
    }));
});

describe("the sandbox of a coin on two networks", () => {
  const give = (venue: TestVenue, more: Record<string, unknown>) =>
    venue.post("alice", `${ACCOUNT}/faucet`, { currency: "usdx", amount: "5", ...more });

  it("has a faucet that pays by the network that is named, unless that is stopped", () =>
    withDollars(async (venue) => {
      const given = [await give(venue, {}), await give(venue, { network: "sepolia" })];
      assertEquals(given.map(({ status, body }) => [status, body.network]), [
        [201, "anvil"],
        [201, "sepolia"],
      ]);
      const wrong = await give(venue, { network: "moon" });
      assertEquals([wrong.status, wrong.body.errors], [422, [NO_NETWORK]]);
      assertEquals(wrong.body.details, { field: "network", value: "moon" });
      for (const network of ["anvil", "sepolia"]) {
        const stop = (isOpen: boolean) =>
          venue.call("operator", "PATCH", `${ADMIN}/currencies/usdx/networks/${network}`, {
            json: { deposit_enabled: isOpen },
          });
        await stop(false);
        const stopped = await give(venue, { network });
        assertEquals(stopped.body.errors, ["account.currency.deposit_disabled"], network);
        await stop(true);
      }
    }));

  it("drops the blocks of the chain that is named, and of that alone", () =>
    withDollars(async (venue) => {
      const [first, second] = [await give(venue, {}), await give(venue, { network: "sepolia" })];
      const drop = (more: Record<string, unknown>) =>
        venue.post("operator", `${ADMIN}/sandbox/reorganise`, { currency: "usdx", ...more });
      const dropped = [await drop({ network: "sepolia" }), await drop({ network: "anvil" })];
      assertEquals(dropped.map(({ body }) => [body.network, body.txids]), [
        ["sepolia", [second.body.txid]],
        ["anvil", [first.body.txid]],
      ]);
      const { acts } = venue.engine.venue.counters;
      const wrong = await drop({ network: "moon" });
      assertEquals([wrong.status, wrong.body.details?.field], [422, "network"]);
      assertEquals(venue.engine.venue.counters.acts, acts, "what is refused is no act");
    }));
});

describe("a withdrawal of a coin on two networks", () => {
  it("goes by its beneficiary's, for that one's fee", () =>
    withDollars(async (venue) => {
      const data = { address: ETHEREUM.toLowerCase() };
      const first = await activeBeneficiary(venue, "alice", { currency: "usdx", data });
      const fields = { currency: "usdx", network: "sepolia", data };
      const second = await activeBeneficiary(venue, "alice", fields);
      const again = await createBeneficiary(venue, "alice", fields);
      assertEquals(again.body.errors, ["account.beneficiary.duplicate_address"]);
      const wrong = await createBeneficiary(venue, "alice", { ...fields, network: "moon" });
      assertEquals([wrong.body.errors, wrong.body.details.field], [[NO_NETWORK], "network"]);
      const other = {
        ...fields,
        data: { address: "rltc1q7706fcanltpsf5zdms4whhdjzcu299lcjrl096" },
      };
      const unfit = await createBeneficiary(venue, "alice", other);
      assertEquals(unfit.body.errors, ["account.beneficiary.invalid_address"]);
      const own = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
      Object.assign(venue.wallet, {
        isOwn: ({ network }: Way, one: string) => network === "sepolia" && one === own,
      });
      const lost = { ...fields, data: { address: own.toLowerCase() } };
      const refused = await createBeneficiary(venue, "alice", lost);
      const { status, body } = refused;
      assertEquals([status, body.errors], [422, ["account.beneficiary.venue_address"]]);
      assertEquals(refused.body.details.field, unfit.body.details.field);
      const { body: list } = await venue.get("alice", `${ACCOUNT}/beneficiaries?currency=usdx`);
      const shown = list.map((one: Record<string, unknown>) => [one["network"], one["data"]]);
      assertEquals(shown, ["anvil", "sepolia"].map((name) => [name, { address: ETHEREUM }]));

      const given = { uid: UIDS.alice, currency: "usdx", amount: "100", reason: "a gift" };
      await venue.post("operator", `${ADMIN}/adjustments`, given);
      const member = venue.engine.venue.holderByUid.get(UIDS.alice)?.member.index ?? 0;
      let step = 1;
      const otp = () => ({ member, step: step++, generation: step === 2 ? 0 : 1 });
      await venue.engine.submit({ kind: "set_two_factor", ...otp(), isOn: true }, null);
      for (const beneficiary of [first, second]) {
        const asked = { member, otp: otp(), beneficiary, currency: "usdx", amount: 10n ** 17n };
        await venue.engine.submit({ kind: "request_withdraw", ...asked }, null);
      }
      const { body: withdraws } = await venue.get("alice", `${ACCOUNT}/withdraws?currency=usdx`);
      const told = withdraws.map((one: Record<string, unknown>) => [
        one["network"],
        one["rid"],
        one["fee"],
      ]);
      assertEquals(told, [["sepolia", ETHEREUM, "2.0"], ["anvil", ETHEREUM, "0.0"]]);
      const { body: all } = await venue.get("operator", `${ADMIN}/withdraws?currency=usdx`);
      const seen = all.map((one: Record<string, unknown>) => one["network"]);
      assertEquals(seen, ["sepolia", "anvil"]);
    }));
});
