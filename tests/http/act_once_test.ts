import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { createFiat, UIDS } from "../support/beneficiaries.ts";
import { Withdrawer } from "../support/withdrawals.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const KEY = { idempotency_key: "payment-1" };
const DUPLICATE = "admin.act.duplicate_idempotency_key";

/** Sends a call twice, at once and when the rows have it; both answers must be the first one. */
async function sentAgain(
  venue: TestVenue,
  path: string,
  json: Record<string, unknown>,
): Promise<Answer> {
  const first = await venue.post("operator", path, json);
  assert(first.status < 300, JSON.stringify(first.body));
  const { counters, sequence } = venue.engine.venue;
  const before = { ...counters };
  for (const folded of [false, true]) {
    if (folded) await venue.engine.folded();
    const again = await venue.post("operator", path, json);
    assertEquals([again.status, again.body], [first.status, first.body]);
  }
  assertEquals({ ...venue.engine.venue.counters }, before);
  assertEquals(venue.engine.venue.sequence, sequence + 2, "only their nonces are in the log");
  return first;
}

describe("an operator's call with an idempotency key", () => {
  it("adjusts a balance once", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "found", ...KEY };
      const { body } = await sentAgain(venue, `${ADMIN}/adjustments`, json);
      assertEquals(body.balance, "101.0");
      const other = { ...json, amount: "2" };
      const refused = await venue.post("operator", `${ADMIN}/adjustments`, other);
      assertError(refused, 422, DUPLICATE);
      assertEquals(refused.body.details, { field: "idempotency_key", rule: "unique" });
      const [act] = (await venue.get("operator", `${ADMIN}/acts?action=createAdjustment`)).body;
      assertEquals(act.changes.idempotency_key, "payment-1");
      assertEquals(act.receipt, undefined);
    }));

  it("may be sent any number of times at once", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "found", ...KEY };
      const sent = Array.from(
        { length: 8 },
        () => venue.post("operator", `${ADMIN}/adjustments`, json),
      );
      const answers = await Promise.all(sent);
      assertEquals(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
      assertEquals(answers[0]?.body.balance, "101.0");
    }));

  it("is still one call after a restart, and in numbers as in texts", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "found", ...KEY };
      const first = await venue.post("operator", `${ADMIN}/adjustments`, json);
      // What a restart leaves: no name in memory.
      await venue.engine.folded();
      const { actNames, sequence } = venue.engine.venue;
      const get = actNames.get;
      actNames.get = () => undefined;
      actNames.knownSince = sequence;
      const again = await venue.post("operator", `${ADMIN}/adjustments`, { ...json, amount: 1 });
      assertEquals(again.body, first.body);
      actNames.get = get;
    }));

  it("enters and accepts a deposit once", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const json = { uid: UIDS.alice, currency: "eur", amount: "5", txid: "SEPA-1", ...KEY };
      const { body } = await sentAgain(venue, `${ADMIN}/deposits`, json);
      const path = `${ADMIN}/deposits/${body.id}/accept`;
      const accepted = await sentAgain(venue, path, { idempotency_key: "accept-1" });
      assertEquals(accepted.body.state, "accepted");
      const { body: balance } = await venue.get("alice", "/api/v2/backend/account/balances/eur");
      assertEquals(balance.balance, "5.0");
      const entered = await venue.post("operator", `${ADMIN}/deposits`, json);
      assertEquals(entered.body.state, "submitted", "the answer is that of the first time");
      const reject = `${ADMIN}/deposits/${body.id}/reject`;
      const refused = await venue.post("operator", reject, { idempotency_key: "accept-1" });
      assertError(refused, 422, DUPLICATE);
    }));

  it("ends a withdrawal once, and its member is told once", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      await venue.post("operator", `${ADMIN}/adjustments`, {
        uid: UIDS.alice,
        currency: "eur",
        amount: "100",
        reason: "funds",
      });
      const bank = { full_name: "Alice Liddell", account_number: "DE02120300000000202051" };
      const withdrawer = await Withdrawer.of(venue, "alice", "eur", bank);
      const told = async (kind: string) =>
        (await venue.outbox.list(UIDS.alice)).filter((message) => message.kind === kind).length;
      const steps = [["approve", "succeed"], ["approve", "fail"], ["reject"]] as const;
      for (const [place, actions] of steps.entries()) {
        const { id } = await withdrawer.must("10");
        for (const action of actions) {
          const key = { idempotency_key: `${place}-${action}` };
          const { body } = await sentAgain(venue, `${ADMIN}/withdraws/${id}/${action}`, key);
          assertEquals(body.id, id);
        }
      }
      assertEquals([await told("withdraw_succeeded"), await told("withdraw_failed")], [1, 2]);
    }));

  it("that was refused has not used its key", () =>
    withVenue(async (venue) => {
      const json = { uid: "IDNOBODY", currency: "btc", amount: "1", reason: "found", ...KEY };
      const refused = await venue.post("operator", `${ADMIN}/adjustments`, json);
      assertError(refused, 422, "admin.member.doesnt_exist");
      await sentAgain(venue, `${ADMIN}/adjustments`, { ...json, uid: UIDS.alice });
    }));

  it("is refused where its key is none, or its endpoint takes none", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "found" };
      const send = (idempotency_key: unknown) =>
        venue.post("operator", `${ADMIN}/adjustments`, { ...json, idempotency_key });
      assertError(await send(""), 422, "admin.act.invalid_idempotency_key");
      assertError(await send("a b"), 422, "admin.act.invalid_idempotency_key");
      assertError(await send("a".repeat(129)), 422, "admin.act.too_long_idempotency_key");
      assertEquals((await send(null)).status, 201);
      const levels = { deposit: 1, withdraw: 3, trading: 2, ...KEY };
      const other = await venue.call("operator", "PUT", `${ADMIN}/member_levels`, { json: levels });
      assertError(other, 422, "server.unknown_field");
    }));

  it("is told to wait while the rows are behind what memory knows", () =>
    withVenue(async (venue) => {
      const json = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "found", ...KEY };
      const { actNames } = venue.engine.venue;
      actNames.knownSince = Infinity;
      const refused = await venue.post("operator", `${ADMIN}/adjustments`, json);
      assertError(refused, 503, "server.unavailable");
      actNames.knownSince = 0;
      assertEquals((await venue.post("operator", `${ADMIN}/adjustments`, json)).status, 201);
    }));
});
