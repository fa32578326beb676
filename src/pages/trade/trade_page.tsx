/** @jsxImportSource hono/jsx/dom */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The trading page; everybody can read it. */
import { t } from "../shared/language.ts";
import { retryLists } from "../live/live_list.ts";
import { untilRead } from "../live/until_read.ts";
import { me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { startPage } from "../shared/start_page.tsx";
import { Group, type View } from "../shared/view.ts";
import { BookPanel } from "./book_panel.tsx";
import { ChartPanel } from "./chart_panel.tsx";
import { beginDraft, ownRates } from "./draft_state.ts";
import { KeyList } from "./key_list.tsx";
import { followMarket } from "./live_market.ts";
import { connection, loadMarkets, market, markets, tickers, unknownMarket } from "./markets.ts";
import { OrderForm } from "./order_form.tsx";
import { OwnPanel } from "./own_panel.tsx";
import { followSent } from "./order_sending.ts";
import { followOwn, forgetOwn, loadOwn } from "./own_trading.ts";
import { listenToKeys, open } from "./shortcuts.ts";
import { TickerBar } from "./ticker_bar.tsx";
import { TradesPanel } from "./trades_panel.tsx";

function TradePage(): View {
  const shown = useShown(market);
  const all = useShown(markets);
  const unknown = useShown(unknownMarket);
  if (unknown !== null) {
    return (
      <div class="waiting">
        <h1>{t.trade.unknownMarket(unknown)}</h1>
        <p>
          {all.map(({ id, name }) => (
            <Group key={id}>
              <a href={`/trade/${encodeURIComponent(id)}`}>{name}</a>
              {" "}
            </Group>
          ))}
        </p>
      </div>
    );
  }
  if (shown === null) return <Nothing />;
  return (
    <div class="trade">
      <TickerBar shown={shown} />
      <ChartPanel shown={shown} />
      <BookPanel key={`book ${shown.id}`} shown={shown} />
      <TradesPanel shown={shown} />
      <OrderForm shown={shown} />
      <OwnPanel />
      <QuickSides />
      <KeyList />
    </div>
  );
}

function Nothing(): View {
  const now = useShown(connection);
  return (
    <p class="waiting" role="status">
      {now === "live" ? t.trade.noMarkets : t.shell.loading}
    </p>
  );
}

/** Leads to the form where it is far down the page. */
function QuickSides(): View {
  return (
    <div class="quick-sides">
      <button type="button" class="buy" onClick={() => open("buy")}>{t.trade.buy}</button>
      <button type="button" class="sell" onClick={() => open("sell")}>{t.trade.sell}</button>
    </div>
  );
}

/** Begins with a price for each market that comes to be shown. */
function followDraft(): void {
  let begun: string | null = null;
  const begin = () => {
    const shown = market.value;
    const last = shown === null ? undefined : tickers.value[shown.id]?.last;
    if (shown === null || last === undefined || shown.id === begun) return;
    begun = shown.id;
    beginDraft(/[1-9]/.test(last) ? last : "");
  };
  market.subscribe(begin);
  tickers.subscribe(begin);
}

/** Reads what is one's own as soon as nothing of it can be missed any more. */
function followWhoIsThere(): void {
  if (me.value === null || me.value === undefined) return;
  followOwn();
  followSent();
  me.subscribe(() => {
    if (me.value === null) forgetOwn();
  });
  void ownRates.load();
  const end = connection.subscribe(() => {
    if (connection.value !== "live") return;
    end();
    void loadOwn();
  });
}

async function start(): Promise<void> {
  listenToKeys();
  followDraft();
  // Who is signed in decides how the streams' socket is opened.
  await startPage(<TradePage />);
  followWhoIsThere();
  followMarket();
  connection.subscribe(() => {
    if (connection.value === "live") retryLists();
  });
  await untilRead(loadMarkets, (error) => {
    if (error !== null) connection.set("lost");
  });
}

start().catch(reportError);
