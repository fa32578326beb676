import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CANCEL_TIMER_SET } from "../../../src/edge/schemas/cancel_timer.ts";
import { assertError } from "../../support/assert_error.ts";
import { eventually } from "../../support/eventually.ts";
import { Person } from "../../support/person.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const PATH = "/api/v2/trading/market/orders/cancel_all_after";
const READ = "/api/v2/backend/market/orders";

/** Returns the remaining times of the timers of alice's key, in ms. */
function timersOf(venue: TestVenue): number[] {
  const key = venue.engine.venue.keyByKid.get("demo-alice")?.key;
  return (key?.cancelTimers ?? []).map(({ at }) => at - venue.clock.now);
}

describe("cancel_all_after", () => {
  it("says what time it is and when everything will be cancelled", () =>
    withVenue(async (venue) => {
      const { status, body } = await venue.post("alice", PATH, { timeout: 60 });
      assertEquals(status, 200);
      CANCEL_TIMER_SET.parse(body);
      assertEquals(Date.parse(body.current_time), venue.clock.now);
      assertEquals(Date.parse(body.trigger_time), venue.clock.now + 60_000);
      assertEquals(timersOf(venue), [60_000]);
    }));

  it("cancels the member's orders if not set again, and gives the reason", () =>
    withVenue(async (venue) => {
      const order = (await venue.order("alice")).body.uuid;
      const other = (await venue.order("bob", { price: "99" })).body.uuid;
      await venue.post("alice", PATH, { timeout: "1.5" });
      assertEquals(timersOf(venue), [1500]);
      venue.clock.now += 1500;
      const { timers } = venue.engine.venue;
      await eventually("no timer left", () => timers.soonest === Infinity);
      const { body } = await venue.get("alice", `${READ}/${order}`);
      assertEquals([body.state, body.reject_reason], ["cancel", "timer"]);
      assertEquals((await venue.get("bob", `${READ}/${other}`)).body.state, "wait");
    }));

  it("is postponed by the next call, and cleared by 0", () =>
    withVenue(async (venue) => {
      await venue.post("alice", PATH, { timeout: 1 });
      await venue.post("alice", PATH, { timeout: 86_400 });
      assertEquals(timersOf(venue), [86_400_000]);
      const { status, body } = await venue.post("alice", PATH, { timeout: 0 });
      assertEquals([status, body.trigger_time], [200, null]);
      assertEquals(timersOf(venue), []);
    }));

  const refusals: readonly [string, unknown, string][] = [
    ["no timeout", undefined, "market.order.missing_timeout"],
    ["a timeout in words", "soon", "market.order.non_decimal_timeout"],
    ["a negative timeout", -1, "market.order.invalid_timeout"],
    ["a timeout under a second", "0.999", "market.order.invalid_timeout"],
    ["a timeout over a day", "86400.001", "market.order.invalid_timeout"],
    ["a timeout finer than a millisecond", "1.0001", "market.order.invalid_timeout"],
  ];
  for (const [cause, timeout, identifier] of refusals) {
    it(`answers 422 ${identifier} for ${cause}`, () =>
      withVenue(async (venue) => {
        assertError(await venue.post("alice", PATH, { timeout }), 422, identifier);
        assertEquals(timersOf(venue), []);
      }));
  }

  it("answers 422 in a session: people have no timer", () =>
    withVenue(async (venue) => {
      const person = await Person.join(venue);
      const answer = await person.call("POST", PATH, { json: { timeout: 60 } });
      assertError(answer, 422, "market.order.timer_without_key");
    }));

  it("answers 401 without a signature, and 403 without the scope", () =>
    withVenue(async (venue) => {
      assertEquals((await venue.post(null, PATH, { timeout: 60 })).status, 401);
      const { uid } = venue.engine.venue.holder(2).member;
      const made = await venue.post("operator", `/api/v2/admin/members/${uid}/api_keys`, {
        scopes: ["read"],
      });
      assertEquals(made.status, 201);
      const { kid, secret } = made.body;
      assertError(
        await venue.post({ kid, secret }, PATH, { timeout: 60 }),
        403,
        "authz.scope_not_permitted",
      );
    }));
});
