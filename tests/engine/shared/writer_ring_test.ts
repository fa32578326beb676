import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WriterRing } from "../../../src/engine/shared/writer_ring.ts";

/** Rings of processes that see each other's entries immediately, by the test's clock. */
class Processes {
  at = 1000;
  readonly rings: readonly WriterRing[];

  constructor(count: number) {
    this.rings = Array.from({ length: count }, () => new WriterRing(() => this.at));
  }

  /** Lets one ring write and all others see it. */
  write(ring: WriterRing): void {
    const batchId = ring.batchId();
    for (const each of this.rings) each.note(batchId);
  }

  /** Returns the rings that may write immediately. */
  ready(): WriterRing[] {
    return this.rings.filter((ring) => ring.wait() === 0);
  }
}

describe("the turns of writing processes", () => {
  it("let a single one write at any time", () => {
    const [ring] = new Processes(1).rings as [WriterRing];
    for (let i = 0; i < 3; i++) {
      assertEquals(ring.wait(), 0);
      ring.note(ring.batchId());
    }
  });

  it("rotate so that after each entry exactly one process may write", () => {
    const processes = new Processes(4);
    for (const ring of processes.rings) processes.write(ring);
    const order: WriterRing[] = [];
    for (let i = 0; i < 8; i++) {
      const [next, ...others] = processes.ready() as [WriterRing];
      assertEquals(others.length, 0);
      order.push(next);
      processes.write(next);
    }
    assertEquals(new Set(order.slice(0, 4)).size, 4);
    assertEquals(order.slice(4), order.slice(0, 4));
  });

  it("pass to the next in time if one has nothing to write", () => {
    const processes = new Processes(3);
    for (const ring of processes.rings) processes.write(ring);
    const [idle] = processes.ready();
    const waits = processes.rings.map((ring) => ring.wait()).sort((a, b) => a - b);
    assertEquals(waits[0], 0);
    assert((waits[1] ?? 0) > 0 && (waits[2] ?? 0) > (waits[1] ?? 0), "One goes before the other");
    processes.at += waits[1] ?? 0;
    assertEquals(processes.ready().length, 2);
    assert(processes.ready().includes(idle as WriterRing));
  });

  it("are waited for longer, up to a bound, the more entries a process has written", () => {
    const waits = [1, 2, 3, 10, 100].map((rounds) => {
      const processes = new Processes(2);
      const [busy, other] = processes.rings as [WriterRing, WriterRing];
      for (let i = 0; i < rounds; i++) processes.write(busy);
      processes.write(other);
      return other.wait();
    });
    const [first = 0, second = 0, , many, most = Infinity] = waits;
    assert(second > first && most > second && most < 100, `Waits of ${waits} ms`);
    assertEquals(many, most);
  });

  it("are waited for like a newcomer's after a process has let one pass", async () => {
    const processes = new Processes(2);
    const [idle, other] = processes.rings as [WriterRing, WriterRing];
    processes.write(other);
    processes.write(idle);
    processes.write(other);
    const first = other.wait();
    for (let i = 0; i < 10; i++) processes.write(idle);
    processes.write(other);
    await other.turn();
    processes.write(idle);
    processes.write(other);
    assertEquals(other.wait(), first);
  });

  it("end for a process that has not written for a while", () => {
    const processes = new Processes(2);
    const [gone, other] = processes.rings as [WriterRing, WriterRing];
    processes.write(gone);
    processes.at += 10_000;
    processes.write(other);
    assertEquals(other.wait(), 0);
  });

  it("treat a process as a newcomer once it has not written for a while", () => {
    const [first, again] = [0, 3].map((before) => {
      const processes = new Processes(2);
      const [busy, other] = processes.rings as [WriterRing, WriterRing];
      for (let i = 0; i < before; i++) processes.write(busy);
      processes.at += 10_000;
      for (const ring of [other, busy, other]) processes.write(ring);
      return other.wait();
    });
    assertEquals(again, first);
  });

  it("are waited for until another's entry is seen or a turn is passed", async () => {
    const processes = new Processes(2);
    const [a, b] = processes.rings as [WriterRing, WriterRing];
    processes.write(b);
    processes.write(a);
    const turn = a.turn();
    processes.write(b);
    await turn;
    processes.write(a);
    await a.turn();
    assertEquals(a.wait(), 0, "It is not waited for again");
  });

  it("come with a different id for each batch", () => {
    const ring = new WriterRing();
    const ids = Array.from({ length: 50 }, () => ring.batchId().toString());
    assertEquals(new Set(ids).size, ids.length);
  });
});
