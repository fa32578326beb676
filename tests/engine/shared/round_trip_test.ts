import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RoundTrip } from "../../../src/engine/shared/turns.ts";

describe("the round trip to a store", () => {
  it("is that of the quickest of the last answers", () => {
    const trip = new RoundTrip();
    assertEquals(trip.ms, 0);
    for (const ms of [90, 30, 200]) trip.note(ms);
    assertEquals(trip.ms, 30);
    for (let answers = 0; answers < 7; answers++) trip.note(80);
    assertEquals(trip.ms, 80, "the way has become longer");
  });
});
