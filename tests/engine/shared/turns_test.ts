import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TURN_KEYS, Turns } from "../../../src/engine/shared/turns.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";

const [REQUEST, GRANT] = TURN_KEYS;
/** A round trip of one that is far, in ms. */
const FAR_MS = 200;

/** Processes that share a store, by a clock of the test. */
class Processes {
  at = 1000;
  readonly #all: Turns[] = [];

  constructor(readonly store: Store) {}

  /** Adds one whose way to the store and back takes so many ms. */
  add(tripMs = 0): Turns {
    const turns = new Turns(this.store, () => this.at);
    turns.trip.note(tripMs);
    // Who comes after whom depends on random names.
    turns.ring.turn = () => Promise.resolve();
    this.#all.push(turns);
    return turns;
  }

  /** Lets one write, and all see it. */
  async write(turns: Turns): Promise<void> {
    const batchId = turns.ring.batchId();
    for (const { key } of turns.deletions()) await this.store.writeSidecar(key.slice(2), null);
    turns.settle();
    await this.tell();
    for (const each of this.#all) {
      if (each !== turns) each.passed(batchId);
      each.ring.note(batchId);
    }
    await soon();
  }

  /** Lets all hear what the rows say. */
  async tell(): Promise<void> {
    await soon();
    const hints = await this.store.getTogether(TURN_KEYS);
    for (const each of this.#all) each.note(hints);
    await soon();
  }

  /** Returns the process that a row names. */
  async named(key: typeof REQUEST): Promise<string | undefined> {
    const { value } = await this.store.get<{ process: string }>(key);
    return value?.process;
  }
}

async function withProcesses(run: (processes: Processes) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  try {
    await run(new Processes(store));
  } finally {
    await soon();
    store.close();
  }
}

/** Lets everything run that does not wait for a time. */
async function soon(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Starts to give way; returns a function that tells whether it is over. */
function givingWay(turns: Turns): () => boolean {
  let isOver = false;
  turns.giveWay().then(() => isOver = true);
  return () => isOver;
}

describe("a process that asks for its turn", () => {
  it("is waited for until it has written, and for others' entries not", () =>
    withProcesses(async (all) => {
      const [one, other, third] = [all.add(), all.add(), all.add()];
      one.ask();
      await all.tell();
      const isOver = givingWay(other);
      await all.write(third);
      assertEquals(isOver(), false);
      assertEquals(one.deletions(), [{ key: REQUEST, value: null }]);
      await all.write(one);
      assertEquals(isOver(), true);
      assertEquals([one.deletions(), await all.named(REQUEST)], [[], undefined]);
    }));

  it("does not wait for itself, nor for one that does not ask", () =>
    withProcesses(async (all) => {
      const [one, other] = [all.add(), all.add()];
      assertEquals(other.deletions(), []);
      const nobodyAsks = givingWay(other);
      one.ask();
      await all.tell();
      const isItself = givingWay(one);
      await soon();
      assertEquals([nobodyAsks(), isItself()], [true, true]);
    }));

  it("is not waited for twice if it never goes, unless it asks again", () =>
    withProcesses(async (all) => {
      const [one, other] = [all.add(), all.add()];
      one.ask();
      await all.tell();
      // The clock of the test goes on when the real one has.
      const isOver = givingWay(other);
      await eventually("the end of the wait", () => {
        all.at += 20;
        return isOver();
      });
      await all.tell();
      const second = givingWay(other);
      await soon();
      assertEquals(second(), true);
      one.ask();
      await all.tell();
      const third = givingWay(other);
      await soon();
      assertEquals(third(), false);
      await all.write(one);
      assertEquals(third(), true);
    }));

  it("holds nobody up who asks as well", () =>
    withProcesses(async (all) => {
      const [one, other] = [all.add(), all.add()];
      one.ask();
      other.ask();
      await all.tell();
      const [isOne, isOther] = [givingWay(one), givingWay(other)];
      await soon();
      assertEquals([isOne(), isOther()], [true, true]);
    }));

  it("lets others go on where it needs its turn no more", () =>
    withProcesses(async (all) => {
      const [one, other] = [all.add(), all.add()];
      one.ask();
      await all.tell();
      const isOver = givingWay(other);
      one.release();
      await eventually("the end", async () => {
        await all.tell();
        return isOver();
      });
    }));

  it("goes in its turn where nobody asks", () =>
    withProcesses(async (all) => {
      const one = all.add();
      const turn = Promise.withResolvers<void>();
      one.ring.turn = () => turn.promise;
      const isOver = givingWay(one);
      await soon();
      assertEquals(isOver(), false);
      turn.resolve();
      await soon();
      assertEquals(isOver(), true);
    }));

  it("goes on where its request does not get through", () =>
    withProcesses(async (all) => {
      const one = all.add();
      all.store.writeSidecar = () => Promise.reject(new Error("The store is out of order"));
      one.ask();
      await soon();
      assertEquals(one.deletions().length, 1);
    }));

  it("asks after it has lost often if it is near, and when its turn comes up if it is far", () =>
    withProcesses(async (all) => {
      const [near, far] = [all.add(), all.add(FAR_MS)];
      near.lose(false);
      far.lose(true);
      await all.tell();
      assertEquals(await all.named(REQUEST), undefined);
      near.lose(true);
      await all.tell();
      assertEquals(await all.named(REQUEST), near.ring.own);
    }));
});

describe("a process that is far from the store", () => {
  it("waits while others write until one of them lets it go, and is waited for until it has written", () =>
    withProcesses(async (all) => {
      const [near, far] = [all.add(), all.add(FAR_MS)];
      await all.write(near);
      assertEquals([near.isOutpaced, far.isOutpaced], [false, true]);
      const isFar = givingWay(far);
      await all.tell();
      assertEquals([await all.named(REQUEST), isFar()], [far.ring.own, false]);
      const isNear = givingWay(near);
      await all.tell();
      assertEquals([await all.named(GRANT), isFar(), isNear()], [far.ring.own, true, false]);
      all.at += FAR_MS;
      assertEquals(far.isOutpaced, false);
      await all.write(far);
      assertEquals(isNear(), true);
      assertEquals([await all.named(REQUEST), await all.named(GRANT)], [undefined, undefined]);
      // The others go on right now, whenever they last wrote: its next commit needs a turn again.
      assertEquals(far.isOutpaced, true);
    }));

  it("is let go by all where one has said so, and by none for long where it has just had its turn", () =>
    withProcesses(async (all) => {
      const [near, busy, far] = [all.add(), all.add(), all.add(FAR_MS)];
      await all.write(near);
      givingWay(far);
      await all.tell();
      givingWay(near);
      await all.tell();
      // This one asks itself, but heeds what another one has granted.
      busy.ask();
      const isBusy = givingWay(busy);
      await soon();
      assertEquals(isBusy(), false);
      all.at += FAR_MS;
      await all.write(far);
      assertEquals(isBusy(), true);
      await all.write(busy);
      givingWay(far);
      await all.tell();
      for (const [ms, isOver] of [[1.5 * FAR_MS, true], [FAR_MS, false]] as const) {
        all.at += ms;
        await all.write(busy);
        const isNear = givingWay(near);
        await soon();
        assertEquals(isNear(), isOver, `${ms} ms later`);
      }
    }));

  it("goes as soon as it hears of no other entry", () =>
    withProcesses(async (all) => {
      const [near, far] = [all.add(), all.add(FAR_MS)];
      await all.write(near);
      const isOver = givingWay(far);
      await soon();
      assertEquals(isOver(), false);
      await eventually("the quiet", () => {
        all.at += FAR_MS / 10;
        return isOver();
      });
      await far.giveWay();
      assertEquals(far.isOutpaced, false);
    }));

  it("waits while others write whose entries it has yet to read", () =>
    withProcesses(async (all) => {
      const far = all.add(FAR_MS);
      far.noteOthers();
      const isOver = givingWay(far);
      all.at += FAR_MS - 1;
      await soon();
      assertEquals([far.isOutpaced, isOver()], [true, false]);
      all.at += 1;
      assertEquals(far.isOutpaced, false);
      await eventually("the quiet", () => isOver());
    }));

  it("asks again when another one has had its turn, whose request has replaced its own", () =>
    withProcesses(async (all) => {
      const [near, far, other] = [all.add(), all.add(FAR_MS), all.add(FAR_MS)];
      await all.write(near);
      givingWay(far);
      givingWay(other);
      await all.tell();
      assertEquals(await all.named(REQUEST), other.ring.own);
      givingWay(near);
      await all.tell();
      assertEquals(await all.named(GRANT), other.ring.own);
      await all.write(other);
      await eventually("its second request", async () => await all.named(REQUEST) === far.ring.own);
    }));

  it("keeps its place where another one that asks has written, and its own request is gone", () =>
    withProcesses(async (all) => {
      const [near, far, farther] = [all.add(), all.add(FAR_MS), all.add(2 * FAR_MS)];
      await all.write(near);
      givingWay(farther);
      await all.tell();
      const isNear = givingWay(near);
      await all.tell();
      givingWay(far);
      await all.tell();
      assertEquals(await all.named(REQUEST), far.ring.own);
      await all.store.writeSidecar(["turn"], null);
      await all.write(farther);
      assertEquals(isNear(), true);
      all.at += FAR_MS;
      givingWay(near);
      await all.tell();
      assertEquals(await all.named(GRANT), far.ring.own);
    }));

  it("waits for another one that has the turn, however quiet that is", () =>
    withProcesses(async (all) => {
      const [near, far, farther] = [all.add(), all.add(FAR_MS), all.add(3 * FAR_MS)];
      await all.write(near);
      givingWay(farther);
      await all.tell();
      givingWay(near);
      await all.tell();
      assertEquals(await all.named(GRANT), farther.ring.own);
      const isFar = givingWay(far);
      await all.tell();
      all.at += 2 * FAR_MS;
      await new Promise((resolve) => setTimeout(resolve, FAR_MS));
      assertEquals(isFar(), false);
      await all.write(farther);
      await eventually("its own turn", async () => {
        all.at += FAR_MS / 10;
        await soon();
        return isFar();
      });
    }));
});
