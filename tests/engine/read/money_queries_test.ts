import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_OUTPUT } from "../../../src/domain/money/deposit.ts";
import { type Deposit, DEPOSIT_STATES } from "../../../src/domain/money/deposit.ts";
import { type Withdraw, WITHDRAW_STATES } from "../../../src/domain/money/withdraw.ts";
import {
  type DepositFilter,
  type Transaction,
  type TransactionFilter,
  type TransactionPosition,
  UnavailableError,
  type WithdrawFilter,
} from "../../../src/engine/engine.ts";
import { recordOf } from "../../../src/engine/read/transaction_order.ts";
import { EngineVenue, type EngineVenueOptions, VenueFile } from "../../support/engine_venue.ts";
import { addMoneyStream, MONEY_MEMBERS, runMoneyStream } from "../../support/money_stream.ts";
import { Prng } from "../../support/prng.ts";
import {
  isInRange,
  isWithin,
  pageOf,
  randomIds,
  randomPage,
  randomTimes,
  some,
} from "../../support/random_pages.ts";
import { START, units } from "../../support/domain_venue.ts";

const COMMANDS = 6000;

/** The latest record of each deposit and withdrawal, built from events alone. */
class PlainRecord {
  readonly deposits = new Map<number, Deposit>();
  readonly withdraws = new Map<number, Withdraw>();

  /** Listens from the first entry on. */
  constructor(test: EngineVenue) {
    test.engine.onEntry((events) => {
      for (const event of events) {
        if (event.kind === "deposit_set") this.deposits.set(event.deposit.id, event.deposit);
        if (event.kind === "withdraw_set") this.withdraws.set(event.withdraw.id, event.withdraw);
      }
    });
  }

  transactions(member: number): Transaction[] {
    const all = [
      ...[...this.deposits.values()].map((deposit) => ({ deposit, at: deposit.createdAt })),
      ...[...this.withdraws.values()].map((withdraw) => ({ withdraw, at: withdraw.createdAt })),
    ];
    const idOf = (one: typeof all[number]) => "deposit" in one ? one.deposit.id : one.withdraw.id;
    return all
      .sort((a, b) => a.at - b.at || idOf(a) - idOf(b) || ("deposit" in a ? -1 : 1))
      .map(({ at: _, ...transaction }) => transaction)
      .filter((one) => ("deposit" in one ? one.deposit : one.withdraw).member === member);
  }
}

/** Creates money records over several days; the last fifth is not folded. */
async function openHistory(options: Pick<EngineVenueOptions, "scanRecordsMax"> = {}): Promise<{
  test: EngineVenue;
  record: PlainRecord;
  clock: { now: number };
}> {
  const clock = { now: START };
  const test = await EngineVenue.open({ clock, ...options });
  const record = new PlainRecord(test);
  await addMoneyStream(test);
  const prng = new Prng(71);
  await runMoneyStream(test, prng, COMMANDS * 0.8, clock, COMMANDS);
  await test.engine.folded();
  test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
  await runMoneyStream(test, prng, COMMANDS * 0.2, clock, COMMANDS);
  return { test, record, clock };
}

