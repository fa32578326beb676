import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NonceSet } from "../../../src/domain/people/nonce_set.ts";
import { Prng } from "../../support/prng.ts";

const START = 1_900_000_000_000;

/** Returns what a set of texts would hold after the same steps. */
function compare(around: number, digests: number, spread: number, seed: number): void {
  const prng = new Prng(seed);
  const nonces = new NonceSet();
  const plain = new Set<string>();
  for (let step = 0; step < 2000; step++) {
    const nonce = around + Math.floor(step / 4) + prng.between(-spread, spread);
    const digest = prng.between(0, digests);
    const text = `${nonce}/${digest}`;
    assertEquals(nonces.has(nonce, digest), plain.has(text), `${text} in step ${step}`);
    if (prng.between(0, 3) > 0) {
      nonces.add(nonce, digest);
      plain.add(text);
    } else {
      nonces.delete(nonce, digest);
      plain.delete(text);
    }
    assertEquals(nonces.size, plain.size, `step ${step}`);
  }
}

describe("a set of nonces", () => {
  it("holds what was added and not removed, in whatever order", () => {
    for (const spread of [0, 3, 50, 5000]) compare(START, 0, spread, spread);
  });

  it("tells requests with digests apart", () => {
    for (const spread of [0, 3, 50]) compare(START, 2, spread, spread);
  });

  it("tells nonces apart that differ by 2^32 ms, or by any other power of two", () => {
    for (let power = 0; power <= 52; power++) {
      const nonces = new NonceSet();
      nonces.add(START % 2 ** power, 0);
      assertEquals(nonces.has(START % 2 ** power + 2 ** power, 0), false, `2^${power}`);
    }
    const nonces = new NonceSet();
    nonces.add(START, 0);
    assertEquals(nonces.has(START + 2 ** 32, 0), false);
    nonces.add(START + 2 ** 32, 0);
    nonces.delete(START, 0);
    assertEquals([nonces.has(START, 0), nonces.has(START + 2 ** 32, 0)], [false, true]);
  });
});
