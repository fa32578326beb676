/** The settings of the whole venue as they are given: by the environment, and by operators. */
import * as z from "zod";
import { HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import {
  ADJUSTMENT_VALUE_OVERRIDE_MAX,
  OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX,
  ORDERS_PER_BULK_OVERRIDE_MAX,
  PNL_CURRENCIES_MAX,
  UNTRADED_ORDERS_OVERRIDE_MAX,
} from "../domain/limits.ts";
import { BODY_SIGNATURES, type Settings, WALLET_RAILS } from "../domain/settings.ts";
import { countOrOff, isOff, oneOf, readBy, wholeNumber, wrong } from "./setting_texts.ts";

/** A value as it is shown. */
type Shown = string | number | readonly string[];

/** One setting in the forms in which it is given and shown. */
export interface VenueSetting<T> {
  /** Its name in the environment; calls have it in lower case. */
  readonly name: string;
  /** Reads what is given as text. */
  readonly text: z.ZodType<T, string>;
  /** Whether it is a list, of which the environment has the items in one text. */
  readonly isList?: true;
  /** Returns the value in the terms in which it is given. */
  readonly show: (value: T) => Shown;
  /** The type of what is shown. */
  readonly shown: z.ZodType;
  readonly description: string;
  readonly example: Shown;
}

const NONCE_WINDOW_MS_MAX = 60_000;
const HOLD_HOURS_MAX = 8760;
const SESSION_HOURS_MAX = 720;
const SESSION_IDLE_MINUTES_MAX = 43_200;

/** Every setting of the venue. */
export const VENUE_SETTINGS: { readonly [K in keyof Settings]: VenueSetting<Settings[K]> } = {
  nonceWindowMs: number("NONCE_WINDOW_MS", 1, NONCE_WINDOW_MS_MAX, 1, {
    description: "How far a call's nonce may be from the venue's time. A narrower one counts at " +
      "once, a wider one at each process from its next start on.",
    example: 5000,
  }),
  bodySignatures: words("BODY_SIGNATURES", BODY_SIGNATURES, {
    description: "Which signed calls need a body signature: none, those of operators' keys and " +
      "of keys that may withdraw, or all.",
    example: "withdraw",
  }),
  bulkOrdersMax: number("ORDERS_PER_BULK_MAX", 1, ORDERS_PER_BULK_OVERRIDE_MAX, 1, {
    description: "The most orders in one bulk call, unless the member has its own limit.",
    example: 100,
  }),
  openOrdersMax: number("OPEN_ORDERS_MAX", 1, OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX, 1, {
    description: "The most open orders of a member on a market, unless it has its own limit.",
    example: 1000,
  }),
  untradedOrdersMax: {
    name: "UNTRADED_ORDERS_MAX",
    text: countOrOff(UNTRADED_ORDERS_OVERRIDE_MAX),
    show: (count) => count === 0 ? "off" : String(count),
    shown: z.string(),
    description: "The most orders of a member that may end without a trade on a day, unless it " +
      "has its own limit; or `off`.",
    example: "200000",
  },
  priceBandBps: {
    name: "PRICE_BAND",
    text: readBy(priceBandOf),
    show: (bps) => bps === 0 ? "off" : String(bps / 100),
    shown: z.string(),
    description: "How far from a market's last price an order may trade to its member's harm, " +
      "in percent with up to 2 decimals; or `off`.",
    example: "7.5",
  },
  needsWithdrawIpLists: {
    name: "WITHDRAW_IP_LISTS",
    text: oneOf(["optional", "required"]).transform((word) => word === "required"),
    show: (isNeeded) => isNeeded ? "required" : "optional",
    shown: z.enum(["optional", "required"]),
    description: "Whether members' keys that may withdraw need a list of addresses.",
    example: "optional",
  },
  adjustmentMax: {
    name: "ADJUSTMENT_MAX",
    text: countOrOff(ADJUSTMENT_VALUE_OVERRIDE_MAX),
    show: (value) => value === 0 ? "off" : String(value),
    shown: z.string(),
    description: "The most that one adjustment may be worth, in the platform currency; or `off`.",
    example: "1000000",
  },
  walletRail: words("WALLET_RAIL", WALLET_RAILS, {
    description: "How coins come in and go out. Another rail counts at each process from its " +
      "next start on. Without one nothing is paid from now on but by hand: what was approved and " +
      "not paid is left to that, also if a rail comes back, unless it is handed over.",
    example: "none",
  }),
  pnlCurrencies: {
    name: "PNL_CURRENCIES",
    text: readBy(pnlCurrenciesOf),
    isList: true,
    show: (codes) => codes,
    shown: z.array(z.string()),
    description: "Currencies in which profit and loss is shown. One that is no longer named is " +
      `kept on, unseen, as one of the last ${PNL_CURRENCIES_MAX} that were, and is whole when it ` +
      "is named again.",
    example: ["usdt", "btc"],
  },
  beneficiaryHoldMs: number("BENEFICIARY_HOLD_HOURS", 0, HOLD_HOURS_MAX, HOUR_MS, {
    description: "How long a new beneficiary has to wait for its first withdrawal.",
    example: 24,
  }),
  credentialHoldMs: number("CREDENTIAL_HOLD_HOURS", 0, HOLD_HOURS_MAX, HOUR_MS, {
    description: "How long a beneficiary has to wait after a change of password or second " +
      "factor, unless it is twice as old as that.",
    example: 48,
  }),
  sessionLifeMs: number("SESSION_HOURS", 1, SESSION_HOURS_MAX, HOUR_MS, {
    description: "How long a person stays signed in.",
    example: 24,
  }),
  sessionIdleMs: number("SESSION_IDLE_MINUTES", 1, SESSION_IDLE_MINUTES_MAX, MINUTE_MS, {
    description: "How long a person stays signed in without making a call.",
    example: 120,
  }),
};

/** The names of the settings in the code. */
export const SETTING_KEYS = Object.keys(VENUE_SETTINGS) as readonly (keyof Settings)[];

/** Returns a setting without the type of its value. */
export function venueSetting(key: keyof Settings): VenueSetting<unknown> {
  return VENUE_SETTINGS[key] as unknown as VenueSetting<unknown>;
}

/** Returns the name of a setting in calls. */
export function wireName(key: keyof Settings): string {
  return venueSetting(key).name.toLowerCase();
}

/** Returns settings as calls have them. */
export function settingsJson(settings: Settings): Readonly<Record<string, Shown>> {
  return Object.fromEntries(
    SETTING_KEYS.map((key) => [wireName(key), venueSetting(key).show(settings[key])]),
  );
}

/** Returns settings under their names, in the terms in which they are given. */
export function shownVenueSettings(settings: Settings): Readonly<Record<string, Shown>> {
  return Object.fromEntries(SETTING_KEYS.map((key) => {
    const { name, show } = venueSetting(key);
    return [name, show(settings[key])];
  }));
}

type Notes = Pick<VenueSetting<unknown>, "description" | "example">;

/** @param unit what one is in the terms of the program */
function number(
  name: string,
  min: number,
  max: number,
  unit: number,
  notes: Notes,
): VenueSetting<number> {
  return {
    name,
    text: wholeNumber(min, max).transform((count) => count * unit),
    show: (value) => value / unit,
    shown: z.int().min(min).max(max),
    ...notes,
  };
}

function words<const T extends readonly string[]>(
  name: string,
  values: T,
  notes: Notes,
): VenueSetting<T[number]> {
  return { name, text: oneOf(values), show: (word) => word, shown: z.enum(values), ...notes };
}

/** Returns a percentage in basis points; 0 if there is no band. */
function priceBandOf(text: string, context: z.RefinementCtx): number {
  if (isOff(text)) return 0;
  const bps = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
  if (bps > 0 && bps <= 10_000) return bps;
  return wrong(
    context,
    'must be a percentage above 0 up to 100, with at most 2 decimals, or "off"',
  );
}

function pnlCurrenciesOf(text: string, context: z.RefinementCtx): readonly string[] {
  if (isOff(text)) return [];
  const codes = text.split(",").map((code) => code.trim().toLowerCase());
  const areSound = codes.every((code) => /^[a-z0-9_-]{1,32}$/.test(code)) &&
    new Set(codes).size === codes.length && codes.length <= PNL_CURRENCIES_MAX;
  if (areSound) return codes;
  return wrong(
    context,
    `must be up to ${PNL_CURRENCIES_MAX} different currency codes separated by commas, or ` +
      '"off"',
  );
}
