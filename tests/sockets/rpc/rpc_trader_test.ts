import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CreateKey } from "../../../src/domain/command.ts";
import type { Caller, PersonCaller } from "../../../src/edge/env.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import { AccessEndedError, CallerAccess, mayStay } from "../../../src/sockets/caller_access.ts";
import { RpcTrader } from "../../../src/sockets/rpc/rpc_trader.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const SCOPES = ["read", "trade"] as const;

/** Creates a key of alice and returns its connected caller. */
async function keyCaller(venue: EngineVenue, otp?: CreateKey["otp"]): Promise<Caller> {
  const made = await venue.must({
    kind: "create_key",
    uid: "alice",
    kid: "bot",
    role: "member",
    scopes: SCOPES,
    nonceMode: "single",
    ...(otp === undefined ? {} : { otp }),
  });
  if (made.kind !== "key_set") throw new Error(made.kind);
  const { key } = made;
  return {
    member: key.member,
    key,
    signature: { key: key.index, nonce: 1, digest: 0 },
    isBodySigned: false,
    session: null,
  };
}

/** Returns a caller's access and a function with which it cancels all its orders. */
function cancelling({ engine }: EngineVenue, caller: Caller) {
  const credentials = { get: () => Promise.resolve(null) };
  const parts = { engine, credentials, registry: { sessionsSeenAt: Infinity } };
  const access = new CallerAccess(parts, caller, "10.0.0.1");
  const trader = new RpcTrader(engine, caller);
  const { member } = caller;
  const all = { kind: "cancel_all_orders", member, market: -1, side: null } as const;
  return { access, submit: () => trader.submit(all) };
}

// A request that passed the check may be decided after a change made by another process.
describe("the right to ask over an open connection", () => {
  it("is checked on each request, whoever hears of a change first", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { access, submit } = cancelling(venue, await keyCaller(venue));
    access.admit("trade");
    await submit();
    const change = { kind: "change_key", uid: "alice", kid: "bot" } as const;
    await venue.must({ ...change, scopes: ["read"] });
    access.admit("read");
    assertThrows(() => access.admit("trade"), ApiError, "authz.scope");
    await assertRejects(submit, ApiError, "authz.scope");
    await venue.must({ ...change, state: "disabled" });
    assertThrows(() => access.admit("read"), AccessEndedError, "key_not");
    await assertRejects(submit, AccessEndedError, "key_not");
    await venue.must({ ...change, state: "active", scopes: SCOPES });
    await venue.must({ kind: "change_member", uid: "alice", changes: { state: "banned" } });
    await assertRejects(submit, AccessEndedError, "member_not_active");
  });

  it("is judged for the connection as a whole, too, which ends with any scope of its key", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const caller = await keyCaller(venue);
    assertEquals(mayStay(venue.venue, caller), true);
    await venue.must({ kind: "change_key", uid: "alice", kid: "bot", scopes: ["read"] });
    assertEquals(mayStay(venue.venue, caller), false);
  });

  it("ends for a person's key without its second factor", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const member = venue.member("alice");
    await venue.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    const { access, submit } = cancelling(
      venue,
      await keyCaller(venue, { member, step: 2, generation: 1 }),
    );
    await submit();
    await venue.must({ kind: "set_two_factor", member, step: 3, generation: 1, isOn: false });
    assertThrows(() => access.admit("read"), AccessEndedError, "key_not_active");
    await assertRejects(submit, AccessEndedError, "key_not_active");
  });

  it("ends for a person who is banned", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const member = venue.member("alice");
    const session = { sessionId: "session" } as unknown as PersonCaller["session"];
    const { access, submit } = cancelling(venue, { member, key: null, signature: null, session });
    for (const scope of SCOPES) access.admit(scope);
    await submit();
    await venue.must({ kind: "change_member", uid: "alice", changes: { state: "banned" } });
    for (const scope of SCOPES) {
      assertThrows(() => access.admit(scope), AccessEndedError, "member_not_active");
    }
    await assertRejects(submit, AccessEndedError, "member_not_active");
  });
});
