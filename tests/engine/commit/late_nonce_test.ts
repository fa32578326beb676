import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

describe("an engine that could not write for a while", () => {
  it("does not take a call whose nonce was right when it came, if it has waited for too long", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    await test.addKey("read");
    const member = test.member("alice");
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const first = test.placed("alice", { amount: "1", price: "10" });
    await test.store.holding();
    const signature = { key: 0, nonce: clock.now, digest: 0 };
    const late = test.engine.submit({ kind: "spend_nonce", member }, signature);
    clock.now += 10_001;
    test.store.release();
    await first;
    await assertRejects(() => late, UnavailableError, "timed_out");
    assertEquals(test.venue.keys[0]?.nonces.has(signature.nonce, 0), false);
    const now = { ...signature, nonce: clock.now };
    const outcome = await test.engine.submit({ kind: "spend_nonce", member }, now);
    assertEquals(isRejection(outcome), false);
  });
});
