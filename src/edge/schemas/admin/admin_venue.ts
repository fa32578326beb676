/** Schemas of operators' calls about currencies, markets, fees and levels. */
import * as z from "zod";
import type {
  ChangeCurrency,
  ChangeMarket,
  CurrencyDefinition,
  MarketDefinition,
  SetFee,
} from "../../../domain/command.ts";
import type { Levels } from "../../../domain/event.ts";
import { FOLLOW_PERCENT_MAX } from "../../../domain/money/followed_price.ts";
import { nameFormOf } from "../../../domain/money/chain_name.ts";
import { MARKET_PRECISION_MAX, MEMBER_LEVEL_MAX } from "../../../domain/limits.ts";
import { MARKET_STATES } from "../../../domain/trading/market.ts";
import { LEDGER_DIGITS, parseDecimal, RATE_DIGITS } from "../../../domain/money/money.ts";
import { definedFields } from "../../answer.ts";
import { WEB_URL } from "../../web_url.ts";
import { plainDecimal } from "../../reading/plain_decimal.ts";
import { decimalText } from "../answers.ts";
import {
  changed,
  flag,
  integer,
  keptOrNone,
  memberGroup,
  OBJECT,
  optional,
  text,
  unlessAny,
  withDefault,
  word,
} from "../fields.ts";
import { NAME_FORMS } from "../../../domain/money/currency.ts";
import { TAG_KINDS, TAG_NAMES } from "../../../domain/money/tag.ts";
import { networkNamed } from "../../../wallet/networks.ts";
import { amount, CURRENCY_WORDS, FIRST_NETWORK, firstNetwork } from "./admin_networks.ts";

const TEXT_LENGTH_MAX = 1000;
const POSITION_MAX = 1_000_000;

function longText(name: string): z.ZodType<string, string> {
  return text({ prefix: CURRENCY_WORDS, name, lengthMax: TEXT_LENGTH_MAX });
}

function address(name: string, description: string): z.ZodType<string, string> {
  return text({ prefix: CURRENCY_WORDS, name, lengthMax: TEXT_LENGTH_MAX, pattern: WEB_URL }, {
    description: `${description}: an \`http\` or \`https\` URL, or empty.`,
  });
}

const CURRENCY_FIELDS = changed(CURRENCY_WORDS, {
  name: text({ prefix: CURRENCY_WORDS, name: "name" }),
  description: longText("description"),
  homepage: address("homepage", "The currency's page"),
  price: amount(
    CURRENCY_WORDS,
    "price",
    "Price of one coin in the platform currency; 0 for none, in which case withdrawals " +
      "subject to a withdrawal limit wait for an operator.",
  ),
  position: integer({ prefix: CURRENCY_WORDS, name: "position", min: 0, max: POSITION_MAX }),
  visible: flag(CURRENCY_WORDS, "visible", {
    description:
      "Whether the currency is listed. While it is not, members get no address, beneficiary or " +
      "withdrawal of it; holders still see it, and its markets keep trading.",
  }),
  deposit_enabled: flag(CURRENCY_WORDS, "deposit_enabled"),
  withdrawal_enabled: flag(CURRENCY_WORDS, "withdrawal_enabled"),
  trading_enabled: flag(CURRENCY_WORDS, "trading_enabled", {
    description: "Whether new orders are accepted on markets of this currency.",
  }),
  deposit_fee: amount(CURRENCY_WORDS, "deposit_fee", "Deposit fee."),
  min_deposit_amount: amount(CURRENCY_WORDS, "min_deposit_amount", "Minimum deposit."),
  withdraw_fee: amount(CURRENCY_WORDS, "withdraw_fee", "Withdrawal fee."),
  min_withdraw_amount: amount(CURRENCY_WORDS, "min_withdraw_amount", "Minimum withdrawal."),
  min_confirmations: integer({
    prefix: CURRENCY_WORDS,
    name: "min_confirmations",
    min: 0,
    max: POSITION_MAX,
  }),
  explorer_transaction: address("explorer_transaction", "Where its transactions are shown"),
  explorer_address: address("explorer_address", "Where its addresses are shown"),
  icon_url: address("icon_url", "Its icon"),
});

