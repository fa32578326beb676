/** @jsxImportSource hono/jsx/dom */
/** The market's last trades, newest first. */
import { fixed } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { trades } from "./live_market.ts";
import type { Market } from "./markets.ts";
import { clockText } from "../shared/times.ts";
import { sideTone } from "./tones.ts";

/** Shows the trades of a market. */
export function TradesPanel({ shown }: { readonly shown: Market }): View {
  const list = useShown(trades.rows);
  return (
    <section class="trades sheet" aria-label={t.trade.trades}>
      <header class="panel-head">
        <h2>{t.trade.trades}</h2>
      </header>
      {list === null || list.length === 0
        ? <p class="empty">{list === null ? t.shell.loading : t.trade.noTrades}</p>
        : (
          <div class="trades-list" tabindex={0} role="region" aria-label={t.trade.trades}>
            <table>
              <caption class="unseen">{t.trade.trades}</caption>
              <thead>
                <tr>
                  <th scope="col">{t.trade.price} ({shown.quote_unit.toUpperCase()})</th>
                  <th scope="col" class="figure">{t.trade.amount}</th>
                  <th scope="col" class="figure">{t.trade.time}</th>
                </tr>
              </thead>
              <tbody>
                {list.map((trade) => (
                  <tr key={trade.id}>
                    <td class={`figures ${sideTone(trade.takerType)}`}>
                      <span aria-hidden="true">{trade.takerType === "buy" ? "▴" : "▾"}</span>
                      <span class="unseen">
                        {trade.takerType === "buy" ? t.trade.bought : t.trade.sold}
                      </span>{" "}
                      {fixed(trade.price, shown.price_precision)}
                    </td>
                    <td class="figure">{fixed(trade.amount, shown.amount_precision)}</td>
                    <td class="figure soft">{clockText(trade.at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
    </section>
  );
}
