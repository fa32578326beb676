/** @jsxImportSource hono/jsx/dom */
/** Currencies: what is open of each, its fees and limits. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { useShown } from "../../shared/shown.ts";
import type { View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Part, State, WholeTable } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";
import { metrics } from "../watch/metrics.ts";
import { networkFault, networkTone } from "../watch/network_faults.ts";
import {
  changeCurrencyAct,
  createCurrencyAct,
  type CurrencySwitch,
  currencySwitchAct,
} from "./currency_acts.ts";
import { addNetworkAct, changeNetworkAct } from "./network_acts.ts";

type Currency = Records["AdminCurrency"];
type Network = Currency["networks"][number];

const { currencies: words } = o;

const COLUMNS: readonly Column<Currency>[] = [
  {
    title: t.trade.currency,
    show: ({ id, name, visible, precision, tag }) => (
      <span>
        <b>{id.toUpperCase()}</b>
        <span class="line soft">{name ?? ""}</span>
        <span class="line soft">{words.digits(String(precision))}</span>
        {visible ? null : <span class="line soft">{words.hidden}</span>}
        {tag === undefined ? null : <span class="line soft">{t.wallet.tagNames[tag.name]}</span>}
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
        {currency.networks.map((network) => (
          <There key={network.network} currency={currency} network={network} />
        ))}
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
          {currency.networks.map((network) => (
            <span key={network.network} class="line">{networkRule(network)}</span>
          ))}
        </span>
      );
    },
  },
  {
    title: o.money.rowActs,
    isUntitled: true,
    show: (currency) => (
      <ActButtons
        acts={[
          changeCurrencyAct(currency),
          ...(currency.networks.length === 0 ? [] : [addNetworkAct(currency)]),
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
        isStacked
      />
    </Part>
  );
}

/** Returns what a currency costs and needs on a network. */
function networkRule(
  { network, withdraw_fee: fee, min_confirmations: confirmations, hot_limit: hot }: Network,
): string {
  const rule = words.networkRule(network, plain(fee), String(confirmations));
  return hot === null ? rule : `${rule} ${words.hotRule(plain(hot))}`;
}

/** Whether something of a currency is open, and the button that changes that. */
function Open({ currency, name, what }: {
  readonly currency: Currency;
  readonly name: CurrencySwitch;
  readonly what: string;
}): View {
  const now = useShown(metrics);
  const is = currency[name];
  const { networks } = currency;
  const stopped = name === "trading_enabled"
    ? []
    : networks.filter((one) => !one[name] || networkFault(now, one.network) !== null);
  const state = !is
    ? <State tone="bad" words={words.stopped(what)} />
    : stopped.length === 0
    ? <State tone="good" words={what} />
    : (
      <State
        tone={stopped.length === networks.length ? "bad" : "warn"}
        words={words.stoppedOn(what, stopped.map(({ network }) => network).join(", "))}
      />
    );
  return (
    <span class="line open-line">
      {state} <ActButton act={currencySwitchAct(currency, name)} />
    </span>
  );
}

/** A network that a currency lives on: how it is, and the button that changes the terms there. */
function There({ currency, network }: {
  readonly currency: Currency;
  readonly network: Network;
}): View {
  const now = useShown(metrics);
  const fault = networkFault(now, network.network);
  return (
    <span class="line open-line">
      {fault === null ? <span>{network.network}</span> : (
        <a href={linkTo(["wallets"])}>
          <State
            tone={networkTone(fault)}
            words={`${network.network}: ${o.wallets.faults[fault]}`}
          />
        </a>
      )} <ActButton act={changeNetworkAct(currency, network)} />
    </span>
  );
}
