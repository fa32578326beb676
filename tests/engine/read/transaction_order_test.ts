import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { compareTransactions } from "../../../src/engine/read/transaction_order.ts";

describe("deposits and withdrawals in one list", () => {
  it("are sorted by time, then by id, then deposits first", () => {
    const deposit = (id: number, createdAt: number) => ({ deposit: { id, createdAt } });
    const withdraw = (id: number, createdAt: number) => ({ withdraw: { id, createdAt } });
    const sorted = [
      withdraw(9, 1),
      withdraw(1, 2),
      deposit(2, 2),
      withdraw(2, 2),
      deposit(3, 2),
      deposit(1, 3),
    ];
    for (let turn = 0; turn < sorted.length; turn++) {
      const turned = [...sorted.slice(turn), ...sorted.slice(0, turn)] as never[];
      assertEquals(turned.sort(compareTransactions), sorted);
      assertEquals(turned.reverse().sort(compareTransactions), sorted);
    }
  });
});
