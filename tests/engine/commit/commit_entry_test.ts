import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import type { Check } from "../../../src/store/kv/commit.ts";
import { encodeEntry } from "../../../src/store/log/entry_codec.ts";
import { LOG_FORMAT, NewerFormatError } from "../../../src/store/stored_formats.ts";
import { writeEvent } from "../../../src/store/log/event_codec.ts";
import { type Head, writeHead } from "../../../src/store/log/head_codec.ts";
import { headKey, sidecarKey } from "../../../src/store/keys.ts";
import type { Versioned } from "../../../src/store/store.ts";
import {
  createHeadCommit,
  emptyHead,
  readEntries,
  readHead,
} from "../../../src/store/log/venue_log.ts";
import { commitEntry } from "../../../src/engine/commit/commit_entry.ts";
import { type Fault, FaultyStore } from "../../support/faulty_store.ts";

const HELD = sidecarKey(["held"]);

/** A log in memory whose commits fail as planned. */
class TestLog {
  /** How often an attempt was reported as unknown. */
  unknown = 0;

  private constructor(readonly store: FaultyStore, readonly head: Versioned<Head>) {}

  static async open(...faults: Fault[]): Promise<TestLog> {
    const store = await FaultyStore.open(":memory:", true);
    await store.commit(createHeadCommit(emptyHead("epoch")), "log");
    const log = new TestLog(store, await readHead(store));
    const before = store.commits.log;
    store.plan = (_, count) => faults[count - before - 1] ?? "none";
    return log;
  }

  [Symbol.dispose](): void {
    this.store.close();
  }

  /** Appends an entry with one event that contains `id`; returns the outcome. */
  async append(
    id: number,
    current: Versioned<Head> = this.head,
    held: readonly Check[] = [],
  ): Promise<string> {
    const writer = new ByteWriter();
    writeEvent(writer, { kind: "order_rested", id }, 1);
    const batchId = new Uint8Array(16).fill(id);
    const first = current.value.sequence + 1;
    const head = { first, at: 1, batchId, count: 1 };
    const { bytes, hash } = encodeEntry(head, writer.take(), current.value.hash);
    const next = { ...current.value, sequence: first, at: 1, hash, batchId };
    const side = { mutations: [{ key: sidecarKey(["of", id]), value: id }], held };
    const outcome = await commitEntry(this.store, current, next, bytes, side, null, () => {
      this.unknown += 1;
    });
    if (outcome.kind === "committed" && outcome.head.versionstamp !== null) {
      assertEquals(outcome.head, await readHead(this.store));
    }
    return outcome.kind;
  }

  /** Returns the ids of the events in the log. */
  async ids(): Promise<number[]> {
    const { value: head } = await readHead(this.store);
    const entries = await Array.fromAsync(readEntries(this.store, 0, head.sequence, null));
    return entries.flatMap(({ events }) =>
      events.map((event) => event.kind === "order_rested" ? event.id : -1)
    );
  }
}

