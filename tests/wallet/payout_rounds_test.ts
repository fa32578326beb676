/** How many payouts a process moves at once, and where it stops. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WalletVenue } from "../support/wallet_venue.ts";

const AT_ONCE = 8;
const LEFT = 2;

/** Opens a venue with a few more withdrawals than a process moves at once. */
async function withMany(): Promise<WalletVenue> {
  const venue = await WalletVenue.open();
  for (let i = 0; i < AT_ONCE + LEFT; i++) await venue.withdraw("1");
  return venue;
}

/** Returns how many withdrawals nobody has claimed. */
function unclaimed({ test }: WalletVenue): number {
  return [...test.venue.withdraws.values()].filter(({ state }) => state === "accepted").length;
}

describe("a round of payouts", () => {
  it("claims eight at once, and the next when those are done", async () => {
    await using venue = await withMany();
    let waiting = -1;
    venue.onAddress = async () => {
      venue.onAddress = null;
      // Commands are decided in their order: after this one no claim of the round is in the queue.
      await venue.test.must({ kind: "set_switches", switches: { withdrawals: true } });
      waiting = unclaimed(venue);
    };
    await venue.wallet().tick();
    assertEquals([waiting, venue.rail.sent.length], [LEFT, AT_ONCE + LEFT]);
  });

  it("claims no more once the wallet is stopped", async () => {
    await using venue = await withMany();
    const wallet = venue.wallet();
    const stopping = Promise.withResolvers<Promise<void>>();
    venue.onAddress = () => {
      stopping.resolve(wallet.stop());
      return Promise.resolve();
    };
    wallet.start();
    await stopping.promise;
    assertEquals([unclaimed(venue), venue.rail.sent.length], [LEFT, AT_ONCE]);
    venue.onAddress = null;
    await venue.wallet().tick();
    assertEquals([unclaimed(venue), venue.rail.sent.length], [0, AT_ONCE + LEFT]);
  });
});
