/** Judges commands about currencies, markets and fees. */
import type {
  AddNetwork,
  ChangeCurrency,
  ChangeMarket,
  ChangeNetwork,
  CreateCurrency,
  CreateMarket,
  DeleteFee,
  FollowPrice,
  MarketDefinition,
  SetFee,
} from "../../../src/domain/command.ts";
import type { Currency } from "../../../src/domain/money/currency.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import type { Market } from "../../../src/domain/trading/market.ts";
import { decimal, DIGITS, unitOf } from "./amounts.ts";
import { pnlSet } from "./judge_settings.ts";
import type { OracleMarket } from "./market.ts";
import { undefinedClass } from "./judge_classes.ts";
import type { OracleState } from "./state.ts";
import { no, type Verdict, yes } from "./verdict.ts";

const HOUR = 3_600_000;
const CURRENCIES = 1000;
const MARKETS = 1000;
const PRECISION_SUM = 10;
const UNITS_MAX = 10_000_000_000_000n;
/** One half, in parts per million. */
const RATE_MAX = 500_000;

/** Judges the creation of a currency. */
export function createCurrency(state: OracleState, { currency }: CreateCurrency): Verdict {
  if (state.currency(currency.id) !== undefined) return no("currency_taken", "id");
  if (state.currencies.length >= CURRENCIES) {
    return no("currency_limit_exceeded", "id", CURRENCIES);
  }
  if (!/^[a-z0-9]{2,16}$/.test(currency.id)) return no("currency_code_invalid", "id");
  const created = { ...currency, index: state.currencies.length };
  const refusal = refuseTerms(created, null) ?? refuseLimits(created, currency);
  const isTagged = created.tag !== undefined;
  if (refusal === null && isTagged && created.type === "fiat") {
    return no("currency_tag_invalid", "tag");
  }
  if (refusal === null && isTagged && (created.networks ?? []).length > 0) {
    return no("currency_network_untagged", "network");
  }
  if (refusal !== null) return refusal;
  const there = [...state.currencies, created].map(({ id }) => id);
  return currencySet(created, ...pnlSet(state, state.settings, there));
}

/** Judges a change of a currency; its precision is fixed while anybody holds or expects it. */
export function changeCurrency(
  state: OracleState,
  { id, changes }: ChangeCurrency,
  at: number,
): Verdict {
  const old = state.currency(id);
  if (old === undefined) return no("currency_not_found", "id");
  const changed: Currency = { ...old, ...changes, ...("price" in changes ? { pricedAt: at } : {}) };
  const refusal = refuseTerms(changed, old) ?? refuseLimits(changed, changes) ??
    refuseGuide(state, changed);
  if (refusal !== null) return refusal;
  const isHeld = state.ledger.accounts.some((accounts) => {
    const account = accounts?.[old.index];
    return account !== undefined && (account.available !== 0n || account.locked !== 0n);
  });
  const isDue = [...state.deposits.values()].some(({ currency }) => currency === old.index);
  if (changed.precision !== old.precision && (isHeld || isDue)) {
    return no("precision_frozen", "precision");
  }
  return currencySet(changed);
}

/** Judges another network for a coin: each is a coin's once, and a coin there one currency's. */
export function addNetwork(state: OracleState, { id, network }: AddNetwork): Verdict {
  const old = state.currency(id);
  if (old === undefined) return no("currency_not_found", "id");
  if (old.tag !== undefined) return no("currency_network_untagged", "network");
  if (old.type === "fiat") return no("currency_network_invalid", "network");
  const isTaken = state.currencies.some((other) =>
    (other.networks ?? []).some(({ name, contract }) =>
      name === network.name && (other === old || contract === network.contract)
    )
  );
  if (isTaken) return no("currency_network_taken", "network");
  const changed = { ...old, networks: [...old.networks ?? [], network] };
  return refuseTerms(changed, old) ?? currencySet(changed);
}

