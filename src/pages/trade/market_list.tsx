/** @jsxImportSource hono/jsx/dom */
/** All markets with their last 24 hours, to be searched and chosen from. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import { fixed } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import {
  chooseMarket,
  currencies,
  favourites,
  type Market,
  market,
  markets,
  tickers,
  toggleFavourite,
} from "./markets.ts";
import { lastText, toneOf } from "./tones.ts";

/** Shows the markets over the page, until one is chosen or it is closed. */
export function MarketList({ onClose }: { readonly onClose: () => void }): View {
  const all = useShown(markets);
  const marked = useShown(favourites);
  const names = useShown(currencies);
  const [search, setSearch] = useState("");
  const [isOfMarked, setOfMarked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const leave = (event: Event) => {
      const around = box.current?.parentElement;
      if (around !== null && !around?.contains(event.target as Node)) onClose();
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, []);
  const wanted = search.trim().toLowerCase().replace(/[/\s-]/g, "");
  const found = all.filter((one) => {
    const words = [
      one.id,
      names.get(one.base_unit)?.name ?? "",
      names.get(one.quote_unit)?.name ?? "",
    ];
    return (!isOfMarked || marked.has(one.id)) &&
      words.some((word) => word.toLowerCase().replace(/\s/g, "").includes(wanted));
  });
  const choose = (one: Market) => {
    chooseMarket(one.id);
    onClose();
  };
  return (
    <div
      class="market-list sheet"
      role="dialog"
      aria-label={t.trade.markets}
      ref={box}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div class="row">
        <input
          ref={input}
          type="search"
          aria-label={t.trade.search}
          placeholder={t.trade.search}
          value={search}
          onInput={(event: Event) => setSearch((event.currentTarget as HTMLInputElement).value)}
          onKeyDown={(event: KeyboardEvent) => {
            const [first] = found;
            if (event.key === "Enter" && first !== undefined) choose(first);
          }}
        />
        <button
          type="button"
          class="quiet"
          aria-pressed={isOfMarked ? "true" : "false"}
          onClick={() => setOfMarked(!isOfMarked)}
        >
          {isOfMarked ? "★" : "☆"} {t.trade.favourites}
        </button>
      </div>
      {found.length === 0
        ? <p class="empty">{t.trade.noneFound}</p>
        : <MarketTable found={found} marked={marked} onChoose={choose} />}
    </div>
  );
}

function MarketTable({ found, marked, onChoose }: {
  readonly found: readonly Market[];
  readonly marked: ReadonlySet<string>;
  readonly onChoose: (market: Market) => void;
}): View {
  const shown = useShown(market);
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{t.trade.markets}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{t.trade.favourites}</span>
            </th>
            <th scope="col">{t.trade.market}</th>
            <th scope="col" class="figure">{t.trade.price}</th>
            <th scope="col" class="figure">{t.trade.change}</th>
            <th scope="col" class="figure">{t.trade.volume}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((one) => (
            <MarketRow
              key={one.id}
              one={one}
              isShown={one.id === shown?.id}
              isMarked={marked.has(one.id)}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MarketRow({ one, isShown, isMarked, onChoose }: {
  readonly one: Market;
  readonly isShown: boolean;
  readonly isMarked: boolean;
  readonly onChoose: (market: Market) => void;
}): View {
  const ticker = useShown(tickers)[one.id];
  return (
    <tr class={isShown ? "chosen-row" : ""}>
      <td>
        <button
          type="button"
          class="bare star"
          aria-label={t.trade.favourite(one.name)}
          aria-pressed={isMarked ? "true" : "false"}
          onClick={() => toggleFavourite(one.id)}
        >
          {isMarked ? "★" : "☆"}
        </button>
      </td>
      <td>
        <a
          href={`/trade/${encodeURIComponent(one.id)}`}
          aria-current={isShown ? "true" : undefined}
          onClick={(event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onChoose(one);
          }}
        >
          {one.name}
        </a>
      </td>
      <td class="figure">
        {lastText(ticker?.last, one.price_precision)}
      </td>
      <td class={`figure ${toneOf(ticker?.price_change_percent)}`}>
        {ticker?.price_change_percent ?? "–"}
      </td>
      <td class="figure">{ticker === undefined ? "–" : fixed(ticker.amount, 2)}</td>
    </tr>
  );
}
