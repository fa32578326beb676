import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnreadableError } from "../../src/engine/engine.ts";
import { SESSION_ROWS } from "../../src/engine/sidecar_rows.ts";
import { createBeneficiary } from "../support/beneficiaries.ts";
import { HeldFile } from "../support/held_file.ts";
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

/** Runs a test with a venue whose file can't be written while `fault` is set. */
async function withFile(test: (venue: TestVenue, file: HeldFile) => Promise<void>): Promise<void> {
  const file = await HeldFile.open(false);
  await withVenue((venue) => test(venue, file).finally(() => file.fault = null), {
    sharedStore: file.store,
    faults: [],
  });
}

describe("a call while the file can't be written", () => {
  it("has not happened if that was its first write", () =>
    withFile(async (venue, file) => {
      const person = await Person.join(venue);
      const { email, password } = person;
      await person.post("/identity/users/password/generate_code", { email });
      const reset_password_token = await person.code("password_reset");
      const dave = new Person(venue, "dave@example.org");
      await dave.signUp();
      const token = await dave.code("email_confirmation");
      file.fault = new TypeError("disk I/O error");
      const changed = { password: "C0rrect-h0rse", confirm_password: "C0rrect-h0rse" };
      const calls: readonly (readonly [string, unknown])[] = [
        ["/identity/sessions", { email, password }],
        ["/identity/users", { email: "erin@example.org", password }],
        ["/identity/users/email/generate_code", { email: dave.email }],
        ["/identity/users/email/confirm_code", { token, password }],
        ["/identity/users/password/generate_code", { email }],
        ["/identity/users/password/confirm_code", { reset_password_token, ...changed }],
      ];
      for (const [path, fields] of calls) {
        assertNothingHappened(await new Person(venue, email).post(path, fields));
      }
      assertNothingHappened(await person.delete("/identity/sessions"));
      file.fault = null;
      assertEquals((await dave.confirm()).status, 201);
      const fields = { reset_password_token, ...changed };
      const { status } = await person.post("/identity/users/password/confirm_code", fields);
      assertEquals(status, 201);
    }));

  it("may have happened in part if it has written before", () =>
    withFile(async (venue, file) => {
      const person = await Person.join(venue);
      const { engine } = venue;
      const { changeSidecar } = engine;
      // What is counted of a sign-in is written, its session is not.
      Object.defineProperty(engine, "changeSidecar", {
        value: (...args: Parameters<typeof changeSidecar>) => {
          if (args[0][0] === SESSION_ROWS[0]) {
            file.fault = new TypeError("database or disk is full");
          }
          return changeSidecar.apply(engine, args);
        },
      });
      const { status, body } = await person.signIn();
      assertEquals([status, body], [504, { errors: ["server.outcome_unknown"] }]);
    }));
});
