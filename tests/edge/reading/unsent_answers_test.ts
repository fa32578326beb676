import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Context } from "hono";
import type { Env } from "../../../src/edge/env.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import {
  COUNTED_BYTES_MIN,
  SLICE_BYTES,
  UNDERWAY_BYTES,
  UNSENT_LIMITS,
  UnsentAnswers,
} from "../../../src/edge/reading/unsent_answers.ts";

const LIMITS = { perAddressMax: 100_000, totalMax: 250_000 };

/** A call whose answer is sent, or whose connection breaks, under the test's control. */
class TestCall {
  readonly context: Context<Env>;
  readonly #completed = Promise.withResolvers<void>();

  constructor(readonly address: string, method = "GET") {
    const { promise: completed } = this.#completed;
    this.context = { env: { completed }, req: { method }, address } as unknown as Context<Env>;
  }

  async end(how: "sent" | "broken" = "sent"): Promise<void> {
    if (how === "sent") this.#completed.resolve();
    else this.#completed.reject(new Error("The connection is closed"));
    await this.#completed.promise.catch(() => {});
  }
}

function unsentAnswers(limits = LIMITS): UnsentAnswers {
  return new UnsentAnswers((c) => (c as unknown as TestCall).address, limits);
}

function counter(): (call: TestCall, bytes: number) => void {
  const unsent = unsentAnswers();
  return ({ context }, bytes) => void unsent.count(context, bytes);
}

function assertRefused(count: () => void): void {
  const { status, errors, extras } = assertThrows(count, ApiError);
  assertEquals([status, errors, extras.headers], [
    503,
    ["server.unavailable"],
    { "Retry-After": "1" },
  ]);
}

describe("answers that are not sent yet", () => {
  it("are limited per address until they are sent or their connections end", async () => {
    for (const how of ["sent", "broken"] as const) {
      const count = counter();
      const first = new TestCall("a");
      count(first, 60_000);
      assertRefused(() => count(new TestCall("a"), 40_001));
      const second = new TestCall("a");
      count(second, 40_000);
      count(new TestCall("b"), 40_001);
      await first.end(how);
      count(new TestCall("a"), 60_000);
      assertRefused(() => count(new TestCall("a"), COUNTED_BYTES_MIN));
    }
  });

  it("may be one of any length", async () => {
    const count = counter();
    const long = new TestCall("a");
    count(long, 200_000);
    assertRefused(() => count(new TestCall("a"), COUNTED_BYTES_MIN));
    await long.end();
    count(new TestCall("a"), 200_000);
  });

  it("are limited per process, except for one of each address", () => {
    const count = counter();
    for (const address of ["a", "b"]) count(new TestCall(address), 100_000);
    count(new TestCall("c"), 30_000);
    assertRefused(() => count(new TestCall("c"), 20_001));
    count(new TestCall("c"), 20_000);
    count(new TestCall("d"), 20_000);
    assertRefused(() => count(new TestCall("d"), 20_000));
  });

  it("count less as they are taken, except for what may be on its way", async () => {
    const length = UNDERWAY_BYTES + 2 * SLICE_BYTES;
    const unsent = unsentAnswers({ perAddressMax: length, totalMax: length });
    const call = new TestCall("a");
    const reader = unsent.body(call.context, new Uint8Array(length)).getReader();
    const other = new TestCall("a").context;
    assertRefused(() => unsent.count(other, SLICE_BYTES));
    for (let taken = 0; taken <= UNDERWAY_BYTES; taken += SLICE_BYTES) await reader.read();
    assertRefused(() => unsent.count(other, SLICE_BYTES + 1));
    unsent.count(other, SLICE_BYTES);
    while (!(await reader.read()).done);
    assertRefused(() => unsent.count(other, SLICE_BYTES + 1));
    unsent.count(other, SLICE_BYTES);
    await call.end();
    unsent.count(other, UNDERWAY_BYTES);
    assertRefused(() => unsent.count(other, COUNTED_BYTES_MIN));
  });

  it("are all counted if long, and by sampling if shorter", () => {
    let dice = 0;
    const limits = { perAddressMax: 400_000, totalMax: 400_000 };
    const unsent = new UnsentAnswers(() => "a", limits, () => dice);
    const { context } = new TestCall("a");
    const ask = (length: number) => unsent.text(context, "x".repeat(length));
    assertEquals(typeof ask(COUNTED_BYTES_MIN - 1).body, "string");
    dice = 0.125;
    for (let i = 0; i < 100; i++) assertEquals(typeof ask(10_000).body, "string");
    assertEquals(ask(20_000).length, 20_000);
    dice = 0.124;
    for (let i = 0; i < 4; i++) assertEquals(ask(10_000).length, 10_000);
    assertRefused(() => ask(10_000));
    assertEquals(ask(5_000).length, 5_000);
    dice = 0.125;
    assertRefused(() => ask(5_000));
    assertEquals(typeof ask(2_500).body, "string");
    assertRefused(() => ask(20_001));
    assertEquals(ask(20_000).length, 20_000);
    assertRefused(() => ask(COUNTED_BYTES_MIN));
    assertEquals(typeof ask(COUNTED_BYTES_MIN - 1).body, "string");
  });

  it("count together for all addresses of one network", () => {
    const count = counter();
    count(new TestCall("2001:db8::1"), 60_000);
    assertRefused(() => count(new TestCall("2001:db8::2"), 60_000));
    count(new TestCall("2001:db8:0:1::1"), 60_000);
  });

  it("are always given if they are short or answer a write", () => {
    const count = counter();
    for (const address of ["a", "b"]) count(new TestCall(address), 125_000);
    count(new TestCall("a"), COUNTED_BYTES_MIN - 1);
    assertRefused(() => count(new TestCall("a"), COUNTED_BYTES_MIN));
    for (const method of ["POST", "DELETE"]) count(new TestCall("a", method), 100_000);
  });

  it("have enough room for any reader", () => {
    assertEquals(UNSENT_LIMITS, { perAddressMax: 2 ** 24, totalMax: 2 ** 28 });
  });
});