describe("deposits and withdrawals", () => {
  it("read like plain lists, page by page, with any filter", async () => {
    const { test, record, clock } = await openHistory();
    await using _ = test;
    const { engine } = test;
    const prng = new Prng(72);
    const [deposits, withdraws] = [[...record.deposits.values()], [...record.withdraws.values()]];
    assert(deposits.length > 300 && withdraws.length > 300);
    for (let round = 0; round < 300; round++) {
      const uid = prng.pick([...MONEY_MEMBERS, null]);
      const member = uid === null ? null : test.member(uid);
      const isOwn = (one: { member: number }) => member === null || one.member === member;
      const common = {
        ...(prng.chance(0.2) ? { currency: prng.below(3) } : {}),
        ...randomTimes(prng, clock.now),
      };
      const page = {
        ...randomPage(prng, deposits.length / 3),
        ...randomIds(prng, deposits),
      };
      const what = `round ${round} ${uid} ${JSON.stringify(page)}`;

      const states = prng.chance(0.3) ? { states: some(prng, DEPOSIT_STATES) } : {};
      const filter: DepositFilter = {
        ...common,
        ...states,
        ...(prng.chance(0.1) ? { txid: prng.pick(deposits).txid } : {}),
      };
      const answer = member === null
        ? await engine.allDeposits(filter, page)
        : await engine.deposits(member, filter, page);
      const matching = deposits.filter((one) =>
        isOwn(one) && (filter.currency ?? one.currency) === one.currency &&
        (filter.states?.has(one.state) ?? true) && (filter.txid ?? one.txid) === one.txid &&
        isWithin(one.createdAt, filter)
      );
      const asked = matching.filter(({ id }) => isInRange(id, page));
      assertEquals(answer.items, pageOf(asked, page), `deposits ${what}`);
      if (answer.total !== null) assertEquals(answer.total, matching.length, what);
      assertEquals(answer.isScanLimited, false);

      const outward: WithdrawFilter = {
        ...common,
        ...(prng.chance(0.3) ? { states: some(prng, WITHDRAW_STATES) } : {}),
        ...(prng.chance(0.1) ? { txid: prng.pick(withdraws).txid } : {}),
        ...(prng.chance(0.1) ? { beneficiaries: some(prng, [1, 2, 3, 4, 5, 6, 7]) } : {}),
        ...(prng.chance(0.2) ? { isApproved: prng.chance(0.5) } : {}),
      };
      const out = member === null
        ? await engine.allWithdraws(outward, page)
        : await engine.withdraws(member, outward, page);
      const matchingOut = withdraws.filter((one) =>
        isOwn(one) && (outward.currency ?? one.currency) === one.currency &&
        (outward.states?.has(one.state) ?? true) && (outward.txid ?? one.txid) === one.txid &&
        (outward.beneficiaries?.has(one.beneficiary) ?? true) &&
        (outward.isApproved ?? one.isApproved) === one.isApproved &&
        isWithin(one.createdAt, outward)
      );
      const askedOut = matchingOut.filter(({ id }) => isInRange(id, page));
      assertEquals(out.items, pageOf(askedOut, page), `withdrawals ${what}`);
      if (out.total !== null) assertEquals(out.total, matchingOut.length, what);
    }
  });

  it("form one list by time, then id", async () => {
    const { test, record, clock } = await openHistory();
    await using _ = test;
    const prng = new Prng(73);
    const member = test.member("ann");
    const all = record.transactions(member);
    assert(all.length > 200);
    for (let round = 0; round < 150; round++) {
      const filter: TransactionFilter = {
        ...(prng.chance(0.2) ? { currency: prng.below(3) } : {}),
        ...(prng.chance(0.3) ? { depositStates: some(prng, DEPOSIT_STATES) } : {}),
        ...(prng.chance(0.3) ? { withdrawStates: some(prng, WITHDRAW_STATES) } : {}),
        ...randomTimes(prng, clock.now),
      };
      const page = randomPage(prng, all.length);
      const matching = all.filter((one) => {
        const { createdAt, currency } = "deposit" in one ? one.deposit : one.withdraw;
        const isState = "deposit" in one
          ? filter.depositStates?.has(one.deposit.state)
          : filter.withdrawStates?.has(one.withdraw.state);
        return (isState ?? true) && (filter.currency ?? currency) === currency &&
          isWithin(createdAt, filter);
      });
      const answer = await test.engine.transactions(member, filter, page);
      const what = `round ${round} ${Object.keys(filter)} ${JSON.stringify(page)}`;
      assertEquals(answer.items, pageOf(matching, page), what);
      if (answer.total !== null) assertEquals(answer.total, matching.length, what);
    }
  });

  it("are walked through in one list, in either direction", async () => {
    const { test, record } = await openHistory();
    await using _ = test;
    const prng = new Prng(74);
    const member = test.member("ann");
    const all = record.transactions(member);
    for (const direction of ["asc", "desc"] as const) {
      for (const currency of [undefined, 1]) {
        const matching = all.filter((one) =>
          currency === undefined || recordOf(one).currency === currency
        );
        const seen: Transaction[] = [];
        let position: TransactionPosition | undefined;
        for (;;) {
          const page = { offset: 0, limit: prng.pick([1, 2, 7, 50]), direction };
          const filter = currency === undefined ? {} : { currency };
          const { items, end } = await test.engine.transactions(member, filter, page, position);
          seen.push(...items);
          if (items.length === 0) break;
          assert(seen.length <= matching.length, "each is met once");
          position = end;
        }
        assertEquals(seen, direction === "asc" ? matching : matching.toReversed());
      }
    }
  });

  it("are each met once on a walk whose searches stop at their limit", async () => {
    const { test, record } = await openHistory({ scanRecordsMax: 3 });
    await using _ = test;
    const member = test.member("ann");
    // Nearly all of one list and little of the other: what one search has found waits for the other.
    const filter: TransactionFilter = { withdrawStates: new Set(["succeed"]) };
    const all = record.transactions(member).filter((one) =>
      "deposit" in one || one.withdraw.state === "succeed"
    );
    const kinds = new Set(all.map((one) => "deposit" in one));
    assertEquals(kinds.size, 2, "both lists are walked through");
    const order = (one: Transaction) => `${"deposit" in one} ${recordOf(one).id}`;
    for (const direction of ["asc", "desc"] as const) {
      const seen: Transaction[] = [];
      let position: TransactionPosition | undefined;
      let limited = 0;
      for (let isAtEnd = false; !isAtEnd;) {
        const page = { offset: 0, limit: 2, direction };
        const found = await test.engine.transactions(member, filter, page, position);
        seen.push(...found.items);
        isAtEnd = found.items.length === 0 && !found.isScanLimited;
        const isFurther = JSON.stringify(position) !== JSON.stringify(found.end);
        assert(isAtEnd || isFurther, "each page gets further");
        position = found.end;
        if (found.isScanLimited) limited += 1;
      }
      assert(limited > 0);
      assertEquals(seen.map(order).sort(), all.map(order).sort());
    }
  });

  it("are found by id, whoever owns them", async () => {
    const { test, record } = await openHistory();
    await using _ = test;
    const { engine } = test;
    for (const deposit of record.deposits.values()) {
      assertEquals(await engine.deposit(deposit.id), deposit);
    }
    for (const withdraw of record.withdraws.values()) {
      assertEquals(await engine.withdraw(withdraw.id), withdraw);
    }
    for (const id of [0, test.venue.counters.deposits + 1]) {
      assertEquals(await engine.deposit(id), null);
    }
    assertEquals(await engine.withdraw(test.venue.counters.withdraws + 1), null);
  });

  it("continue after a record, to the end", async () => {
    const { test, record } = await openHistory();
    await using _ = test;
    const { engine } = test;
    for (const direction of ["asc", "desc"] as const) {
      for (const uid of [null, "ann"]) {
        const member = uid === null ? null : test.member(uid);
        const found: Deposit[] = [];
        for (;;) {
          const last = found[found.length - 1];
          const after = last === undefined ? {} : { after: last.id };
          const page = { offset: 0, limit: 17, direction, ...after };
          const { items } = member === null
            ? await engine.allDeposits({}, page)
            : await engine.deposits(member, {}, page);
          if (items.length === 0) break;
          found.push(...items);
        }
        const own = [...record.deposits.values()]
          .filter((one) => member === null || one.member === member);
        assertEquals(found, direction === "asc" ? own : own.reverse());
      }
    }
  });

  it("cost the same to start reading, however many others there are", async () => {
    const { test } = await openHistory();
    await using _ = test;
    const { engine } = test;
    const cost = async (read: () => Promise<unknown>) => {
      const before = test.store.rowsRead;
      await read();
      return test.store.rowsRead - before;
    };
    const member = test.member("ann");
    for (const direction of ["asc", "desc"] as const) {
      const page = { offset: 0, limit: 25, direction };
      assert(await cost(() => engine.deposits(member, {}, page)) <= 2);
      assert(await cost(() => engine.withdraws(member, {}, page)) <= 2);
      assert(await cost(() => engine.transactions(member, {}, page)) <= 4);
      assert(await cost(() => engine.allDeposits({}, page)) <= 6);
      assert(await cost(() => engine.allWithdraws({}, page)) <= 6);
      const open = { states: new Set(["submitted"] as const) };
      assertEquals(await cost(() => engine.allDeposits(open, page)), 0);
      const toNobody = { beneficiaries: new Set<number>() };
      assertEquals(await cost(() => engine.withdraws(member, toNobody, page)), 0);
      const waiting = { states: new Set(["accepted", "confirming"] as const) };
      assertEquals(await cost(() => engine.allWithdraws(waiting, page)), 0);
    }
    assert(await cost(() => engine.deposit(1)) <= 1);
    assert(await cost(() => engine.findDeposit(0, "t1", 0)) <= 3);
    assert(await cost(() => engine.findDeposit(0, "t1", ANY_OUTPUT)) <= 2);
  });
});

