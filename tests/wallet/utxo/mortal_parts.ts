/**
 * A process that dies before one of its steps: a row that it writes, or a transaction that it sends.
 * A death at a question, or before an answer, leaves as much behind as one before the next step.
 */
import type { UtxoEngine } from "../../../src/wallet/utxo/utxo_coins.ts";
import type { JsonRpc } from "../../../src/wallet/utxo/utxo_node.ts";

/** Thrown to whoever works in a dead process. */
export class DeadError extends Error {
  override name = "DeadError";
}

/** What a rail is given in such a process. */
export interface MortalParts {
  readonly engine: UtxoEngine;
  readonly node: JsonRpc;
  isDead(): boolean;
}

/** Gives a rail parts that die together, before a step that is counted from 1. */
export function mortalParts(engine: UtxoEngine, node: JsonRpc, death: number): MortalParts {
  let steps = 0;
  let isDead = false;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new DeadError();
    steps += 1;
    if (steps < death) return await work();
    isDead = true;
    throw new DeadError();
  };
  const read = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new DeadError();
    return await work();
  };
  return {
    engine: {
      readSidecar: (key) => read(() => engine.readSidecar(key)),
      readSidecars: (keys) => read(() => engine.readSidecars(keys)),
      listSidecar: (range) => read(() => engine.listSidecar(range)),
      createSidecar: (row) => step(() => engine.createSidecar(row)),
      holdSidecars: (keys) => read(() => engine.holdSidecars(keys)),
      replaceSidecars: (groups) => step(() => engine.replaceSidecars(groups)),
      changeSidecar: (key, change) => step(() => engine.changeSidecar(key, change)),
      now: () => engine.now(),
    },
    node: {
      call: (method, ...params) =>
        (method === "sendrawtransaction" ? step : read)(() => node.call(method, ...params)),
    },
    isDead: () => isDead,
  };
}