/** Judges new terms of a coin on one of its networks. */
export function changeNetwork(
  state: OracleState,
  { id, network, changes }: ChangeNetwork,
): Verdict {
  const old = state.currency(id);
  if (old === undefined) return no("currency_not_found", "id");
  const place = (old.networks ?? []).findIndex(({ name }) => name === network);
  const before = old.networks?.[place];
  if (before === undefined) return no("currency_network_not_found", "network");
  const changed = {
    ...old,
    networks: (old.networks ?? []).with(place, { ...before, ...changes }),
  };
  return refuseTerms(changed, old) ?? currencySet(changed);
}

/** A fee of a network's own is held against the currency's least amount and digits. */
function refuseTerms(changed: Currency, old: Currency | null): Verdict | null {
  const refusal = refuseAmounts(changed, old);
  if (refusal !== null) return refusal;
  for (const { name, withdrawFee } of changed.networks ?? []) {
    const before = old?.networks?.find((one) => one.name === name);
    const there = { ...changed, withdrawFee: withdrawFee ?? changed.withdrawFee };
    const was = old === null
      ? null
      : { ...old, withdrawFee: before?.withdrawFee ?? old.withdrawFee };
    const wrong = refuseAmounts(there, was);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Judges a step of a price that follows a market: a tenth of it at most, once an hour. */
export function followPrice(state: OracleState, { id, price }: FollowPrice, at: number): Verdict {
  const old = state.currency(id);
  if (old === undefined) return no("currency_not_found", "id");
  const { price: before, pricedAt, priceMarket } = old;
  const isDue = pricedAt === undefined || at >= pricedAt + HOUR;
  if (typeof priceMarket !== "string" || !isDue) return no("price_stays");
  const tenth = before / 10n;
  const [least, most] = [before - tenth, before + tenth];
  const moved = price < least ? least : price > most ? most : price;
  return currencySet({ ...old, price: moved, pricedAt: at });
}

/** A market guides one of its two currencies by the other, whose price is an operator's own. */
function refuseGuide(state: OracleState, changed: Currency): Verdict | null {
  const guides = state.currencies.flatMap((one) => {
    const { priceMarket, index } = one.index === changed.index ? changed : one;
    return typeof priceMarket === "string"
      ? [{ index, guide: guideOf(state, priceMarket, index) }]
      : [];
  });
  const isGuide = guides.some(({ guide, index }) => guide === changed.index && index !== guide);
  const own = guides.find(({ index }) => index === changed.index);
  if (changed.price === 0n && (isGuide || own !== undefined)) {
    return no("price_market_unfit", "price");
  }
  if (own === undefined) return null;
  const guide = own.guide === null ? undefined : state.currencies[own.guide];
  const isFit = guide !== undefined && guide.price > 0n && typeof guide.priceMarket !== "string";
  return isFit && !isGuide ? null : no("price_market_unfit", "price_market");
}

/** Returns the index of the other currency of a market; null if there is none. */
function guideOf(state: OracleState, id: string, currency: number): number | null {
  const market = state.markets.find(({ definition }) => definition.id === id)?.definition;
  if (market?.base === currency) return market.quote;
  return market?.quote === currency ? market.base : null;
}

function refuseLimits(
  { withdrawLimit24h: day, withdrawLimit72h: days }: Currency,
  given: ChangeCurrency["changes"],
): Verdict | null {
  if (day === null || days === null || day <= days) return null;
  const kind = "withdraw_limit_contradicted";
  if ("withdrawLimit72h" in given) return no(kind, "withdraw_limit_72h", decimal(day), "minimum");
  const isGiven = "withdrawLimit24h" in given;
  return isGiven ? no(kind, "withdraw_limit_24h", decimal(days), "maximum") : null;
}

function currencySet(currency: Currency, ...others: readonly VenueEvent[]): Verdict {
  return yes({ kind: "currency_set", currency }, { kind: "currency_set", currency }, ...others);
}

interface Terms {
  readonly fee: bigint;
  readonly least: bigint;
}

function depositTerms({ depositFee: fee, minDepositAmount: least }: Currency): Terms {
  return { fee, least };
}

function withdrawTerms({ withdrawFee: fee, minWithdrawAmount: least }: Currency): Terms {
  return { fee, least };
}

/** Whether newly set terms leave nothing of the least amount. */
function eatsUp({ fee, least }: Terms, before: Terms | null): boolean {
  const isNew = before === null || before.fee !== fee || before.least !== least;
  return isNew && least > 0n && fee > 0n && fee - least >= 0n;
}

function refuseAmounts(currency: Currency, old: Currency | null): Verdict | null {
  const { precision } = currency;
  const inexact = outside("precision", precision, DIGITS);
  if (inexact !== null) return inexact;
  const unit = unitOf(precision);
  if (currency.depositFee % unit !== 0n) return off("deposit_fee");
  if (currency.minDepositAmount % unit !== 0n) return off("min_deposit_amount");
  if (currency.withdrawFee % unit !== 0n) return off("withdraw_fee");
  if (currency.minWithdrawAmount % unit !== 0n) return off("min_withdraw_amount");
  const [deposit, withdraw] = [depositTerms(currency), withdrawTerms(currency)];
  if (eatsUp(deposit, old === null ? null : depositTerms(old))) {
    return no("fee_above_minimum", "deposit_fee", decimal(deposit.least));
  }
  return eatsUp(withdraw, old === null ? null : withdrawTerms(old))
    ? no("fee_above_minimum", "withdraw_fee", decimal(withdraw.least))
    : null;

  function off(field: string): Verdict {
    return no("amount_off_precision", field, precision, "precision");
  }
}

/** Judges the creation of a market. */
export function createMarket(state: OracleState, { market }: CreateMarket): Verdict {
  const base = state.currency(market.base);
  if (base === undefined) return no("currency_not_found", "base_unit");
  const quote = state.currency(market.quote);
  if (quote === undefined) return no("currency_not_found", "quote_unit");
  if (base.id === quote.id) return no("base_equals_quote", "quote_unit");
  const pairs = state.markets.map(({ definition }) => `${definition.base}/${definition.quote}`);
  if (pairs.includes(`${base.index}/${quote.index}`)) return no("market_taken", "id");
  if (pairs.includes(`${quote.index}/${base.index}`)) return no("market_reversed", "id");
  const id = market.id ?? `${base.id}${quote.id}`;
  const isReserved = ["any", "all", "global", "tickers"].includes(id);
  const parts = id.split(/[_-]/);
  const isPlain = parts.every((part) => part !== "" && !/[^0-9a-z]/.test(part));
  if (isReserved || !isPlain || id.length < 2 || id.length > 32) {
    return no("market_id_invalid", "id");
  }
  if (state.market(id) !== undefined) return no("market_id_taken", "id");
  if (state.markets.length >= MARKETS) return no("market_limit_exceeded", "id", MARKETS);
  return refuseGrid(market) ?? marketSet({
    index: state.markets.length,
    id,
    name: `${base.id}/${quote.id}`.toUpperCase(),
    base: base.index,
    quote: quote.index,
    ...onGrid(market),
    isUsed: false,
  });
}

/** Judges a change of a market; its steps are fixed from its first order on. */
export function changeMarket(state: OracleState, { id, changes }: ChangeMarket): Verdict {
  const market = state.market(id);
  if (market === undefined) return no("market_not_found", "id");
  const { definition } = market;
  const changed = { ...asDefined(state, market), ...changes };
  const refusal = refuseGrid(changed);
  if (refusal !== null) return refusal;
  const isRepriced = changed.pricePrecision !== definition.pricePrecision;
  const isRegridded = isRepriced || changed.amountPrecision !== definition.amountPrecision;
  if (isRegridded && market.orders > 0) {
    return no("precision_frozen", isRepriced ? "price_precision" : "amount_precision");
  }
  return marketSet({ ...definition, ...onGrid(changed) });
}

function marketSet(market: Market): Verdict {
  return yes({ kind: "market_set", market }, { kind: "market_set", market });
}

function asDefined(state: OracleState, { definition, tick, lot }: OracleMarket): MarketDefinition {
  return {
    ...definition,
    base: state.currencies[definition.base]?.id ?? "",
    quote: state.currencies[definition.quote]?.id ?? "",
    minPrice: BigInt(definition.minPrice) * tick,
    maxPrice: BigInt(definition.maxPrice) * tick,
    minAmount: BigInt(definition.minAmount) * lot,
  };
}

function outside(field: string, digits: number, most: number): Verdict | null {
  if (digits < 0) return no("precision_inexact", field, 0, "minimum");
  return digits > most ? no("precision_inexact", field, most, "maximum") : null;
}

function refuseGrid(market: MarketDefinition): Verdict | null {
  const { pricePrecision, amountPrecision } = market;
  const inexact = outside("price_precision", pricePrecision, PRECISION_SUM) ??
    outside("amount_precision", amountPrecision, PRECISION_SUM - pricePrecision);
  if (inexact !== null) return inexact;
  const bounds = [
    ["min_price", market.minPrice, pricePrecision],
    ["max_price", market.maxPrice, pricePrecision],
    ["min_amount", market.minAmount, amountPrecision],
  ] as const;
  for (const [field, amount, digits] of bounds) {
    const broken = "amount_off_precision";
    if (amount < 0n) return no(broken, field, 0, "minimum");
    if (amount % unitOf(digits) !== 0n) return no(broken, field, digits, "precision");
    const most = UNITS_MAX * unitOf(digits);
    if (amount > most) return no(broken, field, decimal(most), "maximum");
  }
  const isCrossed = market.maxPrice !== 0n && market.minPrice > market.maxPrice;
  return isCrossed ? no("price_bounds_crossed", "max_price", decimal(market.minPrice)) : null;
}

function onGrid(
  market: MarketDefinition,
): Omit<Market, "index" | "id" | "name" | "base" | "quote" | "isUsed"> {
  const { pricePrecision, amountPrecision, minTotal, state, position } = market;
  return {
    pricePrecision,
    amountPrecision,
    minPrice: Number(market.minPrice / unitOf(pricePrecision)),
    maxPrice: Number(market.maxPrice / unitOf(pricePrecision)),
    minAmount: Number(market.minAmount / unitOf(amountPrecision)),
    minTotal,
    state,
    position,
  };
}

/** Judges a new row of the fee table. */
export function setFee(state: OracleState, command: SetFee): Verdict {
  const market = state.market(command.market);
  if (market === undefined && command.market !== "any") return no("market_not_found", "market_id");
  const refusal = undefinedClass(state, command.group);
  if (refusal !== null) return refusal;
  const isRate = (rate: number) => Number.isInteger(rate) && rate >= 0 && rate <= RATE_MAX;
  if (!isRate(command.maker)) return no("fee_rate_invalid", "maker", "0.5");
  if (!isRate(command.taker)) return no("fee_rate_invalid", "taker", "0.5");
  const { group, maker, taker } = command;
  const row = { market: market?.definition.index ?? -1, group, maker, taker };
  return yes({ kind: "fee_set" }, { kind: "fee_set", row });
}

/** Judges the deletion of a row of the fee table. */
export function deleteFee(state: OracleState, { market: id, group }: DeleteFee): Verdict {
  const index = id === "any" ? -1 : state.market(id)?.definition.index;
  const rates = state.fees.get(`${index}:${group}`);
  if (index === undefined || rates === undefined) return no("table_row_not_found");
  const name = { market: index, group };
  const { maker, taker } = rates;
  return yes(
    { kind: "fee_deleted", row: { ...name, maker, taker } },
    { kind: "fee_deleted", row: name },
  );
}
