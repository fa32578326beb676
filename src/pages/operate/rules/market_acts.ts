/** What operators do with markets. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import {
  type Act,
  type ActField,
  beginOf,
  changedBody,
  changesText,
  filledFields,
  reasonPart,
  type Values,
} from "../acting/act.ts";
import { ruleText } from "./market_rules.ts";

type Market = Records["AdminMarket"];
type State = Market["state"];

/** States of markets, from the one that allows most. */
export const MARKET_STATES: readonly State[] = ["enabled", "cancel_only", "halted", "disabled"];

/** Fields of a market's rules. */
function ruleFields(): readonly ActField[] {
  const { rules } = o;
  return [
    {
      name: "price_precision",
      label: rules.pricePrecision,
      hint: rules.precisionHint,
      kind: "whole",
    },
    {
      name: "amount_precision",
      label: rules.amountPrecision,
      hint: rules.precisionHint,
      kind: "whole",
    },
    { name: "min_price", label: rules.minPrice, kind: "decimal" },
    { name: "max_price", label: rules.maxPrice, hint: rules.zeroNone, kind: "decimal" },
    { name: "min_amount", label: rules.minAmount, kind: "decimal" },
    { name: "min_total", label: rules.minTotal, hint: rules.zeroNone, kind: "decimal" },
    {
      name: "state",
      label: o.members.state,
      kind: "choice",
      choices: MARKET_STATES.map((state) => [state, t.trade.states[state]]),
    },
    { name: "position", label: rules.position, hint: rules.positionHint, kind: "whole" },
  ];
}

/** Changes a market's rules. */
export function changeMarketAct(market: Market): Act {
  const { rules } = o;
  const fields = ruleFields();
  const begin = beginOf(fields, market);
  return {
    operation: "changeMarket",
    word: o.members.change,
    title: rules.changeMarket(market.name),
    fields,
    begin,
    says: (values) => {
      const changes = changesText(fields, begin, values, o);
      return changes === ""
        ? ""
        : `${changes}. ${meaning(market.base_unit, market.quote_unit, values)}`;
    },
    send: async ({ values, reason }) => {
      const body = { ...changedBody(fields, begin, values), ...reasonPart(reason) };
      await venue.patch("/api/v2/admin/markets/{id}", { path: { id: market.id }, body });
    },
  };
}

/** Sets a market's state: halts it, or opens it again. */
export function marketStateAct(market: Market, state: State): Act {
  const { rules } = o;
  const words = rules.stateActs[state];
  return {
    operation: "changeMarket",
    word: words.word,
    title: words.title(market.name),
    isDanger: state !== "enabled",
    says: () => words.says(market.name),
    send: async ({ reason }) => {
      const body = { state, ...reasonPart(reason) };
      await venue.patch("/api/v2/admin/markets/{id}", { path: { id: market.id }, body });
    },
  };
}

/** Cancels all orders of a market. */
export function cancelMarketAct(market: Market): Act {
  const { rules } = o;
  return {
    operation: "cancelMarketOrders",
    word: rules.cancelAll,
    title: rules.cancelAllOf(market.name),
    isDanger: true,
    isReasonNeeded: true,
    says: () =>
      market.state === "enabled"
        ? `${rules.cancelAllSays(market.name)} ${rules.haltFirst}`
        : rules.cancelAllSays(market.name),
    send: async ({ reason }) => {
      const { cancelled } = await venue.post("/api/v2/admin/markets/{id}/orders/cancel", {
        path: { id: market.id },
        body: { reason },
      });
      return t.trade.cancelled(String(cancelled));
    },
  };
}

/** Makes a market. */
export function createMarketAct(currencies: readonly string[]): Act {
  const { rules } = o;
  const codes = currencies.map((id) => [id, id.toUpperCase()] as const);
  const fields: readonly ActField[] = [
    { name: "base_unit", label: rules.baseUnit, kind: "choice", choices: codes },
    { name: "quote_unit", label: rules.quoteUnit, kind: "choice", choices: codes },
    { name: "id", label: rules.marketId, hint: rules.marketIdHint, kind: "text" },
    ...ruleFields(),
  ];
  return {
    operation: "createMarket",
    word: rules.createMarket,
    title: rules.createMarket,
    fields,
    begin: {
      base_unit: currencies[0] ?? "",
      quote_unit: currencies[1] ?? "",
      price_precision: "2",
      amount_precision: "6",
      state: "disabled",
    },
    says: (values) => {
      const { base_unit: base = "", quote_unit: quote = "", state = "" } = values;
      if (base === quote) return "";
      const name = `${base.toUpperCase()}/${quote.toUpperCase()}`;
      const words = t.trade.states[MARKET_STATES.find((one) => one === state) ?? "disabled"];
      return `${rules.createMarketSays(name, words)} ${meaning(base, quote, values)}`;
    },
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/markets", { body: body as Records["MarketInput"] });
    },
  };
}

/** What the typed rules mean for orders. */
function meaning(base: string, quote: string, values: Values): string {
  return ruleText(o.rules, {
    base: base.toUpperCase(),
    quote: quote.toUpperCase(),
    pricePrecision: values["price_precision"] ?? "",
    amountPrecision: values["amount_precision"] ?? "",
    minPrice: values["min_price"] ?? "",
    maxPrice: values["max_price"] ?? "",
    minAmount: values["min_amount"] ?? "",
    minTotal: values["min_total"] ?? "",
  });
}
