import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CancelAllOrders, Outcome } from "../../../src/domain/command.ts";
import { reject } from "../../../src/domain/rejection.ts";
import { QueuedCommand } from "../../../src/engine/commit/queued_command.ts";

const CANCEL_ALL: CancelAllOrders = {
  kind: "cancel_all_orders",
  member: 0,
  market: 1,
  side: null,
};

/** Returns the answer to a cancel of all orders whose earlier parts cancelled these orders. */
function answered(before: readonly number[], outcome: Outcome): Promise<Outcome> {
  const command = new QueuedCommand(CANCEL_ALL, null, null, 0);
  command.cancelledBefore = before;
  command.settle(outcome);
  return command.answer;
}

describe("the answer to a cancel of several batches", () => {
  it("includes what each of them has cancelled", async () => {
    const cancelled = (ids: number[]) => ({ kind: "orders_cancelled", ids } as const);
    assertEquals(await answered([1, 2], cancelled([3])), cancelled([1, 2, 3]));
    assertEquals(await answered([], cancelled([3])), cancelled([3]));
  });

  it("is what was cancelled before the rest was refused; a refusal if nothing was", async () => {
    for (const refused of [reject("market_halted", "market"), reject("member_not_active")]) {
      assertEquals(await answered([1, 2], refused), { kind: "orders_cancelled", ids: [1, 2] });
      assertEquals(await answered([], refused), refused);
    }
  });
});
