import type { Outcome } from "../../src/domain/command.ts";
import type { EngineVenue } from "./engine_venue.ts";
import type { Prng } from "./prng.ts";
import {
  randomCommand,
  STREAM_FUNDS,
  STREAM_MARKETS,
  STREAM_MEMBERS,
  STREAM_OPEN_ORDERS_MAX,
} from "./random_command.ts";
import { commandOf } from "./run_random_command.ts";

/** Adds the markets and members of random streams, with `funds` times the usual funds. */
export async function addStream(test: EngineVenue, funds: bigint = 1n): Promise<void> {
  for (const market of STREAM_MARKETS) await test.addMarket(market.base, market.quote, market);
  for (const uid of STREAM_MEMBERS) {
    await test.addMember(uid);
    const changes = { openOrdersMax: STREAM_OPEN_ORDERS_MAX };
    await test.must({ kind: "change_member", uid, changes });
    for (const [currency, amount] of Object.entries(STREAM_FUNDS)) {
      await test.must({ kind: "adjust_balance", uid, currency, amount: amount * funds });
    }
  }
}

/** Submits random commands, `width` at a time; returns the outcomes in the order submitted. */
export async function runStream(
  test: EngineVenue,
  prng: Prng,
  count: number,
  width: number = 16,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const draw = (below: number) => prng.below(below);
  while (outcomes.length < count) {
    const some = Array.from({ length: Math.min(width, count - outcomes.length) }, () => {
      const command = commandOf(test.venue, randomCommand(draw, test.venue));
      return test.engine.submit(command, null);
    });
    outcomes.push(...await Promise.all(some));
  }
  return outcomes;
}
