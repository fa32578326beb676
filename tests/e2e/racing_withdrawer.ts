/**
 * A process that requests withdrawals from one balance as fast as possible: `racing_withdrawer.ts
 * <store> <first step> <steps apart> <count>`. Starts on a byte on its standard input, and prints
 * how often each answer was given, as JSON.
 */
import { isRejection, type Outcome } from "../../src/domain/command.ts";
import { UnavailableError } from "../../src/engine/engine.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { units } from "../support/domain_venue.ts";

const AT_ONCE = 10;
const AMOUNT = units("0.3");

if (import.meta.main) {
  const [path = "", first, apart, count] = Deno.args;
  const test = await EngineVenue.open({ path, isShared: true });
  await Deno.stdout.write(new TextEncoder().encode("ready\n"));
  await Deno.stdin.read(new Uint8Array(1));
  const counts = await race(test, Number(first), Number(apart), Number(count));
  await test.close();
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(counts)));
}

/** Each withdrawal has its own one-time code, which is void once a later one has been used. */
async function race(
  test: EngineVenue,
  first: number,
  apart: number,
  count: number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < count; i += AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, j) => request(test, first + (i + j) * apart)),
    );
    for (const outcome of outcomes) {
      const name = isRejection(outcome) ? outcome.rejected : outcome.kind;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

/** Requests a withdrawal; repeats it as long as it certainly had no effect. */
async function request(test: EngineVenue, step: number): Promise<Outcome> {
  const member = test.member("alice");
  const otp = { member, step, generation: 1 };
  const what = { beneficiary: 1, currency: "btc", amount: AMOUNT } as const;
  for (;;) {
    try {
      return await test.engine.submit({ kind: "request_withdraw", member, otp, ...what }, null);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}
