/** @jsxImportSource hono/jsx/dom */
/** The market that is shown: its last 24 hours, its state, and whether the page is live. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import { fixed } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { MarketList } from "./market_list.tsx";
import { connection, type Market, market, stateOf, status, tickers } from "./markets.ts";
import { open, openings } from "./shortcuts.ts";
import { lastText, toneOf } from "./tones.ts";

/** Shows the market's figures, and the list of the others. */
export function TickerBar({ shown }: { readonly shown: Market }): View {
  const ticker = useShown(tickers)[shown.id];
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() =>
    openings.subscribe(() => {
      if (openings.value.what === "markets") setOpen(true);
    }), []);
  useEffect(() => {
    const price = lastText(ticker?.last, shown.price_precision);
    document.title = t.trade.title(shown.name, price).trim();
  }, [ticker?.last, shown.id]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const digits = shown.price_precision;
  return (
    <section class="ticker sheet" aria-label={t.trade.market}>
      <div class="chosen">
        <h1>
          <button
            type="button"
            ref={button}
            class="bare choose"
            aria-expanded={isOpen ? "true" : "false"}
            aria-haspopup="dialog"
            title={t.trade.chooseMarket}
            onClick={() => setOpen(!isOpen)}
          >
            {shown.name} <span aria-hidden="true">▾</span>
          </button>
        </h1>
        {isOpen ? <MarketList onClose={close} /> : null}
      </div>
      <dl class="figures-row">
        <Figure
          name={t.trade.last}
          class={`last ${toneOf(ticker?.price_change_percent)}`}
          value={lastText(ticker?.last, digits)}
        />
        <Figure
          name={t.trade.change}
          class={toneOf(ticker?.price_change_percent)}
          value={ticker?.price_change_percent ?? "–"}
        />
        <Figure
          name={t.trade.high}
          value={lastText(ticker?.high, digits)}
        />
        <Figure name={t.trade.low} value={lastText(ticker?.low, digits)} />
        <Figure
          name={t.trade.volume}
          value={ticker === undefined
            ? "–"
            : `${fixed(ticker.amount, 2)} ${shown.base_unit.toUpperCase()}`}
        />
      </dl>
      <Liveness />
    </section>
  );
}

function Figure(
  { name, value, class: tone = "" }: {
    readonly name: string;
    readonly value: string;
    readonly class?: string;
  },
): View {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`figures ${tone}`}>{value}</dd>
    </div>
  );
}

/** Whether what is shown is what the venue has, and what the market accepts. */
function Liveness(): View {
  const now = useShown(connection);
  const told = useShown(status);
  const shown = useShown(market);
  const state = shown === null ? "enabled" : stateOf(shown, told);
  return (
    <p class="liveness">
      {state === "enabled" ? null : <span class="note warn">{t.trade.states[state]}</span>}
      <span class={`dot ${now}`} aria-hidden="true" />
      <span role="status">{t.trade.connections[now]}</span>
      <button type="button" class="bare" onClick={() => open("keys")}>{t.trade.shortcuts}</button>
    </p>
  );
}
