/** @jsxImportSource hono/jsx/dom */
/** Currencies: what is open of each, its fees and limits. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Part, State, WholeTable } from "../acting/record_views.tsx";
import {
  changeCurrencyAct,
  createCurrencyAct,
  type CurrencySwitch,
  currencySwitchAct,
} from "./currency_acts.ts";

type Currency = Records["AdminCurrency"];

const { currencies: words } = o;

const COLUMNS: readonly Column<Currency>[] = [
  {
    title: t.trade.currency,
    show: ({ id, name, visible, precision, networks, tag }) => (
      <span>
        <b>{id.toUpperCase()}</b>
        <span class="line soft">{name ?? ""}</span>
        <span class="line soft">{words.digits(String(precision))}</span>
        {visible ? null : <span class="line soft">{words.hidden}</span>}
        {tag === undefined ? null : <span class="line soft">{t.wallet.tagNames[tag.name]}</span>}
        {networks.map(({ network }) => <span key={network} class="line soft">{network}</span>)}
      </span>
    ),
  },
  {
    title: words.open,
    show: (currency) => (
      <span>
        <Open currency={currency} name="deposit_enabled" what={words.deposits} />
        <Open currency={currency} name="withdrawal_enabled" what={words.withdrawals} />
        <Open currency={currency} name="trading_enabled" what={words.trading} />
      </span>
    ),
  },
  {
    title: words.price,
    isFigure: true,
    show: ({ price, price_market: market, warnings }) => (
      <span>
        {/[1-9]/.test(price) ? plain(price) : words.noPrice}
        {market === null ? null : <span class="line soft">{words.follows(market)}</span>}
        {warnings.map(({ market_price: told, market: of }) => (
          <span key={of} class="line warning">▲ {words.farPrice(of, plain(told))}</span>
        ))}
      </span>
    ),
  },
  {
    title: words.rules,
    show: (currency) => {
      const { withdraw_limit_24h: day, withdraw_limit_72h: three } = currency;
      const limit = (text: string | null) => text === null ? words.noLimit : plain(text);
      return (
        <span class="wrapped">
          <span class="line">
            {words.depositRule(plain(currency.min_deposit_amount), plain(currency.deposit_fee))}
          </span>
          <span class="line">
            {words.withdrawRule(plain(currency.min_withdraw_amount), plain(currency.withdraw_fee))}
          </span>
          {day === null && three === null
            ? null
            : <span class="line">{words.limitRule(limit(day), limit(three))}</span>}
        </span>
      );
    },
  },
  {
    title: o.money.rowActs,
    isUntitled: true,
    show: (currency) => <ActButton act={changeCurrencyAct(currency)} />,
  },
];

/** The list. */
export function CurrenciesView(): View {
  const { nav } = o;
  const reading = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  return (
    <Part
      title={nav.currencies}
      tools={<ActButton act={createCurrencyAct()} isMain />}
      note={words.note}
      isWhole
    >
      <WholeTable
        caption={nav.currencies}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={words.none}
      />
    </Part>
  );
}

/** Whether something of a currency is open, and the button that changes that. */
function Open({ currency, name, what }: {
  readonly currency: Currency;
  readonly name: CurrencySwitch;
  readonly what: string;
}): View {
  const is = currency[name];
  return (
    <span class="line open-line">
      <State tone={is ? "good" : "bad"} words={is ? what : words.stopped(what)} />{" "}
      <ActButton act={currencySwitchAct(currency, name)} />
    </span>
  );
}
