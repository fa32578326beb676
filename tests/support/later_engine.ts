/** An engine whose time is later. */
import type { NetworkRailParts } from "../../src/wallet/rails/network_rail.ts";

/** Returns what a network's rail needs of an engine, with a clock ahead by so many ms. */
export function laterEngine(
  engine: NetworkRailParts["engine"],
  ms: number,
): NetworkRailParts["engine"] {
  return {
    readSidecar: (key) => engine.readSidecar(key),
    readSidecars: (keys) => engine.readSidecars(keys),
    listSidecar: (range) => engine.listSidecar(range),
    createSidecar: (row) => engine.createSidecar(row),
    holdSidecars: (keys) => engine.holdSidecars(keys),
    replaceSidecars: (groups) => engine.replaceSidecars(groups),
    changeSidecar: (key, change) => engine.changeSidecar(key, change),
    now: () => engine.now() + ms,
  };
}
