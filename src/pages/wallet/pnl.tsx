/** @jsxImportSource hono/jsx/dom */
/** Profit and loss: by currency, and over a time. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { fixed, plain, toldUnits, unitsText } from "../shared/amounts.ts";
import { faultOf } from "../shared/fault.ts";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { minuteText } from "../shared/times.ts";
import { Group, type View } from "../shared/view.ts";
import { type History, readHistory, type Span } from "./account_history.ts";
import type { Point } from "./equity.ts";
import { balances, currencies, prices } from "./money.ts";
import { type PnlLine, pnlLines, pnlSums } from "./pnl_lines.ts";
import { ValueChart } from "./value_chart.ts";
import { shownDigits, valueOf } from "./valuing.ts";
import { code } from "./words.ts";

const SPANS: readonly Span[] = ["day", "week", "month", "year"];

/** The view of profit and loss. */
export function Pnl(): View {
  const [rows, setRows] = useState<readonly Records["Pnl"][] | null>(null);
  const [fault, setFault] = useState("");
  const [chosen, setChosen] = useState("");
  useEffect(() => {
    venue.get("/api/v2/backend/account/stats/pnl")
      .then(setRows, (error) => setFault(faultOf(error).text));
  }, []);
  if (fault !== "") return <p class="note bad" role="alert">{fault}</p>;
  if (rows === null) return <p class="soft" role="status">{t.shell.loading}</p>;
  const quotes = [...new Set(rows.map(({ pnl_currency: quote }) => quote))];
  const quote = quotes.includes(chosen) ? chosen : quotes[0];
  if (quote === undefined) return <p class="empty">{t.wallet.noPnl}</p>;
  return (
    <Group>
      <Lines rows={rows} quote={quote} quotes={quotes} onQuote={setChosen} />
      <Curve key={quote} quote={quote} />
    </Group>
  );
}

function useDigits(quote: string): number {
  const { price, precision } = useShown(currencies)?.get(quote) ?? { price: "0", precision: 2 };
  return shownDigits(price, precision);
}

interface LinesProps {
  readonly rows: readonly Records["Pnl"][];
  readonly quote: string;
  readonly quotes: readonly string[];
  readonly onQuote: (quote: string) => void;
}

function Lines({ rows, quote, quotes, onQuote }: LinesProps): View {
  const held = useShown(balances);
  const known = useShown(prices);
  const digits = useDigits(quote);
  const lines = pnlLines(
    rows,
    quote,
    (currency) => {
      const { balance = "0", locked = "0" } = held?.get(currency) ?? {};
      return toldUnits(balance) + toldUnits(locked);
    },
    (currency, units) => valueOf(units, currency, quote, known),
  );
  const { realised, unrealised } = pnlSums(lines);
  return (
    <section class="sheet" aria-labelledby="pnl">
      <div class="head">
        <h2 id="pnl">{t.wallet.pnl}</h2>
        <select
          aria-label={t.wallet.worthIn}
          onChange={(event: Event) => onQuote((event.currentTarget as HTMLSelectElement).value)}
        >
          {quotes.map((id) => (
            <option key={id} value={id} selected={id === quote}>{code(id)}</option>
          ))}
        </select>
      </div>
      <dl class="totals">
        <Total title={t.wallet.unrealised} units={unrealised} digits={digits} />
        <Total title={t.wallet.realised} units={realised} digits={digits} />
        <Total title={t.wallet.together} units={realised + unrealised} digits={digits} />
      </dl>
      <Table
        caption={t.wallet.pnl}
        columns={columnsOf(quote, digits)}
        rows={lines}
        keyOf={({ currency }) => currency}
        empty={t.wallet.noPnl}
      />
      <p class="hint">{t.wallet.pnlHow}</p>
    </section>
  );
}

function Total({ title, units, digits }: {
  readonly title: string;
  readonly units: bigint;
  readonly digits: number;
}): View {
  return (
    <div>
      <dt>{title}</dt>
      <dd class="figures big">
        <Change units={units} digits={digits} />
      </dd>
    </div>
  );
}

/** A gain or a loss: its sign says which, and its colour repeats it. */
function Change(
  { units, digits }: { readonly units: bigint | null; readonly digits: number },
): View {
  if (units === null) return <span class="soft">–</span>;
  const text = fixed(unitsText(units), digits);
  if (!/[1-9]/.test(text)) return <span>{fixed("0", digits)}</span>;
  return units > 0n ? <span class="up">+{text}</span> : <span class="down">{text}</span>;
}

