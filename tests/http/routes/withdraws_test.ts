import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  UIDS,
} from "../../support/beneficiaries.ts";
import { codeWithZero, nextCode, presentCode, wrongCode } from "../../support/one_time_codes.ts";
import { operate, outcome, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const HOUR_MS = 60 * 60 * 1000;

async function balance(venue: TestVenue): Promise<[string, string]> {
  const { body } = await venue.get("alice", "/api/v2/backend/account/balances/btc");
  return [body.balance, body.locked];
}

describe("withdrawing", () => {
  it("locks the amount and returns the withdrawal", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const answer = await withdraw(venue, id, { amount: "1.5", note: "rent" });
      assertEquals(answer.status, 201, answer.text);
      const { created_at, updated_at } = answer.body;
      assertMatch(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assertEquals(answer.body, {
        id: 1,
        currency: "btc",
        type: "coin",
        amount: "1.5",
        fee: "0.0",
        blockchain_txid: null,
        rid: "sandbox-btc-1",
        state: "accepted",
        waits_for: "payout",
        approval_reason: null,
        confirmations: 0,
        note: "rent",
        transfer_type: "crypto",
        created_at,
        updated_at,
        done_at: null,
      });
      assertEquals(await balance(venue), ["98.5", "1.5"]);
      assertEquals((await venue.get("alice", WITHDRAWS)).body, [answer.body]);
    }));

  it("takes a form, a code without its zeros, and an amount as written", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const code = await codeWithZero(venue, "alice");
      const form = new URLSearchParams({
        otp: String(Number(code)),
        beneficiary_id: String(id),
        currency: "BTC",
        amount: "0.10000001",
      });
      const answer = await venue.call("alice", "POST", "/api/v2/peatio/account/withdraws", {
        text: form.toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      assertEquals([answer.status, answer.body.amount], [201, "0.10000001"]);
      const otp = await nextCode(venue, "alice");
      const number = await venue.call("alice", "POST", WITHDRAWS, {
        text: `{"otp":"${otp}","beneficiary_id":${id},"currency":"btc","amount":0.30000003}`,
        headers: { "Content-Type": "application/json" },
      });
      assertEquals([number.status, number.body.amount], [201, "0.30000003"]);
    }));

  it("refuses missing, empty and invalid fields", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const cases: [Record<string, unknown>, string][] = [
        [{ otp: undefined }, "withdraw.missing_otp"],
        [{ otp: "" }, "withdraw.empty_otp"],
        [{ otp: "12a456" }, "withdraw.non_integer_otp"],
        [{ otp: "12a4567" }, "withdraw.non_integer_otp"],
        [{ otp: "1234567" }, "withdraw.invalid_otp"],
        [{ otp: "0".repeat(400) }, "withdraw.invalid_otp"],
        [{ beneficiary_id: undefined }, "withdraw.missing_beneficiary_id"],
        [{ beneficiary_id: "" }, "withdraw.empty_beneficiary_id"],
        [{ beneficiary_id: "x" }, "withdraw.non_integer_beneficiary_id"],
        [{ currency: undefined }, "withdraw.missing_currency"],
        [{ currency: {} }, "withdraw.invalid_currency"],
        [{ currency: "c".repeat(65) }, "withdraw.too_long_currency"],
        [{ currency: "xyz" }, "currency.doesnt_exist"],
        [{ amount: undefined }, "withdraw.missing_amount"],
        [{ amount: "x" }, "withdraw.non_decimal_amount"],
        [{ amount: "0" }, "withdraw.non_positive_amount"],
        [{ amount: "-1" }, "withdraw.non_positive_amount"],
        [{ amount: "0.00000000000000001" }, "withdraw.invalid_amount"],
        [{ note: {} }, "withdraw.invalid_note"],
        [{ note: "x".repeat(257) }, "withdraw.too_long_note"],
      ];
      for (const [fields, reason] of cases) {
        const answer = await withdraw(venue, id, { otp: "123456", ...fields });
        assertEquals(outcome(answer), `422 account.${reason}`);
      }
      assertEquals(await balance(venue), ["100.0", "0.0"]);
    }));

  it("refuses a foreign, deleted or inactive beneficiary, or one of another currency", () =>
    withVenue(async (venue) => {
      const others = await activeBeneficiary(venue, "bob");
      const ether = await activeBeneficiary(venue, "alice", { currency: "eth" });
      const gone = await activeBeneficiary(venue, "alice");
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${gone}`);
      for (const id of [others, ether, gone, 0, -5, 999, 2 ** 53 - 1, 2 ** 53]) {
        const answer = await withdraw(venue, id);
        assertEquals(outcome(answer), "422 account.beneficiary.doesnt_exist");
      }
      const pending = (await createBeneficiary(venue, "alice")).body.id;
      assertEquals(
        outcome(await withdraw(venue, pending)),
        "422 account.beneficiary.invalid_state_for_withdrawal",
      );
    }));

  it("makes a new beneficiary wait", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const early = await withdraw(venue, id);
      assertEquals(outcome(early), "422 account.beneficiary.on_hold");
      const path = `/api/v2/backend/account/beneficiaries/${id}`;
      const heldUntil = (await venue.get("alice", path)).body.held_until;
      assert(Date.parse(heldUntil) > venue.clock.now);
      const details = { field: "beneficiary_id", rule: "state", held_until: heldUntil };
      assertEquals(early.body.details, details);
      venue.clock.now += 24 * HOUR_MS;
      assertEquals((await withdraw(venue, id)).status, 201);
    }, { beneficiaryHoldMs: 24 * HOUR_MS }));

  it("makes one wait longer if it is hardly older than the password", () =>
    withVenue(async (venue) => {
      const older = await activeBeneficiary(venue, "alice");
      venue.clock.now += 96 * HOUR_MS;
      const recent = await activeBeneficiary(venue, "alice", { data: { address: "recent" } });
      venue.clock.now += 1;
      await venue.engine.submit({ kind: "note_password_change", uid: UIDS.alice }, null);
      const newer = await activeBeneficiary(venue, "alice", { data: { address: "elsewhere" } });
      assertEquals((await withdraw(venue, older)).status, 201);
      for (const id of [recent, newer]) {
        assertEquals(outcome(await withdraw(venue, id)), "422 account.beneficiary.on_hold");
      }
      venue.clock.now += 48 * HOUR_MS;
      assertEquals((await withdraw(venue, newer)).status, 201);
    }, { credentialHoldMs: 48 * HOUR_MS }));

  it("takes a code once, and no wrong one", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const otp = await nextCode(venue, "alice");
      const wrong = await withdraw(venue, id, { otp: wrongCode(venue) });
      assertEquals(outcome(wrong), "422 account.withdraw.invalid_otp");
      assertEquals((await withdraw(venue, id, { otp })).status, 201);
      const again = await withdraw(venue, id, { otp });
      assertEquals(outcome(again), "422 account.withdraw.invalid_otp");
      assertEquals(await balance(venue), ["99.0", "1.0"]);
    }));

  it("takes no code with zeros before its six digits, which is still good afterwards", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const otp = await nextCode(venue, "alice");
      for (const longer of [`0${otp}`, `0000${otp}`, `${"0".repeat(20)}${otp}`]) {
        const answer = await withdraw(venue, id, { otp: longer });
        assertEquals(outcome(answer), "422 account.withdraw.invalid_otp");
        assertEquals(answer.body.details, { field: "otp" });
      }
      assertEquals((await withdraw(venue, id, { otp })).status, 201);
      const { body } = await venue.get(null, "/api/v2/openapi.json");
      const documented = body.components.schemas.WithdrawInput.properties.otp;
      assertEquals([documented.type, documented.maximum], ["integer", 999_999]);
    }));

  it("lets one of many win that race with one code", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const otp = await nextCode(venue, "alice");
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => withdraw(venue, id, { otp })),
      );
      const refused = answers.map(outcome).filter((text) => text !== "201");
      assertEquals(refused.length, 19);
      // A used code counts as a wrong one.
      const kinds = ["422 account.withdraw.invalid_otp", "429 identity.otp.too_many_failures"];
      assertEquals(refused.filter((text) => !kinds.includes(text)), []);
      assertEquals(await balance(venue), ["99.0", "1.0"]);
    }));

  it("does not use up a code if the withdrawal is refused", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const otp = await nextCode(venue, "alice");
      const much = await withdraw(venue, id, { otp, amount: "100.5" });
      assertEquals(outcome(much), "422 account.withdraw.insufficient_balance");
      const { needed, available } = much.body.details;
      assertEquals([needed, available], ["100.5", "100"]);
      assertEquals((await withdraw(venue, id, { otp })).status, 201);
    }));

  it("stops checking codes after too many wrong ones", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      await presentCode(venue, "alice");
      let last = await withdraw(venue, id, { otp: wrongCode(venue) });
      for (let tries = 0; tries < 20 && last.status === 422; tries++) {
        last = await withdraw(venue, id, { otp: wrongCode(venue) });
      }
      assertEquals(outcome(last), "429 identity.otp.too_many_failures");
      assert(Number(last.headers.get("Retry-After")) > 0);
      assertEquals(
        (await withdraw(venue, id, { otp: await presentCode(venue, "alice") })).status,
        429,
      );
    }));

  it("needs a second factor", () =>
    withVenue(async (venue) => {
      const member = await venue.post("operator", "/api/v2/admin/members", {
        email: "carol@example.org",
        level: 3,
      });
      const { uid } = member.body;
      const { body: key } = await venue.post(
        "operator",
        `/api/v2/admin/members/${uid}/api_keys`,
        { scopes: ["read", "withdraw"] },
      );
      await createBeneficiary(venue, key);
      const [message] = await venue.outbox.list(uid);
      await venue.call(key, "PATCH", `${BENEFICIARIES}/1/activate`, {
        json: { pin: message?.code },
      });
      const answer = await venue.post(key, WITHDRAWS, {
        otp: "123456",
        beneficiary_id: 1,
        currency: "btc",
        amount: "1",
      });
      assertEquals(outcome(answer), "422 account.withdraw.2fa_disabled");
    }));

  it("refuses an amount that is too small, too fine or all fee", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const refused = async (amount: string) => {
        const answer = await withdraw(venue, id, { amount });
        assertEquals(outcome(answer), "422 account.withdraw.invalid_amount");
        const { field, rule, limit } = answer.body.details;
        return [field, rule, limit];
      };
      assertEquals(await refused("0.00009999"), ["amount", "minimum", "0.0001"]);
      assertEquals(await refused("1.000000001"), ["amount", "precision", "8"]);
      await operate(venue, "PATCH", "currencies/btc", {
        withdraw_fee: "0.5",
        min_withdraw_amount: "0",
      });
      assertEquals(await refused("0.5"), ["amount", "fee", "0.5"]);
      const { body } = await withdraw(venue, id, { amount: "0.75" });
      assertEquals([body.amount, body.fee], ["0.75", "0.5"]);
    }));

  it("stops with the currency and with the venue", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      await operate(venue, "PATCH", "currencies/btc", { withdrawal_enabled: false });
      assertEquals(
        outcome(await withdraw(venue, id)),
        "422 account.currency.withdrawal_disabled",
      );
      const stop = { kind: "set_switches", switches: { withdrawals: false } } as const;
      await venue.engine.submit(stop, null);
      assertEquals(outcome(await withdraw(venue, id)), "422 account.withdraw.disabled_api");
    }));

  it("stops when the currency is hidden, as operators are told", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      await operate(venue, "PATCH", "currencies/btc", { visible: false });
      const nothing = "422 account.currency.doesnt_exist";
      assertEquals(outcome(await withdraw(venue, id)), nothing);
      assertEquals(outcome(await createBeneficiary(venue, "alice")), nothing);
      const address = "/api/v2/backend/account/deposit_address/btc";
      assertEquals(outcome(await venue.get("alice", address)), nothing);
      const order = { market: "btcusdt", side: "sell", type: "limit", amount: "1", price: "9999" };
      const placed = await venue.post("alice", "/api/v2/trading/market/orders", order);
      assertEquals(placed.status, 201, placed.text);
      const { body } = await venue.get(null, "/api/v2/openapi.json");
      const { visible } = body.components.schemas.CurrencyChanges.properties;
      assertMatch(visible.description, /no address, beneficiary or withdrawal of it/);
    }));

  it("waits for the operator above the limits", () =>
    withVenue(async (venue) => {
      const row = { level: -1, group: "any", limit24h: 30_000n * 10n ** 16n, limit1m: 10n ** 21n };
      await venue.engine.submit({ kind: "set_withdraw_limit", row }, null);
      const id = await activeBeneficiary(venue, "alice");
      for (const isApproved of [true, false]) {
        const { status, body } = await withdraw(venue, id);
        assertEquals([status, body.state], [201, "accepted"]);
        assertEquals(venue.engine.venue.withdraws.get(body.id)?.isApproved, isApproved);
      }
      assertEquals(await balance(venue), ["98.0", "2.0"]);
    }));

  it("keeps notes sealed", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      await withdraw(venue, id, { note: "a secret errand" });
      const rows = await venue.engine.listSidecar({ prefix: ["withdraw_notes"], limit: 10 });
      assertEquals(rows.length, 1);
      assertEquals(JSON.stringify(rows).includes("errand"), false);
    }));

  it("requires a key's withdrawal scope and the member's level", () =>
    withVenue(async (venue) => {
      const { body: key } = await venue.post(
        "operator",
        `/api/v2/admin/members/${UIDS.alice}/api_keys`,
        { scopes: ["read", "trade"] },
      );
      const scoped = await venue.post(key, WITHDRAWS, {});
      assertEquals(outcome(scoped), "403 authz.scope_not_permitted");
      await operate(venue, "PATCH", `members/${UIDS.alice}`, { level: 2 });
      const answers = [
        await venue.post("alice", WITHDRAWS, {}),
        await venue.get("alice", `${WITHDRAWS}?limit=x`),
        await venue.get("alice", `${WITHDRAWS}/sums`),
      ];
      assertEquals(new Set(answers.map(outcome)), new Set(["403 account.withdraw.not_permitted"]));
    }));
});
