import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ClosedSockets } from "../../src/sockets/socket_registry.ts";

describe("the count of closed sockets", () => {
  it("is kept by code and reason", () => {
    const closed = new ClosedSockets();
    for (const reason of ["slow reader", "another", "slow reader"]) closed.note(4008, reason);
    closed.note(1011, "another");
    assertEquals(closed.figures(), [
      { code: 4008, reason: "slow reader", count: 2 },
      { code: 4008, reason: "another", count: 1 },
      { code: 1011, reason: "another", count: 1 },
    ]);
  });

  it("does not grow without end, whatever the reasons are", () => {
    const closed = new ClosedSockets();
    for (let count = 0; count < 200; count++) closed.note(1009, `reason ${count}`);
    closed.note(1009, "reason 7");
    const figures = closed.figures();
    assertEquals([figures.length, figures[7]?.count, figures.at(-1)], [101, 2, {
      code: 1009,
      reason: "other",
      count: 100,
    }]);
  });
});
