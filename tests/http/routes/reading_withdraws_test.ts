import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { activeBeneficiary, BENEFICIARIES, createFiat, UIDS } from "../../support/beneficiaries.ts";
import { move, operate, outcome, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const HOUR_MS = 60 * 60 * 1000;

async function listed(venue: TestVenue, query: string): Promise<number[]> {
  const { body } = await venue.get("alice", `${WITHDRAWS}?${query}`);
  return body.map(({ id }: { id: number }) => id);
}

describe("reading withdrawals", () => {
  it("lists the newest first, by currency, state and page", () =>
    withVenue(async (venue) => {
      const btc = await activeBeneficiary(venue, "alice");
      const eth = await activeBeneficiary(venue, "alice", { currency: "eth" });
      await withdraw(venue, btc);
      await withdraw(venue, eth, { currency: "eth" });
      await withdraw(venue, btc);
      const others = await activeBeneficiary(venue, "bob");
      await withdraw(venue, others, {}, "bob");
      await move(venue, 1, "reject");
      assertEquals(await listed(venue, ""), [3, 2, 1]);
      assertEquals(await listed(venue, "currency=BTC"), [3, 1]);
      assertEquals(await listed(venue, "state=rejected"), [1]);
      assertEquals(await listed(venue, "state=rejected,accepted&currency=btc"), [3, 1]);
      assertEquals(await listed(venue, "limit=2&page=2"), [1]);
      assertEquals(await listed(venue, "page=9"), []);
      const page = await venue.get("alice", `${WITHDRAWS}?limit=2`);
      const headers = ["Page", "Per-Page", "Total"].map((name) => page.headers.get(name));
      assertEquals(headers, ["1", "2", "3"]);
    }));

  it("shows how each of them ends", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const send = { action: "send", txid: "tx-1" } as const;
      const ways: [string, Parameters<typeof move>[2][]][] = [
        ["accepted", []],
        ["processing", ["claim"]],
        ["confirming", ["claim", send]],
        ["succeed", ["claim", send, "succeed"]],
        ["errored", ["claim", "park"]],
        ["failed", ["claim", "fail"]],
        ["rejected", ["reject"]],
        ["canceled", ["cancel"]],
      ];
      for (const [state, actions] of ways) {
        const { body } = await withdraw(venue, id, { amount: "0.1" });
        await move(venue, body.id, ...actions);
        const { body: [found] } = await venue.get("alice", `${WITHDRAWS}?limit=1`);
        assertEquals([found.id, found.state], [body.id, state]);
        assertEquals(found.done_at !== null, /succeed|failed|rejected|canceled/.test(state));
        const isSent = actions.includes(send);
        assertEquals(found.blockchain_txid, isSent ? "tx-1" : null);
        assertEquals(await listed(venue, `state=${state}`), [body.id]);
      }
    }));

  it("finds them by destination, even of deleted beneficiaries", () =>
    withVenue(async (venue) => {
      const first = await activeBeneficiary(venue, "alice");
      const second = await activeBeneficiary(venue, "alice", { data: { address: "elsewhere" } });
      await withdraw(venue, first);
      await withdraw(venue, second);
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${first}`);
      const again = await activeBeneficiary(venue, "alice");
      await withdraw(venue, again);
      assertEquals(await listed(venue, "rid=sandbox-btc-1"), [3, 1]);
      assertEquals(await listed(venue, "rid=elsewhere"), [2]);
      assertEquals(await listed(venue, "rid=nowhere"), []);
    }));

  it("names a bank's by its owner, currency and id", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      await operate(venue, "POST", "adjustments", {
        uid: UIDS.alice,
        currency: "eur",
        amount: "50",
      });
      const id = await activeBeneficiary(venue, "alice", {
        currency: "eur",
        data: { full_name: " Alice  Liddell ", account_number: "DE123456789" },
      });
      const { body } = await withdraw(venue, id, { currency: "eur", amount: "20" });
      assertEquals([body.type, body.transfer_type], ["fiat", "fiat"]);
      assertEquals(body.rid, "alice-liddell-eur-00000001");
      assertEquals("confirmations" in body, false);
      assertEquals(await listed(venue, `rid=${body.rid}`), [1]);
      assertEquals(await listed(venue, "rid=bob-eur-00000001"), []);
    }));

  it("refuses invalid filters and pages", () =>
    withVenue(async (venue) => {
      const cases = {
        "currency=xyz": "account.currency.doesnt_exist",
        "state=open": "account.withdraw.invalid_state",
        "state=": "account.withdraw.invalid_state",
        "state=under_review": "account.withdraw.invalid_state",
        "rid=": "account.withdraw.empty_rid",
        "limit=0": "account.withdraw.invalid_limit",
        "limit=101": "account.withdraw.invalid_limit",
        "limit=x": "account.withdraw.non_integer_limit",
        "page=0": "account.withdraw.non_positive_page",
        "page=-1": "account.withdraw.non_positive_page",
        "page=x": "account.withdraw.non_integer_page",
        "page=1001": "account.withdraw.invalid_page",
      };
      for (const [query, identifier] of Object.entries(cases)) {
        assertEquals(
          outcome(await venue.get("alice", `${WITHDRAWS}?${query}`)),
          `422 ${identifier}`,
        );
      }
    }));
});

describe("sums of withdrawals", () => {
  it("are zero for a member with none", () =>
    withVenue(async (venue) => {
      const { status, body } = await venue.get("alice", `${WITHDRAWS}/sums`);
      assertEquals(status, 200);
      assertEquals(body, { last_4_hours: "0.0", last_24_hours: "0.0", last_1_month: "0.0" });
    }));

  it("cover four hours, a day and a calendar month, at current prices", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const eth = await activeBeneficiary(venue, "alice", { currency: "eth" });
      const sums = async () => {
        const { body } = await venue.get("alice", `${WITHDRAWS}/sums`);
        return [body.last_4_hours, body.last_24_hours, body.last_1_month];
      };
      venue.clock.now = Date.UTC(2030, 0, 31, 12);
      await withdraw(venue, id);
      assertEquals(await sums(), ["20000.0", "20000.0", "20000.0"]);
      venue.clock.now += 4 * HOUR_MS;
      await withdraw(venue, eth, { currency: "eth", amount: "0.5" });
      assertEquals(await sums(), ["500.0", "20500.0", "20500.0"]);
      venue.clock.now += 24 * HOUR_MS;
      assertEquals(await sums(), ["0.0", "0.0", "20500.0"]);
      await operate(venue, "PATCH", "currencies/eth", { price: "2000" });
      assertEquals(await sums(), ["0.0", "0.0", "21000.0"]);
      venue.clock.now = Date.UTC(2030, 1, 28, 12);
      assertEquals((await sums())[2], "21000.0");
      venue.clock.now = Date.UTC(2030, 2, 1, 13);
      assertEquals((await sums())[2], "0.0");
    }));

  it("leave out what never left", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      await withdraw(venue, id);
      await withdraw(venue, id);
      await withdraw(venue, id);
      await move(venue, 1, "reject");
      await move(venue, 2, "cancel");
      const { body } = await venue.get("alice", `${WITHDRAWS}/sums`);
      assertEquals(body.last_4_hours, "20000.0");
      await move(venue, 3, "claim", { action: "send", txid: "t" }, "succeed");
      const done = await venue.get("alice", `${WITHDRAWS}/sums`);
      assertEquals(done.body.last_4_hours, "20000.0");
    }));
});
