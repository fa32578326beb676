/** The wallet's rails to networks, by the nodes that a process is given. */
import { present } from "../domain/assert.ts";
import { formatDecimal, LEDGER_DIGITS, powerOfTen } from "../domain/money/money.ts";
import { isWithdrawOpen } from "../domain/money/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import { branchOf, readRestores, type Restores } from "../engine/start/restores.ts";
import { networkKey } from "../engine/sidecar_rows.ts";
import { type BookingEngine, bookingOf } from "../wallet/bookings.ts";
import { ownersOn } from "../wallet/deposit_addresses.ts";
import { FaultLog } from "../wallet/fault_log.ts";
import { AccountKeys } from "../wallet/keys/account_keys.ts";
import { type LateRail, NetworkRails } from "../wallet/network_rails.ts";
import { type Network, networkNamed } from "../wallet/networks.ts";
import type {
  ColdMove,
  LostPayment,
  NetworkCoin,
  NetworkRail,
  NetworkRailParts,
  PaymentDoubt,
  PaymentFate,
  ReturnedPayment,
} from "../wallet/rails/network_rail.ts";
import { cursorKeys } from "../wallet/resume_network.ts";
import { owedOn } from "../wallet/waiting_withdraws.ts";
import { type NewNotice, type WalletLog, WalletNotices } from "../wallet/wallet_notices.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config_error.ts";

/** What the ids of payouts begin with; a time may follow. */
const WITHDRAW = /^withdraw-(\d+)/;
/** Why a payment that had arrived is missing for good, and what to do. */
const LOST =
  "it never arrives: other transactions have spent its coins, or what they were made of, or blocks " +
  "that made them are gone. See what its payee has, and give the amount back or pay it by hand";
/** What else has become of payments, and what to do, behind what the rail says of it. */
const FATES: Readonly<Record<Exclude<PaymentFate, "refused">, string>> = {
  without_effect: "See what its payee has, and give the amount back or pay it by hand",
  held_back:
    "It is in no block, and is sent once there is enough for it, or if a token is missing, " +
    "after as long again at the latest; later ones wait",
  forgotten:
    "The venue does not know the payment that had it, as after a restore; no block has that any " +
    "more, and one of nothing has its place for good. Find out what it had paid, and pay that " +
    "by hand",
};
/** Tells a payment of which nobody knows whether it arrives apart from one that never does. */
const DOUBTED_ROUND = 1;
/** Rounds of one that is told anew after it had arrived. */
const ROUNDS = 2;
/** The first one of what the node does not take, and of what returns the next below: none of those. */
const REFUSED_ROUND = -1;
/** What to do about a payment that was told to be missing, and is there. */
const RETURNED = "it was mined after all, though it was told to be missing, or had failed. " +
  "If its amount was given back or paid by hand, take that back";

/** What rails to networks need of the engine. */
type RailsEngine = NetworkRailParts["engine"] & BookingEngine & Pick<Engine, "withdraw">;

/**
 * Creates a rail for each network that has a node. Without the seed, one that no process with it has
 * begun yet is served as soon as one has.
 */
export async function networkRails(
  engine: RailsEngine,
  { walletNodes, walletSeed, walletCold }: Pick<
    Config,
    "walletNodes" | "walletSeed" | "walletCold"
  >,
  log: WalletLog,
): Promise<NetworkRails> {
  const rails: NetworkRail[] = [];
  const late: LateRail[] = [];
  const restores = await readRestores(engine);
  for (const [name, url] of walletNodes) {
    const network = networkNamed(name);
    if (network === undefined) continue;
    const make = async () => {
      const keys = await accountKeys(engine, network, walletSeed);
      const cold = walletCold.get(name) ?? null;
      return keys === null
        ? null
        : network.createRail(url, railParts({ engine, network, restores, keys, cold, log }));
    };
    const rail = await make();
    if (rail !== null) rails.push(rail);
    else {
      log.warn("wallet_account_missing", { network: name });
      late.push({ network: name, make });
    }
  }
  return new NetworkRails(engine, rails, late);
}