const CURRENCY_LIMITS = {
  withdraw_limit_24h: keptOrNone(amount(
    CURRENCY_WORDS,
    "withdraw_limit_24h",
    "Amount of this currency that a member may withdraw per 24 hours without an operator's " +
      "approval; 0 lets nothing leave without it, and null is no limit.",
  )),
  withdraw_limit_72h: keptOrNone(amount(
    CURRENCY_WORDS,
    "withdraw_limit_72h",
    "The same per 72 hours; not below that per 24 hours.",
  )),
};

const precision = integer({
  prefix: CURRENCY_WORDS,
  name: "precision",
  min: 0,
  max: LEDGER_DIGITS,
}, { description: "Decimal places of deposits and withdrawals.", example: 8 });

const CURRENCY_CHANGES_FIELDS = z.object({
  ...CURRENCY_FIELDS,
  ...CURRENCY_LIMITS,
  price_market: keptOrNone(text({ prefix: CURRENCY_WORDS, name: "price_market" }, {
    description:
      `Market that the \`price\` follows: once an hour it moves by up to ${FOLLOW_PERCENT_MAX} % ` +
      "towards the average price, by volume, of the last 24 hours. It has to trade the currency " +
      "for one whose price is set by an operator. Null, the default, lets the price stay.",
    example: "btcusdt",
  })),
  ...changed(CURRENCY_WORDS, { precision }),
}, OBJECT).meta({
  id: "CurrencyChanges",
  description: "Fields to change; all others stay as they are.",
});

type CurrencyChanges = ChangeCurrency["changes"];

/** Changes of a currency. */
export const CURRENCY_CHANGES: z.ZodType<CurrencyChanges> = CURRENCY_CHANGES_FIELDS
  .transform(currencyChanges);

const TAG_FIELDS = z.strictObject({
  name: word(CURRENCY_WORDS, "tag_name", TAG_NAMES, {
    description: "What its chain calls it; beneficiaries' `data` has a field of this name.",
  }),
  kind: word(CURRENCY_WORDS, "tag_kind", TAG_KINDS, {
    description: "`number`: of 32 bits. `text`: 1 to 64 printable characters of ASCII.",
  }),
}, `${CURRENCY_WORDS}.invalid_tag`);

const { tag } = changed(CURRENCY_WORDS, {
  tag: TAG_FIELDS.meta({
    description:
      "How a coin's addresses have tags; absent if they have none. It can't be changed later, and " +
      "such a coin lives on no `network`.",
    examples: [{ name: "destination_tag", kind: "number" }],
  }),
});

const NEW_CURRENCY_FIELDS = z.object({
  id: text({ prefix: CURRENCY_WORDS, name: "id" }, {
    description: "Currency code, in lower case.",
    example: "btc",
  }),
  type: withDefault(word(CURRENCY_WORDS, "type", ["coin", "fiat"]), "coin"),
  name_form: optional(word(CURRENCY_WORDS, "name_form", NAME_FORMS, {
    description:
      "How txids and addresses are compared. `common`, for coins by default: hexadecimal ones in " +
      "lower case and without `0x`, bech32 ones in lower case, all others as they are. `cash`: " +
      "the same, and both forms of an address of Bitcoin Cash are one. `exact`, for fiat by " +
      "default: as they are. It can't be changed later.",
  })),
  precision: withDefault(precision, 8),
  ...CURRENCY_FIELDS,
  ...CURRENCY_LIMITS,
  ...FIRST_NETWORK,
  tag,
}, OBJECT).meta({ id: "CurrencyInput", description: "A currency to create." });

