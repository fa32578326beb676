import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  NONCE_ACCEPTED_WINDOWS,
  NONCE_KEPT_WINDOWS,
  NonceWindow,
} from "../../../src/domain/people/nonce_window.ts";
import { Prng } from "../../support/prng.ts";

const WINDOW = 5000;
const START = 1_900_000_000_000;

describe("the nonces of a key", () => {
  it("are accepted once", () => {
    const nonces = new NonceWindow();
    assertEquals(nonces.has(START, 0), false);
    nonces.add(START, 0, START, WINDOW);
    assertEquals(nonces.has(START, 0), true);
    assertEquals(nonces.has(START + 1, 0), false);
  });

  it("are told apart by their requests' digests", () => {
    const nonces = new NonceWindow();
    nonces.add(START, 7, START, WINDOW);
    assertEquals([nonces.has(START, 7), nonces.has(START, 8), nonces.has(START, 0)], [
      true,
      false,
      false,
    ]);
  });

  it("are free again once undone, even after a change of generation", () => {
    const nonces = new NonceWindow();
    const [, first, second] = [0, 15_000, 21_000].map((ms) => {
      nonces.add(START + ms, 0, START + ms, WINDOW);
      return START + ms;
    }) as [number, number, number];
    nonces.delete(second, 0);
    assertEquals([first, second].map((nonce) => nonces.has(nonce, 0)), [true, false]);
    nonces.delete(first, 0);
    assertEquals([nonces.has(first, 0), nonces.size], [false, 1]);
  });

  it("stay used when others of their generation are undone", () => {
    const nonces = new NonceWindow();
    for (const nonce of [START, START + 1, START + 2]) nonces.add(nonce, 0, START, WINDOW);
    nonces.delete(START + 1, 0);
    assertEquals([0, 1, 2].map((i) => nonces.has(START + i, 0)), [true, false, true]);
    assertEquals(nonces.size, 2);
  });

  it("are remembered as long as they could be accepted, whenever they were used", () => {
    const prng = new Prng(3);
    const reach = NONCE_ACCEPTED_WINDOWS * WINDOW;
    const nonces = new NonceWindow();
    const used: number[] = [];
    for (let at = START; at < START + 400 * WINDOW; at += prng.between(1, 700)) {
      for (const nonce of used) {
        if (Math.abs(at - nonce) <= reach) assert(nonces.has(nonce, 0), `${nonce} at ${at}`);
      }
      const nonce = at + prng.between(-reach, reach);
      if (nonces.has(nonce, 0)) continue;
      nonces.forget(at, WINDOW);
      nonces.add(nonce, 0, at, WINDOW);
      used.push(nonce);
      if (used.length > 200) used.shift();
    }
  });

  it("are remembered unless below the forgotten mark, whatever the clock does", () => {
    const prng = new Prng(4);
    const nonces = new NonceWindow();
    const used: number[] = [];
    let at = START;
    for (let i = 0; i < 3000; i++) {
      at += i % 100 === 0 ? prng.between(-40 * WINDOW, 80 * WINDOW) : prng.between(1, 700);
      const nonce = at + prng.between(-WINDOW, WINDOW);
      if (nonce > nonces.forgotten && !nonces.has(nonce, 0)) {
        nonces.add(nonce, 0, at, WINDOW);
        used.push(nonce);
      }
      for (const one of used) assert(one <= nonces.forgotten || nonces.has(one, 0), String(one));
    }
  });

  it("are forgotten only when they can no longer be accepted", () => {
    const prng = new Prng(5);
    const nonces = new NonceWindow();
    for (let at = START; at < START + 400 * WINDOW; at += prng.between(1, 6 * WINDOW)) {
      assert(nonces.forgotten < at - NONCE_ACCEPTED_WINDOWS * WINDOW);
      nonces.add(at + prng.between(-WINDOW, WINDOW), 0, at, WINDOW);
    }
    assert(nonces.forgotten > START);
  });

  it("are eventually forgotten", () => {
    const nonces = new NonceWindow();
    for (let i = 0; i < 10_000; i++) nonces.add(START + i * 100, 0, START + i * 100, WINDOW);
    assert(nonces.size <= 8 * WINDOW / 100 + 2, `${nonces.size} are too many`);
  });

  it("are forgotten generation by generation when a key falls silent", () => {
    const nonces = new NonceWindow();
    const kept = NONCE_KEPT_WINDOWS * WINDOW;
    const [, last, young] = [0, kept - 1, kept + 1].map((ms) => {
      nonces.add(START + ms, 0, START + ms, WINDOW);
      return START + ms;
    }) as [number, number, number];
    const sizes = [last, last + 1, young, young + 1].map((used) => {
      nonces.forget(used + kept, WINDOW);
      return nonces.size;
    });
    assertEquals(sizes, [3, 1, 1, 0]);
  });

  it("are not forgotten by the time of a batch, which may be undone", () => {
    const nonces = new NonceWindow();
    nonces.add(START, 0, START, WINDOW);
    const ahead = START + 3 * NONCE_KEPT_WINDOWS * WINDOW;
    for (let i = 0; i < 5; i++) {
      nonces.add(ahead + i, 0, ahead + i, WINDOW, START + 1);
      nonces.delete(ahead + i, 0);
    }
    assertEquals([nonces.has(START, 0), nonces.size, nonces.forgotten], [true, 1, 0]);
  });

  it("are kept for their life after a long silence of the log", () => {
    const nonces = new NonceWindow();
    const later = START + 3_600_000;
    nonces.add(later, 0, later, WINDOW, START);
    nonces.forget(later, WINDOW);
    nonces.add(later + 1, 0, later + 1, WINDOW, later);
    assertEquals([nonces.has(later, 0), nonces.has(later + 1, 0)], [true, true]);
  });
});
