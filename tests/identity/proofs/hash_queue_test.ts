import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { type HashLane, HashQueue } from "../../../src/identity/proofs/hash_queue.ts";
import { outcomeOf } from "../../support/identity_venue.ts";

/** Parties whose work ends under the test's control, and the outcomes by party. */
class Crowd {
  readonly #turns = new HashQueue();
  readonly #end = Promise.withResolvers<void>();
  readonly #outcomes: Promise<string>[] = [];
  /** Parties in the order in which their work started. */
  readonly begun: string[] = [];

  /** Submits `count` pieces of work of a party, one after the other. */
  async ask(party: string, count: number, lane: HashLane = "other"): Promise<void> {
    for (let i = 0; i < count; i++) {
      const work = () => {
        this.begun.push(party);
        return this.#end.promise;
      };
      const outcome = outcomeOf(this.#turns.run({ name: party, lane }, work));
      this.#outcomes.push(outcome.then((text) => `${party} ${text}`));
      await Promise.resolve();
    }
  }

  /** Ends all work; returns how often each outcome occurred. */
  async end(): Promise<Record<string, number>> {
    this.#end.resolve();
    const counts: Record<string, number> = {};
    for (const one of await Promise.all(this.#outcomes)) counts[one] = (counts[one] ?? 0) + 1;
    return counts;
  }
}

describe("turns of hashes", () => {
  it("rotate among the parties, each served in its order of asking", async () => {
    const crowd = new Crowd();
    for (const [party, count] of [["a", 5], ["b", 2], ["c", 1]] as const) {
      await crowd.ask(party, count);
    }
    assertEquals(crowd.begun, ["a", "a"]);
    assertEquals(await crowd.end(), { "a ok": 5, "b ok": 2, "c ok": 1 });
    assertEquals(crowd.begun, ["a", "a", "a", "b", "c", "a", "b", "a"]);
  });

  it("are refused to a party that has taken all places", async () => {
    const crowd = new Crowd();
    await crowd.ask("a", 40);
    assertEquals(await crowd.end(), { "a ok": 34, "a unavailable": 6 });
  });

  it("go to latecomers at the expense of the party that has the most", async () => {
    const crowd = new Crowd();
    await crowd.ask("a", 30);
    await crowd.ask("b", 10);
    await crowd.ask("c", 1);
    // Two of the first party's are already running and keep their places.
    assertEquals(await crowd.end(), {
      "a ok": 23,
      "a unavailable": 7,
      "b ok": 10,
      "c ok": 1,
    });
  });

  it("are not taken from one as small", async () => {
    const crowd = new Crowd();
    const parties = Array.from({ length: 34 }, (_, i) => `p${i}`);
    for (const party of parties) await crowd.ask(party, 1);
    await crowd.ask("late", 1);
    const outcomes = await crowd.end();
    assertEquals(outcomes["late unavailable"], 1);
    assertEquals(Object.keys(outcomes).filter((name) => name.endsWith(" ok")).length, 34);
  });

  it("go past strangers, however many, to who has shown to be a member", async () => {
    const crowd = new Crowd();
    for (const lane of ["other", "first"] as const) {
      for (let place = 0; place < 40; place++) await crowd.ask(`${lane}${place}`, 1, lane);
    }
    await crowd.ask("member", 3, "proven");
    const outcomes = await crowd.end();
    assertEquals(outcomes["member ok"], 3);
    assertEquals(
      crowd.begun.slice(2, 9).join(" "),
      "member first0 member other2 member first1 other3",
    );
    assertEquals(outcomes["first31 ok"], 1);
    assertEquals(outcomes["first32 unavailable"], 1);
  });
});
