import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CutReads, CUTS_MAX } from "../../../src/sockets/streams/replay.ts";
import { noMessages } from "../../../src/domain/message_counts.ts";

/** Notes cut reads of members `first` to `last`. */
function noteMembers(cuts: CutReads, first: number, last: number): void {
  for (let member = first; member <= last; member++) {
    cuts.note(member, { ...noMessages(), order: 10, trade: 10 });
  }
}

function wouldBeCut(cuts: CutReads, member: number, since: number): boolean {
  return cuts.areAfter(member, "order", since);
}

describe("cut reads", () => {
  it("are remembered up to their place", () => {
    const cuts = new CutReads();
    noteMembers(cuts, 1, 1);
    assertEquals([9, 10].map((since) => wouldBeCut(cuts, 1, since)), [true, false]);
    assertEquals(wouldBeCut(cuts, 2, 0), false);
  });

  it("are forgotten when many others have come, but not the last ones", () => {
    const cuts = new CutReads();
    noteMembers(cuts, 1, CUTS_MAX + 1);
    assertEquals(wouldBeCut(cuts, 2, 0), true);
    noteMembers(cuts, CUTS_MAX + 2, 2 * CUTS_MAX);
    assertEquals(wouldBeCut(cuts, 1, 0), false);
    assertEquals(wouldBeCut(cuts, CUTS_MAX + 1, 0), true);
    assertEquals(wouldBeCut(cuts, 2 * CUTS_MAX, 0), true);
  });
});
