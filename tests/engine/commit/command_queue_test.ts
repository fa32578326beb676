import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import type { Command } from "../../../src/domain/command.ts";
import { BatchPace, UNFOLDED_EVENTS_MAX } from "../../../src/engine/commit/batch_pace.ts";
import {
  CommandQueue,
  COMMANDS_PER_LANE_MAX,
  ORDERS_PER_SHARE,
} from "../../../src/engine/commit/command_queue.ts";
import { QueuedCommand } from "../../../src/engine/commit/queued_command.ts";

const [ANN, BOB, CYD] = [2, 3, 4];
const REQUEST = {
  market: 0,
  side: "buy",
  type: "limit",
  timeInForce: "fok",
  selfTrade: "none",
  amount: 1n,
  price: 1n,
  triggerPrice: 0n,
  clientOrderId: "",
} as const;

function placing(member: number, count: number): Command {
  const orders = Array.from({ length: count }, () => REQUEST);
  return { kind: "place_orders", member, orders };
}

function cancelling(member: number, count: number): Command {
  const names = Array.from({ length: count }, (_, id) => ({ id }));
  return { kind: "cancel_orders", member, names, strict: false, isKnown: false };
}

/** A queue whose commands have names. */
class NamedQueue {
  readonly queue = new CommandQueue();
  readonly #names = new Map<QueuedCommand, string>();

  add(name: string, command: Command): boolean {
    const queued = new QueuedCommand(command, null, null, 0);
    this.#names.set(queued, name);
    return this.queue.add(queued);
  }

  addMany(name: string, count: number, command: Command): void {
    for (let i = 1; i <= count; i++) this.add(`${name}${i}`, command);
  }

  /** Takes a batch, of at most so many commands; returns their names, or the commands. */
  batch(most = Infinity, areLanesResting = false): string {
    return this.#namesOf(this.taken(most, areLanesResting));
  }

  taken(most = Infinity, areLanesResting = false): QueuedCommand[] {
    this.queue.startBatch(areLanesResting);
    return this.#next(most);
  }

  /** Takes what else the batch may have; returns the names. */
  rest(): string {
    return this.#namesOf(this.#next(Infinity));
  }

  #next(most: number): QueuedCommand[] {
    const taken: QueuedCommand[] = [];
    while (taken.length < most) {
      const command = this.queue.next();
      if (command === undefined) break;
      taken.push(command);
    }
    return taken;
  }

  left(): string {
    return this.#namesOf([...this.queue.values()]);
  }

  #namesOf(commands: readonly QueuedCommand[]): string {
    return commands.map((one) => this.#names.get(one)).join(" ");
  }
}

const SHARE = placing(ANN, ORDERS_PER_SHARE);

