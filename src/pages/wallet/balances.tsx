/** @jsxImportSource hono/jsx/dom */
/** What one has of each currency, and what it is worth. */
import { useState } from "hono/jsx/dom";
import { fixed, toldUnits, unitsText } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { goTo } from "../shared/place.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import type { View } from "../shared/view.ts";
import { balances, currencies, type Currency, markets, prices } from "./money.ts";
import { basisPoints, shownDigits, valueOf, worthOf } from "./valuing.ts";
import { code } from "./words.ts";

/** A line of the table. */
interface Line {
  readonly currency: Currency;
  readonly available: bigint;
  readonly locked: bigint;
  /** Null if it is not known. */
  readonly value: bigint | null;
  readonly share: number;
}

/** Below it, in the platform's currency, a balance is a small one. */
const SMALL = toldUnits("1");
const KEPT = "wallet.quote";

/** The table of balances, with their sum. */
export function Balances(): View {
  const all = useShown(currencies) ?? new Map<string, Currency>();
  const held = useShown(balances) ?? new Map();
  const known = useShown(prices);
  const [hidesSmall, setHidesSmall] = useState(false);
  const [search, setSearch] = useState("");
  const [quote, setQuote] = useQuote(useShown(markets).map(({ quote_unit: unit }) => unit), all);
  const amounts = [...held].flatMap((
    [id, { balance, locked }],
  ) => [[id, toldUnits(balance) + toldUnits(locked)] as const]);
  const worth = worthOf(amounts, quote, known);
  const lines = [...all.values()].map((currency): Line => {
    const { balance = "0", locked = "0" } = held.get(currency.id) ?? {};
    const [available, kept] = [toldUnits(balance), toldUnits(locked)];
    const value = valueOf(available + kept, currency.id, quote, known);
    const share = basisPoints(value ?? 0n, worth.sum);
    return { currency, available, locked: kept, value, share };
  });
  const isShown = ({ currency, available, locked }: Line) => {
    const words = `${currency.id} ${currency.name ?? ""}`.toLowerCase();
    if (!words.includes(search.trim().toLowerCase())) return false;
    return !hidesSmall || !isSmall(available + locked, currency);
  };
  const { price, precision } = all.get(quote) ?? { price: "0", precision: 2 };
  const digits = shownDigits(price, precision);
  return (
    <section class="sheet" aria-label={t.wallet.balances}>
      <div class="worth">
        <div>
          <span class="soft">{t.wallet.worth}</span>
          <strong class="figures big">
            {worth.isPartial ? "≥ " : ""}
            {fixed(unitsText(worth.sum), digits)}
          </strong>
          <QuoteChoice quote={quote} quotes={quotesOf(all, quote)} onQuote={setQuote} />
        </div>
        <div class="row">
          <input
            type="search"
            aria-label={t.wallet.search}
            placeholder={t.wallet.search}
            value={search}
            onInput={(event: Event) => setSearch((event.currentTarget as HTMLInputElement).value)}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={hidesSmall}
              onChange={() => setHidesSmall(!hidesSmall)}
            />
            {t.wallet.hideSmall}
          </label>
        </div>
      </div>
      <Table
        caption={t.wallet.balances}
        columns={columnsOf(quote, digits)}
        rows={lines.filter(isShown)}
        keyOf={({ currency }) => currency.id}
        empty={t.wallet.noBalances}
      />
    </section>
  );
}

/** Small is what is known to be worth less than one of the platform's currency, and nothing. */
function isSmall(total: bigint, { id, price }: Currency): boolean {
  if (total === 0n) return true;
  const own = new Map([[id, price], ["", "1"]]);
  const value = valueOf(total, id, "", { last: new Map(), own });
  return value !== null && value < SMALL;
}

