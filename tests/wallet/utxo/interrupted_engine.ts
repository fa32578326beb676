/** A process into whose work something comes: whatever two processes do at the same time is tried so. */
import type { UtxoEngine } from "../../../src/wallet/utxo/utxo_coins.ts";

/**
 * Has something happen once, before a call.
 *
 * @param isNow asked before each call, by its name, until it says so
 */
export function interruptedEngine(
  engine: UtxoEngine,
  isNow: (name: keyof UtxoEngine) => boolean,
  happens: () => Promise<unknown>,
): UtxoEngine {
  let hasHappened = false;
  const step = async <T>(name: keyof UtxoEngine, work: () => Promise<T>): Promise<T> => {
    if (!hasHappened && isNow(name)) {
      hasHappened = true;
      await happens();
    }
    return await work();
  };
  return {
    readSidecar: (key) => step("readSidecar", () => engine.readSidecar(key)),
    readSidecars: (keys) => step("readSidecars", () => engine.readSidecars(keys)),
    listSidecar: (range) => step("listSidecar", () => engine.listSidecar(range)),
    createSidecar: (row) => step("createSidecar", () => engine.createSidecar(row)),
    holdSidecars: (keys) => step("holdSidecars", () => engine.holdSidecars(keys)),
    replaceSidecars: (groups) => step("replaceSidecars", () => engine.replaceSidecars(groups)),
    changeSidecar: (key, change) => step("changeSidecar", () => engine.changeSidecar(key, change)),
    now: () => engine.now(),
  };
}