/**
 * Returns the venue's keys on a network. Its first process with a seed notes their public part, from
 * which the others make addresses; null until then.
 *
 * @throws {ConfigError} the seed is not the venue's
 */
async function accountKeys(
  engine: RailsEngine,
  { name, account }: Network,
  seed: Uint8Array | null,
): Promise<AccountKeys | null> {
  const key = networkKey(name, "account");
  if (seed === null) {
    const known = await engine.readSidecar(key) as string | null;
    return known === null ? null : AccountKeys.ofPublicKey(known);
  }
  const keys = AccountKeys.ofSeed(seed, account);
  const isNew = await engine.createSidecar({ key, value: keys.publicKey });
  if (isNew || await engine.readSidecar(key) === keys.publicKey) return keys;
  throw new ConfigError(
    `WALLET_SEED is not the one that the venue's addresses on ${name} are made from: ` +
      "start with that one, or with a KV_PATH of its own",
  );
}

function railParts({ engine, network, restores, keys, cold, log }: {
  readonly engine: RailsEngine;
  readonly network: Network;
  readonly restores: Restores | null;
  readonly keys: AccountKeys;
  readonly cold: string | null;
  readonly log: WalletLog;
}): NetworkRailParts {
  const { name } = network;
  const faults = new FaultLog(log, "network_fault", { network: name });
  const notices = new WalletNotices(engine, log);
  return {
    engine,
    keys,
    cold,
    coins: () => coinsOn(engine, name),
    cursors: async () => {
      const found = await engine.readSidecars(cursorKeys(engine, NetworkRails.railName, name));
      return (found as readonly (string | null)[]).filter((cursor) => cursor !== null);
    },
    placeOf: (uid) => {
      const member =
        present(engine.venue.holderByUid.get(uid), "a member has its uid").member.index;
      const branch = branchOf(restores, member);
      return branch === 0 ? { member } : { member, branch };
    },
    ownersOf: (addresses) => ownersOn(network, engine, addresses),
    bookingOf: (currency, txid, output) =>
      bookingOf(engine, { currency, network: name }, txid, output),
    owedOf: ({ currency, digits }) =>
      smallestUnits(owedOn(engine.venue, { currency, network: name }), digits),
    onMoved: (moved) => notices.add(movedNotice(name, moved)),
    onLost: async (lost) => {
      const notice = await lostNotice(engine, name, lost);
      if (notice !== null) await notices.add(notice, roundOf(lost));
    },
    onReturned: async (returned) => {
      const notice = await returnedNotice(engine, name, returned);
      if (notice !== null) await notices.add(notice, returned.returns);
    },
    onFault: (error) => faults.tell(error),
  };
}

function movedNotice(network: string, { coin, units, txid }: ColdMove): NewNotice {
  const { currency, digits, hotLimit } = coin;
  const limit = hotLimit === null ? "" : ` of ${formatDecimal(hotLimit, digits)}`;
  const reason = `${formatDecimal(units, digits)} ${currency}, beyond the limit${limit}`;
  return { kind: "moved_to_cold", currency, network, id: 0, txid, reason };
}

/** Tells what is told of one payment apart. */
function roundOf(lost: LostPayment): number {
  const { fate, returns = 0 } = lost;
  if (fate === "refused") return REFUSED_ROUND - returns;
  return ROUNDS * returns + (isDoubted(lost) ? DOUBTED_ROUND : 0);
}

/** Whether a payment may arrive yet. */
function isDoubted({ doubt, fate }: LostPayment): boolean {
  return doubt !== undefined || fate === "held_back";
}

/**
 * Returns what to tell of a payment that never arrives, or may not; null where its withdrawal has
 * ended otherwise, or does so by itself.
 */
