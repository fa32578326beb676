/** Business limits, each with its unit in its name, and the relations between them. */
import { assert } from "./assert.ts";
import { DAY_MS, MINUTE_MS } from "./calendar.ts";

/** Fractional digits of price and amount together, so that fees stay exact. */
export const MARKET_PRECISION_MAX = 10;
/** Lots of one order; sums of many stay below 2⁵³. */
export const ORDER_LOTS_MAX = 1e13;
/** Price of one order, in ticks. */
export const ORDER_TICKS_MAX = 1e13;
/** Remaining lots of all orders at one price. */
export const LEVEL_LOTS_MAX = Number.MAX_SAFE_INTEGER;
/** Currencies of a venue. */
export const CURRENCIES_MAX = 1000;
/** Markets of a venue. */
export const MARKETS_MAX = 1000;
/** Open orders of one member on one market, unless the setting or the member's own limit differs. */
export const OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX = 1000;
/** The most of them that an operator may allow a member. */
export const OPEN_ORDERS_OVERRIDE_MAX = 100_000;
/** Orders of one member that may end without a trade on a day, unless the same differ. */
export const UNTRADED_ORDERS_PER_DAY_MAX = 200_000;
/** The most of them that the setting or an operator may allow a member. */
export const UNTRADED_ORDERS_OVERRIDE_MAX = 1_000_000_000;
/** Open orders that a cancel of all, or timers, end in one batch, before others have their turn. */
export const CANCELS_PER_PORTION_MAX = 250;
/** Orders in one bulk request, unless the setting or the member's own limit differs. */
export const ORDERS_PER_BULK_MAX = 100;
/** The most of them that an operator may allow a member. */
export const ORDERS_PER_BULK_OVERRIDE_MAX = 1000;
/** Characters of a client order id. */
export const CLIENT_ORDER_ID_LENGTH_MAX = 36;
/** How long a client order id stays taken, in ms. */
export const CLIENT_ORDER_ID_LIFE_MS = DAY_MS;
/**
 * Client order ids that one member may take in that time, and all members together unless the
 * setting differs. Each takes some 40 bytes of memory, outside of the heap: without bounds, a few
 * keys could end every process.
 */
export const CLIENT_ORDER_IDS_PER_MEMBER_MAX = 1_000_000;
export const CLIENT_ORDER_IDS_MAX = 3_000_000;
/** The highest fee rate, in parts per million. */
export const FEE_RATE_MAX_PPM = 500_000;
/** The highest member level. */
export const MEMBER_LEVEL_MAX = 99;
/** Keys of one member that are not deleted. */
export const KEYS_PER_MEMBER_MAX = 50;
/** The shortest and the longest time of a cancel timer, in ms. */
export const CANCEL_TIMER_MS_MIN = 1000;
export const CANCEL_TIMER_MS_MAX = DAY_MS;
/** Cancel timers of one key: its own, and one for each socket that asks, even on lost processes. */
export const CANCEL_TIMERS_PER_KEY_MAX = 32;
/** Characters of a chain's name of something: a txid or an address. */
export const CHAIN_NAME_LENGTH_MAX = 256;
/** Beneficiaries of one member that are not deleted. */
export const BENEFICIARIES_PER_MEMBER_MAX = 1000;
/** Wrong attempts that invalidate a pin. */
export const PIN_TRIES_MAX = 5;
/** How long a pin is valid, in ms. */
export const PIN_LIFE_MS = 15 * MINUTE_MS;
/** Shortest time between two pins, in ms. */
export const PIN_RESEND_MS = MINUTE_MS;
/** Deposits whose names are kept in memory, even if the rows have them. */
export const DEPOSIT_NAMES_MAX = 10_000;
/** Names of operators' acts that are kept in memory, even if the rows have them. */
export const ACT_NAMES_MAX = 10_000;
/** Currencies that profit and loss may be kept in at once. */
export const PNL_CURRENCIES_MAX = 8;
/** How long a withdrawal is kept in memory for the sums, in ms: longer than any month. */
export const WITHDRAW_SUMS_MS = 33 * DAY_MS;
/** How long a payout's claim belongs to its process only, in ms. */
export const CLAIM_LIFE_MS = 5_000;
/** The most that one adjustment moves unless the setting differs, in the platform's currency. */
export const ADJUSTMENT_VALUE_MAX = 1_000_000;
/** The most that the setting may be. */
export const ADJUSTMENT_VALUE_OVERRIDE_MAX = 1_000_000_000_000;
/** A market buy locks its estimate times this many tenths. */
export const MARKET_LOCK_TENTHS = 11n;

assert(ORDER_LOTS_MAX * 100 < LEVEL_LOTS_MAX, "a hundred of the largest orders fit one level");
