import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BurstRoom } from "../../../src/sockets/sending/burst_room.ts";

describe("the room for bursts", () => {
  it("is given to an address up to half of it, and to all up to the whole", () => {
    const room = new BurstRoom(100);
    const [one, other, last] = ["one", "other", "last"].map((address) => room.shareOf(address));
    assertEquals([one?.take(51), one?.take(50), one?.take(1)], [false, true, false]);
    assertEquals([other?.take(40), last?.take(11), last?.take(10)], [true, false, true]);
  });

  it("is one for all sockets of an address, and is there again once it is given back", () => {
    const room = new BurstRoom(100);
    const [first, second] = [room.shareOf("one"), room.shareOf("one")];
    assertEquals([first.take(50), second.take(1)], [true, false]);
    first.give(10);
    assertEquals([second.take(11), second.take(10)], [false, true]);
  });
});
