import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DepositAction } from "../../../src/domain/money/deposit.ts";
import { depositTid } from "../../../src/edge/wire/deposit_wire.ts";
import { createFiat, UIDS } from "../../support/beneficiaries.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";
import { outcome } from "../../support/withdraws.ts";

const DEPOSITS = "/api/v2/backend/account/deposits";
const ADDRESS = "/api/v2/backend/account/deposit_address";

async function move(venue: TestVenue, id: number, ...actions: DepositAction[]): Promise<void> {
  for (const action of actions) {
    const outcome = await venue.engine.submit({ kind: "change_deposit", id, action }, null);
    assertEquals("kind" in outcome && outcome.kind, "deposit_set");
  }
}

async function listed(venue: TestVenue, query: string): Promise<number[]> {
  const { body } = await venue.get("alice", `${DEPOSITS}?${query}`);
  return body.map(({ id }: { id: number }) => id);
}

describe("a deposit address", () => {
  it("has a deposit's shape, and is the same whenever asked for", () =>
    withVenue(async (venue) => {
      const first = await venue.get("alice", `${ADDRESS}/BTC`);
      assertEquals(first.status, 200);
      assertMatch(first.body.address, /./);
      assertEquals(first.body, {
        id: null,
        currency: "btc",
        amount: "0.0",
        fee: "0.0",
        txid: null,
        confirmations: 0,
        transfer_type: "crypto",
        created_at: null,
        completed_at: null,
        tid: null,
        currencies: ["btc"],
        address: first.body.address,
        state: "active",
      });
      const again = await venue.get("alice", "/api/v2/peatio/account/deposit_address/btc");
      assertEquals(again.body, first.body);
      const others = await venue.get("bob", `${ADDRESS}/btc?address_format=legacy`);
      assert(others.body.address !== first.body.address);
    }));

  it("is refused if nothing may be deposited", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/eth", {
        json: { deposit_enabled: false, reason: "a test" },
      });
      const cases = {
        xyz: "account.currency.doesnt_exist",
        eur: "account.currency.doesnt_exist",
        eth: "account.currency.deposit_disabled",
        "btc?address_format=new": "account.deposit_address.invalid_address_format",
        "btc?address_format=cash": "account.deposit_address.doesnt_support_cash_address_format",
      };
      for (const [path, identifier] of Object.entries(cases)) {
        assertEquals(outcome(await venue.get("alice", `${ADDRESS}/${path}`)), `422 ${identifier}`);
      }
    }));

  it("needs a wallet", () =>
    withVenue(async (venue) => {
      const answer = await venue.get("alice", `${ADDRESS}/btc`);
      assertEquals(outcome(answer), "422 account.wallet.not_found");
    }, { walletRail: "none" }));
});