function columnsOf(quote: string, digits: number): readonly Column<PnlLine>[] {
  const price = (text: string | null) =>
    text === null ? <span class="soft">–</span> : fixed(text, digits);
  return [
    { title: t.wallet.currency, show: ({ currency }) => <b>{code(currency)}</b> },
    {
      title: t.wallet.held,
      isFigure: true,
      isWide: true,
      show: ({ held }) => plain(unitsText(held)),
    },
    {
      title: t.wallet.averageBuy,
      isFigure: true,
      isWide: true,
      show: ({ averageBuy }) => price(averageBuy),
    },
    {
      title: t.wallet.averageSell,
      isFigure: true,
      isWide: true,
      show: ({ averageSell }) => price(averageSell),
    },
    {
      title: t.wallet.cost,
      isFigure: true,
      isWide: true,
      show: ({ cost }) => fixed(unitsText(cost), digits),
    },
    {
      title: t.wallet.valueIn(code(quote)),
      isFigure: true,
      isWide: true,
      show: ({ value }) => value === null ? "–" : fixed(unitsText(value), digits),
    },
    {
      title: t.wallet.unrealised,
      isFigure: true,
      show: ({ unrealised }) => <Change units={unrealised} digits={digits} />,
    },
    {
      title: t.wallet.realised,
      isFigure: true,
      show: ({ realised }) => <Change units={realised} digits={digits} />,
    },
  ];
}

type Shown = "value" | "profit";

/** The account over a time, as a chart. */
function Curve({ quote }: { readonly quote: string }): View {
  const [span, setSpan] = useState<Span>("week");
  const [shown, setShown] = useState<Shown>("value");
  const [history, setHistory] = useState<History | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let isOver = false;
    setHistory(null);
    readHistory(span, quote)
      .then((read) => isOver || setHistory(read))
      .catch((error) => isOver || setFault(faultOf(error).text));
    return () => {
      isOver = true;
    };
  }, [span, quote]);
  return (
    <section class="sheet" aria-labelledby="curve">
      <div class="head">
        <h2 id="curve">{t.wallet.overTime}</h2>
        <div class="row">
          <Choice
            label={t.wallet.shownInChart}
            names={["value", "profit"] as const}
            words={t.wallet.charts}
            chosen={shown}
            onChoose={setShown}
          />
          <Choice
            label={t.wallet.span}
            names={SPANS}
            words={t.wallet.spans}
            chosen={span}
            onChoose={setSpan}
          />
        </div>
      </div>
      {fault === "" ? null : <p class="note bad" role="alert">{fault}</p>}
      {history?.isCut === true ? <p class="note warn">{t.wallet.tooManyChanges}</p> : null}
      <Chart
        points={history?.points ?? []}
        shown={shown}
        quote={quote}
        isKnown={history !== null}
      />
    </section>
  );
}

function Choice<Name extends string>({ label, names, words, chosen, onChoose }: {
  readonly label: string;
  readonly names: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}): View {
  return (
    <span class="choice" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="quiet small"
          aria-pressed={name === chosen ? "true" : "false"}
          onClick={() => onChoose(name)}
        >
          {words[name]}
        </button>
      ))}
    </span>
  );
}

interface ChartProps {
  readonly points: readonly Point[];
  readonly shown: Shown;
  readonly quote: string;
  readonly isKnown: boolean;
}

function Chart({ points, shown, quote, isKnown }: ChartProps): View {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ValueChart>(null);
  const [at, setAt] = useState<number | null>(null);
  const digits = useDigits(quote);
  useEffect(() => {
    if (box.current === null) return;
    const drawn = new ValueChart(box.current, setAt);
    chart.current = drawn;
    return () => drawn.close();
  }, []);
  useEffect(() => {
    const times = points.map((point) => point.at / 1000);
    const figures = points.map((point) => Number(unitsText(point[shown])));
    chart.current?.show([times, figures], shown === "profit" ? "gain" : "plain");
  }, [points, shown]);
  const point = points[at ?? points.length - 1];
  return (
    <figure class="chart">
      <figcaption class="figures">
        {point === undefined
          ? <span class="soft">{isKnown ? t.wallet.noCurve : t.shell.loading}</span>
          : (
            <Group>
              {fixed(unitsText(point[shown]), digits)} {code(quote)}{" "}
              <span class="soft">{minuteText(point.at)}</span>
            </Group>
          )}
      </figcaption>
      <div
        class="plot"
        ref={box}
        role="img"
        aria-label={summaryOf(points, shown, quote, digits)}
      />
    </figure>
  );
}

/** Returns what a chart shows, for those who don't see it. */
function summaryOf(
  points: readonly Point[],
  shown: Shown,
  quote: string,
  digits: number,
): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return t.wallet.noCurve;
  const text = (point: Point) =>
    `${fixed(unitsText(point[shown]), digits)} ${code(quote)}, ${minuteText(point.at)}`;
  return `${t.wallet.charts[shown]}: ${text(first)} – ${text(last)}`;
}
