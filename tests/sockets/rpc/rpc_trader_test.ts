import { assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CreateKey } from "../../../src/domain/command.ts";
import type { Caller, PersonCaller } from "../../../src/edge/env.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import { AccessEndedError, RpcTrader } from "../../../src/sockets/rpc/rpc_trader.ts";
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
    session: null,
  };
}

/** Returns a trader and a function with which it cancels all its orders. */
function cancelling({ engine }: EngineVenue, caller: Caller) {
  const trader = new RpcTrader(engine, caller);
  const { member } = caller;
  const all = { kind: "cancel_all_orders", member, market: -1, side: null } as const;
  return { trader, submit: () => trader.submit(all) };
}

// A request that passed the check may be decided after a change made by another process.
describe("the right to ask over an open connection", () => {
  it("is checked on each request, whoever hears of a change first", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { trader, submit } = cancelling(venue, await keyCaller(venue));
    trader.check("trade");
    await submit();
    const change = { kind: "change_key", uid: "alice", kid: "bot" } as const;
    await venue.must({ ...change, scopes: ["read"] });
    trader.check("read");
    assertThrows(() => trader.check("trade"), ApiError, "authz.scope");
    await assertRejects(submit, ApiError, "authz.scope");
    await venue.must({ ...change, state: "disabled" });
    assertThrows(() => trader.check("read"), AccessEndedError, "key_not");
    await assertRejects(submit, AccessEndedError, "key_not");
    await venue.must({ ...change, state: "active", scopes: SCOPES });
    await venue.must({ kind: "change_member", uid: "alice", changes: { state: "banned" } });
    await assertRejects(submit, AccessEndedError, "member_not_active");
  });

  it("ends for a person's key without its second factor", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const member = venue.member("alice");
    await venue.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    const { trader, submit } = cancelling(
      venue,
      await keyCaller(venue, { member, step: 2, generation: 1 }),
    );
    await submit();
    await venue.must({ kind: "set_two_factor", member, step: 3, generation: 1, isOn: false });
    assertThrows(() => trader.check("read"), AccessEndedError, "key_not_active");
    await assertRejects(submit, AccessEndedError, "key_not_active");
  });

  it("ends for a person who is banned", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const member = venue.member("alice");
    const session = { sessionId: "session" } as unknown as PersonCaller["session"];
    const { trader, submit } = cancelling(venue, { member, key: null, signature: null, session });
    for (const scope of SCOPES) trader.check(scope);
    await submit();
    await venue.must({ kind: "change_member", uid: "alice", changes: { state: "banned" } });
    for (const scope of SCOPES) {
      assertThrows(() => trader.check(scope), AccessEndedError, "member_not_active");
    }
    await assertRejects(submit, AccessEndedError, "member_not_active");
  });
});
