/**
 * Holds what chains have against what the ledger owes. A chain is asked first, and then the ledger is
 * looked at: what no block holds yet has changed neither, and what a block holds the ledger either
 * knows of, or has a record that says so. If a block comes meanwhile, all is asked again.
 */
import {
  type Currency,
  type CurrencyNetwork,
  currencyOn,
  type Way,
} from "../domain/money/currency.ts";
import { ANY_OUTPUT, type Deposit } from "../domain/money/deposit.ts";
import { LEDGER_DIGITS, powerOfTen } from "../domain/money/money.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Venue } from "../domain/venue.ts";
import type { Engine } from "../engine/engine.ts";
import type { CurrencyFunds } from "../engine/read/funds_walk.ts";
import { readRestores, type Restores } from "../engine/start/restores.ts";
import { within } from "../engine/within.ts";
import { countedConfirmations } from "./deposit_steps.ts";
import type { NetworkRails } from "./network_rails.ts";
import { RailCalls } from "./rail_calls.ts";
import { CoinTermsError, type NetworkFault } from "./rails/network_rail.ts";
import { payoutId } from "./rails/rail.ts";
import { checkedFind, checkOutput } from "./rails/rail_answers.ts";

/** Fractional digits in which all networks' amounts are whole. */
export const EXACT_DIGITS = 36;
/** Time limit for an answer of a rail, in ms. */
const RAIL_MS_MAX = 20_000;
/** How often a block may come while its chain is asked. */
const TRIES_MAX = 3;
/** After so long, what has all confirmations is final on whatever network, in ms. */
const OLD_MS = 86_400_000;
/** Records that are looked up at once. */
const LOOKS_AT_ONCE = 8;

/** Why a network tells nothing: its fault, or this process has no node of it. */
export type HoldingFault = NetworkFault | "no_node" | "other_coin";

/** What a network's chain holds of a currency, in units of 10^-`EXACT_DIGITS`. */
export interface Holding {
  readonly network: string;
  /** The wallet's own address there, and the cold one; null where there is no node, or no such. */
  readonly address: string | null;
  readonly coldAddress: string | null;
  /** Height of the block as of which it is told; null as all that can't be told. */
  readonly height: number | null;
  readonly fault: HoldingFault | null;
  readonly hot: bigint | null;
  readonly deposits: bigint | null;
  /** Null also if there is no cold address. */
  readonly cold: bigint | null;
  /** What one payout costs now in the network's own coin; null if that can't be told. */
  readonly fee: bigint | null;
  /**
   * What members have paid that is too small for the ledger, or too small to be credited at all; null if
   * that can't be told.
   */
  readonly rests: bigint | null;
}

/** What is on its way between chain and ledger, in units of 10^-`EXACT_DIGITS`. */
export interface InFlight {
  /** Deposits that a block holds and that are not credited yet. */
  readonly deposits: bigint;
  /** Withdrawals that a block has paid and that are locked in the ledger yet. */
  readonly paid: bigint;
  /** Payouts that were sent and that no block holds yet. */
  readonly sent: bigint;
}

/** A currency's chains beside its ledger; amounts are in units of 10^-`EXACT_DIGITS`. */
export interface Solvency {
  readonly currency: string;
  readonly networks: readonly Holding[];
  /** What all chains hold; null if one can't tell. */
  readonly chain: bigint | null;
  readonly inFlight: InFlight | null;
  /** What members can use, and what is locked. */
  readonly free: bigint;
  readonly locked: bigint;
  /** What the venue has earned, which it owes to nobody. */
  readonly fees: bigint;
  /** What the chains hold beyond what is the members', with what is on its way. */
  readonly difference: bigint | null;
}

/** What it is worked out from. */
export interface SolvencyParts {
  readonly engine: Pick<Engine, "readSidecar"> & { readonly venue: Venue };
  readonly networks: NetworkRails | null;
  /** Sums all members' funds, as of its call. */
  readonly sums: () => Promise<readonly CurrencyFunds[]>;
  /** Called with faults of networks. */
  readonly onFault: (error: unknown) => void;
}

