import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { keepUp } from "../../../../src/client/examples/bots/kept_up.ts";

/** Keeps something up that fails at the given steps, without waiting. */
async function kept(fails: (step: number) => boolean, steps: number) {
  const waits: number[] = [];
  const troubles: (string | null)[] = [];
  const ended = new AbortController();
  let step = 0;
  await keepUp({
    step() {
      step += 1;
      if (step === steps) ended.abort();
      return fails(step) ? Promise.reject(new Error(`step ${step}`)) : Promise.resolve();
    },
    pauseMs: () => 7,
    sleep(ms) {
      waits.push(ms);
      return Promise.resolve();
    },
    onTrouble: (error) => troubles.push(error instanceof Error ? error.message : null),
  }, ended.signal);
  return { waits, troubles, steps: step };
}

describe("what is kept up", () => {
  it("is done again and again until it is ended", async () => {
    assertEquals(await kept(() => false, 4), { waits: [7, 7, 7], troubles: [], steps: 4 });
  });

  it("waits longer the more it fails, and tells of trouble once and of its end once", async () => {
    const { waits, troubles } = await kept((step) => step <= 9, 20);
    const failing = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000];
    assertEquals(waits, [...failing, ...Array(10).fill(7)]);
    assertEquals(troubles, ["step 3", null]);
  });

  it("says nothing of failures that pass, nor over and over of what fails now and then", async () => {
    assertEquals((await kept((step) => step % 5 === 0, 50)).troubles, []);
    const often = await kept((step) => step % 3 !== 0, 300);
    assertEquals(often.troubles.length, 1);
    assert(Math.max(...often.waits) === 30_000);
  });

  it("ends in a pause, and does not say why a last step has failed", async () => {
    const ended = new AbortController();
    const told: unknown[] = [];
    const keeping = keepUp({
      step: () => Promise.resolve(),
      pauseMs: () => 100_000,
      onTrouble: (error) => told.push(error),
    }, ended.signal);
    await new Promise((resolve) => setTimeout(resolve, 5));
    ended.abort();
    await keeping;
    assertEquals(told, []);
    assertEquals((await kept((step) => step > 2, 3)).troubles, []);
  });
});
