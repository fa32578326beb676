import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import { FaultLog } from "../../src/wallet/fault_log.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import type { Rail } from "../../src/wallet/rails/rail.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import { RepeatedWork } from "../../src/wallet/repeated_work.ts";
import type { WalletLog } from "../../src/wallet/wallet_notices.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";

function walletOf(test: EngineVenue, rail: Rail): Wallet {
  return new Wallet({
    engine: test.engine,
    rail,
    payeeOf: () => Promise.reject(new Error("Nobody withdraws here")),
    memberNotices: { ended: () => Promise.resolve() },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
}

describe("Wallet", () => {
  it("works on its own from start to stop", async () => {
    await using test = await EngineVenue.open();
    await test.must({ kind: "create_currency", currency: currencyDefinition("btc", 8) });
    await test.addMember("bob");
    const rail = new SandboxRail(test.engine);
    const wallet = walletOf(test, rail);
    const collected = Promise.withResolvers<void>();
    test.engine.onEntry((events) => {
      const isIt = (event: typeof events[number]) =>
        event.kind === "deposit_set" && event.deposit.state === "collected";
      if (events.some(isIt)) collected.resolve();
    });
    const found = await wallet.addressOf("bob", { currency: "btc" });
    await rail.deposit({ currency: "btc" }, found?.address ?? "", units("2"));
    wallet.start();
    await collected.promise;
    await wallet.stop();
    assertEquals(test.venue.holder(test.member("bob")).accounts[0]?.available, units("2"));
    assertEquals(test.faults, []);
  });

  it("has no addresses without a rail, nor for fiat", async () => {
    await using test = await EngineVenue.open();
    const fiat = { ...currencyDefinition("eur", 2), type: "fiat" } as const;
    await test.must({ kind: "create_currency", currency: currencyDefinition("btc", 8) });
    await test.must({ kind: "create_currency", currency: fiat });
    const rest = {
      engine: test.engine,
      payeeOf: () => Promise.resolve({ address: "", tag: null }),
      memberNotices: { ended: () => Promise.resolve() },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    };
    const [btc, eur] = [{ currency: "btc" }, { currency: "eur" }];
    const without = new Wallet({ ...rest, rail: null });
    assertEquals([without.serves(btc), await without.addressOf("bob", btc)], [false, null]);
    const sandbox = new Wallet({ ...rest, rail: new SandboxRail(test.engine) });
    assertEquals([sandbox.serves(btc), sandbox.serves(eur)], [true, false]);
    assertEquals(await sandbox.addressOf("bob", eur), null);
    const rail = Object.assign(new SandboxRail(test.engine), { serves: () => false });
    assertEquals(new Wallet({ ...rest, rail }).serves(btc), false);
    await test.addMember("bob");
    const { address } = await sandbox.addressOf("bob", btc) ?? {};
    assertEquals(await sandbox.givenAddress("bob", btc), address);
    assertEquals(await without.addressOf("bob", btc), null, "none is given out");
    assertEquals(await without.givenAddress("bob", btc), address, "but what came to it names it");
    assertEquals(await without.givenAddress("bob", eur), null);
  });

  it("waits for an address as long as it is told", async () => {
    await using test = await EngineVenue.open();
    await test.must({ kind: "create_currency", currency: currencyDefinition("btc", 8) });
    await test.addMember("bob");
    const made = Promise.withResolvers<{ address: string }>();
    const rail = Object.assign(new SandboxRail(test.engine), { createAddress: () => made.promise });
    const wallet = walletOf(test, rail);
    const way = { currency: "btc" };
    const late = wallet.addressOf("bob", way, 60_000);
    assertEquals((await wallet.addressOf("bob", way))?.state, "pending");
    made.resolve({ address: "btc1q" });
    assertEquals((await late)?.address, "btc1q");
  });

  it("credits deposits while what nobody waits for takes its time, once at a time", async () => {
    await using test = await EngineVenue.open();
    await test.must({ kind: "create_currency", currency: currencyDefinition("btc", 8) });
    await test.addMember("bob");
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let tended = 0;
    const tend = async () => {
      tended += 1;
      begun.resolve();
      await held.promise;
      if (tended === 1) throw new Error("its node is away");
    };
    const rail = Object.assign(new SandboxRail(test.engine), { tend });
    const wallet = walletOf(test, rail);
    const collected = Promise.withResolvers<void>();
    test.engine.onEntry((events) => {
      const isIt = (event: typeof events[number]) =>
        event.kind === "deposit_set" && event.deposit.state === "collected";
      if (events.some(isIt)) collected.resolve();
    });
    const found = await wallet.addressOf("bob", { currency: "btc" });
    await rail.deposit({ currency: "btc" }, found?.address ?? "", units("2"));
    wallet.start();
    await Promise.all([collected.promise, begun.promise]);
    assertEquals(tended, 1);
    const stopped = wallet.stop();
    held.resolve();
    await stopped;
    await wallet.tick();
    assertEquals(tended, 2);
  });

  it("stops once the current round has ended", async () => {
    await using test = await EngineVenue.open();
    await test.must({ kind: "create_currency", currency: currencyDefinition("btc", 8) });
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const watch = async () => {
      begun.resolve();
      await held.promise;
      return { outputs: [], cursor: null };
    };
    const wallet = walletOf(test, Object.assign(new SandboxRail(test.engine), { watch }));
    wallet.start();
    await begun.promise;
    let isStopped = false;
    const stopped = wallet.stop().then(() => isStopped = true);
    await yieldToOthers();
    assertEquals(isStopped, false);
    held.resolve();
    await stopped;
  });
});

describe("RepeatedWork", () => {
  it("goes on after a fault, one round at a time, and ends with the current round", async () => {
    const faults: unknown[] = [];
    let rounds = 0;
    let running = 0;
    const third = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const work = new RepeatedWork(async (signal) => {
      rounds += 1;
      running += 1;
      assertEquals(running, 1);
      if (rounds === 3) {
        third.resolve();
        await held.promise;
        assertEquals(signal.aborted, true);
      }
      running -= 1;
      if (rounds === 1) throw new Error("once");
    }, (fault) => faults.push(fault));
    work.start();
    await third.promise;
    const stopped = work.stop();
    held.resolve();
    await stopped;
    assertEquals([rounds, running, faults.length], [3, 0, 1]);
  });
});

describe("FaultLog", () => {
  it("logs the same fault once a minute", () => {
    const told: unknown[] = [];
    const clock = { now: 0 };
    const log: Pick<WalletLog, "warn"> = {
      warn: (_event, { error }) => told.push(error),
    };
    const faults = new FaultLog(log, "wallet_fault", {}, () => clock.now);
    faults.tell(new Error("a"));
    faults.tell(new Error("a"));
    faults.tell(new Error("b"));
    faults.tell("a word");
    assertEquals(told.length, 3);
    clock.now += 60_000;
    faults.tell(new Error("a"));
    assertEquals(told.length, 4);
  });

  it("logs it again after a minute even if the clock was set back", () => {
    const told: unknown[] = [];
    const [wall, steady] = [Date.now, performance.now];
    const log: Pick<WalletLog, "warn"> = { warn: (event) => told.push(event) };
    const faults = new FaultLog(log, "wallet_fault");
    try {
      faults.tell(new Error("a"));
      const [wallAt, steadyAt] = [wall(), steady.call(performance)];
      Date.now = () => wallAt - 3_600_000;
      performance.now = () => steadyAt + 60_000;
      faults.tell(new Error("a"));
    } finally {
      Date.now = wall;
      performance.now = steady;
    }
    assertEquals(told.length, 2);
  });
});
