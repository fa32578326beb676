import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TooLateError } from "../../src/engine/within.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { fromBehind, RailCalls } from "../../src/wallet/rail_calls.ts";

describe("calls of a rail", () => {
  it("tell silence from an answer and from a refusal, until the next round", async () => {
    const calls = new RailCalls();
    assertEquals(await calls.answer(5_000, sleep(1_050).then(() => 7)), 7);
    await assertRejects(
      () => calls.answer(5_000, Promise.reject(new Error("away"))),
      Error,
      "away",
    );
    assertEquals(calls.isSilent, false);
    const never = new Promise<never>(() => {});
    await assertRejects(() => calls.answer(1_050, never), TooLateError);
    assertEquals(calls.isSilent, true);
    await assertRejects(
      () => calls.answer(5_000, Promise.reject(new Error("away"))),
      Error,
      "away",
    );
    assertEquals(calls.isSilent, true);
    calls.begin();
    assertEquals(calls.isSilent, false);
  });
});

describe("fromBehind", () => {
  it("has all in turn, from behind one that is there", () => {
    const behind = (last: number) => fromBehind([1, 2, 3], (one) => one === last);
    assertEquals([behind(1), behind(3), behind(9)], [[2, 3, 1], [1, 2, 3], [1, 2, 3]]);
    assertEquals(fromBehind([], () => true), []);
  });
});