/** A new currency. */
export const NEW_CURRENCY: z.ZodType<CurrencyDefinition> = NEW_CURRENCY_FIELDS
  .transform((given, context) => ({
    ...CURRENCY_DEFAULTS,
    ...currencyChanges(given),
    ...firstNetwork(given, context),
    ...(given.tag === undefined ? {} : { tag: given.tag }),
    id: given.id,
    type: given.type,
    nameForm: given.name_form ?? networkNamed(given.network)?.nameForm ??
      nameFormOf({ type: given.type }),
    precision: given.precision,
  }));

const CURRENCY_DEFAULTS: Omit<CurrencyDefinition, "id" | "type" | "nameForm" | "precision"> = {
  name: "",
  description: "",
  homepage: "",
  price: 0n,
  position: 0,
  visible: true,
  depositEnabled: true,
  withdrawalEnabled: true,
  tradingEnabled: true,
  depositFee: 0n,
  minDepositAmount: 0n,
  withdrawFee: 0n,
  minWithdrawAmount: 0n,
  withdrawLimit24h: null,
  withdrawLimit72h: null,
  minConfirmations: 1,
  explorerTransaction: "",
  explorerAddress: "",
  iconUrl: "",
};

function currencyChanges(
  given: Omit<z.infer<typeof CURRENCY_CHANGES_FIELDS>, "precision" | "price_market"> & {
    readonly precision?: number | undefined;
    readonly price_market?: string | null | undefined;
  },
): CurrencyChanges {
  return definedFields<CurrencyChanges>({
    name: given.name,
    description: given.description,
    homepage: given.homepage,
    precision: given.precision,
    price: given.price,
    position: given.position,
    visible: given.visible,
    depositEnabled: given.deposit_enabled,
    withdrawalEnabled: given.withdrawal_enabled,
    tradingEnabled: given.trading_enabled,
    depositFee: given.deposit_fee,
    minDepositAmount: given.min_deposit_amount,
    withdrawFee: given.withdraw_fee,
    minWithdrawAmount: given.min_withdraw_amount,
    withdrawLimit24h: given.withdraw_limit_24h,
    withdrawLimit72h: given.withdraw_limit_72h,
    minConfirmations: given.min_confirmations,
    explorerTransaction: given.explorer_transaction,
    explorerAddress: given.explorer_address,
    iconUrl: given.icon_url,
    priceMarket: given.price_market,
  });
}

const MARKET_WORDS = "admin.market";

function digits(name: string): z.ZodType<number, string> {
  return integer({ prefix: MARKET_WORDS, name, min: 0, max: MARKET_PRECISION_MAX }, {
    description: `Decimal places; price and amount together at most ${MARKET_PRECISION_MAX}.`,
    example: 4,
  });
}

const MARKET_FIELDS = changed(MARKET_WORDS, {
  min_price: amount(MARKET_WORDS, "min_price", "Minimum order price."),
  max_price: amount(MARKET_WORDS, "max_price", "Maximum order price; 0 for none."),
  min_amount: amount(MARKET_WORDS, "min_amount", "Minimum order volume."),
  min_total: amount(
    MARKET_WORDS,
    "min_total",
    "Minimum price × volume of an order; 0 for none.",
  ),
  state: word(MARKET_WORDS, "state", MARKET_STATES, { description: "Market state." }),
  position: integer({ prefix: MARKET_WORDS, name: "position", min: 0, max: POSITION_MAX }),
});

type MarketChanges = ChangeMarket["changes"];

const MARKET_CHANGES_FIELDS = z.object({
  ...MARKET_FIELDS,
  ...changed(MARKET_WORDS, {
    price_precision: digits("price_precision"),
    amount_precision: digits("amount_precision"),
  }),
}, OBJECT).meta({
  id: "MarketChanges",
  description: "Fields to change; all others stay as they are.",
});

/** Changes of a market. */
export const MARKET_CHANGES: z.ZodType<MarketChanges> = MARKET_CHANGES_FIELDS
  .transform(marketChanges);

