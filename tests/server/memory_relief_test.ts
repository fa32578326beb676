import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { guardMemory, measureOfOwn } from "../../src/server/memory_relief.ts";
import type { HeldWatch } from "../../src/sockets/socket_registry.ts";

const MEBIBYTE = 1024 * 1024;
const [FIRST, LAST, LITTLE] = [769, 1_025, 100];
const [UNSIGNED, ALL] = ["unsigned_sockets_dropped", "connections_dropped"];

/** A venue that runs out of memory; amounts are in MiB. */
class Relieved {
  mebibytes = LITTLE;
  /** What was logged. */
  readonly told: unknown[] = [];
  /** What was done. */
  readonly done: string[] = [];
  readonly listener = { isRenewing: false, renew: () => void this.done.push("renew") };
  readonly relay = {
    isFreeing: false,
    renew: (isGone: () => boolean = () => true) => {
      this.done.push("renew thread");
      this.isGone = isGone;
    },
  };
  isGone: () => boolean = () => true;
  watch: HeldWatch | null = null;
  readonly #guards;

  constructor(hasThread: boolean) {
    this.#guards = guardMemory({
      realtime: {
        cutRelayed: () => void this.done.push("cut thread"),
        pauseUnsigned: () => void this.done.push("pause"),
        resumeUnsigned: () => void this.done.push("resume"),
        watchHeld: (watch) => this.watch = watch,
      },
      relay: hasThread ? this.relay : null,
      listener: () => this.listener,
      logger: { warn: (event, fields) => this.told.push([event, fields]) },
      bytesOutsideHeap: () => this.mebibytes * MEBIBYTE,
    });
  }

  /** Has the guards look while the process has each of these amounts; returns what they let go of. */
  look(...amounts: number[]): unknown[] {
    const before = this.told.length;
    for (const mebibytes of amounts) {
      this.mebibytes = mebibytes;
      for (const guard of this.#guards) guard.look();
    }
    return this.told.slice(before).map((line) => (line as [string])[0]);
  }

  /** Has a member be found to hold the memory, or a stranger. */
  find(uid: string | null): void {
    this.watch?.onHeld({ uid, bytes: 700 * MEBIBYTE, seconds: 3_600 });
  }
}

describe("relief of the memory", () => {
  it("is of unsigned sockets first, and no longer once that was in vain", () => {
    const venue = new Relieved(true);
    assertEquals(venue.look(FIRST, LAST, LITTLE), [UNSIGNED, ALL]);
    assertEquals(venue.look(FIRST, LITTLE), [ALL]);
    assertEquals(venue.look(FIRST, LAST, LITTLE), [ALL, UNSIGNED]);
    assertEquals(venue.look(FIRST, LITTLE), [UNSIGNED]);
    const thread = ["cut thread", "renew thread"];
    assertEquals(venue.done, [...thread, "renew", "renew", "renew", ...thread, ...thread]);
  });

  it("is first of those who held it the last time", () => {
    const venue = new Relieved(true);
    venue.find("ID1");
    assertEquals(venue.told, [
      ["member_sockets_refused", { uid: "ID1", mebibytes: 700, seconds: 3_600 }],
    ]);
    assertEquals(venue.look(FIRST, LITTLE), [ALL]);
    venue.find(null);
    assertEquals(venue.look(FIRST, LITTLE), [UNSIGNED]);
    assertEquals(venue.told.length, 3);
  });

  it("ends the pause of unsigned sockets if a member held it", () => {
    const venue = new Relieved(false);
    assertEquals(venue.look(FIRST, LAST, LITTLE), [UNSIGNED, ALL]);
    venue.find("ID1");
    assertEquals(venue.done, ["pause", "renew", "resume"]);
    assertEquals(venue.look(FIRST, LAST, LITTLE), [ALL, ALL]);
  });

  it("waits for a thread that ends until its memory is free, or others' still grows", () => {
    const venue = new Relieved(true);
    venue.look(FIRST);
    assertEquals(venue.isGone(), false);
    venue.mebibytes = 512 - 1;
    assertEquals(venue.isGone(), true);
    venue.mebibytes = FIRST + 64;
    assertEquals(venue.isGone(), false);
    venue.mebibytes += 1;
    assertEquals(venue.isGone(), true);
  });

  it("judges nothing while what was let go of may not be free yet", () => {
    const venue = new Relieved(true);
    assertEquals(venue.watch?.isDisturbed(), false);
    venue.relay.isFreeing = true;
    assertEquals([venue.look(LAST), venue.watch?.isDisturbed()], [[], true]);
    venue.relay.isFreeing = false;
    venue.listener.isRenewing = true;
    assertEquals(venue.look(LAST), []);
  });

  it("leaves out what others had in the same process when the venue began", () => {
    for (const [before, ofOthers] of [[100, 0], [700, 700 - 256]] as const) {
      let bytes = before * MEBIBYTE;
      const measured = measureOfOwn(() => bytes);
      bytes = 900 * MEBIBYTE;
      assertEquals(measured() / MEBIBYTE, 900 - ofOthers);
    }
  });
});
