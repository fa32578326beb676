/** Proves from outside that the chains have what the ledger owes: the nodes are asked anew. */
import type { Venue } from "../domain/venue.ts";
import { formatDecimal } from "../domain/money/money.ts";
import type { Engine } from "../engine/engine.ts";
import { FundsWalk } from "../engine/read/funds_walk.ts";
import { openExistingStore } from "../store/store.ts";
import { realKvPath } from "../store/file/venue_file.ts";
import { readHead } from "../store/log/venue_log.ts";
import type { BookingEngine } from "../wallet/bookings.ts";
import type { NetworkRails } from "../wallet/network_rails.ts";
import {
  EXACT_DIGITS,
  type Holding,
  type HoldingFault,
  readSolvency,
  type Solvency,
} from "../wallet/solvency.ts";
import { BesideStore } from "./beside_store.ts";
import type { Config } from "./config.ts";
import { networkRails } from "./network_wallet.ts";

/** Why a network tells nothing, in an operator's words. */
const WHY: Readonly<Record<HoldingFault, string>> = {
  no_node: "WALLET_NODES has no node of it, or no process with WALLET_SEED has run with one yet",
  other_coin: "there the coin is not what its currency says",
  unreachable: "its node does not answer",
  other_network: "its node is of another network",
  behind: "its node has not caught up",
  reorganised: "blocks were replaced that counted as final",
  contradicting: "its node contradicts itself",
};

/** What the chains say. */
export interface ChainAudit {
  /** A table, and what is wrong. */
  readonly lines: readonly string[];
  /** Whether all chains could be asked, and have what members have. */
  readonly isSolvent: boolean;
}

/**
 * Compares chains and ledger. Nothing is written to the store, and no seed is needed.
 *
 * @param venue as the log ends
 */
export async function auditChains(
  venue: Venue,
  { kvPath, walletNodes, walletCold }: Pick<Config, "kvPath" | "walletNodes" | "walletCold">,
): Promise<ChainAudit> {
  const reasons = new Set<string>();
  const note = ({ error }: Readonly<Record<string, unknown>>) => {
    if (error instanceof Error) reasons.add(error.message);
  };
  const store = await openExistingStore(await realKvPath(kvPath));
  try {
    const engine = { ...new BesideStore(store).engine(), ...recordsIn(venue), venue };
    const networks = await networkRails(
      engine,
      { walletNodes, walletSeed: null, walletCold },
      {
        info: () => {},
        warn: (_event, fields) => note(fields),
        error: (_event, fields) => note(fields),
      },
    );
    const read = () =>
      readSolvency({
        engine,
        networks,
        sums: () => new FundsWalk(venue).sums(),
        onFault: (error) => note({ error }),
      });
    let found = await read();
    if (await areFollowed(networks, found)) {
      reasons.clear();
      found = await read();
    }
    const faults = found.flatMap(faultsOf);
    const { value: head } = await readHead(store);
    const isOutdated = faults.length > 0 && head.sequence !== venue.sequence;
    return {
      lines: [
        ...(found.length === 0 ? ["No currency lives on a network"] : tableOf(found)),
        ...faults.map((fault) => `difference: ${fault}`),
        ...hintsOf(found, networks),
        ...[...reasons].map((reason) => `a node's fault: ${reason}`),
        ...(found.length === 0 ? [] : [endOf(faults.length)]),
        ...(isOutdated ? ["The venue went on meanwhile: repeat it when it is quiet"] : []),
      ],
      isSolvent: faults.length === 0,
    };
  } finally {
    store.close();
  }
}

/** Returns how rails look up what the ledger has that find no payments anew: by what the state has. */
function recordsIn(venue: Venue): Omit<BookingEngine, "venue"> & Pick<Engine, "withdraw"> {
  return {
    fresh: () => Promise.resolve(),
    findDeposit: () => Promise.resolve({ knownId: 0, checkedAt: venue.sequence }),
    deposit: (id) => Promise.resolve(venue.deposits.get(id) ?? null),
    withdraw: (id) => Promise.resolve(venue.withdraws.get(id) ?? null),
  };
}

/**
 * Has rails read on that are behind, for as long as they come further: each call of one follows its
 * chain for seconds only, and what the venue has written down last may be hours old.
 *
 * @returns whether any came further
 */
export async function areFollowed(
  networks: Pick<NetworkRails, "railTo">,
  found: readonly Pick<Solvency, "currency" | "networks">[],
): Promise<boolean> {
  let isAny = false;
  for (const { currency, networks: holdings } of found) {
    for (const { network, fault, height } of holdings) {
      const rail = networks.railTo(network);
      if (rail === null || fault !== "behind") continue;
      let last = height;
      for (let isFurther = true; isFurther && rail.health().fault === "behind";) {
        // Why it is behind yet will be told by what is read at last.
        await rail.balances(currency).catch(() => {});
        const { height: reached } = rail.health();
        isFurther = reached !== last;
        isAny ||= isFurther;
        last = reached;
      }
    }
  }
  return isAny;
}

function endOf(faults: number): string {
  if (faults === 0) return "chains: clean";
  return `chains: ${faults === 1 ? "1 difference" : `${faults} differences`}`;
}

function faultsOf({ currency, networks, difference, inFlight }: Solvency): string[] {
  const untold = networks.flatMap(({ network, fault }) =>
    fault === null ? [] : [`${currency}: ${network} can't be told: ${WHY[fault]}`]
  );
  if (untold.length > 0) return untold;
  if (inFlight === null || difference === null) return [`${currency}: its payouts can't be told`];
  if (difference >= 0n) return [];
  return [`${currency}: members have ${text(-difference)} more than the chain`];
}

/** Returns where a cold address may hold what is missing: the store has none of these addresses. */
function hintsOf(found: readonly Solvency[], rails: Pick<NetworkRails, "railTo">): string[] {
  const short = found.filter(({ difference }) => difference !== null && difference < 0n);
  const names = new Set(short.flatMap(({ networks }) => networks.map(({ network }) => network)));
  return [...names].filter((name) => rails.railTo(name)?.coldAddress === null).map((name) =>
    `hint: WALLET_COLD names no address on ${name}: if the venue has one there, ` +
    "what it holds is not counted"
  );
}

/** Returns a table: a line for each currency and network, and one for what is the members'. */
function tableOf(found: readonly Solvency[]): string[] {
  const head = ["currency", "network", "height", "hot", "deposits", "cold", "rests"];
  const holdings = found.flatMap(({ currency, networks }) =>
    networks.map(({ network, height, hot, deposits, cold, rests }: Holding) => [
      currency,
      network,
      height === null ? "–" : String(height),
      ...[hot, deposits, cold, rests].map(text),
    ])
  );
  const owed = ["currency", "chain", "to credit", "to book", "members", "difference", "earned"];
  const sums = found.map(({ currency, chain, inFlight, free, locked, difference, fees }) => [
    currency,
    ...[chain, inFlight?.deposits, inFlight?.paid, free + locked, difference, fees].map(text),
  ]);
  return [...aligned([head, ...holdings]), ...aligned([owed, ...sums])];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd());
}

function text(units: bigint | null | undefined): string {
  return units === null || units === undefined ? "–" : formatDecimal(units, EXACT_DIGITS);
}