const NEW_MARKET_FIELDS = z.object({
  id: optional(text({ prefix: MARKET_WORDS, name: "id" }, {
    description:
      "Market id, of 2 to 32 lower-case letters and digits, with `_` or `-` between them. By " +
      "default the two codes, one after the other; choose another where these are another " +
      "market's already, as those of `pax`/`gusd` are of `paxg`/`usd`.",
    example: "btcusdt",
  })),
  base_unit: text({ prefix: MARKET_WORDS, name: "base_unit" }, { example: "btc" }),
  quote_unit: text({ prefix: MARKET_WORDS, name: "quote_unit" }, { example: "usdt" }),
  price_precision: digits("price_precision"),
  amount_precision: digits("amount_precision"),
  ...MARKET_FIELDS,
}, OBJECT).meta({ id: "MarketInput", description: "A market to create." });

/** A new market. */
export const NEW_MARKET: z.ZodType<MarketDefinition> = NEW_MARKET_FIELDS.transform((given) => ({
  minPrice: 0n,
  maxPrice: 0n,
  minAmount: 0n,
  minTotal: 0n,
  state: "enabled" as const,
  position: 0,
  ...marketChanges(given),
  ...(given.id === undefined ? {} : { id: given.id }),
  base: given.base_unit,
  quote: given.quote_unit,
  pricePrecision: given.price_precision,
  amountPrecision: given.amount_precision,
}));

function marketChanges(given: z.infer<typeof MARKET_CHANGES_FIELDS>): MarketChanges {
  return definedFields<MarketChanges>({
    pricePrecision: given.price_precision,
    amountPrecision: given.amount_precision,
    minPrice: given.min_price,
    maxPrice: given.max_price,
    minAmount: given.min_amount,
    minTotal: given.min_total,
    state: given.state,
    position: given.position,
  });
}

const FEE_WORDS = "admin.trading_fee";

function rate(name: "maker" | "taker"): z.ZodType<number, string> {
  const invalid = `${FEE_WORDS}.invalid_rate`;
  return text({ prefix: FEE_WORDS, name })
    .transform((given, context) => {
      const plain = plainDecimal(given);
      const ppm = plain === null ? null : parseDecimal(plain, RATE_DIGITS);
      if (ppm === null) context.addIssue({ code: "custom", message: invalid });
      return Number(ppm ?? 0n);
    })
    .meta({
      type: "string",
      description: `Fee rate of the ${name}, at most 0.5.`,
      examples: ["0.002"],
    }) as z.ZodType<number, string>;
}

/** A row of the fee table. */
export const NEW_FEE: z.ZodType<Omit<SetFee, "kind">> = z.object({
  market_id: unlessAny(
    text({ prefix: FEE_WORDS, name: "market_id" }, { description: "Market id, or `any`." }),
    `${FEE_WORDS}.invalid_market_id`,
    "any",
  ),
  group: unlessAny(
    memberGroup(FEE_WORDS, { description: "Member group, or `any`." }),
    `${FEE_WORDS}.invalid_group`,
    "any",
  ),
  maker: rate("maker"),
  taker: rate("taker"),
}, OBJECT).meta({ id: "TradingFeeInput", description: "A row of the fee table." })
  .transform(({ market_id, group, maker, taker }) => ({ market: market_id, group, maker, taker }));

function minimum(name: string): z.ZodType<number, string> {
  return integer({ prefix: "admin.member_levels", name, min: 0, max: MEMBER_LEVEL_MAX }, {
    description: "Minimum member level.",
  });
}

/** Minimum member levels. */
export const NEW_LEVELS: z.ZodType<Levels> = z.object({
  deposit: minimum("deposit"),
  withdraw: minimum("withdraw"),
  trading: minimum("trading"),
}, OBJECT).meta({ id: "MemberLevelsInput", description: "Minimum member levels." });

/** What the venue has earned in one currency. */
export const FEE_INCOME = z.object({
  currency: z.string().meta({ description: "Currency code.", examples: ["btc"] }),
  amount: decimalText("All fees paid in it so far.", "0.0125"),
}).meta({ id: "FeeIncome", description: "The venue's income from fees in one currency." });