describe("an entry", () => {
  it("is committed when answered", async () => {
    using log = await TestLog.open();
    assertEquals(await log.append(1), "committed");
    assertEquals(await log.ids(), [1]);
    assertEquals((await log.store.get(sidecarKey(["of", 1]))).value, 1);
  });

  it("is committed once if its answer is lost", async () => {
    using log = await TestLog.open("lose_answer");
    assertEquals(await log.append(1), "committed");
    assertEquals(await log.ids(), [1]);
  });

  it("is sent again if lost on the way", async () => {
    using log = await TestLog.open("lose", "lose");
    assertEquals(await log.append(1), "committed");
    assertEquals(log.unknown, 2);
    assertEquals(await log.ids(), [1]);
  });

  it("is committed once if its second answer is lost", async () => {
    using log = await TestLog.open("lose", "lose_answer");
    assertEquals(await log.append(1), "committed");
    assertEquals(await log.ids(), [1]);
  });

  it("never lands after being given up", async () => {
    using log = await TestLog.open("land_late", "land_late", "land_late");
    assertEquals(await log.append(1), "conflict");
    assertEquals(await log.store.landLate(), ["refused", "refused", "refused"]);
    assertEquals(await log.ids(), []);
    assertEquals((await log.store.get(sidecarKey(["of", 1]))).value, null);
    assertEquals(await log.append(2, await readHead(log.store)), "committed");
    assertEquals(await log.ids(), [2]);
  });

  it("abandons a possibly stuck handle after each send", async () => {
    using log = await TestLog.open("lose", "lose", "lose");
    const handles: number[] = [];
    log.store.reopenWriter = () => Promise.resolve(void handles.push(log.store.commits.log));
    const before = log.store.commits.log;
    assertEquals(await log.append(1), "conflict");
    assertEquals(handles, [before + 1, before + 2, before + 3], "and before the barrier");
  });

  it("is committed if it lands late, but before being given up", async () => {
    using log = await TestLog.open("land_late", "lose", "lose");
    const outcome = log.append(1);
    await log.store.landLate();
    assertEquals(await outcome, "committed");
    assertEquals(await log.ids(), [1]);
  });

  it("is still given up if the barrier is lost, too", async () => {
    using log = await TestLog.open("lose", "lose", "land_late", "lose", "lose");
    assertEquals(await log.append(1), "conflict");
    assertEquals(await log.store.landLate(), ["refused"]);
    assertEquals(await log.ids(), []);
  });

  it("conflicts if another was first, whatever is lost", async () => {
    for (const fault of ["none", "lose", "land_late"] as const) {
      using log = await TestLog.open("none", fault);
      assertEquals(await log.append(1), "committed");
      assertEquals(await log.append(2), "conflict");
      await log.store.landLate();
      assertEquals(await log.ids(), [1]);
    }
  });

  it("never lands once a row that it holds has changed, whatever is lost", async () => {
    for (const fault of ["none", "lose", "land_late"] as const) {
      using log = await TestLog.open(fault);
      const { versionstamp } = await log.store.get(HELD);
      const held = [{ key: HELD, versionstamp }];
      await log.store.writeSidecar(["held"], 1);
      assertEquals(await log.append(1, undefined, held), "row_changed", fault);
      await log.store.landLate();
      assertEquals(await log.ids(), []);
      const now = await log.store.get(HELD);
      assertEquals(
        await log.append(2, await readHead(log.store), [{ key: HELD, ...now }]),
        "committed",
      );
      assertEquals(await log.append(3, undefined, held), "conflict", "the head decides first");
    }
  });

  it("is sent again if lost while the row that it holds has not changed", async () => {
    for (const fault of ["lose", "lose_answer", "fail", "refuse"] as const) {
      using log = await TestLog.open(fault);
      const outcome = await log.append(1, undefined, [{ key: HELD, versionstamp: null }]);
      assertEquals(outcome, fault === "refuse" ? "row_changed" : "committed");
    }
  });

  it("does not blame the row that it holds while the log can't be read", async () => {
    using log = await TestLog.open("none", "none", "none");
    const { head } = log;
    assertEquals(await log.append(1), "committed");
    log.store.areReadsFailing = true;
    const appending = log.append(2, head, [{ key: HELD, versionstamp: null }]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    log.store.areReadsFailing = false;
    assertEquals(await appending, "conflict");
  });

  it("is found even if others have been added after it", async () => {
    using log = await TestLog.open("lose_answer");
    const commit = log.store.commit.bind(log.store);
    log.store.commit = async (what, purpose) => {
      log.store.commit = commit;
      const outcome = await commit(what, purpose);
      assertEquals(await log.append(2, await readHead(log.store)), "committed");
      return outcome;
    };
    assertEquals(await log.append(1), "committed");
    assertEquals(await log.ids(), [1, 2]);
  });

  it("has no outcome until the log is readable", async () => {
    using log = await TestLog.open("lose_answer");
    log.store.areReadsFailing = true;
    let outcome = "";
    const appending = log.append(1).then((kind) => outcome = kind);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assertEquals(outcome, "");
    log.store.areReadsFailing = false;
    assertEquals(await appending, "committed");
    assertEquals(await log.ids(), [1]);
  });

  it("is sent again if known not to have happened", async () => {
    using log = await TestLog.open("fail", "fail");
    assertEquals(await log.append(1), "committed");
    assertEquals([log.unknown, await log.ids()], [0, [1]]);
  });

  it("fails if known never to have happened", async () => {
    using log = await TestLog.open("fail", "fail", "fail");
    assertEquals(await log.append(1), "failed");
    assertEquals(await log.ids(), []);
  });

  it("is sent again after an unknown outcome, even if later sends fail", async () => {
    using log = await TestLog.open("land_late", "fail", "fail", "fail");
    assertEquals(await log.append(1), "committed");
    assertEquals(await log.store.landLate(), ["refused"]);
    assertEquals(await log.ids(), [1]);
  });

  it("is not reported as failed after an unknown outcome", async () => {
    using log = await TestLog.open("land_late", "fail", "fail", "fail");
    const outcome = log.append(1);
    await log.store.landLate();
    assertEquals(await outcome, "committed");
    assertEquals(await log.ids(), [1]);
  });

  it("is given up if a newer program continues the log", async () => {
    using log = await TestLog.open();
    const { value, versionstamp } = log.head;
    const newer = writeHead({ ...value, format: LOG_FORMAT + 1 });
    const check = { key: headKey(), versionstamp };
    await log.store.commit({ check, mutations: [{ key: headKey(), value: newer }] }, "log");
    await assertRejects(() => log.append(1), NewerFormatError);
  });
});
