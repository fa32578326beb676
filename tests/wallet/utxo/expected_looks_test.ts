/** Which last looks are expected of what blocks pay to members: without a node. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import type { WalkedBlock, WalkedOutput } from "../../../src/wallet/utxo/chain_walk.ts";
import { UtxoDeposits } from "../../../src/wallet/utxo/utxo_deposits.ts";
import type { UtxoDepositParts } from "../../../src/wallet/utxo/utxo_deposits.ts";
import { utxoNetwork } from "../../../src/wallet/utxo/utxo_networks.ts";
import { UtxoRows } from "../../../src/wallet/utxo/utxo_rows.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const NETWORK = present(utxoNetwork("litecoin-regtest"), "there is such a network");
const ROWS = new UtxoRows(NETWORK.name);
const PAID: WalkedOutput = {
  txid: "paid",
  index: 0,
  amount: 5n,
  address: "alice",
  place: { member: 0 },
  isCoinbase: false,
  spends: [],
};

function blockOf(height: number, hash: string): WalkedBlock {
  return { height, hash, parent: "", outputs: [PAID], txids: new Set(), spenders: new Map() };
}

describe("the last look at an output", () => {
  for (
    const [what, again, expected] of [
      ["is expected again if it is in a later block now", blockOf(6, "b"), 1],
      ["is expected again if it is in another block of that height now", blockOf(5, "b"), 1],
      ["is expected once of one block", blockOf(5, "a"), 0],
    ] as const
  ) {
    it(what, async () => {
      await using venue = await EngineVenue.open();
      const { engine } = venue;
      const walk = { blocks: [blockOf(5, "a")], isFinal: () => false };
      const coin = () => ({ currency: "ltc" });
      const parts = { engine, rows: ROWS, network: NETWORK, walk, coin };
      const deposits = new UtxoDeposits(parts as unknown as UtxoDepositParts);
      await deposits.expect();
      const looks = () => engine.listSidecar({ prefix: ROWS.allLastLooks, limit: 9 });
      assertEquals((await looks()).map(({ key }) => key.at(-4)), [5 + NETWORK.finalDepth]);
      // It was looked at, by any process.
      for (const { key } of await looks()) await engine.changeSidecar(key, () => null);
      walk.blocks = [again];
      await deposits.expect();
      assertEquals((await looks()).length, expected);
    });
  }
});
