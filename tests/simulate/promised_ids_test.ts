import { assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Landing, Slot } from "./oracle/slot.ts";
import { OutcomeUnknownError, UnavailableError } from "../../src/engine/engine.ts";
import { Calls } from "./oracle/calls.ts";
import { OracleError } from "./oracle.ts";
import type { Submission } from "./submission.ts";

const SIGNATURE = { key: 1, nonce: 1_900_000_000_000, digest: 0 };

/** Returns a sending of one call, which places an order. */
function sending(tag: number): Submission {
  const command = { kind: "place_orders", member: 2, orders: [] } as const;
  return { tag, command, signature: SIGNATURE };
}

/** Makes the call take effect as the order with this id. */
function land(calls: Calls, slot: Slot, id: number): void {
  const outcome = { kind: "orders_placed", orders: [{ repeats: id }] } as const;
  const landing: Landing = { outcomes: [outcome], last: 1, rest: [] };
  calls.land(slot, landing);
}

function answer(calls: Calls, submission: Submission, error: Error): void {
  calls.answered(submission, error, 1, () => false);
}

describe("the ids that a caller was given to ask by", () => {
  it("are those of its orders, if it has sent its call once", () => {
    const calls = new Calls();
    const slot = calls.add(sending(1));
    answer(calls, sending(1), new OutcomeUnknownError([7]));
    assertThrows(() => land(calls, slot, 5), OracleError, "ids to ask by");
  });

  it("may be those of a sending that never happened, if it has sent it again", () => {
    const calls = new Calls();
    const slot = calls.add(sending(1));
    answer(calls, sending(1), new OutcomeUnknownError([7]));
    calls.add(sending(2));
    land(calls, slot, 5);
  });

  it("are those of its orders again once the other sending had no effect", () => {
    const calls = new Calls();
    const slot = calls.add(sending(1));
    answer(calls, sending(1), new OutcomeUnknownError([7]));
    calls.add(sending(2));
    answer(calls, sending(2), new UnavailableError("nothing happened"));
    assertThrows(() => land(calls, slot, 5), OracleError, "ids to ask by");
  });
});