/** The ledger at one moment. */
interface Ledger {
  readonly sums: readonly CurrencyFunds[];
  readonly deposits: readonly Deposit[];
  readonly withdraws: readonly Withdraw[];
}

/** Returns all currencies that live on networks, in the venue's order. */
export async function readSolvency(parts: SolvencyParts): Promise<readonly Solvency[]> {
  const restores = await readRestores(parts.engine);
  const found: Solvency[] = [];
  // Who is silent about one currency is not asked of the next.
  const calls = new Map(parts.networks?.networks.map((network) => [network, new RailCalls()]));
  for (const currency of parts.engine.venue.currencies) {
    const { networks = [] } = currency;
    if (networks.length > 0) found.push(await solvencyOf(parts, currency, restores, calls));
  }
  return found;
}

async function solvencyOf(
  parts: SolvencyParts,
  currency: Currency,
  restores: Restores | null,
  calls: ReadonlyMap<string, RailCalls>,
): Promise<Solvency> {
  for (let tries = 1;; tries++) {
    const networks = await Promise.all(
      (currency.networks ?? []).map((network) =>
        holdingOf(parts, currency, network, calls.get(network.name) ?? new RailCalls())
      ),
    );
    const ledger = await ledgerOf(parts, currency);
    const isTold = networks.every(({ fault }) => fault === null);
    const inFlight = isTold ? await inFlightOf(parts, currency, ledger, restores) : null;
    const isPassed = networks.some(({ network, height }) => heightOf(parts, network) !== height);
    if (isTold && isPassed && tries < TRIES_MAX) continue;
    return summed(currency, networks, ledger.sums[currency.index], isPassed ? null : inFlight);
  }
}

function summed(
  { id }: Currency,
  networks: readonly Holding[],
  sum: CurrencyFunds | undefined,
  inFlight: InFlight | null,
): Solvency {
  const { total = 0n, locked = 0n, fees = 0n } = sum ?? {};
  const chain = networks.some(({ fault }) => fault !== null)
    ? null
    : networks.flatMap(({ hot, deposits, cold }) => [hot, deposits, cold])
      .reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
  const difference = chain === null || inFlight === null
    ? null
    : chain - inFlight.deposits + inFlight.paid - exact(total, LEDGER_DIGITS);
  return {
    currency: id,
    networks,
    chain,
    inFlight,
    free: exact(total - locked, LEDGER_DIGITS),
    locked: exact(locked, LEDGER_DIGITS),
    fees: exact(fees, LEDGER_DIGITS),
    difference,
  };
}

async function holdingOf(
  { networks, onFault }: SolvencyParts,
  { id }: Currency,
  { name: network, digits }: CurrencyNetwork,
  calls: RailCalls,
): Promise<Holding> {
  const rail = networks?.railTo(network) ?? null;
  const addresses = { address: rail?.ownAddress ?? null, coldAddress: rail?.coldAddress ?? null };
  const nothing = {
    network,
    ...addresses,
    hot: null,
    deposits: null,
    cold: null,
    fee: null,
    rests: null,
  };
  if (rail === null) return { ...nothing, height: null, fault: "no_node" };
  const untold = (own: HoldingFault) => {
    const { height, fault } = rail.health();
    return { ...nothing, height, fault: fault ?? own };
  };
  if (calls.isSilent) return untold("unreachable");
  try {
    const { height, hot, deposits, cold } = await calls.answer(RAIL_MS_MAX, rail.balances(id));
    const { fault } = rail.health();
    if (fault !== null) return { ...nothing, height, fault };
    return {
      network,
      ...addresses,
      height,
      fault,
      hot: exact(hot, digits),
      deposits: exact(deposits, digits),
      cold: exactOrNull(cold, digits),
      fee: await told(() => rail.feeOf(id), calls, onFault),
      rests: exactOrNull(await told(() => rail.rests(id), calls, onFault), digits),
    };
  } catch (error) {
    onFault(error);
    return untold(error instanceof CoinTermsError ? "other_coin" : "unreachable");
  }
}

