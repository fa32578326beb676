/** The guarded sockets of a process, on a venue whose clock the test turns. */
import { assertEquals } from "@std/assert";
import type { ApiKey } from "../../src/domain/people/member.ts";
import { CancelOnDisconnect } from "../../src/sockets/cancel_on_disconnect.ts";
import { START } from "./domain_venue.ts";
import { EngineVenue } from "./engine_venue.ts";

/** How often timers are renewed, in ms. */
export const RENEW_MS = 5;

/** What a test works with. */
export interface Guarding {
  readonly test: EngineVenue;
  readonly clock: { now: number };
  readonly guards: CancelOnDisconnect;
  readonly faults: unknown[];
}

/** Runs a test on a venue with a stopped clock and the guards of its process. */
export async function withGuards(
  test: (guarding: Guarding, key: ApiKey) => Promise<void>,
): Promise<void> {
  const clock = { now: START };
  await using venue = await EngineVenue.open({ clock });
  await venue.addUsual();
  const key = await venue.addKey("trade");
  const guarding = guardsOf(venue, clock);
  await test(guarding, key);
  await guarding.guards.close();
  assertEquals(guarding.faults, []);
}

/** Returns guards of a venue. */
export function guardsOf(test: EngineVenue, clock: { now: number }): Guarding {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const guards = new CancelOnDisconnect({ engine: test.engine, onFault, renewMs: RENEW_MS });
  return { test, clock, guards, faults };
}

/** Returns the remaining time of the soonest timer, in ms. */
export function left({ test, clock }: Guarding): number {
  return test.venue.timers.soonest - clock.now;
}