describe("commands that wait for a batch", () => {
  it("are taken as they come while nobody has more than a share", () => {
    const named = new NamedQueue();
    named.add("a", placing(ANN, ORDERS_PER_SHARE - 1));
    named.add("b", placing(BOB, 1));
    named.add("c", placing(ANN, 1));
    named.add("o", { kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 0 } });
    assertEquals([named.queue.size, named.batch(), named.queue.size], [4, "a b c o", 0]);
  });

  it("are overtaken by others' once their member has had its share, and keep their order", () => {
    const named = new NamedQueue();
    named.addMany("a", 4, SHARE);
    named.addMany("b", 2, placing(BOB, 1));
    assertEquals(named.batch(), "a1 b1 b2");
    assertEquals([named.queue.size, named.queue.isInLanes], [3, true]);
    assertEquals(named.add("a5", placing(ANN, 1)), false);
    assertEquals(named.add("b3", placing(BOB, 1)), true);
    assertEquals(named.queue.isInLanes, false);
    assertEquals([named.batch(), named.batch(), named.batch()], ["b3 a2", "a3", "a4"]);
    assertEquals([named.batch(), named.queue.hasLanes], ["a5", false]);
    named.add("a6", placing(ANN, 1));
    assertEquals(named.batch(), "a6");
  });

  it("count by their orders, placed or cancelled", () => {
    const named = new NamedQueue();
    named.add("a1", cancelling(ANN, ORDERS_PER_SHARE));
    named.add("a2", { kind: "cancel_all_orders", member: ANN, market: -1, side: null });
    named.addMany("b", ORDERS_PER_SHARE + 1, placing(BOB, 1));
    const first = named.taken();
    assertEquals(first.length, ORDERS_PER_SHARE + 1);
    assertEquals(named.batch(), "a2 b101");
    const operator = { kind: "note_act" } as const;
    named.addMany("o", 2 * ORDERS_PER_SHARE, operator);
    assertEquals(named.taken().length, 2 * ORDERS_PER_SHARE, "nobody's share");
  });

  it("come by turns if several members have more than their share", () => {
    const named = new NamedQueue();
    named.addMany("a", 4, SHARE);
    named.addMany("c", 3, placing(CYD, ORDERS_PER_SHARE));
    assertEquals(named.batch(), "a1 c1");
    assertEquals(named.batch(1), "a2");
    assertEquals(named.batch(1), "c2");
    assertEquals(named.batch(), "a3 c3");
    assertEquals(named.batch(), "a4");
  });

  it("in lanes go first if the last batch had no room for them", () => {
    const named = new NamedQueue();
    named.addMany("a", 2, SHARE);
    assertEquals(named.batch(), "a1");
    named.addMany("b", 4, placing(BOB, 1));
    assertEquals([named.batch(2), named.batch(2), named.batch(2)], ["b1 b2", "a2 b3", "b4"]);
  });

  it("in lanes may have to rest while others go on", () => {
    const named = new NamedQueue();
    named.addMany("a", 2, SHARE);
    assertEquals(named.batch(), "a1");
    named.add("b", placing(BOB, 1));
    assertEquals([named.batch(Infinity, true), named.batch(Infinity, true)], ["b", ""]);
    assertEquals(named.batch(), "a2");
  });

  it("do not overtake those of their member that rest in its lane", () => {
    const named = new NamedQueue();
    named.addMany("a", 2, SHARE);
    named.add("b", placing(BOB, 1));
    named.add("a3", placing(ANN, 1));
    assertEquals(named.batch(2), "a1 b", "nobody has looked at the last one");
    assertEquals([named.batch(Infinity, true), named.left()], ["", "a2 a3"]);
  });

  it("go first, and in their order, if they are put back", () => {
    const named = new NamedQueue();
    named.addMany("a", 3, SHARE);
    named.add("b", placing(BOB, 1));
    named.queue.putBack(named.taken());
    named.add("c", placing(CYD, 1));
    assertEquals(named.left(), "a1 b a2 a3 c");
    assertEquals(named.queue.isInLanes, false);
    assertEquals([named.batch(2), named.batch()], ["a1 b", "a2 c"]);
    assertEquals(named.left(), "a3");
    assertEquals([named.queue.clear().length, named.queue.size, named.batch()], [1, 0, ""]);
  });

  it("wait, wherever they are, for the rest of one that their member sent before", () => {
    const named = new NamedQueue();
    named.add("a1", { kind: "cancel_all_orders", member: ANN, market: -1, side: null });
    named.add("b1", placing(BOB, 1));
    named.add("a2", placing(ANN, 1));
    named.queue.putBack(named.taken());
    named.add("a3", placing(ANN, 1));
    named.add("b2", placing(BOB, 1));
    named.queue.startBatch(false);
    const begun = present(named.queue.next(), "the first is taken");
    named.queue.keepWaiting(begun);
    assertEquals(named.rest(), "b1 b2");
    named.queue.putBack([begun]);
    assertEquals([named.left(), named.batch()], ["a1 a2 a3", "a1 a2 a3"]);
  });

  it("of one member are bounded", () => {
    const named = new NamedQueue();
    named.addMany("a", COMMANDS_PER_LANE_MAX, SHARE);
    named.addMany("b", 2000, placing(BOB, 1));
    assertEquals(named.queue.isFullFor(SHARE), false, "nobody has looked at them yet");
    named.batch();
    assertEquals(named.queue.isFullFor(SHARE), false);
    named.add("last", SHARE);
    assertEquals(named.queue.isFullFor(SHARE), true);
    assertEquals(named.queue.isFullFor(placing(BOB, 1)), false);
  });
});

describe("the pace of batches", () => {
  const EVENTS = 100_000_000;

  /** Starts a pause after a batch; returns whether it goes on. */
  function pausing(pace: BatchPace): () => Promise<boolean> {
    let isOver = false;
    pace.slowDown(EVENTS).then(() => isOver = true);
    return async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      return !isOver;
    };
  }

  it("holds up all while there are no lanes, until the fold waits for the store", async () => {
    const named = new NamedQueue();
    const pace = new BatchPace(() => UNFOLDED_EVENTS_MAX / 2, named.queue);
    named.add("b", placing(BOB, 1));
    const isPausing = pausing(pace);
    pace.wake();
    assert(await isPausing());
    assertEquals([pace.isSlowed, pace.areLanesResting], [true, false]);
    pace.advance();
    assertEquals(await isPausing(), false);
  });

  it("holds up only the lanes if there are any, until others come or the fold waits", async () => {
    const named = new NamedQueue();
    let unfolded = UNFOLDED_EVENTS_MAX / 2;
    const pace = new BatchPace(() => unfolded, named.queue);
    named.addMany("a", 3, SHARE);
    named.batch();
    const isPausing = pausing(pace);
    assert(await isPausing());
    named.add("b", placing(BOB, 1));
    pace.wake();
    assertEquals([await isPausing(), pace.areLanesResting], [false, true]);
    assertEquals(await pausing(pace)(), false, "others are there already");
    assertEquals(named.batch(Infinity, pace.areLanesResting), "b");
    const isPausingAgain = pausing(pace);
    unfolded = UNFOLDED_EVENTS_MAX;
    pace.advance();
    assert(await isPausingAgain(), "the fold is too far behind");
    unfolded = UNFOLDED_EVENTS_MAX / 2;
    pace.advance();
    assertEquals([await isPausingAgain(), pace.areLanesResting], [false, false]);
  });
});
