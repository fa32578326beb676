import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { BENEFICIARIES, createBeneficiary, createFiat, UIDS } from "../../support/beneficiaries.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { Withdrawer } from "../../support/withdrawals.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const DEPOSITS = "/api/v2/backend/account/deposits";
const WITHDRAWS = "/api/v2/backend/account/withdraws";
const ADMIN_DEPOSITS = "/api/v2/admin/deposits";
const TXID = "5b1d6c8e".repeat(8);
const SPELLED = [TXID, TXID.toUpperCase(), `0x${TXID}`, `0X${TXID.toUpperCase()}`];
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

async function idsAt(venue: TestVenue, who: "alice" | "operator", path: string): Promise<number[]> {
  const { status, body } = await venue.get(who, path);
  assertEquals(status, 200, path);
  return body.map(({ id }: { id: number }) => id);
}

describe("a payment", () => {
  it("that the rail has collected is not entered again under another spelling", () =>
    withVenue(async (venue) => {
      await observeDeposit(venue, { txid: TXID });
      for (const folded of [false, true]) {
        if (folded) await venue.engine.folded();
        for (const txid of SPELLED) {
          for (const output of [{}, { output: 0 }]) {
            const entered = { uid: UIDS.bob, currency: "btc", amount: "1", txid, ...output };
            const answer = await venue.post("operator", ADMIN_DEPOSITS, entered);
            assertError(answer, 422, "admin.deposit.duplicate_txid");
          }
        }
      }
      assertEquals(venue.engine.venue.counters.deposits, 1);
    }));

  it("that an operator has entered under another spelling is the one that the rail sees", () =>
    withVenue(async (venue) => {
      for (const [place, folded] of [false, true].entries()) {
        const txid = `${place}${TXID.slice(1)}`;
        const entered = { uid: UIDS.alice, currency: "btc", amount: "1", txid: `0x${txid}` };
        assertEquals((await venue.post("operator", ADMIN_DEPOSITS, entered)).status, 201);
        if (folded) await venue.engine.folded();
        const { engine } = venue;
        const outcome = await engine.submit({
          kind: "observe_deposit",
          uid: UIDS.alice,
          currency: "btc",
          amount: 10n ** 16n,
          txid,
          output: 0,
          confirmations: 0,
          ...await engine.findDeposit(0, txid, 0),
        }, null);
        assertEquals(outcome, { kind: "deposit_known", id: place + 1 });
      }
    }));

  it("is found by its member and by operators however its transaction is spelled", () =>
    withVenue(async (venue) => {
      const id = await observeDeposit(venue, { txid: TXID });
      await observeDeposit(venue, { txid: "another" });
      for (const txid of SPELLED) {
        const { body } = await venue.get("alice", `${DEPOSITS}/${txid}`);
        assertEquals([body.id, body.txid], [id, TXID], "it is shown as it came");
        assertEquals(await idsAt(venue, "alice", `${DEPOSITS}?txid=${txid}`), [id]);
        assertEquals(await idsAt(venue, "operator", `${ADMIN_DEPOSITS}?txid=${txid}`), [id]);
        const all = "/api/v2/backend/account/transactions";
        assertEquals((await venue.get("alice", `${all}?txid=${txid}`)).body.length, 1);
      }
    }));

  it("by bank has a reference in which case counts", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      for (const txid of [TXID, TXID.toUpperCase()]) {
        const entered = { uid: UIDS.alice, currency: "eur", amount: "1", txid };
        assertEquals((await venue.post("operator", ADMIN_DEPOSITS, entered)).status, 201);
      }
    }));
});

describe("an address", () => {
  it("is one beneficiary's, and withdrawals to it are found, however it is spelled", () =>
    withVenue(async (venue) => {
      const withdrawer = await Withdrawer.of(venue, "alice", "btc", { address: ADDRESS });
      const spelled = ADDRESS.toUpperCase();
      const again = await createBeneficiary(venue, "alice", { data: { address: spelled } });
      assertError(again, 422, "account.beneficiary.duplicate_address");
      const { body } = await venue.get("alice", `${BENEFICIARIES}/${withdrawer.beneficiary}`);
      assertEquals(body.data.address, ADDRESS);
      const { id } = await withdrawer.must("0.1");
      for (const rid of [ADDRESS, spelled]) {
        assertEquals(await idsAt(venue, "alice", `${WITHDRAWS}?rid=${rid}`), [id]);
      }
      const other = `${WITHDRAWS}?rid=${ADDRESS.replace("q", "Q")}`;
      assertEquals(await idsAt(venue, "alice", other), [], "mixed case is no bech32");
    }));
});

describe("a currency", () => {
  it("says how its names are compared, for good", () =>
    withVenue(async (venue) => {
      const path = "/api/v2/admin/currencies";
      const made = async (fields: Record<string, unknown>) =>
        (await venue.post("operator", path, fields)).body.name_form;
      assertEquals(await made({ id: "ltc" }), "common");
      assertEquals(await made({ id: "sol", name_form: "exact" }), "exact");
      assertEquals(await made({ id: "chf", type: "fiat" }), "exact");
      const wrong = await venue.post("operator", path, { id: "xyz", name_form: "hex" });
      assertError(wrong, 422, "admin.currency.invalid_name_form");
      const json = { name_form: "exact" };
      const changed = await venue.call("operator", "PATCH", `${path}/ltc`, { json });
      assertError(changed, 422, "server.unknown_field");
      for (const txid of [TXID, TXID.toUpperCase()]) {
        const entered = { uid: UIDS.alice, currency: "sol", amount: "1", txid };
        assertEquals((await venue.post("operator", ADMIN_DEPOSITS, entered)).status, 201);
      }
    }));
});
