import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { assertError } from "../../support/assert_error.ts";
import { createFiat, UIDS } from "../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const FAUCET = "/api/v2/backend/account/faucet";
const DEPOSITS = "/api/v2/admin/sandbox/deposits";
const REORGANISE = "/api/v2/admin/sandbox/reorganise";
const PAYOUTS = "/api/v2/admin/sandbox/payouts";
const NOTICES = "/api/v2/admin/wallet/notices";
const BLOCK_MS = 250;

/** Mines blocks; the wallet ticks after each. */
async function mine(venue: TestVenue, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    venue.clock.now += BLOCK_MS;
    await venue.wallet.tick();
  }
}

function change(venue: TestVenue, changes: Record<string, unknown>): Promise<unknown> {
  return venue.call("operator", "PATCH", "/api/v2/admin/currencies/btc", { json: changes });
}

describe("the faucet", () => {
  it("returns the deposit, which is collected within two seconds", () =>
    withVenue(async (venue) => {
      const { status, body } = await venue.post("alice", FAUCET, {
        currency: "BTC",
        amount: "1.5",
      });
      assertEquals(status, 201);
      assertEquals([body.currency, body.amount, body.state], ["btc", "1.5", "submitted"]);
      assertEquals([body.confirmations, body.transfer_type], [0, "crypto"]);
      const before = venue.clock.now;
      await mine(venue, 3);
      assert(venue.clock.now - before < 2000);
      const { body: deposits } = await venue.get("alice", "/api/v2/backend/account/deposits");
      assertEquals(deposits.map((one: typeof body) => [one.id, one.state, one.txid]), [
        [body.id, "collected", body.txid],
      ]);
      const { body: balance } = await venue.get("alice", "/api/v2/backend/account/balances/btc");
      assertEquals([balance.balance, balance.locked], ["101.5", "0.0"]);
    }));

  it("does not claim that nothing happened if its payment can't be recorded yet", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const submit = engine.submit.bind(engine);
      engine.submit = (command, ...more) =>
        command.kind === "observe_deposit"
          ? Promise.reject(new UnavailableError("timed_out"))
          : submit(command, ...more);
      const answer = await venue.post("alice", FAUCET, { currency: "btc", amount: "1.5" });
      assertError(answer, 504, "server.outcome_unknown");
      engine.submit = submit;
      await mine(venue, 3);
      const { body: balance } = await venue.get("alice", "/api/v2/backend/account/balances/btc");
      assertEquals(balance.balance, "101.5");
    }));

  it("rejects invalid fields", () =>
    withVenue(async (venue) => {
      const wishes: [Record<string, unknown>, string][] = [
        [{ amount: "1" }, "account.faucet.missing_currency"],
        [{ currency: "", amount: "1" }, "account.faucet.empty_currency"],
        [{ currency: "x".repeat(65), amount: "1" }, "account.faucet.too_long_currency"],
        [{ currency: ["btc"], amount: "1" }, "account.faucet.invalid_currency"],
        [{ currency: "doge", amount: "1" }, "account.currency.doesnt_exist"],
        [{ currency: "btc" }, "account.faucet.missing_amount"],
        [{ currency: "btc", amount: "much" }, "account.faucet.non_decimal_amount"],
        [{ currency: "btc", amount: "0" }, "account.faucet.non_positive_amount"],
        [{ currency: "btc", amount: "-1" }, "account.faucet.non_positive_amount"],
        [{ currency: "btc", amount: "0.000000001" }, "account.faucet.invalid_amount"],
        [{ currency: "btc", amount: "1000000000.1" }, "account.faucet.invalid_amount"],
      ];
      for (const [wish, identifier] of wishes) {
        assertError(await venue.post("alice", FAUCET, wish), 422, identifier);
      }
      await createFiat(venue);
      const fiat = { currency: "eur", amount: "1" };
      assertError(await venue.post("alice", FAUCET, fiat), 422, "account.currency.doesnt_exist");
      await change(venue, { deposit_enabled: false });
      assertError(
        await venue.post("alice", FAUCET, { currency: "btc", amount: "1" }),
        422,
        "account.currency.deposit_disabled",
      );
      assertEquals(venue.engine.venue.counters.deposits, 0);
    }));

  it("is open to a key that may trade but not read", () =>
    withVenue(async (venue) => {
      const scope = (scopes: string[]) =>
        venue.call("operator", "PATCH", `/api/v2/admin/members/${UIDS.alice}/api_keys/demo-alice`, {
          json: { scopes },
        });
      await scope(["trade"]);
      const wish = { currency: "btc", amount: "1" };
      assertEquals((await venue.post("alice", FAUCET, wish)).status, 201);
      await scope(["read"]);
      assertError(await venue.post("alice", FAUCET, wish), 403, "authz.scope_not_permitted");
    }));

  it("requires the deposit level", () =>
    withVenue(async (venue) => {
      await venue.call("operator", "PUT", "/api/v2/admin/member_levels", {
        json: { deposit: 9, withdraw: 9, trading: 9 },
      });
      const answer = await venue.post("alice", FAUCET, { currency: "btc", amount: "1" });
      assertError(answer, 403, "account.deposit.not_permitted");
    }));

  it("spends the nonce of the call", () =>
    withVenue(async (venue) => {
      const headers = venue.sign("alice");
      const json = { currency: "btc", amount: "1" };
      const [first, second] = [
        await venue.call(null, "POST", FAUCET, { json, headers }),
        await venue.call(null, "POST", FAUCET, { json, headers }),
      ];
      assertEquals(first.status, 201);
      assertError(second, 401, "authz.nonce_already_used");
      assertEquals(venue.engine.venue.counters.deposits, 1);
    }));

  it("exists only in the demo", async () => {
    const json = { currency: "btc", amount: "1" };
    for (const options of [{ isFaucetOpen: false }, { walletRail: "none" }] as const) {
      await withVenue(async (venue) => {
        assertError(await venue.post("alice", FAUCET, json), 404, "route.not_found");
      }, options);
    }
  });
});

