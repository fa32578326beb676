import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EngineVenue } from "../../support/engine_venue.ts";
import { type EvmEngine, EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import type { FoundOutput } from "../../../src/wallet/evm/found_outputs.ts";
import {
  type ComparedBalance,
  type NotedOutput,
  NotedOutputs,
  noteHeld,
  noteOutput,
} from "../../../src/wallet/evm/noted_outputs.ts";
import { ETH } from "./evm_ground.ts";

const ROWS = new EvmRows("anvil");
const WALLET = `0x${"ab".repeat(20)}`;

/** A payment to an address of its own. */
function payment(number: number, height: number): FoundOutput {
  const address = `0x${String(number).padStart(40, "0")}`;
  const [txid, hash] = [number, height].map((one) => `0x${String(one).padStart(64, "0")}`);
  return {
    currency: "eth",
    txid: txid ?? "",
    output: 0,
    address,
    units: 10n ** 18n + BigInt(number),
    height,
    hash: hash ?? "",
    from: `0x${"cd".repeat(20)}`,
    nonce: number,
  };
}

function notesOf(engine: EvmEngine, faults: unknown[] = []): NotedOutputs {
  return new NotedOutputs({
    engine,
    rows: ROWS,
    walletAddress: WALLET,
    nativeCurrency: () => "eth",
    coinOf: () => ETH,
    isInside: () => Promise.resolve(false),
    finalBlocks: 12,
    onFault: (error) => faults.push(error),
  });
}

describe("notes of payments", () => {
  it("are all there though another process notes one of them meanwhile", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const payments = Array.from({ length: 50 }, (_, i) => payment(i + 1, 7));
    let isFirst = true;
    const overtaken: EvmEngine = {
      now: () => engine.now(),
      readSidecar: (key) => engine.readSidecar(key),
      readSidecars: (keys) => engine.readSidecars(keys),
      holdSidecars: async (keys) => {
        const found = await engine.holdSidecars(keys);
        if (isFirst) await notesOf(engine).note(payments.slice(3, 4));
        isFirst = false;
        return found;
      },
      listSidecar: (range) => engine.listSidecar(range),
      createSidecar: (row) => engine.createSidecar(row),
      replaceSidecars: (groups) => engine.replaceSidecars(groups),
      changeSidecar: (key, change) => engine.changeSidecar(key, change),
    };
    assertEquals(await notesOf(overtaken).note(payments), payments);
    for (const { currency, txid, output, address, units, height } of payments) {
      const noted = await notesOf(engine).read(currency, txid, output);
      assertEquals([noted?.units, noted?.rest, noted?.height], [units, units % 100n, height]);
      const [direct, held] = await engine.readSidecars([
        ROWS.direct(address, height, txid),
        ROWS.held(currency, address),
      ]);
      assertEquals([direct, held], [{ units }, { height }]);
    }
  });

  it("have a rest once, though it is a part of the sum by then", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const found = payment(1, 7);
    const { currency, txid, output, address, units, height, hash, from, nonce } = found;
    const place = { height, hash, missingSince: null };
    const value: NotedOutput = { address, units, rest: 1n, sender: { from, nonce }, ...place };
    const key = ROWS.rest(currency, txid, output);
    assertEquals(await noteOutput(engine, ROWS, found, value), true);
    assertEquals(await engine.readSidecar(key), { units: 1n });
    await engine.changeSidecar(key, () => null);
    assertEquals(await noteOutput(engine, ROWS, found, value), false);
    assertEquals(await engine.readSidecar(key), null);
    // An older version of the program has noted no more of it.
    const old = payment(2, 7);
    await engine.createSidecar({
      key: ROWS.rest(currency, old.txid, output),
      value: { units: 1n },
    });
    assertEquals(await noteOutput(engine, ROWS, old, value), true);
    assertEquals(await notesOf(engine).read(currency, old.txid, output), value);
  });

  it("keep the last block that has paid an address, whichever is read last", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const key = ROWS.held("eth", payment(1, 0).address);
    for (const [height, last] of [[8, 8], [9, 9], [7, 9]] as const) {
      await noteHeld(engine, ROWS, payment(1, height));
      assertEquals(await engine.readSidecar(key), { height: last });
    }
  });

  it("are refused of what a comparison of balances has taken for another payment", async () => {
    await using venue = await EngineVenue.open();
    const { engine } = venue;
    const [counted, later] = [payment(1, 7), payment(2, 8)];
    for (const { address } of [counted, later]) {
      const value: ComparedBalance = { height: 7, balance: 0n, sent: 0, pending: null };
      await engine.createSidecar({ key: ROWS.balance(address), value });
    }
    const faults: unknown[] = [];
    assertEquals(await notesOf(engine, faults).note([counted, later]), [later]);
    assertEquals(faults.length, 1);
  });
});
