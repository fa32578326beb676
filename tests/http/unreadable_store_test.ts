import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnreadableError } from "../../src/engine/engine.ts";
import { createBeneficiary } from "../support/beneficiaries.ts";
import { Person } from "../support/person.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";

/** Makes reads of the log fail, as in a process that shares the store; `lagMs` is its lag. */
function loseStore({ engine }: TestVenue, lagMs = 0): void {
  const fresh = () => Promise.reject(new UnreadableError("The store cannot be read"));
  Object.defineProperties(engine, { fresh: { value: fresh }, lagMs: { value: lagMs } });
}

function assertNothingHappened({ status, body }: { status: number; body: unknown }): void {
  assertEquals([status, body], [503, { errors: ["server.unavailable"] }]);
}

describe("a write while the store can't be read", () => {
  it("has not happened if it was not let in", () =>
    withVenue(async (venue) => {
      const person = await Person.join(venue);
      loseStore(venue, 1_000);
      assertNothingHappened(await venue.order("alice", { client_order_id: "mine" }));
      assertNothingHappened(await venue.post("alice", `${ORDERS}/cancel`, {}));
      assertNothingHappened(await person.call("POST", `${ORDERS}/cancel`, { json: {} }));
    }));

  it("has not happened if it is an operator's", () =>
    withVenue(async (venue) => {
      loseStore(venue);
      const json = { trading: 1, deposit: 1, withdraw: 1 };
      const path = "/api/v2/admin/member_levels";
      assertNothingHappened(await venue.call("operator", "PUT", path, { json }));
    }));

  it("has not happened if a level, a market or an order is looked up", () =>
    withVenue(async (venue) => {
      const { keyByKid, holders } = venue.engine.venue;
      const uid = holders[keyByKid.get("demo-alice")?.key.member ?? 0]?.member.uid;
      const path = `/api/v2/admin/members/${uid}`;
      const { status } = await venue.call("operator", "PATCH", path, { json: { level: 0 } });
      assertEquals(status, 200);
      loseStore(venue);
      assertNothingHappened(await venue.order("alice", { market: "newbtc" }));
      assertNothingHappened(await venue.post("alice", `${ORDERS}/cancel`, { market: "newbtc" }));
      assertNothingHappened(await venue.post("alice", `${ORDERS}/cancel/99`));
      assertNothingHappened(await venue.post("alice", "/api/v2/backend/account/beneficiaries"));
    }));

  it("has not happened if a beneficiary is compared with others", () =>
    withVenue(async (venue) => {
      loseStore(venue);
      assertNothingHappened(await createBeneficiary(venue, "alice"));
    }));
});