describe("the sandbox's controls", () => {
  it("pay to a member's address", () =>
    withVenue(async (venue) => {
      const json = { uid: "IDB0B0000001", currency: "eth", amount: "2" };
      const { status, body } = await venue.post("operator", DEPOSITS, json);
      assertEquals(status, 201);
      assertEquals([body.uid, body.currency, body.amount], ["IDB0B0000001", "eth", "2.0"]);
      await mine(venue, 3);
      const path = `/api/v2/backend/account/deposits/${body.txid}`;
      const { body: deposit } = await venue.get("bob", path);
      assertEquals([deposit.state, deposit.amount], ["collected", "2.0"]);
      const { body: found } = await venue.get(
        "bob",
        "/api/v2/backend/account/deposit_address/eth",
      );
      assertEquals(found.address, body.address);
    }));

  it("wait for an address longer than a member's call does", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const submit = engine.submit.bind(engine);
      engine.submit = async (command, ...more) => {
        if (command.kind === "note_deposit_address") {
          await new Promise((resolve) => setTimeout(resolve, 600));
        }
        return await submit(command, ...more);
      };
      const path = "/api/v2/backend/account/deposit_address/eth";
      assertEquals((await venue.get("alice", path)).body.state, "pending");
      const json = { uid: UIDS.bob, currency: "eth", amount: "2" };
      const { status, body } = await venue.post("operator", DEPOSITS, json);
      assertEquals([status, body.address], [201, (await venue.get("bob", path)).body.address]);
    }));

  it("throw out blocks, dropping or replaying their content", () =>
    withVenue(async (venue) => {
      const { body: paid } = await venue.post("alice", FAUCET, { currency: "btc", amount: "1" });
      const replay = { currency: "btc", blocks: "5", transactions: "replay" };
      const { status, body } = await venue.post("operator", REORGANISE, replay);
      assertEquals([status, body], [200, { currency: "btc", blocks: 5, txids: [paid.txid] }]);
      await venue.post("operator", REORGANISE, { currency: "btc" });
      await mine(venue, 3);
      const path = `/api/v2/backend/account/deposits/${paid.txid}`;
      assertEquals((await venue.get("alice", path)).body.state, "canceled");
    }));

  it("call the operator for a deposit that is lost after it was collected", () =>
    withVenue(async (venue) => {
      assertEquals((await venue.get("operator", NOTICES)).body, []);
      const { body: paid } = await venue.post("alice", FAUCET, { currency: "btc", amount: "1" });
      await mine(venue, 3);
      await venue.post("operator", REORGANISE, { currency: "btc" });
      await mine(venue, 1);
      const { status, body } = await venue.get("operator", NOTICES);
      assertEquals(status, 200);
      assertEquals(body.map((one: typeof body) => [one.kind, one.currency, one.id, one.txid]), [
        ["deposit_lost", "btc", paid.id, paid.txid],
      ]);
    }));

  it("set how payouts end", () =>
    withVenue(async (venue) => {
      const rule = { currency: "BTC", outcome: "lose_answer", times: "2" };
      const { status, body } = await venue.post("operator", PAYOUTS, rule);
      assertEquals(status, 200);
      assertEquals(body, { currency: "btc", address: "*", outcome: "lose_answer", times: 2 });
    }));

  it("are in the audit trail", () =>
    withVenue(async (venue) => {
      const rule = { currency: "btc", outcome: "fail", reason: "a rehearsal" };
      await venue.post("operator", PAYOUTS, rule);
      const { body } = await venue.get("operator", "/api/v2/admin/acts");
      assertEquals([body[0].action, body[0].reason], ["setSandboxPayouts", "a rehearsal"]);
    }));

  it("reject bad fields", () =>
    withVenue(async (venue) => {
      const pay = { uid: "IDB0B0000001", currency: "eth", amount: "2" };
      const wrong: [string, Record<string, unknown>, string][] = [
        [DEPOSITS, { ...pay, uid: undefined }, "admin.sandbox.missing_uid"],
        [DEPOSITS, { ...pay, uid: "" }, "admin.sandbox.empty_uid"],
        [DEPOSITS, { ...pay, uid: "x".repeat(65) }, "admin.sandbox.too_long_uid"],
        [DEPOSITS, { ...pay, uid: ["x"] }, "admin.sandbox.invalid_uid"],
        [DEPOSITS, { ...pay, uid: "IDNOBODY" }, "admin.member.doesnt_exist"],
        [DEPOSITS, { ...pay, currency: "doge" }, "admin.currency.doesnt_exist"],
        [DEPOSITS, { ...pay, currency: undefined }, "admin.sandbox.missing_currency"],
        [DEPOSITS, { ...pay, amount: undefined }, "admin.sandbox.missing_amount"],
        [DEPOSITS, { ...pay, amount: "x" }, "admin.sandbox.non_decimal_amount"],
        [DEPOSITS, { ...pay, amount: "0" }, "admin.sandbox.non_positive_amount"],
        [DEPOSITS, { ...pay, amount: "0.000000001" }, "admin.sandbox.invalid_amount"],
        [REORGANISE, { currency: "" }, "admin.sandbox.empty_currency"],
        [REORGANISE, { currency: "btc", blocks: "x" }, "admin.sandbox.non_integer_blocks"],
        [REORGANISE, { currency: "btc", blocks: 0 }, "admin.sandbox.invalid_blocks"],
        [REORGANISE, { currency: "btc", blocks: 121 }, "admin.sandbox.invalid_blocks"],
        [
          REORGANISE,
          { currency: "btc", transactions: "keep" },
          "admin.sandbox.invalid_transactions",
        ],
        [PAYOUTS, { currency: "btc" }, "admin.sandbox.missing_outcome"],
        [PAYOUTS, { currency: "btc", outcome: "explode" }, "admin.sandbox.invalid_outcome"],
        [PAYOUTS, { currency: "x".repeat(65), outcome: "fail" }, "admin.sandbox.too_long_currency"],
        [PAYOUTS, { currency: ["btc"], outcome: "fail" }, "admin.sandbox.invalid_currency"],
      ];
      const rule = { currency: "btc", outcome: "fail" };
      wrong.push(
        [PAYOUTS, { ...rule, times: "x" }, "admin.sandbox.non_integer_times"],
        [PAYOUTS, { ...rule, times: -1 }, "admin.sandbox.invalid_times"],
        [PAYOUTS, { ...rule, address: "" }, "admin.sandbox.invalid_address"],
        [PAYOUTS, { ...rule, address: "x".repeat(257) }, "admin.sandbox.too_long_address"],
      );
      await createFiat(venue);
      for (
        const [path, json] of [
          [DEPOSITS, { uid: UIDS.bob, amount: "2" }],
          [REORGANISE, {}],
          [PAYOUTS, { outcome: "fail" }],
        ] as const
      ) wrong.push([path, { ...json, currency: "eur" }, "admin.currency.doesnt_exist"]);
      const { counters } = venue.engine.venue;
      const { acts } = counters;
      for (const [path, json, identifier] of wrong) {
        assertError(await venue.post("operator", path, json), 422, identifier);
      }
      assertEquals(counters.acts, acts, "what is refused is no act");
    }));

  it("are only for operators, and only on the sandbox rail", async () => {
    const calls = [
      [DEPOSITS, { uid: "IDB0B0000001", currency: "eth", amount: "2" }],
      [REORGANISE, { currency: "btc" }],
      [PAYOUTS, { currency: "btc", outcome: "fail" }],
    ] as const;
    await withVenue(async (venue) => {
      for (const [path, json] of calls) {
        assertError(await venue.post("alice", path, json), 401, "authz.invalid_permission");
      }
      assertError(await venue.get("alice", NOTICES), 401, "authz.invalid_permission");
    });
    await withVenue(async (venue) => {
      for (const [path, json] of calls) {
        assertError(await venue.post("operator", path, json), 404, "route.not_found");
      }
      assertEquals((await venue.get("operator", NOTICES)).status, 200);
    }, { walletRail: "none" });
  });
});
