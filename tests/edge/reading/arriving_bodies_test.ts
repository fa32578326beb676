import { assertEquals, assertThrows } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { Context } from "hono";
import { ArrivingBodies } from "../../../src/edge/reading/arriving_bodies.ts";
import type { Env } from "../../../src/edge/env.ts";
import { ApiError } from "../../../src/edge/errors.ts";

const LIMITS = { freeMax: 100, perAddressMax: 50, totalMax: 180 };

/** Returns what takes room for a body that comes from an address. */
function takerOf(bodies: ArrivingBodies): (from: string, bytes: number) => () => void {
  return (from, bytes) => bodies.take({ from } as unknown as Context<Env>, bytes);
}

function open(): { bodies: ArrivingBodies; take: (from: string, bytes: number) => () => void } {
  const addressOf = (c: Context<Env>) => (c as unknown as { from: string }).from;
  const bodies = new ArrivingBodies(addressOf, LIMITS);
  return { bodies, take: takerOf(bodies) };
}

it("bodies on their way take what is free, then each address has a part, up to a total", () => {
  const { bodies, take } = open();
  const free = take("192.0.2.1", 100);
  const first = take("192.0.2.1", 50);
  const refused = assertThrows(() => take("192.0.2.1", 1), ApiError, "server.unavailable");
  assertEquals([refused.status, refused.extras.headers], [503, {
    "Retry-After": "1",
    "Connection": "close",
  }]);
  const second = take("192.0.2.2", 30);
  assertThrows(() => take("192.0.2.3", 1), ApiError, "server.unavailable");
  assertEquals(bodies.total, 180);
  first();
  take("192.0.2.1", 50)();
  for (const end of [second, free]) end();
  assertEquals(bodies.total, 0);
});

it("bodies of one network count together", () => {
  const { take } = open();
  take("2001:db8::1", 100);
  take("2001:db8::2", 50);
  assertThrows(() => take("2001:db8::3", 1), ApiError, "server.unavailable");
  take("2001:db8:1::1", 30);
});