describe("waiting for the fold", () => {
  it("ends as soon as the rows hold everything", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await addMoneyStream(test);
    await test.engine.folded();
    assertEquals(test.engine.metrics().unfolded_events, 0);
    await test.engine.folded();
    const adjust = { kind: "adjust_balance", uid: "ann", currency: "btc" } as const;
    await Promise.all(Array.from({ length: 5 }, async () => {
      await test.must({ ...adjust, amount: units("1") });
      const { events } = test.engine.metrics();
      await test.engine.folded();
      const { checkedAt } = await test.engine.findDeposit(0, "t", 0);
      assert(checkedAt >= events, `${checkedAt} is before ${events}`);
    }));
  });

  it("ends when another process has folded", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const open = { path: file.path, clock, isShared: true };
    await using one = await EngineVenue.open(open);
    await using other = await EngineVenue.open(open);
    one.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    await addMoneyStream(one);
    await one.engine.folded();
    const { events } = one.engine.metrics();
    assert((await one.engine.findDeposit(0, "t", 0)).checkedAt >= events);
    assertEquals(one.store.commits.log > 0 && other.store.commits.fold > 0, true);
  });

  it("is refused when the venue closes", async () => {
    const clock = { now: START };
    const test = await EngineVenue.open({ clock });
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    await addMoneyStream(test);
    const waiting = assertRejects(() => test.engine.folded(), UnavailableError, "closing");
    await test.close();
    await waiting;
  });
});

