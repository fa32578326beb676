import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { WalkedBlock, WalkedOutput } from "../../../src/wallet/utxo/chain_walk.ts";
import { UtxoCoins } from "../../../src/wallet/utxo/utxo_coins.ts";
import { type UtxoPayoutParts, UtxoPayouts } from "../../../src/wallet/utxo/utxo_payouts.ts";
import { type PayoutRow, UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import { present } from "../../../src/domain/assert.ts";
import { AccountKeys } from "../../../src/wallet/keys/account_keys.ts";
import { CHANGE } from "../../../src/wallet/utxo/payment_plans.ts";
import { addressOfKey } from "../../../src/wallet/utxo/utxo_addresses.ts";
import { NodeRefusalError } from "../../../src/wallet/utxo/utxo_faults.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import type { JsonRpc, NodeValue } from "../../../src/wallet/utxo/utxo_node.ts";
import { RailWorld, SEED } from "./rail_world.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import type { LitecoinNode } from "../../support/litecoin_node.ts";

function output(txid: string): WalkedOutput {
  const place = { member: 1 };
  return { txid, index: 0, amount: 5n, address: "a", place, isCoinbase: false, spends: [] };
}

function blockSpending(name: string, height: number): WalkedBlock {
  const spenders = new Map([[name, "spender"]]);
  return { height, hash: "h", parent: "p", outputs: [], txids: new Set(), spenders };
}

function hashAt(height: number): string {
  return height.toString(16).padStart(64, "0");
}

describe("what a chain's lost blocks had made of the wallet's coins", () => {
  it("is forgotten: coins are not final, and those that others spent are there again", async () => {
    await using venue = await EngineVenue.open();
    const coins = new UtxoCoins(venue.engine, new UtxoRows("litecoin-regtest"));
    for (const [txid, height] of [["old", 5], ["new", 9], ["gone", 4], ["kept", 4]] as const) {
      await coins.settle([output(txid)], height);
    }
    await coins.noteSpent([blockSpending("gone:0", 6), blockSpending("kept:0", 9)]);
    const listed = async () => (await coins.listed()).map(({ txid }) => txid).sort();
    assertEquals(await listed(), ["new", "old"]);
    await coins.unsettle(7);
    const rows = await coins.rows(["old", "new", "gone", "kept"].map((txid) => output(txid)));
    assertEquals(rows.map(({ height, spentAt }) => [height, spentAt]), [
      [5, undefined],
      [null, undefined],
      [4, 6],
      [4, undefined],
    ]);
    assertEquals(await listed(), ["kept", "new", "old"]);
    // Seen again, in another block.
    await coins.settle([output("new")], 8);
    assertEquals((await coins.coin(output("new")))?.height, 8);
  });

  it("is forgotten: payouts that had arrived are open again, and those that failed are not", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const rows = new UtxoRows("litecoin-regtest");
    const coins = new UtxoCoins(engine, rows);
    const payouts = new UtxoPayouts({ engine, rows, coins } as unknown as UtxoPayoutParts);
    const ends: [string, PayoutRow["end"]][] = [
      ["early", { txid: "a", height: 7, isFailed: false }],
      ["late", { txid: "b", height: 8, isFailed: false }],
      ["failed", { txid: "c", height: 8, isFailed: true }],
    ];
    for (const [id, end] of ends) {
      const versions = [{ txid: "0", height: 1, change: 0n }, {
        txid: end?.txid,
        height: 2,
        change: 0n,
      }];
      await engine.writeSidecar({ key: rows.payout(id), value: { id, end, versions } });
    }
    await payouts.reopen(7, 30);
    const found = await Promise.all(ends.map(([id]) => payouts.row(id)));
    assertEquals(found.map((row) => row?.end?.height ?? null), [7, null, 8]);
    // It is sent as it was, before it is raised again.
    const heights = found.map((row) => row?.versions.map(({ height }) => height));
    assertEquals(heights, [[1, 2], [1, 30], [1, 2]]);
    const open = await engine.listSidecar({ prefix: rows.allOpen, limit: 9 });
    assertEquals(open.map(({ value }) => value), ["late"]);
  });

  it("is forgotten: a payout whose change is spent is sent as it had arrived, and no other way", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const network = present(utxoNetwork("litecoin-regtest"), "there is such a network");
    const keys = AccountKeys.ofSeed(SEED, network.accountPath);
    const rows = new UtxoRows(network.name);
    const coins = new UtxoCoins(engine, rows);
    const sent: string[] = [];
    const send = (bytes: string) => Promise.reject(new NodeRefusalError("send", sent.push(bytes)));
    const chain = { send };
    const parts = { engine, network, keys, rows, coins, chain, walk: { last: null } };
    const payouts = new UtxoPayouts(parts as unknown as UtxoPayoutParts);
    const own = addressOfKey(network, keys.publicKeyAt(CHANGE));
    for (const [id, spender] of [["spent", "next"], ["kept", null]] as const) {
      const change = { ...output(`${id}-1`), address: own, place: CHANGE, index: 1 };
      await coins.settle([change], 8);
      if (spender !== null) await coins.take(change, spender);
      const versions = [1, 2].map((number) => {
        const txid = `${id}-${number}`;
        return { txid, bytes: txid, fee: 1n, change: 5n, height: number };
      });
      const end = { txid: `${id}-1`, height: 8, isFailed: false };
      const value = { id, script: "", amount: 1n, inputs: [], versions, isSealed: false, end };
      await engine.writeSidecar({ key: rows.payout(id), value });
    }
    await payouts.reopen(7, 30);
    for (const id of ["spent", "kept"]) {
      const row = present(await payouts.row(id), "it stays");
      await assertRejects(() => payouts.broadcast(row), NodeRefusalError);
    }
    assertEquals(sent, ["spent-1", "kept-2", "kept-1"]);
    const found = await coins.rows(["spent-1", "kept-1"].map((txid) => ({ txid, index: 1 })));
    assertEquals(found.map(({ changeOf }) => changeOf), ["spent", "kept"]);
  });

  it("is forgotten: so is one whose member has been paid by it, if that is spent", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const rows = new UtxoRows("litecoin-regtest");
    const coins = new UtxoCoins(engine, rows);
    const payouts = new UtxoPayouts({ engine, rows, coins } as unknown as UtxoPayoutParts);
    for (const id of ["taken", "spent", "kept", "raised"]) {
      const versions = [2, 1].map((number) => ({ txid: `${id}-${number}`, height: 1, change: 0n }));
      const end = { txid: `${id}-1`, height: 8, isFailed: false };
      const value = { id, script: "", amount: 5n, inputs: [], versions, isSealed: false, end };
      await engine.writeSidecar({ key: rows.payout(id), value });
      await coins.settle([output(`${id}-1`)], 8);
    }
    await coins.take({ ...output("taken-1"), place: CHANGE }, "next");
    await coins.noteSpent([blockSpending("spent-1:0", 9)]);
    await coins.note([output("raised-2")]);
    await coins.lose(output("raised-2"), 8);
    await payouts.reopen(7, 30);
    const ids = ["taken", "spent", "kept", "raised"];
    const found = await Promise.all(ids.map((id) => payouts.row(id)));
    assertEquals(found.map((row) => row?.isSealed), [true, true, false, false]);
  });

  it("is forgotten: what spends a payout's change in the journal alone keeps it as it was, too", async () => {
    const answers: Readonly<Record<string, (height: number) => NodeValue>> = {
      getblockchaininfo: () => ({ blocks: 30, bestblockhash: hashAt(30) }),
      getblockhash: hashAt,
    };
    const call: JsonRpc["call"] = (method, height) =>
      Promise.resolve(present(answers[method], method)(Number(height)));
    const none = {} as unknown as LitecoinNode;
    await using world = await RailWorld.open(none, { landmarks: [] }, { node: { call } });
    const { test: { engine }, network } = world;
    const rows = new UtxoRows(network.name);
    const address = world.rail.ownAddress;
    const change = { ...output("first-1"), address, place: CHANGE, index: 1 };
    await new UtxoCoins(engine, rows).settle([change], 8);
    const terms = { script: "", amount: 1n, isSealed: false };
    const [first, second] = ["first", "second"].map((id) => ({
      ...terms,
      id,
      inputs: id === "second" ? [change] : [],
      versions: [{ txid: `${id}-1`, bytes: "", fee: 1n, change: 5n, height: 1 }],
      end: id === "second" ? null : { txid: "first-1", height: 8, isFailed: false },
    }));
    await engine.writeSidecar({ key: rows.payout("first"), value: first ?? null });
    await engine.writeSidecar({ key: rows.journal, value: { left: 0, payouts: [second] } });
    await world.rail.goBack(7);
    const found = await engine.readSidecar(rows.payout("first")) as PayoutRow;
    assertEquals([found.end, found.isSealed], [null, true]);
  });
});
