import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TooLateError, within } from "../../src/engine/within.ts";

const LONG_MS = 60_000;

describe("an awaited answer", () => {
  it("is returned when it comes, as is an error", async () => {
    assertEquals(await within(LONG_MS, Promise.resolve(1)), 1);
    await assertRejects(() => within(LONG_MS, Promise.reject(new Error("wrong"))), Error, "wrong");
  });

  it("is given up if it does not come", async () => {
    await assertRejects(() => within(1, new Promise(() => {})), TooLateError, "within 1 ms");
  });

  it("leaves no timer behind", async () => {
    const { setTimeout, clearTimeout } = globalThis;
    const running = new Set<unknown>();
    try {
      globalThis.setTimeout = ((...given: Parameters<typeof setTimeout>) => {
        const timer = setTimeout(...given);
        // Other tests may run concurrently, with shorter timers.
        if ((given[1] ?? 0) > LONG_MS) running.add(timer);
        return timer;
      }) as typeof setTimeout;
      globalThis.clearTimeout = ((timer?: Parameters<typeof clearTimeout>[0]) => {
        running.delete(timer);
        clearTimeout(timer);
      }) as typeof clearTimeout;
      await within(2 * LONG_MS, Promise.resolve());
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
    assertEquals(running.size, 0);
  });
});