describe("a process reading deposits", () => {
  it("is as recent as the rows it reads, even if it heard of nothing else", async () => {
    await using file = await VenueFile.create();
    const open = { path: file.path, clock: { now: START }, isShared: true };
    await using one = await EngineVenue.open(open);
    await addMoneyStream(one);
    const prepare = (store: EngineVenue["store"]) => store.isWatchDropped = true;
    await using other = await EngineVenue.open({ ...open, prepare });
    const observe = { kind: "observe_deposit", uid: "ann", currency: "eur", txid: "" } as const;
    const seen = { amount: units("5"), output: 0, confirmations: 0, knownId: 0, checkedAt: 0 };
    await one.must({ ...observe, ...seen });
    await other.engine.fresh();

    const read = other.store.getTogether.bind(other.store);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    other.store.getTogether = async (...args) => {
      await answered;
      return await read(...args);
    };
    const page = { offset: 0, limit: 10, direction: "asc" } as const;
    // Earlier reads have been answered by now.
    await read([["nothing"]]);
    await one.must({ kind: "change_deposit", id: 1, action: "accept" });
    await one.must({ ...observe, ...seen });
    await one.must({ kind: "change_deposit", id: 2, action: "accept" });
    await one.engine.folded();
    assertEquals(other.venue.deposits.get(1)?.state, "submitted", "it knows nothing of it yet");
    const asked = other.engine.deposits(other.member("ann"), {}, page);
    setTimeout(resolve, 20);
    const { items, total } = await asked;
    assertEquals([items.map(({ state }) => state), total], [["accepted", "accepted"], 2]);
  });

  it("knows how recent the rows' deposit names are", async () => {
    await using test = await EngineVenue.open({ clock: { now: START } });
    await addMoneyStream(test);
    await test.engine.folded();
    const folded = test.venue.sequence;
    assertEquals(await test.engine.findDeposit(0, "t", 0), { knownId: 0, checkedAt: folded });
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    await test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading: 1 } });
    assertEquals(await test.engine.findDeposit(0, "t", 0), { knownId: 0, checkedAt: folded });
  });

  it("applies a time range with its start but not its end, even to open ones only", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await addMoneyStream(test);
    const observe = { kind: "observe_deposit", uid: "ann", currency: "eur", txid: "" } as const;
    const seen = { amount: units("5"), output: 0, confirmations: 0, knownId: 0, checkedAt: 0 };
    for (let id = 1; id <= 4; id++) {
      clock.now += 1000;
      await test.must({ ...observe, ...seen });
    }
    const page = { offset: 0, limit: 10 } as const;
    const range = { from: START + 2000, to: START + 4000 };
    for (const filter of [range, { ...range, states: new Set(["submitted"] as const) }]) {
      const listed = async (direction: "asc" | "desc") => {
        const request = { ...page, direction };
        const { items } = await test.engine.deposits(test.member("ann"), filter, request);
        return items.map(({ id }) => id);
      };
      assertEquals([await listed("asc"), await listed("desc")], [[2, 3], [3, 2]]);
    }
  });

  it("catches up with the rows it reads", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const open = { path: file.path, clock, isShared: true };
    await using one = await EngineVenue.open(open);
    await addMoneyStream(one);
    await using other = await EngineVenue.open(open);
    const member = other.member("ann");
    const page = { offset: 0, limit: 10, direction: "asc" } as const;
    const observe = { kind: "observe_deposit", uid: "ann", currency: "eur", txid: "" } as const;
    const seen = { amount: units("5"), output: 0, confirmations: 0, knownId: 0, checkedAt: 0 };
    for (let id = 1; id <= 3; id++) {
      await one.must({ ...observe, ...seen });
      await one.must({ kind: "change_deposit", id, action: "accept" });
      await one.engine.folded();
      const { items, total } = await other.engine.deposits(member, {}, page);
      assertEquals([items.length, total, items[id - 1]?.state], [id, id, "accepted"]);
    }
    assertEquals((await other.engine.deposit(3))?.amount, units("5"));
  });
});
