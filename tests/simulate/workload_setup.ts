/** The initial state of a simulated venue: currencies, markets, members, keys and funds. */
import type { Command, CurrencyDefinition, MarketDefinition } from "../../src/domain/command.ts";
import { FIRST_MEMBER, type Scope } from "../../src/domain/people/member.ts";
import { currencyDefinition } from "../support/domain_venue.ts";

/** One coin. */
export const COIN: bigint = 10n ** 16n;

/** Three coins and a fiat currency. */
export const CURRENCIES = ["btc", "eth", "usdt", "eur"] as const;

/** Markets with price and volume steps whose small multiples are typical values. */
export const MARKETS: readonly Partial<MarketDefinition>[] = [
  { base: "btc", quote: "usdt", pricePrecision: 2, amountPrecision: 4, minTotal: COIN / 125_000n },
  { base: "eth", quote: "usdt", pricePrecision: 0, amountPrecision: 0, minPrice: 3n * COIN },
  { base: "btc", quote: "eth", pricePrecision: 6, amountPrecision: 4, minAmount: COIN / 5000n },
  { base: "eth", quote: "eur", pricePrecision: 1, amountPrecision: 2, maxPrice: 16n * COIN / 10n },
];

/** Number of trading members, which follow the operator. */
export const TRADERS = 7;
/** Index of the operator's member. */
export const OPERATOR: number = FIRST_MEMBER;
/** Orders of one request, unless the settings are lower. */
export const BULK_ORDERS_MAX = 20;
/** Maximum number of open orders per member and market. */
export const OPEN_ORDERS_MAX = 12;

/** Initial funds per member, and the most that one adjustment moves. */
export const FUNDS: Readonly<Record<string, bigint>> = {
  btc: COIN / 25n,
  eth: 120n * COIN,
  usdt: 800n * COIN,
  eur: 300n * COIN,
};

/** Returns a usual currency with some changes. */
export function currencyOf(
  id: string,
  changes: Partial<CurrencyDefinition> = {},
): CurrencyDefinition {
  return { ...currencyDefinition(id), ...changes };
}

/** Returns a usual market with some changes. */
export function marketOf(definition: Partial<MarketDefinition>): MarketDefinition {
  return {
    base: "btc",
    quote: "usdt",
    pricePrecision: 2,
    amountPrecision: 4,
    minPrice: 0n,
    maxPrice: 0n,
    minAmount: 0n,
    minTotal: 0n,
    state: "enabled",
    position: 1,
    ...definition,
  };
}

/** Returns the uid of the member with this index. */
export function uidOf(member: number): string {
  return `ID${member.toString(16).padStart(10, "0").toUpperCase()}`;
}

/** Returns the commands that set up the venue, in order. */
export function setupCommands(): readonly Command[] {
  const commands: Command[] = [
    { kind: "create_currency", currency: currencyOf("btc", { price: 20_000n * COIN }) },
    {
      kind: "create_currency",
      currency: currencyOf("eth", {
        precision: 8,
        withdrawFee: COIN / 100n,
        depositFee: COIN / 1000n,
      }),
    },
    { kind: "create_currency", currency: currencyOf("usdt", { precision: 6 }) },
    {
      kind: "create_currency",
      currency: currencyOf("eur", { type: "fiat", precision: 2, depositFee: COIN / 10n }),
    },
    ...MARKETS.map((market) => ({ kind: "create_market", market: marketOf(market) } as const)),
    { kind: "set_fee", market: "any", group: "any", maker: 1000, taker: 2000 },
    {
      kind: "set_withdraw_limit",
      row: { level: -1, group: "any", limit24h: 100n * COIN, limit1m: 1000n * COIN },
    },
    { kind: "set_levels", levels: { deposit: 1, withdraw: 2, trading: 1 } },
    {
      kind: "set_settings",
      changes: { bulkOrdersMax: BULK_ORDERS_MAX, beneficiaryHoldMs: 0, credentialHoldMs: 0 },
    },
  ];
  for (let member = OPERATOR; member <= OPERATOR + TRADERS; member++) {
    commands.push(...memberCommands(member));
  }
  return commands;
}

function memberCommands(member: number): Command[] {
  const uid = uidOf(member);
  const isOperator = member === OPERATOR;
  const role = isOperator ? "operator" : "member";
  const all: readonly Scope[] = ["read", "trade", "withdraw"];
  const key = (
    name: string,
    scopes: readonly Scope[],
    nonceMode: "single" | "request",
  ) => ({ kind: "create_key", uid, kid: `${uid}${name}`, role, scopes, nonceMode } as const);
  const commands: Command[] = [
    {
      kind: "create_member",
      uid,
      emailDigest: `mail of ${uid}`,
      level: 3,
      group: member % 3 === 0 ? "vip" : "any",
    },
    key("a", all, "single"),
    key("b", all, "request"),
    key("c", isOperator ? all : ["read"], "request"),
    { kind: "change_member", uid, changes: { openOrdersMax: OPEN_ORDERS_MAX } },
    { kind: "set_two_factor", member, step: 1, generation: 0, isOn: true },
  ];
  if (isOperator) return commands;
  for (const currency of CURRENCIES) {
    commands.push({ kind: "adjust_balance", uid, currency, amount: FUNDS[currency] ?? 0n });
  }
  return commands;
}
