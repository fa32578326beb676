/** Payouts are opened again by one process while another one notes how they have ended. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { CHANGE } from "../../../src/wallet/utxo/payment_plans.ts";
import { UtxoCoins, type UtxoEngine } from "../../../src/wallet/utxo/utxo_coins.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { type UtxoPayoutParts, UtxoPayouts } from "../../../src/wallet/utxo/utxo_payouts.ts";
import { type PayoutEnd, type PayoutRow, UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { interruptedEngine } from "./interrupted_engine.ts";
import { SEED } from "./rail_world.ts";

const NETWORK = present(utxoNetwork("litecoin-regtest"), "there is such a network");
const ROWS = new UtxoRows(NETWORK.name);
const ID = "withdraw-1";
/** More than either process takes. */
const STEPS_MAX = 40;
const END: PayoutEnd = { txid: "arrived", height: 8, isFailed: false };

/** A process whose chain has the payout in a final block at some height, or nothing of it. */
function processOn(engine: UtxoEngine, height: number | null): UtxoPayouts {
  const block = height === null ? null : { height };
  const walk = {
    blocks: [],
    base: null,
    last: null,
    blockOf: (txid: string) => txid === END.txid ? block : null,
    conflictOf: () => null,
    isFinal: () => true,
    addLoose: () => {},
  };
  const keys = AccountKeys.ofSeed(SEED, NETWORK.accountPath);
  const coins = new UtxoCoins(engine, ROWS);
  const parts = { engine, network: NETWORK, keys, rows: ROWS, coins, walk };
  return new UtxoPayouts(parts as unknown as UtxoPayoutParts);
}

async function rowOf({ engine }: EngineVenue): Promise<PayoutRow> {
  return present(await engine.readSidecar(ROWS.payout(ID)) as PayoutRow | null, "it stays");
}

async function isListed({ engine }: EngineVenue): Promise<boolean> {
  return await engine.readSidecar(ROWS.open(ID)) !== null;
}

/** Writes a payout that has ended; as far as it is listed, that is noted in part. */
async function writePayout({ engine }: EngineVenue, end: PayoutEnd | null, isOpen: boolean) {
  const version = { txid: END.txid, bytes: new Uint8Array(), fee: 1n, change: 5n, height: 1 };
  const versions = [version, { ...version, txid: "other" }];
  const payout = { id: ID, script: "", amount: 5n, inputs: [], versions, isSealed: false, end };
  await engine.writeSidecar({ key: ROWS.payout(ID), value: payout });
  if (isOpen) await engine.writeSidecar({ key: ROWS.open(ID), value: ID });
}

/** Has a process work, which another one interrupts at each of its steps, in a world of its own. */
async function atEachStep(
  { end, isOpen }: { readonly end: PayoutEnd | null; readonly isOpen: boolean },
  work: (engine: UtxoEngine) => Promise<void>,
  other: (engine: UtxoEngine) => Promise<void>,
  check: (venue: EngineVenue, step: number) => Promise<void>,
): Promise<void> {
  for (let at = 0;; at++) {
    assert(at < STEPS_MAX);
    await using venue = await EngineVenue.open();
    await writePayout(venue, end, isOpen);
    let [left, hasHappened] = [at, false];
    const one = interruptedEngine(venue.engine, () => left-- === 0, async () => {
      await other(venue.engine);
      hasHappened = true;
    });
    await work(one);
    if (!hasHappened) return;
    await check(venue, at);
  }
}

const reopen = (engine: UtxoEngine) => processOn(engine, null).reopen(7, 30);
const finish = (engine: UtxoEngine) => processOn(engine, null).noteEnds();
const noteOld = (engine: UtxoEngine) => processOn(engine, END.height).noteEnds();

/** It is to be sent again. */
async function assertOpen(venue: EngineVenue, step: number): Promise<void> {
  assertEquals([(await rowOf(venue)).end, await isListed(venue)], [null, true], `step ${step}`);
}

/** It has ended, or is to be sent. */
async function assertNoOrphan(venue: EngineVenue, step: number): Promise<void> {
  const { end } = await rowOf(venue);
  assertEquals(end !== null || await isListed(venue), true, `step ${step}`);
}

describe("a payout that is opened again", () => {
  for (const isOpen of [false, true]) {
    const state = { end: END, isOpen };
    const what = isOpen ? "whose end was noted in part" : "whose end was noted";
    it(`is sent, ${what}, whenever another process goes on with that`, async () => {
      await atEachStep(state, reopen, finish, assertOpen);
      await atEachStep(state, finish, reopen, assertOpen);
    });

    it(`is no orphan, ${what}, though another process has its old chain`, async () => {
      await atEachStep(state, reopen, noteOld, assertNoOrphan);
      await atEachStep(state, noteOld, reopen, assertNoOrphan);
    });
  }

  it("is no orphan if its end is noted only now", async () => {
    await atEachStep({ end: null, isOpen: true }, reopen, noteOld, assertNoOrphan);
    await atEachStep({ end: null, isOpen: true }, noteOld, reopen, assertNoOrphan);
  });

  it("is found if an older program has left it as one that nobody sends", async () => {
    await using venue = await EngineVenue.open();
    await writePayout(venue, null, false);
    await reopen(venue.engine);
    await assertOpen(venue, 0);
    assertEquals((await rowOf(venue)).versions.map(({ height }) => height), [1, 1]);
  });

  it("loses nothing by its old end, which another process has read before", async () => {
    await using venue = await EngineVenue.open();
    await writePayout(venue, END, true);
    const coins = new UtxoCoins(venue.engine, ROWS);
    const change = { txid: "other", index: 1, amount: 5n, address: "own", place: CHANGE };
    await coins.expectChange(change, ID);
    const isNow = (name: string) => name === "changeSidecar";
    await finish(interruptedEngine(venue.engine, isNow, () => reopen(venue.engine)));
    assertEquals((await coins.coin(change))?.spentAt, undefined);
    await assertOpen(venue, 0);
  });

  it("ends in the other chain's block, once that is final", async () => {
    await using venue = await EngineVenue.open();
    await writePayout(venue, END, false);
    await reopen(venue.engine);
    await processOn(venue.engine, 31).noteEnds();
    assertEquals((await rowOf(venue)).end, { ...END, height: 31 });
    assertEquals(await isListed(venue), false);
  });
});
