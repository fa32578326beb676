/** Judges what can be read of members' funds in the past: it has to add up over any time. */
import { assert } from "../../src/domain/assert.ts";
import { fundsOf, tradeMovements } from "../../src/domain/money/funds.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Prng } from "../support/prng.ts";

const ALL = { offset: 0, limit: 1_000_000, direction: "asc" } as const;
/** Ranges that are looked at for each member. */
const RANGES = 3;

/**
 * Asserts that all that is listed of a member leads from what it had before a time to what it had
 * before another, and from nothing to what it has now.
 */
export async function judgeStatements(engine: Engine, prng: Prng, since: number): Promise<void> {
  for (const { member } of engine.venue.members()) {
    const { time } = engine.venue;
    const some = () => since + prng.below(Math.max(1, time - since));
    const ranges = Array.from({ length: RANGES }, () => [some(), some()].sort((a, b) => a - b));
    for (const [from = 0, to = 0] of [[0, time + 1], ...ranges]) {
      await judgeRange(engine, member.index, from, to);
    }
  }
}

async function judgeRange(
  engine: Engine,
  member: number,
  from: number,
  to: number,
): Promise<void> {
  const { funds, venue } = engine;
  const moment = funds.now(member);
  const { totals: opening } = await funds.before(member, moment, from);
  const { totals: closing } = await funds.before(member, moment, to);
  const moved = await funds.moved(member, moment, { from, to }, ALL);
  const trades = await engine.trades(member, { from, to }, ALL);
  const movements = [
    ...moved.items.flatMap((record) => record.moved?.movements ?? []),
    ...trades.items.flatMap((one) => tradeMovements(one, venue.book(one.market).market)),
  ];
  for (const { id, index } of venue.currencies) {
    const nets = movements.map(({ currency, gross, fee }) => currency === index ? gross - fee : 0n);
    const sum = nets.reduce((a, b) => a + b, opening.get(index) ?? 0n);
    const end = closing.get(index) ?? 0n;
    assert(sum === end, `the ${id} of member ${member} from ${from} to ${to} add up`);
    const now = fundsOf(venue.holder(member).accounts[index]);
    assert(to <= venue.time || end === now, `the ${id} of member ${member} are those it has`);
  }
}
