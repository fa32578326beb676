/** @jsxImportSource hono/jsx/dom */
/** Currencies: what is open of each, its fees and limits. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Part, State, WholeTable } from "../acting/record_views.tsx";
import { changeCurrencyAct, createCurrencyAct, currencySwitchAct } from "./currency_acts.ts";

type Currency = Records["AdminCurrency"];

const { currencies: words } = o;

const COLUMNS: readonly Column<Currency>[] = [
  {
    title: t.trade.currency,
    show: ({ id, name, visible }) => (
      <span>
        <b>{id.toUpperCase()}</b> <span class="soft">{name ?? ""}</span>
        {visible ? null : <span class="line soft">{words.hidden}</span>}
      </span>
    ),
  },
  {
    title: words.open,
    show: (currency) => (
      <span>
        <Open is={currency.deposit_enabled} what={words.deposits} />
        <Open is={currency.withdrawal_enabled} what={words.withdrawals} />
        <Open is={currency.trading_enabled} what={words.trading} />
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
  { title: words.precisionShort, isFigure: true, show: ({ precision }) => precision },
  {
    title: words.depositsShort,
    isFigure: true,
    show: ({ min_deposit_amount: min, deposit_fee: fee }) =>
      words.minAndFee(plain(min), plain(fee)),
  },
  {
    title: words.withdrawalsShort,
    isFigure: true,
    show: ({ min_withdraw_amount: min, withdraw_fee: fee }) =>
      words.minAndFee(plain(min), plain(fee)),
  },
  {
    title: words.limitsShort,
    isFigure: true,
    show: ({ withdraw_limit_24h: day, withdraw_limit_72h: three }) =>
      `${day === null ? "–" : plain(day)} / ${three === null ? "–" : plain(three)}`,
  },
  {
    title: o.money.todo,
    isUntitled: true,
    show: (currency) => (
      <ActButtons
        acts={[
          changeCurrencyAct(currency),
          currencySwitchAct(currency, "deposit_enabled"),
          currencySwitchAct(currency, "withdrawal_enabled"),
          currencySwitchAct(currency, "trading_enabled"),
        ]}
      />
    ),
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

function Open({ is, what }: { readonly is: boolean; readonly what: string }): View {
  return (
    <span class="line">
      <State tone={is ? "good" : "bad"} words={is ? what : words.stopped(what)} />
    </span>
  );
}