async function lostNotice(
  engine: RailsEngine,
  network: string,
  lost: LostPayment,
): Promise<NewNotice | null> {
  const { coin, payoutId, txids } = lost;
  const currency = coin?.currency ?? "";
  const id = withdrawOf(payoutId);
  const reason = lostText(lost);
  const notice = { kind: "payout_missing", currency, network, id, txid: txids[0], reason } as const;
  if (id === 0) return notice;
  await engine.fresh();
  const withdraw = await engine.withdraw(id);
  if (withdraw === null) return null;
  if (isWithdrawOpen(withdraw)) return isDoubted(lost) ? notice : null;
  const isBooked = withdraw.state === "succeed" && txids.includes(withdraw.txid);
  return isBooked ? { ...notice, txid: withdraw.txid } : null;
}

/** Returns what has become of a payment, and what to do. */
function lostText({ doubt, fate, detail }: LostPayment): string {
  if (fate === "refused") return refusedText(doubt);
  if (doubt !== undefined) return doubtText(doubt);
  const text = fate === undefined ? LOST : FATES[fate];
  return detail === undefined ? text : `${detail}. ${text}`;
}

/** Returns why nobody knows whether a payment arrives, and what to do. */
function doubtText({ missing, others }: PaymentDoubt): string {
  const [gone] = missing;
  const [other] = others;
  const why = `it may never arrive: its coin ${gone} is in no block, and nothing proves that it ` +
    "never will be, so that it is sent again until then. ";
  return other === undefined
    ? `${why}It has no other coins. Who pays it by hand may pay it twice`
    : `${why}Before you pay it by hand or give the amount back, have it end: spend its coin ` +
      `${other} by a wallet program with the seed, to the wallet's own address`;
}

/** Returns why a payment waits that the node does not take, and what to do. */
function refusedText(made: PaymentDoubt = { missing: [], others: [] }): string {
  const [behind] = made.missing;
  const [other] = made.others;
  const again = "It is sent again with each block";
  if (behind !== undefined) {
    return "the node does not take it: it is made of another payment's output " +
      `${behind}, and the node does not take that one either. ${again}, and arrives once that one ` +
      "does, or ends with it: see its notice. Do not pay it by hand or give the amount back before";
  }
  return "the node does not take it, as where its fee is below what nodes take now and can't be " +
    `raised: others are made of it, or it is at its highest. ${again}, and arrives once fees fall, ` +
    "or once a payment of its outputs pays for both. Before you pay it by hand or give the amount " +
    `back, have it end: spend its coin ${other} by a wallet program with the seed, to the wallet's ` +
    "own address. What is made of it ends with it";
}

/** Returns what to tell of a payment that is there again; null where its withdrawal waits for it. */
async function returnedNotice(
  engine: RailsEngine,
  network: string,
  { coin, payoutId, txid, detail }: ReturnedPayment,
): Promise<NewNotice | null> {
  const id = withdrawOf(payoutId);
  const notice = {
    kind: "payout_returned",
    currency: coin?.currency ?? "",
    network,
    id,
    txid,
    reason: detail === undefined ? RETURNED : `${detail}: ${RETURNED}`,
  } as const;
  if (id === 0) return notice;
  await engine.fresh();
  return (await engine.withdraw(id))?.state === "confirming" ? null : notice;
}

/** Returns the id of the withdrawal that a payout pays; 0 if it is the wallet's own. */
function withdrawOf(payoutId: string): number {
  const [, id = "0"] = WITHDRAW.exec(payoutId) ?? [];
  return Number(id);
}

function coinsOn({ venue }: Pick<Engine, "venue">, name: string): NetworkCoin[] {
  return venue.currencies.flatMap(({ id, precision, price, networks = [] }) => {
    const network = networks.find((one) => one.name === name);
    if (network === undefined) return [];
    const { contract = null, digits, hotLimit = null } = network;
    return [{
      currency: id,
      contract,
      digits,
      precision,
      hotLimit: hotLimit === null ? null : smallestUnits(hotLimit, digits),
      price,
    }];
  });
}

/** Returns an amount in ledger units as one in smallest units, of which each coin has 10^digits. */
function smallestUnits(amount: bigint, digits: number): bigint {
  return digits >= LEDGER_DIGITS
    ? amount * powerOfTen(digits - LEDGER_DIGITS)
    : amount / powerOfTen(LEDGER_DIGITS - digits);
}
