/** Currencies and markets, for operators. */
import * as z from "zod";
import { nameFormOf } from "../../../domain/money/chain_name.ts";
import { type Currency, NAME_FORMS } from "../../../domain/money/currency.ts";
import { priceMarketOf } from "../../../domain/money/followed_price.ts";
import { FAR_PRICE_PERCENT, type FarPrice, farPrices } from "../../../domain/money/far_price.ts";
import type { Market } from "../../../domain/trading/market.ts";
import type { Venue } from "../../../domain/venue.ts";
import type { AnyCall, BodyCall, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import { byPosition } from "../../../edge/wire/listed_markets.ts";
import { adminNetworksJson, currencyJson, marketJson } from "../../../edge/wire/market_wire.ts";
import {
  CURRENCY_CHANGES,
  MARKET_CHANGES,
  NEW_CURRENCY,
  NEW_MARKET,
} from "../../../edge/schemas/admin/admin_venue.ts";
import { ADMIN_NETWORK } from "../../../edge/schemas/admin/admin_networks.ts";
import { decimalText } from "../../../edge/schemas/answers.ts";
import { CURRENCY_EXAMPLE, MARKET_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import { CURRENCY, MARKET } from "../../../edge/schemas/market_answers.ts";
import { amountText } from "../../../edge/wire/wire.ts";
import {
  NETWORK_ERRORS,
  refuseConfirmations,
  refuseNameForm,
  refuseOtherToken,
} from "./network_rules.ts";

async function createCurrency(call: BodyCall<typeof NEW_CURRENCY>): Promise<Response> {
  refuseConfirmations(call.body);
  refuseNameForm(call.body);
  for (const network of call.body.networks ?? []) {
    await refuseOtherToken(call.services, call.body.id, network);
  }
  const receipt = await call.submit({ kind: "create_currency", currency: call.body });
  const { currency } = expectedReceipt(receipt, "currency_set");
  return call.json(201, currencyAnswer(call, currency, farPrices(call.engine.venue, currency)));
}

async function changeCurrency(call: BodyCall<typeof CURRENCY_CHANGES>): Promise<Response> {
  const id = call.param("id");
  const old = call.engine.venue.currencyById.get(id);
  if (old === undefined) throw new ApiError(404, "record.not_found");
  if (call.body.minConfirmations !== undefined) refuseConfirmations({ ...old, ...call.body });
  const receipt = await call.submit({ kind: "change_currency", id, changes: call.body });
  const { currency } = expectedReceipt(receipt, "currency_set");
  return call.json(200, currencyAnswer(call, currency, farPrices(call.engine.venue, currency)));
}

function listCurrencies(call: QueryCall<typeof PAGE_QUERY>): Response {
  const { venue } = call.engine;
  const page = pageOf([...venue.currencies].sort(byPosition), call.query, "pagination");
  const far = farPrices(venue);
  const rows = page.items.map((currency) => currencyAnswer(call, currency, far));
  return call.page(rows, call.query, page);
}

/** Returns a currency as operators see it. */
export function currencyAnswer(
  { fraction }: AnyCall,
  currency: Currency,
  far: readonly FarPrice[],
): z.infer<typeof ADMIN_CURRENCY> {
  const { index, visible, tradingEnabled } = currency;
  return {
    ...currencyJson(currency, fraction),
    name_form: nameFormOf(currency),
    visible,
    trading_enabled: tradingEnabled,
    price_market: priceMarketOf(currency),
    networks: adminNetworksJson(currency, fraction),
    warnings: far.filter((one) => one.currency === index).map(({ market, price }) => ({
      warning: FAR_PRICE,
      market,
      market_price: amountText(price, fraction),
    })),
  };
}

async function createMarket(call: BodyCall<typeof NEW_MARKET>): Promise<Response> {
  const receipt = await call.submit({ kind: "create_market", market: call.body });
  const { market } = expectedReceipt(receipt, "market_set");
  return call.json(201, marketAnswer(call, market));
}

async function changeMarket(call: BodyCall<typeof MARKET_CHANGES>): Promise<Response> {
  const id = call.param("id");
  if (!call.engine.venue.bookById.has(id)) throw new ApiError(404, "record.not_found");
  const receipt = await call.submit({ kind: "change_market", id, changes: call.body });
  const { market } = expectedReceipt(receipt, "market_set");
  return call.json(200, marketAnswer(call, market));
}

function listMarkets(call: QueryCall<typeof PAGE_QUERY>): Response {
  const { venue } = call.engine;
  const markets = venue.books.map((book) => book.market).sort(byPosition);
  const page = pageOf(markets, call.query, "pagination");
  const rows = page.items.map((market) => marketAnswer(call, market));
  return call.page(rows, call.query, page);
}

function marketAnswer(
  { engine: { venue }, fraction }: AnyCall,
  market: Market,
): z.infer<typeof ADMIN_MARKET> {
  return { ...marketJson(venue, market, fraction), warnings: dustWarnings(venue, market) };
}

/** Returns the currencies of which trades leave parts that are too small to be withdrawn. */
function dustWarnings(
  venue: Venue,
  { base, quote, pricePrecision, amountPrecision }: Market,
): z.infer<typeof ADMIN_MARKET>["warnings"] {
  const moved = [[base, amountPrecision], [quote, pricePrecision + amountPrecision]] as const;
  return moved.flatMap(([index, digits]) => {
    const { id, precision } = venue.currency(index);
    return digits > precision ? [{ warning: DUST, currency: id, digits, precision }] : [];
  });
}

const DUST = "admin.market.dust";
const ADMIN_MARKET = MARKET.extend({
  warnings: z.array(z.object({
    warning: z.literal(DUST).meta({
      description: "Trades move parts of the currency that are too small to be withdrawn.",
    }),
    currency: z.string().meta({ description: "Currency code.", examples: ["usdt"] }),
    digits: z.int().meta({ description: "Decimal places of what a trade moves.", examples: [8] }),
    precision: z.int().meta({ description: "Decimal places of the currency.", examples: [6] }),
  })).meta({
    description:
      "What the operator should know of the market. A member that withdraws a whole balance pays " +
      "what is too small to leave as part of the fee.",
  }),
}).meta({ id: "AdminMarket", description: "A market, listed or not." });
const ADMIN_MARKET_EXAMPLE = { ...MARKET_EXAMPLE, warnings: [] };

const FAR_PRICE = "admin.currency.far_price";
/** A currency as operators see it. */
export const ADMIN_CURRENCY = CURRENCY.extend({
  name_form: z.enum(NAME_FORMS).meta({ description: "How txids and addresses are compared." }),
  visible: z.boolean(),
  trading_enabled: z.boolean().meta({
    description: "Whether new orders are accepted on markets of this currency.",
  }),
  price_market: z.string().nullable().meta({
    description: "Market that the price follows; null if an operator sets it.",
    examples: ["btcusdt"],
  }),
  networks: z.array(ADMIN_NETWORK).meta({
    description:
      "Networks that a coin lives on, the first by default; none if no rail to one is to serve it.",
  }),
  warnings: z.array(z.object({
    warning: z.literal(FAR_PRICE).meta({
      description:
        `The \`price\` is more than ${FAR_PRICE_PERCENT} % from that of the market's last trade.`,
    }),
    market: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
    market_price: decimalText(
      "Price of one coin in the platform currency by the market's last trade.",
      "9250.0",
    ),
  })).meta({
    description:
      "What the operator should know of the currency. Withdrawal limits and the bound of " +
      "adjustments count by its `price`. A market tells it by the price of its other currency.",
  }),
}).meta({ id: "AdminCurrency", description: "A currency, listed or not." });
/** An example of one. */
export const ADMIN_CURRENCY_EXAMPLE = {
  ...CURRENCY_EXAMPLE,
  name_form: "common",
  visible: true,
  trading_enabled: true,
  price_market: null,
  warnings: [],
};
/** Error identifier for an amount finer than the currency. */
export const INVALID_AMOUNT = "admin.venue.invalid_amount";
/** Error identifier for a fee that leaves nothing of the least amount. */
export const FEE_ABOVE = "admin.currency.fee_above_minimum";
const INEXACT_PRECISION = "admin.venue.inexact_precision";
const CONTRADICTING = "admin.venue.contradicting_limits";
const PRECISION_IN_USE = "admin.venue.precision_in_use";
const CURRENCY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createCurrency",
    method: "POST",
    paths: ["/api/v2/admin/currencies"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Create a currency",
    body: { schema: NEW_CURRENCY, example: { id: "btc", name: "Bitcoin", precision: 8 } },
    answer: created("The currency.", ADMIN_CURRENCY, ADMIN_CURRENCY_EXAMPLE),
    errors: {
      422: [
        "admin.currency.duplicate_id",
        "admin.currency.limit_exceeded",
        INVALID_AMOUNT,
        FEE_ABOVE,
        CONTRADICTING,
        "admin.currency.missing_network",
        ...NETWORK_ERRORS,
      ],
    },
    handle: createCurrency,
  }),
  endpoint({
    id: "listAllCurrencies",
    method: "GET",
    paths: ["/api/v2/admin/currencies"],
    ...ofOperators("viewer"),
    summary: "List all currencies, including hidden ones",
    query: PAGE_QUERY,
    answer: okPage("Currencies, by position.", ADMIN_CURRENCY, ADMIN_CURRENCY_EXAMPLE),
    handle: listCurrencies,
  }),
  endpoint({
    id: "changeCurrency",
    method: "PATCH",
    paths: ["/api/v2/admin/currencies/{id}"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Change a currency",
    description:
      "The precision cannot change once anybody holds the currency or a deposit of it is in " +
      "progress. `deposit_enabled`, `withdrawal_enabled` and `trading_enabled` take effect at " +
      "once.",
    body: { schema: CURRENCY_CHANGES, example: { visible: false } },
    answer: ok("The currency.", ADMIN_CURRENCY, { ...ADMIN_CURRENCY_EXAMPLE, visible: false }),
    errors: {
      ...NOT_FOUND,
      422: [
        PRECISION_IN_USE,
        INVALID_AMOUNT,
        FEE_ABOVE,
        CONTRADICTING,
      ],
    },
    handle: changeCurrency,
  }),
];

const MARKET_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createMarket",
    method: "POST",
    paths: ["/api/v2/admin/markets"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Create a market",
    body: {
      schema: NEW_MARKET,
      example: {
        base_unit: "btc",
        quote_unit: "usdt",
        price_precision: 2,
        amount_precision: 6,
        min_amount: "0.0001",
        min_price: "0.01",
      },
    },
    answer: created("The market.", ADMIN_MARKET, ADMIN_MARKET_EXAMPLE),
    errors: {
      422: [
        "admin.market.base_equals_quote",
        "admin.market.duplicate_id",
        "admin.market.reverse_exists",
        "admin.market.limit_exceeded",
        "admin.currency.doesnt_exist",
        INEXACT_PRECISION,
        INVALID_AMOUNT,
      ],
    },
    handle: createMarket,
  }),
  endpoint({
    id: "listAllMarkets",
    method: "GET",
    paths: ["/api/v2/admin/markets"],
    ...ofOperators("viewer"),
    summary: "List all markets, including disabled ones",
    query: PAGE_QUERY,
    answer: okPage("Markets, by position.", ADMIN_MARKET, ADMIN_MARKET_EXAMPLE),
    handle: listMarkets,
  }),
  endpoint({
    id: "changeMarket",
    method: "PATCH",
    paths: ["/api/v2/admin/markets/{id}"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Change a market",
    description:
      "`enabled` trades, `cancel_only` only accepts cancels, `halted` accepts neither, " +
      "`disabled` only accepts cancels and is not listed. Open orders stay in every state until " +
      "they are cancelled; `/api/v2/admin/markets/{id}/orders/cancel` cancels all. The " +
      "precisions cannot change after the first order.",
    body: { schema: MARKET_CHANGES, example: { state: "cancel_only" } },
    answer: ok("The market.", ADMIN_MARKET, { ...ADMIN_MARKET_EXAMPLE, state: "cancel_only" }),
    errors: { ...NOT_FOUND, 422: [INEXACT_PRECISION, PRECISION_IN_USE, INVALID_AMOUNT, FEE_ABOVE] },
    handle: changeMarket,
  }),
];

/** Endpoints of currencies and markets. */
export const ADMIN_MARKET_ENDPOINTS: readonly Endpoint[] = [
  ...CURRENCY_ENDPOINTS,
  ...MARKET_ENDPOINTS,
];
