import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type Signature } from "../../../src/domain/command.ts";
import { CLIENT_ORDER_ID_LIFE_MS } from "../../../src/domain/limits.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { everything } from "../../support/everything.ts";
import { Prng } from "../../support/prng.ts";
import { START } from "../../support/domain_venue.ts";

describe("a venue opened again", () => {
  it("is the same venue, at whatever point it was closed", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const prng = new Prng(11);
    let test = await EngineVenue.open({ path: file.path, clock });
    await addStream(test);
    for (let round = 0; round < 8; round++) {
      for (let step = prng.between(1, 4); step > 0; step--) {
        await runStream(test, prng, prng.between(20, 150));
        clock.now += prng.between(1, 200_000);
        if (prng.chance(0.3)) await test.folded();
      }
      const before = await everything(test.engine);
      await test.close();
      assertEquals(test.faults, []);
      test = await EngineVenue.open({ path: file.path, clock });
      assertEquals(await everything(test.engine), before, `round ${round}`);
    }
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("is the same venue after a crash with nothing folded", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({
      path: file.path,
      clock,
      prepare: (store) => store.plan = (purpose) => purpose === "fold" ? "fail" : "none",
    });
    await addStream(first);
    await runStream(first, new Prng(12), 600);
    const before = await everything(first.engine);
    first.store.crash();
    await first.close();
    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await everything(second.engine), before);
    await second.folded();
    assertEquals(await everything(second.engine), before);
  });

  it("has all of its settings, from its rows only", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({ path: file.path, clock });
    await first.addUsual();
    const key = { kind: "create_key", uid: "alice", nonceMode: "single" } as const;
    await first.must({ ...key, kid: "trading", role: "member", scopes: ["trade"] });
    await first.must({ ...key, kid: "operator", role: "operator", scopes: ["trade"] });
    for (const kid of ["last", "deleted"]) {
      await first.must({ ...key, uid: "bob", kid: `bob's ${kid}`, role: "member", scopes: [] });
      await first.must({ ...key, kid, role: "member", scopes: [] });
    }
    await first.must({ kind: "change_key", uid: "alice", kid: "deleted", state: "deleted" });
    await first.must({ kind: "set_cancel_timer", key: 0, timer: 0, timeoutMs: 60_000 });
    const signature = { key: 1, nonce: START, digest: 0 };
    await first.engine.submit({ kind: "note_act" }, signature);
    assertEquals(first.venue.counters.acts, 1);
    await first.must({ kind: "set_settings", changes: { pnlCurrencies: ["btc"] } });
    await first.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } });
    await first.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 2, trading: 3 } });
    await first.must({ kind: "set_switches", switches: { withdrawals: false } });
    const member = first.member("alice");
    await first.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    const beneficiary = { member, currency: "btc", addressDigest: "digest" };
    await first.must({ kind: "create_beneficiary", ...beneficiary });
    await first.must({ kind: "create_beneficiary", ...beneficiary, addressDigest: "another" });
    await first.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
    const sell = { side: "sell", amount: "1", price: "10" } as const;
    await first.must(first.placing("alice", sell, { ...sell, price: "11" }));
    await first.placed("bob", { amount: "1.5", price: "11" });
    await first.placed("bob", {
      side: "sell",
      type: "stop_limit",
      price: "1",
      trigger: "2",
      amount: "1",
    });
    await first.folded();
    const before = await everything(first.engine);
    await first.close();
    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(second.engine.metrics().unfolded_events, 0);
    assertEquals(await everything(second.engine), before);
    assertEquals(second.venue.levels, { deposit: 1, withdraw: 2, trading: 3 });
    assertEquals(second.venue.switches, { trading: true, withdrawals: false });
    assertEquals(second.venue.pnlCurrencies, ["usdt"]);
    assertEquals(second.venue.pnlKept, ["usdt", "btc"]);
    assertEquals(second.venue.storedSettings, { pnlCurrencies: ["usdt"] });
    assertEquals(second.venue.timers.soonest, START + 60_000);
    const kids = second.venue.holder(member).keys().map(({ kid }) => kid);
    assertEquals(kids, ["trading", "operator", "last"]);
    await second.must({ kind: "note_act" });
  });

  it("names its orders as before, as does another process beside it", async () => {
    await using file = await VenueFile.create();
    const options = { path: file.path, isShared: true };
    const first = await EngineVenue.open(options);
    const uuid = first.engine.uuidOf(7);
    const second = await EngineVenue.open(options);
    assertEquals([second.engine.uuidOf(7), second.engine.idOf(uuid)], [uuid, 7]);
    await first.close();
    await second.close();
    await using third = await EngineVenue.open(options);
    assertEquals([third.engine.uuidOf(7), third.engine.idOf(uuid)], [uuid, 7]);
  });

  it("names its orders like another process that created it at the same time", async () => {
    await using file = await VenueFile.create();
    const path = file.path;
    const others: EngineVenue[] = [];
    const prepare = (store: EngineVenue["store"]) => {
      const get = store.get.bind(store);
      // Runs after this process's first read, which finds nothing.
      store.get = (async (key) => {
        const found = await get(key);
        if (others.length === 0) others.push(await EngineVenue.open({ path, isShared: true }));
        return found;
      }) as typeof store.get;
    };
    await using test = await EngineVenue.open({ path, isShared: true, prepare });
    const [other] = others;
    assertEquals(test.engine.uuidOf(7), other?.engine.uuidOf(7));
    await other?.close();
  });

  it("finds the last order that took a client order id", async () => {
    for (const isFolded of [false, true]) {
      await using file = await VenueFile.create();
      const clock = { now: START };
      const first = await EngineVenue.open({ path: file.path, clock });
      await first.addUsual();
      const order = { amount: "1", price: "1", clientOrderId: "mine" };
      assertEquals(await first.placed("alice", order), 1);
      clock.now += CLIENT_ORDER_ID_LIFE_MS;
      assertEquals(await first.placed("alice", order), 2);
      if (isFolded) await first.folded();
      else first.store.crash();
      await first.close();
      await using second = await EngineVenue.open({ path: file.path, clock });
      assertEquals(await second.engine.orderIdByClient(second.member("alice"), "mine"), 2);
      assertEquals(await second.placed("alice", order), 2, "a repeat of it");
      clock.now += CLIENT_ORDER_ID_LIFE_MS;
      const alice = second.member("alice");
      assertEquals(await second.engine.orderIdByClient(alice, "mine"), 2, "it is open still");
      await second.must({ kind: "cancel_all_orders", member: alice, market: -1, side: null });
      assertEquals(await second.engine.orderIdByClient(alice, "mine"), null);
    }
  });

  it("refuses nonces spent before, folded or not", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({ path: file.path, clock });
    const member = await first.addMember("alice");
    await first.addKey("read");
    const spend = async ({ engine }: EngineVenue, signature: Signature) => {
      const outcome = await engine.submit({ kind: "spend_nonce", member }, signature);
      return isRejection(outcome) ? outcome.rejected : "spent";
    };
    const early = { key: 0, nonce: START + 9000, digest: 0 };
    const late = { key: 0, nonce: START + 14_000, digest: 0 };
    assertEquals(await spend(first, early), "spent");
    await first.folded();
    clock.now += 12_000;
    first.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    assertEquals(await spend(first, late), "spent");
    await first.close();

    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await spend(second, early), "nonce_already_used");
    assertEquals(await spend(second, late), "nonce_already_used");
    assertEquals(await spend(second, { ...late, nonce: START + 14_001 }), "spent");
  });
});
