import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FEES_MEMBER, FIRST_MEMBER } from "../../../src/domain/people/member.ts";
import { Venue } from "../../../src/domain/venue.ts";
import { type CurrencyFunds, MEMBERS_PER_PORTION } from "../../../src/engine/read/funds_walk.ts";
import { PublishedState } from "../../../src/engine/published_state.ts";
import { yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import { GENESIS_HASH } from "../../../src/store/log/entry_codec.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Counts everybody at once. */
function counted(venue: Venue): CurrencyFunds[] {
  return venue.currencies.map(({ index }) => {
    const sum = { total: 0n, locked: 0n, holders: 0 };
    for (const { accounts } of venue.holders.slice(FIRST_MEMBER)) {
      const { available, locked } = accounts[index] ?? { available: 0n, locked: 0n };
      sum.total += available + locked;
      sum.locked += locked;
      if (available + locked > 0n) sum.holders += 1;
    }
    return { ...sum, fees: venue.holder(FEES_MEMBER).accounts[index]?.available ?? 0n };
  });
}

/** Publishes what happens to a venue, entry by entry. */
class Publisher {
  readonly state = new PublishedState(
    new Venue({ nonceWindowMs: 5000, undo: null }),
    GENESIS_HASH,
  );

  constructor(readonly test: DomainVenue) {
    this.publish();
  }

  publish(): void {
    const { sequence } = this.state;
    const news = this.test.sink.events.slice(sequence);
    const events = news.map(({ event }) => event);
    const at = news.at(-1)?.at ?? 0;
    const [batchId, hash] = [new Uint8Array(16), GENESIS_HASH];
    this.state.take({ first: sequence + 1, at, batchId, events, hash });
  }
}

/** Returns a venue with two members between whom there are portions of others. */
function crowded(): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
    .withMember("ann", { btc: "5", usdt: "5000" });
  for (let i = 0; i < 2 * MEMBERS_PER_PORTION; i++) test.withMember(`m${i}`);
  return test.withMember("zoe", { btc: "5", usdt: "5000" }).withMember("zac", { btc: "3" })
    .withMember("zed", { btc: "3" });
}

describe("the sums of members' funds", () => {
  it("are those of one moment, whatever happens while members are counted", async () => {
    const test = crowded();
    const resting = test.sell("zac", "2", "100");
    test.sell("zoe", "2", "100");
    const publisher = new Publisher(test);
    const { state } = publisher;
    const before = counted(state.venue);
    const counting = state.sumFunds();
    const steps = [
      () => test.cancel("zac", resting.id),
      () => test.buy("ann", "0.5", "100"),
      () => test.withMember("new", { btc: "7" }).withMember("newer", { btc: "1" }),
      () => test.must({ kind: "adjust_balance", uid: "zed", currency: "btc", amount: -units(3) }),
      () => test.sell("zoe", "1", "90"),
      () => test.withMarket("eth", "usdt").withMember("ned", { eth: "1" }),
    ];
    for (const step of steps) {
      step();
      publisher.publish();
    }
    assertEquals(await counting, before);
    const after = counted(state.venue);
    assertEquals(await state.sumFunds(), after);
    assertEquals(after.length, before.length + 1);
    assert(after[0]?.total !== before[0]?.total && after[0]?.fees !== before[0]?.fees);
    assert(after[0]?.holders !== before[0]?.holders && after[0]?.locked !== before[0]?.locked);
  });

  it("let others have their turn", async () => {
    const { state } = new Publisher(crowded());
    let turns = 0;
    let isCounted = false;
    const counting = state.sumFunds().then(() => isCounted = true);
    for (; !isCounted; turns++) await yieldToOthers();
    await counting;
    assert(turns >= 3, `${turns}`);
  });
});

function units(coins: number): bigint {
  return BigInt(coins) * 10n ** 16n;
}