/** Returns what a rail tells beside its balances; null if it can't, or not in time. */
async function told(
  ask: () => Promise<bigint>,
  calls: RailCalls,
  onFault: (error: unknown) => void,
): Promise<bigint | null> {
  if (calls.isSilent) return null;
  try {
    return await calls.answer(RAIL_MS_MAX, ask());
  } catch (error) {
    onFault(error);
    return null;
  }
}

function heightOf({ networks }: SolvencyParts, network: string): number | null {
  return networks?.railTo(network)?.health().height ?? null;
}

/** Returns the ledger as it is at the call. */
async function ledgerOf(
  { engine: { venue }, sums }: SolvencyParts,
  { index }: Currency,
): Promise<Ledger> {
  const deposits = [...venue.deposits.values()].filter(({ currency }) => currency === index);
  const withdraws = [...venue.withdraws.values()].filter(({ currency }) => currency === index);
  return { deposits, withdraws, sums: await sums() };
}

/** Looks up what is open in the ledger; null where that can't be told. */
async function inFlightOf(
  { engine: { venue }, networks, onFault }: SolvencyParts,
  { id }: Currency,
  { deposits, withdraws }: Ledger,
  restores: Restores | null,
): Promise<InFlight | null> {
  if (networks === null) return null;
  const sums = { deposits: 0n, paid: 0n, sent: 0n };
  // Those of other states are credited, or are no more.
  const submitted = deposits.filter(({ state, txid, output }) =>
    state === "submitted" && txid !== "" && output !== ANY_OUTPUT
  );
  const { old = [], seen = [] } = Object.groupBy(
    submitted,
    (deposit) => isOld(venue, deposit) ? "old" : "seen",
  );
  sums.deposits = old.reduce((sum, { amount }) => sum + amount, 0n);
  const claimed = withdraws.filter(({ state }) => MAY_BE_SENT.has(state));
  try {
    await inBatches(seen, async ({ network, txid, output, amount }) => {
      const way: Way = { currency: id, network };
      const found = await within(RAIL_MS_MAX, networks.look(way, txid, output));
      if (found === null) return;
      checkOutput(found);
      if (!found.isDropped && found.confirmations > 0) sums.deposits += amount;
    });
    await inBatches(claimed, async (withdraw) => {
      const finding = networks.find(payoutId(withdraw, restores), withdrawWay(venue, withdraw));
      const found = checkedFind(await within(RAIL_MS_MAX, finding));
      if (found.kind === "absent" || found.isFailed) return;
      sums[found.confirmations > 0 ? "paid" : "sent"] += withdraw.amount - withdraw.fee;
    });
  } catch (error) {
    onFault(error);
    return null;
  }
  return {
    deposits: exact(sums.deposits, LEDGER_DIGITS),
    paid: exact(sums.paid, LEDGER_DIGITS),
    sent: exact(sums.sent, LEDGER_DIGITS),
  };
}

/**
 * Returns whether a deposit has long had all confirmations. Strangers make as many of those that are
 * too small as they like, and nobody has to accept them: each would be asked for for ever.
 */
function isOld(venue: Venue, { currency, network, confirmations, updatedAt }: Deposit): boolean {
  const terms = currencyOn(venue.currency(currency), network);
  const isCounted = confirmations === countedConfirmations(terms, confirmations + 1);
  return isCounted && venue.time - updatedAt >= OLD_MS;
}

/** States of withdrawals that a rail may have paid and whose amount is locked. */
const MAY_BE_SENT: ReadonlySet<Withdraw["state"]> = new Set([
  "processing",
  "confirming",
  "errored",
]);

async function inBatches<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < items.length; i += LOOKS_AT_ONCE) {
    await Promise.all(items.slice(i, i + LOOKS_AT_ONCE).map(work));
  }
}

/** Converts units of 10^-`digits`. */
function exact(units: bigint, digits: number): bigint {
  return units * powerOfTen(EXACT_DIGITS - digits);
}

function exactOrNull(units: bigint | null, digits: number): bigint | null {
  return units === null ? null : exact(units, digits);
}
