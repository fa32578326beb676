/** Has a network go on after blocks were replaced that counted as final: an operator says from where. */
import { networkIn, waysOf } from "../domain/money/currency.ts";
import type { Engine } from "../engine/engine.ts";
import { type SidecarKey, walletCursorKey } from "../engine/sidecar_rows.ts";
import { within } from "../engine/within.ts";
import { NoStateError } from "./rails/network_rail.ts";
import type { NetworkRails } from "./network_rails.ts";

/** How long an answer waits, in ms: the rail goes through all that it keeps. */
const ANSWER_MS_MAX = 60_000;

/** What came of it; only `resumed` has changed anything. */
export type ResumeOutcome =
  | "resumed"
  /** This process has no node of the network. */
  | "no_node"
  /** There is no such fault. */
  | "not_reorganised"
  /** The present chain has no block at this height. */
  | "no_block"
  /** Nobody has read so far: what is paid below the block would be passed over. */
  | "unread_block"
  /** A block is gone that came before it, or may be. */
  | "replaced_block"
  /** The node no longer has what members had after that block. */
  | "no_state"
  /** The node can't be relied on. */
  | "unreliable";

/**
 * Has all coins of a network be read again behind a block of the present chain. Deposits that are
 * seen again are known by their transactions and outputs.
 *
 * @param height of that block
 * @param begin called once, before anything happens; what it throws ends it
 */
export async function resumeNetwork(
  { engine, networks, onFault }: {
    readonly engine: Pick<Engine, "venue" | "readSidecars" | "changeSidecar">;
    readonly networks: NetworkRails | null;
    /** Called with what keeps the rail from it. */
    readonly onFault: (error: unknown) => void;
  },
  network: string,
  height: number,
  begin: () => Promise<unknown>,
): Promise<ResumeOutcome> {
  const rail = networks?.railTo(network) ?? null;
  if (networks === null || rail === null) return "no_node";
  const { fault, replaced } = rail.health();
  if (fault !== "reorganised") return "not_reorganised";
  const keys = cursorKeys(engine, networks.name, network);
  const heightOf = (cursor: unknown) => rail.heightOf(cursor as string);
  const cursors = (await engine.readSidecars(keys)).filter((cursor) => cursor !== null);
  // A process may have read further than to what it has stored.
  const read = [...cursors.map(heightOf), replaced?.height ?? 0];
  if (read.every((at) => at <= height)) return "unread_block";
  let highest: number | null;
  try {
    highest = await rail.resumableHeight();
  } catch (error) {
    onFault(error);
    return "unreliable";
  }
  const isGone = replaced !== undefined && replaced.height <= height;
  if (isGone || (highest !== null && highest < height)) return "replaced_block";
  await begin();
  const resume = async (): Promise<ResumeOutcome> => {
    const cursor = await rail.goBack(height);
    if (cursor === null) return "no_block";
    const back = rail.heightOf(cursor);
    for (const key of keys) {
      // A coin that was not read so far misses nothing.
      await engine.changeSidecar(key, (old) => old === null || heightOf(old) > back ? cursor : old);
    }
    return "resumed";
  };
  try {
    // What takes longer goes on to its end: half of it would leave the network as it stands.
    return await within(ANSWER_MS_MAX, resume());
  } catch (error) {
    onFault(error);
    return error instanceof NoStateError ? "no_state" : "unreliable";
  }
}

/** Returns the keys of the cursors of a network's coins. */
export function cursorKeys(
  { venue }: Pick<Engine, "venue">,
  rail: string,
  network: string,
): readonly SidecarKey[] {
  return venue.currencies.flatMap((currency) =>
    waysOf(currency)
      .filter((way) => networkIn(currency, way.network)?.name === network)
      .map((way) => walletCursorKey(rail, way))
  );
}
