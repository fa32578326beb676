/** @jsxImportSource hono/jsx/dom */
/** The order book: asks over bids, grouped by price, with one's own orders marked. */
import { useEffect, useMemo, useRef, useState } from "hono/jsx/dom";
import { fixed, toldUnits, unitsText } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { type BookRow, bookRows, type BookSide, groupings } from "./book_rows.ts";
import { takePrice } from "./draft_state.ts";
import { bookChanges, currentBook } from "./live_market.ts";
import { type Market, tickers } from "./markets.ts";
import { openOrders, type OwnOrder } from "./own_trading.ts";
import { lastText, toneOf } from "./tones.ts";

/** Height of a row in px, as the style has it. */
const ROW_HEIGHT = 20;
/** Rows of a side before it is known how many fit. */
const ROWS = 12;

/** Always the same, so that it is seen not to change. */
const NO_ORDERS: readonly OwnOrder[] = [];

/** Shows the book of a market. */
export function BookPanel({ shown }: { readonly shown: Market }): View {
  useShown(bookChanges);
  const orders = useShown(openOrders.rows) ?? NO_ORDERS;
  const last = useShown(tickers)[shown.id]?.last ?? "0";
  const steps = groupings(shown.price_precision, last);
  const [chosen, setChosen] = useState<string | null>(null);
  const step = chosen !== null && steps.includes(chosen) ? chosen : steps[0] ?? "1";
  const [rows, setRows] = useState(ROWS);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => watchRows(box.current, setRows), []);
  const { asks, bids, isKnown } = currentBook();
  const own = useMemo(() => {
    const prices = (side: "buy" | "sell") =>
      new Set(
        orders.filter((order) => order.market === shown.id && order.side === side)
          .map(({ price }) => unitsText(toldUnits(price ?? "0"))),
      );
    return { asks: prices("sell"), bids: prices("buy") };
  }, [orders]);
  const digits = Math.min(shown.price_precision, step.split(".")[1]?.length ?? 0);
  const shape = { digits, amountDigits: shown.amount_precision };
  return (
    <section class="book sheet" aria-label={t.trade.book}>
      <header class="panel-head">
        <h2>{t.trade.book}</h2>
        <select
          aria-label={t.trade.grouping}
          title={t.trade.grouping}
          onChange={(event: Event) => setChosen((event.currentTarget as HTMLSelectElement).value)}
        >
          {steps.map((one) => <option key={one} value={one} selected={one === step}>{one}</option>)}
        </select>
      </header>
      <div class="book-head figures" aria-hidden="true">
        <span>{t.trade.price} ({shown.quote_unit.toUpperCase()})</span>
        <span>{t.trade.amount} ({shown.base_unit.toUpperCase()})</span>
        <span>{t.trade.sum}</span>
      </div>
      <div class="book-sides" ref={box}>
        <Side side="asks" rows={bookRows(asks, "asks", step, own.asks, rows)} {...shape} />
        <Middle shown={shown} />
        <Side side="bids" rows={bookRows(bids, "bids", step, own.bids, rows)} {...shape} />
        {isKnown && asks.length + bids.length === 0
          ? <p class="empty over">{t.trade.emptyBook}</p>
          : null}
      </div>
    </section>
  );
}

/** Tells how many rows of a side fit, now and whenever that changes. */
function watchRows(box: HTMLElement | null, tell: (rows: number) => void): () => void {
  if (box === null) return () => {};
  const observer = new ResizeObserver(() => {
    tell(Math.max(5, Math.floor((box.clientHeight - 2 * ROW_HEIGHT) / 2 / ROW_HEIGHT)));
  });
  observer.observe(box);
  return () => observer.disconnect();
}

function Middle({ shown }: { readonly shown: Market }): View {
  const ticker = useShown(tickers)[shown.id];
  const { asks: [ask], bids: [bid] } = currentBook();
  const spread = ask === undefined || bid === undefined
    ? "–"
    : fixed(unitsText(toldUnits(ask[0]) - toldUnits(bid[0])), shown.price_precision);
  return (
    <p class="middle">
      <strong class={`figures ${toneOf(ticker?.price_change_percent)}`}>
        {lastText(ticker?.last, shown.price_precision)}
      </strong>
      <span class="soft">
        {t.trade.spread} <span class="figures">{spread}</span>
      </span>
    </p>
  );
}

function Side({ side, rows, digits, amountDigits }: {
  readonly side: BookSide;
  readonly rows: readonly BookRow[];
  readonly digits: number;
  readonly amountDigits: number;
}): View {
  // Asks stand above the spread, their best price lowest.
  const ordered = side === "asks" ? [...rows].reverse() : rows;
  const best = rows[0]?.price;
  return (
    <div class={`side ${side}`}>
      <table onKeyDown={moveInRows}>
        <caption class="unseen">{t.trade[side]}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">{t.trade.price}</th>
            <th scope="col">{t.trade.amount}</th>
            <th scope="col">{t.trade.sum}</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map((row) => (
            <tr key={row.price} style={{ "--share": `${row.share}%` }}>
              <td class={side === "asks" ? "down" : "up"}>
                <button
                  type="button"
                  class="price"
                  tabindex={row.price === best ? 0 : -1}
                  title={t.trade.takePrice(row.price)}
                  onClick={() => takePrice(row.price)}
                >
                  {row.isOwn ? <span class="own-mark" title={t.trade.ownLevel}>●</span> : null}
                  {fixed(row.price, digits)}
                </button>
              </td>
              <td>{fixed(row.amount, amountDigits)}</td>
              <td>{fixed(row.sum, amountDigits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Moves the focus up and down the prices, of which the tab key reaches the best one only. */
function moveInRows(event: KeyboardEvent): void {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  const row = (event.target as HTMLElement).closest("tr");
  const next = event.key === "ArrowUp" ? row?.previousElementSibling : row?.nextElementSibling;
  const button = next?.querySelector("button");
  if (button === null || button === undefined) return;
  event.preventDefault();
  button.focus();
}
