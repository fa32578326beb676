/** @jsxImportSource hono/jsx/dom */
/** Markets: their rules, with what these mean, and their states. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Part, State, type Tone, WholeTable } from "../acting/record_views.tsx";
import {
  cancelMarketAct,
  changeMarketAct,
  createMarketAct,
  marketStateAct,
} from "./market_acts.ts";
import { ruleText } from "./market_rules.ts";

type Market = Records["AdminMarket"];

const COLUMNS: readonly Column<Market>[] = [
  {
    title: t.trade.market,
    show: ({ id, name }) => (
      <a href={`/trade/${encodeURIComponent(id)}`} title={id}>
        <b>{name}</b>
      </a>
    ),
  },
  {
    title: o.members.state,
    show: ({ state }) => <State tone={marketTone(state)} words={t.trade.states[state]} />,
  },
  {
    title: o.rules.rules,
    show: (market) => (
      <span class="wrapped rules">
        {ruleText(o.rules, {
          base: market.base_unit.toUpperCase(),
          quote: market.quote_unit.toUpperCase(),
          pricePrecision: String(market.price_precision),
          amountPrecision: String(market.amount_precision),
          minPrice: market.min_price,
          maxPrice: market.max_price,
          minAmount: market.min_amount,
          minTotal: market.min_total,
        })}
        {market.warnings.map(({ currency, digits, precision }) => (
          <span key={currency} class="line warning">
            ▲ {o.rules.dust(currency.toUpperCase(), String(digits), String(precision))}
          </span>
        ))}
      </span>
    ),
  },
  {
    title: o.money.rowActs,
    isUntitled: true,
    show: (market) => (
      <ActButtons
        acts={[
          market.state === "enabled"
            ? marketStateAct(market, "halted")
            : marketStateAct(market, "enabled"),
          changeMarketAct(market),
          cancelMarketAct(market),
        ]}
      />
    ),
  },
];

/** The list. */
export function MarketsView(): View {
  const { nav, rules } = o;
  const reading = useReading(
    "markets",
    () => venue.get("/api/v2/admin/markets", { query: { limit: 1000 } }),
  );
  const currencies = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  const creating = currencies.value === null
    ? null
    : <ActButton act={createMarketAct(currencies.value.map(({ id }) => id))} isMain />;
  return (
    <Part title={nav.markets} tools={creating} note={rules.marketsNote} isWhole>
      <WholeTable
        caption={nav.markets}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={t.trade.noMarkets}
      />
    </Part>
  );
}

function marketTone(state: Market["state"]): Tone {
  return state === "enabled" ? "good" : state === "cancel_only" ? "warn" : "bad";
}