describe("deposits", () => {
  it("start empty, despite operators' adjustments", () =>
    withVenue(async (venue) => {
      const { status, body, headers } = await venue.get("alice", DEPOSITS);
      assertEquals([status, body, headers.get("Total")], [200, [], "0"]);
    }));

  it("are shown whole, by list and by transaction", () =>
    withVenue(async (venue) => {
      const id = await observeDeposit(venue, { txid: "tx-1", amount: "0.5" });
      const { body: [first] } = await venue.get("alice", DEPOSITS);
      assertMatch(first.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assertEquals(first, {
        id,
        currency: "btc",
        amount: "0.5",
        fee: "0.0",
        txid: "tx-1",
        confirmations: 0,
        state: "submitted",
        transfer_type: "crypto",
        created_at: first.created_at,
        completed_at: null,
        tid: depositTid(id),
      });
      assertEquals((await venue.get("alice", `${DEPOSITS}/tx-1`)).body, first);
      await move(venue, id, "accept");
      const { body } = await venue.get("alice", "/api/v2/peatio/account/deposits/tx-1");
      assertEquals(body.state, "accepted");
      assert(body.completed_at >= first.created_at);
    }));

  it("show what is received less the fee", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/eur", {
        json: { deposit_fee: "1.5", reason: "a test" },
      });
      await observeDeposit(venue, { currency: "eur", amount: "50", txid: "" });
      const { body: [deposit] } = await venue.get("alice", DEPOSITS);
      assertEquals([deposit.amount, deposit.fee, deposit.txid], ["48.5", "1.5", null]);
      assertEquals([deposit.transfer_type, "confirmations" in deposit], ["fiat", false]);
    }));

  it("are shown in every state", () =>
    withVenue(async (venue) => {
      const ways: [string, DepositAction[]][] = [
        ["submitted", []],
        ["canceled", ["cancel"]],
        ["rejected", ["reject"]],
        ["accepted", ["accept"]],
        ["processing", ["accept", "process"]],
        ["collected", ["accept", "process", "collect"]],
      ];
      for (const [state, actions] of ways) {
        const id = await observeDeposit(venue, { txid: `tx-${state}` });
        await move(venue, id, ...actions);
        assertEquals((await venue.get("alice", `${DEPOSITS}/tx-${state}`)).body.state, state);
        assertEquals(await listed(venue, `state=${state}`), [id]);
      }
    }));

  it("are listed newest first, by currency, state, transaction and page", () =>
    withVenue(async (venue) => {
      await observeDeposit(venue, { txid: "a" });
      await observeDeposit(venue, { txid: "b", currency: "eth" });
      await observeDeposit(venue, { txid: "c" });
      await observeDeposit(venue, { txid: "d", uid: UIDS.bob });
      await move(venue, 1, "reject");
      assertEquals(await listed(venue, ""), [3, 2, 1]);
      assertEquals(await listed(venue, "currency=BTC"), [3, 1]);
      assertEquals(await listed(venue, "state=rejected"), [1]);
      assertEquals(await listed(venue, "txid=b"), [2]);
      assertEquals(await listed(venue, "txid=d"), []);
      assertEquals(await listed(venue, "limit=1&page=3"), [1]);
      assertEquals(await listed(venue, "page=4"), []);
      const page = await venue.get("alice", `${DEPOSITS}?limit=2`);
      const headers = ["Page", "Per-Page", "Total"].map((name) => page.headers.get(name));
      assertEquals(headers, ["1", "2", "3"]);
    }));

  it("of one transaction are shown by the newest, of another member not at all", () =>
    withVenue(async (venue) => {
      await observeDeposit(venue, { txid: "many", output: 0 });
      const newest = await observeDeposit(venue, { txid: "many", output: 1 });
      assertEquals((await venue.get("alice", `${DEPOSITS}/many`)).body.id, newest);
      for (const [member, txid] of [["bob", "many"], ["alice", "none"]] as const) {
        const answer = await venue.get(member, `${DEPOSITS}/${txid}`);
        assertEquals(outcome(answer), "404 record.not_found");
      }
    }));

  it("refuse invalid filters and pages", () =>
    withVenue(async (venue) => {
      const cases = {
        "currency=xyz": "account.currency.doesnt_exist",
        "state=open": "account.deposit.invalid_state",
        "txid=": "account.deposit.empty_txid",
        "limit=0": "account.deposit.invalid_limit",
        "limit=101": "account.deposit.invalid_limit",
        "limit=x": "account.deposit.non_integer_limit",
        "page=0": "account.deposit.non_positive_page",
        "page=x": "account.deposit.non_integer_page",
        "page=1001": "account.deposit.invalid_page",
      };
      for (const [query, identifier] of Object.entries(cases)) {
        assertEquals(
          outcome(await venue.get("alice", `${DEPOSITS}?${query}`)),
          `422 ${identifier}`,
        );
      }
    }));

  it("require the deposit level", () =>
    withVenue(async (venue) => {
      await venue.call("operator", "PATCH", `/api/v2/admin/members/${UIDS.alice}`, {
        json: { level: 0, reason: "a test" },
      });
      const answers = [
        await venue.get("alice", `${DEPOSITS}?limit=x`),
        await venue.get("alice", `${DEPOSITS}/x`),
        await venue.get("alice", `${ADDRESS}/xyz`),
      ];
      assertEquals(new Set(answers.map(outcome)), new Set(["403 account.deposit.not_permitted"]));
    }));
});

describe("depositTid()", () => {
  it("names no two deposits alike", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => depositTid(index + 1));
    assertEquals(new Set(names).size, names.length);
    assert(names.every((name) => /^TID[0-9A-F]{10}$/.test(name)));
  });
});