function columnsOf(quote: string, digits: number): readonly Column<Line>[] {
  const amount = (units: bigint, { precision }: Currency) => (
    <span class={units === 0n ? "soft" : undefined}>{fixed(unitsText(units), precision)}</span>
  );
  return [
    {
      title: t.wallet.currency,
      show: ({ currency }) => (
        <span class="coin">
          <Coin id={currency.id} quote={quote} />{" "}
          <span class="soft wide-only">{currency.name ?? ""}</span>
        </span>
      ),
    },
    {
      title: t.wallet.total,
      isFigure: true,
      show: ({ available, locked, currency }) => amount(available + locked, currency),
    },
    {
      title: t.wallet.available,
      isFigure: true,
      isWide: true,
      show: ({ available, currency }) => amount(available, currency),
    },
    {
      title: t.wallet.locked,
      isFigure: true,
      isWide: true,
      show: ({ locked, currency }) => amount(locked, currency),
    },
    {
      title: t.wallet.valueIn(code(quote)),
      isFigure: true,
      show: ({ value }) => value === null ? "–" : fixed(unitsText(value), digits),
    },
    {
      title: t.wallet.share,
      isFigure: true,
      isWide: true,
      show: ({ share }) => (
        <span class="share">
          <span class="bar" aria-hidden="true">
            <span class="fill" style={{ width: `${share / 100}%` }} />
          </span>
          {(share / 100).toFixed(1)} %
        </span>
      ),
    },
    {
      title: t.wallet.actions,
      isUntitled: true,
      isWide: true,
      show: ({ currency }) => <Actions currency={currency} />,
    },
  ];
}

/** A currency, and the way to a market of it: that of the values, if there is one. */
function Coin({ id, quote }: { readonly id: string; readonly quote: string }): View {
  const all = useShown(markets);
  const market =
    all.find(({ base_unit: base, quote_unit: other }) => base === id && other === quote) ??
      all.find(({ base_unit: base }) => base === id) ??
      all.find(({ quote_unit: other }) => other === id);
  if (market === undefined) return <b>{code(id)}</b>;
  return (
    <a href={`/trade/${market.id}`} title={t.wallet.tradeAt(market.name)}>
      <b>{code(id)}</b>
    </a>
  );
}

function Actions({ currency: { id, deposit_enabled: comes, withdrawal_enabled: goes } }: {
  readonly currency: Currency;
}): View {
  const action = (tab: "deposit" | "withdraw", isOpen: boolean) => (
    <button
      type="button"
      class="quiet small"
      disabled={!isOpen}
      aria-label={`${t.wallet[tab]}: ${code(id)}`}
      onClick={() => goTo({ tab, currency: id })}
    >
      {t.wallet[tab]}
    </button>
  );
  return <span class="actions">{action("deposit", comes)}{action("withdraw", goes)}</span>;
}

function QuoteChoice({ quote, quotes, onQuote }: {
  readonly quote: string;
  readonly quotes: readonly string[];
  readonly onQuote: (quote: string) => void;
}): View {
  return (
    <select
      aria-label={t.wallet.worthIn}
      onChange={(event: Event) => onQuote((event.currentTarget as HTMLSelectElement).value)}
    >
      {quotes.map((id) => <option key={id} value={id} selected={id === quote}>{code(id)}</option>)}
    </select>
  );
}

function quotesOf(all: ReadonlyMap<string, Currency>, chosen: string): readonly string[] {
  return all.has(chosen) || chosen === "" ? [...all.keys()] : [chosen, ...all.keys()];
}

/** Returns in what things are valued: as before, else in what most is quoted in. */
function useQuote(
  quoted: readonly string[],
  all: ReadonlyMap<string, Currency>,
): [quote: string, choose: (quote: string) => void] {
  const [chosen, setChosen] = useState(() => kept());
  const count = (id: string) => quoted.filter((one) => one === id).length;
  const [most = ""] = [...all.keys()].sort((one, other) => count(other) - count(one));
  const choose = (quote: string) => {
    keep(quote);
    setChosen(quote);
  };
  return [all.has(chosen) ? chosen : most, choose];
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keep(quote: string): void {
  try {
    localStorage.setItem(KEPT, quote);
  } catch {
    // A browser that keeps nothing values as at first the next time.
  }
}
