import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import type { WalkedBlock } from "../../../src/wallet/utxo/chain_walk.ts";
import { outpoint } from "../../../src/wallet/utxo/node_chain.ts";
import { UtxoCoins } from "../../../src/wallet/utxo/utxo_coins.ts";
import {
  type JournalRow,
  type OwnOutput,
  type PayoutRow,
  UtxoRows,
} from "../../../src/wallet/utxo/utxo_rows.ts";
import { changedEngine } from "../../support/changed_engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const JOURNAL: JournalRow = { left: 0, payouts: [] };
const STRANGERS = { isCoinbase: false, spends: [] };

function coin(txid: string, amount: bigint): OwnOutput {
  return { txid, index: 0, amount, address: "a", place: { own: 0 } };
}

function blockSpending({ txid, index }: OwnOutput, height: number): WalkedBlock {
  const spenders = new Map([[outpoint(txid, index), "spender"]]);
  return { height, hash: "h", parent: "p", outputs: [], txids: new Set(), spenders };
}

/** Makes coins of these, final at height 3. */
async function coinsOf(venue: EngineVenue, ...outputs: readonly OwnOutput[]): Promise<UtxoCoins> {
  const coins = new UtxoCoins(venue.engine, new UtxoRows("litecoin-regtest"));
  const walked = outputs.map((output) => ({ ...output, ...STRANGERS }));
  await coins.settle(walked, 3);
  return coins;
}

async function free(coins: UtxoCoins, journal = JOURNAL): Promise<string[]> {
  return (await coins.free(journal)).map(({ txid }) => txid);
}

describe("the coins of a wallet", () => {
  const [small, large] = [coin("aa", 5n), coin("bb", 7n)];

  it("are free until a payout takes them, the largest first", async () => {
    await using venue = await EngineVenue.open();
    const coins = await coinsOf(venue, small, large);
    assertEquals(await free(coins), ["bb", "aa"]);
    const planned = { inputs: [large] } as unknown as PayoutRow;
    assertEquals(await free(coins, { left: 0, payouts: [planned] }), ["aa"]);
    await coins.take(large, "withdraw-1");
    await coins.take(large, "withdraw-1");
    assertEquals(await free(coins), ["aa"]);
    await assertRejects(() => coins.take(large, "withdraw-2"), InvariantError);
  });

  it("come back from the payout that has them, unless others have spent them", async () => {
    await using venue = await EngineVenue.open();
    const coins = await coinsOf(venue, small, large);
    for (const one of [small, large]) await coins.take(one, "withdraw-1");
    await coins.release(small, "withdraw-2", null);
    assertEquals(await free(coins), []);
    await coins.release(small, "withdraw-1", null);
    await coins.release(large, "withdraw-1", blockSpending(large, 9));
    assertEquals(await free(coins), ["aa"]);
    assertEquals((await coins.coin(large))?.spentAt, 9);
    assertEquals((await coins.coin(large))?.takenBy, null);
  });

  it("are spent by others in final blocks, those of payouts aside", async () => {
    await using venue = await EngineVenue.open();
    const coins = await coinsOf(venue, small, large);
    // Taken, and not out of the index yet.
    const { engine } = venue;
    const rows = new UtxoRows("litecoin-regtest");
    await coins.take(large, "withdraw-1");
    await engine.createSidecar({ key: rows.free(large), value: { txid: large.txid, index: 0 } });
    await coins.noteSpent([blockSpending(small, 8)]);
    await coins.noteSpent([blockSpending(large, 9)]);
    const spent = await Promise.all([small, large].map((one) => coins.coin(one)));
    assertEquals(spent.map((row) => row?.spentAt), [8, undefined]);
    assertEquals(await coins.listed(), []);
  });

  it("are noted once while they are seen, and their names are forgotten with them", async () => {
    await using venue = await EngineVenue.open();
    const created: unknown[] = [];
    const engine = changedEngine(venue.engine, {
      replaceSidecars: (groups) => {
        created.push(...groups.flat().map(({ key }) => key.at(-2)));
        return venue.engine.replaceSidecars(groups);
      },
    });
    const coins = new UtxoCoins(engine, new UtxoRows("litecoin-regtest"));
    const [one, other] = [{ ...small, ...STRANGERS }, { ...large, ...STRANGERS }];
    for (const seen of [[one], [one, other], [one, other], [other], [one, other]]) {
      await coins.note(seen);
    }
    assertEquals(created, ["aa", "bb", "aa"]);
  });

  it("leave the index once somebody meets them there that are taken or spent", async () => {
    await using venue = await EngineVenue.open();
    const coins = await coinsOf(venue, small, large);
    await coins.noteSpent([blockSpending(small, 8)]);
    await coins.take(large, "withdraw-1");
    // Who had read their rows before lists them late.
    const rows = new UtxoRows("litecoin-regtest");
    for (const one of [small, large]) {
      const value = { txid: one.txid, index: one.index };
      await venue.engine.createSidecar({ key: rows.free(one), value });
    }
    assertEquals(await free(coins), []);
    assertEquals(await coins.listed(), []);
  });
});
