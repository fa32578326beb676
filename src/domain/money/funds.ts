/**
 * Members' funds, available and locked together, at moments of the log, and what has moved them:
 * what statements are made of. Trades are stored as such; everything else that moves funds has a
 * record here.
 */
import type { Account } from "./account.ts";
import type { FundsEvent, Trade } from "../event.ts";
import { lotUnit, type Market, totalUnit } from "../trading/market.ts";
import { feeOf } from "./money.ts";
import { type MemberTrade, takerTradeOf } from "../trading/trade_record.ts";
import { multiply, toBigint } from "../whole_number.ts";

/** After every so many trades of a member there is a record, so that no read adds up more. */
export const TRADES_PER_FUNDS_RECORD = 1000;

/** What may move a member's funds; a trade only if its record lacks a side. */
export const MOVEMENT_KINDS = ["deposit", "withdraw", "adjustment", "trade"] as const;
export type MovementKind = typeof MOVEMENT_KINDS[number];

/** What was added to a member's funds of one currency, or taken if negative: `gross - fee`. */
export interface Movement {
  /** Currency index. */
  readonly currency: number;
  /** Ledger units. */
  readonly gross: bigint;
  readonly fee: bigint;
}

/** What one event has moved. */
export interface Moved {
  readonly kind: MovementKind;
  /** Id of the deposit, withdrawal, adjustment or trade. */
  readonly of: number;
  readonly movements: readonly Movement[];
}

/** A member's funds after an event. */
export interface FundsRecord {
  /** Sequence of the event. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the venue's last trade then: those of the member with a higher one came after it. */
  readonly trades: number;
  /** Absent if the event is a trade like all others, after which the funds are noted. */
  readonly moved?: Moved;
  /** Number of operators' acts before it: an adjustment is part of the next one. */
  readonly acts: number;
  /** Funds of each currency that the member has any of, in ledger units, by currency index. */
  readonly totals: ReadonlyMap<number, bigint>;
}

/** Returns the funds in an account. */
export function fundsOf(account: Account | undefined): bigint {
  return account === undefined ? 0n : account.available + account.locked;
}

/** Returns the funds of each currency of which there are any. */
export function totalsOf(accounts: readonly (Account | undefined)[]): Map<number, bigint> {
  const totals = new Map<number, bigint>();
  for (let currency = 0; currency < accounts.length; currency++) {
    const total = fundsOf(accounts[currency]);
    if (total !== 0n) totals.set(currency, total);
  }
  return totals;
}

/** Returns what an event has moved; null if nothing. `net` is by how much the funds have grown. */
export function movedBy(event: FundsEvent, net: bigint): Moved | null {
  if (net === 0n) return null;
  switch (event.kind) {
    case "balance_adjusted":
      return moved("adjustment", event.id, event.currency, net, 0n);
    case "withdraw_set": {
      const { id, currency, fee } = event.withdraw;
      return moved("withdraw", id, currency, net, fee);
    }
    case "deposit_set": {
      const { id, currency, amount, fee } = event.deposit;
      // A coin's whole amount comes, or is dropped, before its fee is taken.
      const isWhole = net === amount || net === -amount;
      return moved("deposit", id, currency, net, isWhole ? 0n : fee);
    }
  }
}

function moved(kind: MovementKind, of: number, currency: number, net: bigint, fee: bigint): Moved {
  return { kind, of, movements: [{ currency, gross: net + fee, fee }] };
}

/** Returns what a side of a trade has moved: the base, then the quote. */
export function tradeMovements(
  { price, volume, side, feeRate }: Pick<MemberTrade, "price" | "volume" | "side" | "feeRate">,
  market: Market,
): readonly [Movement, Movement] {
  const base = toBigint(volume) * lotUnit(market);
  const total = multiply(price, volume) * totalUnit(market);
  const isBuy = side === "buy";
  return [
    {
      currency: market.base,
      gross: isBuy ? base : -base,
      fee: isBuy ? feeOf(base, feeRate) : 0n,
    },
    {
      currency: market.quote,
      gross: isBuy ? -total : total,
      fee: isBuy ? 0n : feeOf(total, feeRate),
    },
  ];
}

/**
 * Returns what the taker's side of a trade with oneself has moved if older versions of the program
 * made it, which stored the maker's alone; null of all other trades.
 */
export function movedUnlisted(trade: Trade, at: number, market: Market): Moved | null {
  if (trade.makerMember !== trade.takerMember || trade.isOwn === true) return null;
  const movements = tradeMovements(takerTradeOf(trade, at), market);
  return { kind: "trade", of: trade.id, movements };
}

/** Whether a record follows a trade after which its member has `count`; `more` came with it. */
export function isNotedTrade(count: number, more: number): boolean {
  return count % TRADES_PER_FUNDS_RECORD < more;
}
