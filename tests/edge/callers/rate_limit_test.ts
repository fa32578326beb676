import { Hono } from "hono";
import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertThrows } from "@std/assert";
import { answerText } from "../../../src/edge/answer.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import type { Env } from "../../../src/edge/env.ts";
import { ORDERS_PER_BULK_OVERRIDE_MAX } from "../../../src/domain/limits.ts";
import {
  CHARACTERS_PER_COST,
  costOf,
  FAILING_ADDRESSES_MAX,
  MemberRateLimit,
  SIGNATURE_FAILURES_MAX,
  SIGNATURE_FAILURES_WINDOW_MS,
  SignatureFailures,
} from "../../../src/edge/callers/rate_limit.ts";

interface Answer {
  readonly status: number;
  /** Limit, remaining and reset. */
  readonly allowance: (string | null)[];
  readonly retryAfter: string | null;
}

/** Creates a route that takes as many tokens of a member as a call costs. */
function limitedApp(perSecond: number) {
  const limit = new MemberRateLimit(perSecond);
  const time = { now: 1_000_000 };
  const app = new Hono<Env>();
  app.get("/:member", (c) => {
    const cost = Number(c.req.query("cost") ?? 1);
    const tooMany = limit.take(c, Number(c.req.param("member")), time.now, cost);
    if (tooMany !== null) throw tooMany;
    return answerText(c, 200, "ok");
  });
  app.onError((error, c) => {
    if (!(error instanceof ApiError)) throw error;
    return answerText(c, error.status, error.message, error.extras.headers);
  });
  async function call(member = 0, cost = 1): Promise<Answer> {
    const { status, headers } = await app.request(`/${member}?cost=${cost}`);
    return {
      status,
      allowance: ["Limit", "Remaining", "Reset"].map((name) => headers.get(`RateLimit-${name}`)),
      retryAfter: headers.get("Retry-After"),
    };
  }
  return { time, call };
}

describe("MemberRateLimit", () => {
  it("lets a second's worth through at once, and says what is left", async () => {
    const { call } = limitedApp(3);
    assertEquals((await call()).allowance, ["3", "2", "1"]);
    assertEquals((await call()).allowance, ["3", "1", "1"]);
    assertEquals(await call(), { status: 200, allowance: ["3", "0", "1"], retryAfter: null });
  });

  it("answers 429 with Retry-After when nothing is left", async () => {
    const { call } = limitedApp(1);
    await call();
    assertEquals(await call(), { status: 429, allowance: ["1", "0", "1"], retryAfter: "1" });
  });

  it("refills evenly and never above a second's worth", async () => {
    const { call, time } = limitedApp(10);
    for (let i = 0; i < 10; i++) assertEquals((await call()).status, 200);
    time.now += 99;
    assertEquals((await call()).status, 429);
    time.now += 1;
    assertEquals((await call()).status, 200);
    assertEquals((await call()).status, 429);
    time.now += 60_000;
    for (let i = 0; i < 10; i++) assertEquals((await call()).status, 200);
    assertEquals((await call()).status, 429);
  });

  it("lets a call of any cost through while a token is left, and has it paid before the next", async () => {
    const { call, time } = limitedApp(10);
    for (let i = 0; i < 9; i++) await call();
    assertEquals(await call(0, 25), { status: 200, allowance: ["10", "0", "4"], retryAfter: null });
    assertEquals((await call()).retryAfter, "3");
    time.now += 2_499;
    assertEquals((await call()).retryAfter, "1");
    time.now += 2;
    assertEquals((await call()).status, 200);
  });

  it("counts each member for itself", async () => {
    const { call } = limitedApp(1);
    assertEquals((await call(1)).status, 200);
    assertEquals((await call(2)).status, 200);
    assertEquals((await call(1)).status, 429);
  });

  it("gives nothing for a clock that goes backwards", async () => {
    const { call, time } = limitedApp(1);
    await call();
    time.now -= 10_000;
    assertEquals((await call()).status, 429);
    time.now += 1_000;
    assertEquals((await call()).status, 200);
  });

  it("refuses a rate that is no positive integer", () => {
    for (const rate of [0, -1, 1.5, NaN, Infinity]) {
      assertThrows(() => new MemberRateLimit(rate), RangeError);
    }
  });
});

describe("what a call costs", () => {
  it("is 1 for each item or for so much text, but for items that are refused at once", () => {
    const most = ORDERS_PER_BULK_OVERRIDE_MAX;
    assertEquals([0, 1, 2, most, most + 1].map((items) => costOf(items, 0)), [1, 1, 2, most, 1]);
    assertEquals([1, 3].map((items) => costOf(items, CHARACTERS_PER_COST + 1)), [2, 3]);
    assertEquals(costOf(most + 1, 10 * CHARACTERS_PER_COST), 10);
  });
});

describe("SignatureFailures", () => {
  function failUntilThrottled(failures: SignatureFailures, address: string, now: number): void {
    for (let i = 0; i < SIGNATURE_FAILURES_MAX; i++) failures.add(address, now);
    const error = assertThrows(() => failures.add(address, now), ApiError);
    assertEquals([error.status, error.message], [429, "server.rate_limited"]);
  }

  it("takes ten failures of an address in a minute, then answers 429", () => {
    const failures = new SignatureFailures();
    failUntilThrottled(failures, "10.0.0.1", 0);
    failures.add("10.0.0.2", 0);
    const later = assertThrows(() => failures.add("10.0.0.1", 58_500), ApiError);
    assertEquals(later.extras.headers, { "Retry-After": "2" });
    failUntilThrottled(failures, "10.0.0.1", SIGNATURE_FAILURES_WINDOW_MS);
  });

  it("begins a new minute if the clock was set back", () => {
    const failures = new SignatureFailures();
    const [before, after] = [3_600_000, 0];
    failUntilThrottled(failures, "10.0.0.1", before);
    failUntilThrottled(failures, "10.0.0.1", after);
    const error = assertThrows(() => failures.add("10.0.0.1", after), ApiError);
    assertEquals(error.extras.headers, { "Retry-After": "60" });
  });

  it("treats an IPv6 network as one address", () => {
    const failures = new SignatureFailures();
    for (let i = 0; i < SIGNATURE_FAILURES_MAX; i++) failures.add(`2001:db8:1:2::${i}`, 0);
    assertThrows(() => failures.add("2001:db8:1:2:ffff::1", 0), ApiError);
    failures.add("2001:db8:1:3::1", 0);
  });

  it("tells mapped IPv4 addresses apart", () => {
    const failures = new SignatureFailures();
    failUntilThrottled(failures, "::ffff:10.0.0.1", 0);
    failures.add("::ffff:10.0.0.2", 0);
  });

  it("remembers only so many of the latest addresses", () => {
    const failures = new SignatureFailures();
    for (let i = 0; i < FAILING_ADDRESSES_MAX + 100; i++) {
      failures.add(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 0);
    }
    assertEquals(failures.size, FAILING_ADDRESSES_MAX);
  });

  it("forgets those in a new minute after those that are not", () => {
    const failures = new SignatureFailures();
    const later = SIGNATURE_FAILURES_WINDOW_MS;
    for (let i = 0; i < FAILING_ADDRESSES_MAX; i++) failures.add(`address ${i}`, 0);
    for (let i = 0; i < SIGNATURE_FAILURES_MAX; i++) failures.add("address 0", later);
    failures.add("one more", later);
    assertThrows(() => failures.add("address 0", later), ApiError);
  });
});
