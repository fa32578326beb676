/**
 * The settings of the whole venue: those by which two processes that disagree would do harm. The
 * log holds them, so that all processes obey the same ones and every change is on record.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";
import {
  ADJUSTMENT_VALUE_MAX,
  OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX,
  ORDERS_PER_BULK_MAX,
  UNTRADED_ORDERS_PER_DAY_MAX,
} from "./limits.ts";

/** Which signed calls have to sign method, path and body as well. */
export const BODY_SIGNATURES = ["off", "withdraw", "all"] as const;
export type BodySignatures = typeof BODY_SIGNATURES[number];

/** Rails; `sandbox` leads to no network, and its coins are worth nothing. */
export const WALLET_RAILS = ["none", "sandbox", "networks"] as const;
export type WalletRail = typeof WALLET_RAILS[number];

/** The settings of the whole venue. */
export interface Settings {
  /** Orders in one bulk request, unless the member has its own limit. */
  readonly bulkOrdersMax: number;
  /** Open orders of a member on a market, unless it has its own limit. */
  readonly openOrdersMax: number;
  /**
   * Orders of a member that may end without a trade on a day (UTC) before it may place no more,
   * unless it has its own limit; 0 for no limit.
   */
  readonly untradedOrdersMax: number;
  /** Width of the price band around a market's last price, in basis points; 0 for none. */
  readonly priceBandBps: number;
  /**
   * How far a nonce may be from the venue's time, in ms. A process takes a wider window when it
   * starts, since it has forgotten what the wider one would have it remember.
   */
  readonly nonceWindowMs: number;
  readonly bodySignatures: BodySignatures;
  /** Whether keys that may withdraw need a list of the addresses that may use them. */
  readonly needsWithdrawIpLists: boolean;
  /**
   * The most that one adjustment of an operator may move, in whole units of the platform's currency;
   * 0 for any.
   */
  readonly adjustmentMax: number;
  /** How coins come in and go out; a process takes another rail when it starts. */
  readonly walletRail: WalletRail;
  /** How long a new beneficiary has to wait for its first withdrawal, in ms. */
  readonly beneficiaryHoldMs: number;
  /**
   * How long a beneficiary has to wait after a change of password or second factor, in ms, unless
   * it is twice as old as that.
   */
  readonly credentialHoldMs: number;
  /** How long a session lasts after the sign-in, and without a call, in ms. */
  readonly sessionLifeMs: number;
  readonly sessionIdleMs: number;
  /** Codes of the currencies to keep profit and loss in, some of which may not exist yet. */
  readonly pnlCurrencies: readonly string[];
}

/** What the log holds of settings: those that were ever set, and what operators alone define. */
export interface StoredSettings extends Partial<Settings> {
  /** Absent if nobody has defined them. */
  readonly memberClasses?: MemberClasses;
}

/** The settings of a venue that was given none. */
export const DEFAULT_SETTINGS: Settings = {
  bulkOrdersMax: ORDERS_PER_BULK_MAX,
  openOrdersMax: OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX,
  untradedOrdersMax: UNTRADED_ORDERS_PER_DAY_MAX,
  priceBandBps: 0,
  nonceWindowMs: 5_000,
  bodySignatures: "off",
  needsWithdrawIpLists: false,
  adjustmentMax: ADJUSTMENT_VALUE_MAX,
  walletRail: "none",
  beneficiaryHoldMs: DAY_MS,
  credentialHoldMs: 2 * DAY_MS,
  sessionLifeMs: 24 * HOUR_MS,
  sessionIdleMs: 120 * MINUTE_MS,
  pnlCurrencies: [],
};

/** What members may be. */
export interface MemberClasses {
  /** Names besides `any`, in the order given. */
  readonly groups: readonly string[];
  /** Levels go from 0 to this one. */
  readonly levelMax: number;
}
