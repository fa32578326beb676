/** @jsxImportSource hono/jsx/dom */
/** The chart: candles of twelve periods, or the depth of the book. */
import { useEffect, useRef, useState } from "hono/jsx/dom";
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { type Candle, CandleChart } from "./candle_chart.ts";
import { DepthChart, depthCurves } from "./depth_chart.ts";
import { bookChanges, currentBook, restarts } from "./live_market.ts";
import { type Market, remember, remembered } from "./markets.ts";
import { type Period, PERIODS } from "./periods.ts";

const DEFAULT_PERIOD = "1m";
/** Least time between two drawings of the depth, in ms. */
const DEPTH_PAUSE_MS = 250;

function periodNamed(name: string | null): Period {
  const found = PERIODS.find((one) => one.name === name) ??
    PERIODS.find((one) => one.name === DEFAULT_PERIOD);
  return found ?? PERIODS[0] as Period;
}

/** Shows a market's chart. */
export function ChartPanel({ shown }: { readonly shown: Market }): View {
  const [isDepth, setDepth] = useState(false);
  const [period, setPeriod] = useState(periodNamed(remembered("period")));
  const choose = (chosen: Period) => {
    remember("period", chosen.name);
    setPeriod(chosen);
  };
  const tab = (name: string, isOn: boolean, onClick: () => void) => (
    <button
      type="button"
      class="bare"
      aria-pressed={isOn ? "true" : "false"}
      onClick={onClick}
    >
      {name}
    </button>
  );
  return (
    <section class="chart sheet" aria-label={t.trade.chart}>
      <header class="panel-head">
        <div class="row">
          {tab(t.trade.candles, !isDepth, () => setDepth(false))}
          {tab(t.trade.depth, isDepth, () => setDepth(true))}
        </div>
        {isDepth ? null : <Periods period={period} onChoose={choose} />}
      </header>
      {isDepth
        ? <Depth key={`depth ${shown.id}`} shown={shown} />
        : <Candles key={`candles ${shown.id} ${period.name}`} shown={shown} period={period} />}
    </section>
  );
}

function Periods({ period, onChoose }: {
  readonly period: Period;
  readonly onChoose: (period: Period) => void;
}): View {
  return (
    <label class="periods">
      <span class="unseen">{t.trade.period}</span>
      <select
        onChange={(event: Event) =>
          onChoose(periodNamed((event.currentTarget as HTMLSelectElement).value))}
      >
        {PERIODS.map((one) => (
          <option key={one.name} value={one.name} selected={one.name === period.name}>
            {t.trade.periods[one.name]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Candles(
  { shown, period }: { readonly shown: Market; readonly period: Period },
): View {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<CandleChart | null>(null);
  const [candle, setCandle] = useState<Candle | null>(null);
  const found = useShown(restarts);
  useEffect(() => {
    if (box.current === null) return;
    const made = new CandleChart(box.current, shown, period, setCandle);
    chart.current = made;
    return () => made.close();
  }, []);
  useEffect(() => {
    chart.current?.show(shown, period).catch(reportError);
  }, [found]);
  return (
    <div class="chart-body">
      <Legend candle={candle} digits={shown.price_precision} />
      <div
        class="chart-box"
        ref={box}
        role="img"
        aria-label={t.trade.chartSummary(shown.name, t.trade.periods[period.name])}
      />
    </div>
  );
}

function Legend(
  { candle, digits }: { readonly candle: Candle | null; readonly digits: number },
): View {
  const { ohlc } = t.trade;
  if (candle === null) return <p class="legend soft">{t.trade.noTrades}</p>;
  const [, open, high, low, close, volume] = candle;
  const tone = close < open ? "down" : "up";
  const parts = [[ohlc.open, open], [ohlc.high, high], [ohlc.low, low], [
    ohlc.close,
    close,
  ]] as const;
  return (
    <p class="legend">
      {parts.map(([name, value]) => (
        <span key={name}>
          <span class="soft">{name}</span>{" "}
          <span class={`figures ${tone}`}>{value.toFixed(digits)}</span>
        </span>
      ))}
      <span>
        <span class="soft">{ohlc.volume}</span> <span class="figures">{String(volume)}</span>
      </span>
    </p>
  );
}

function Depth({ shown }: { readonly shown: Market }): View {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return;
    const chart = new DepthChart(box.current, shown.price_precision);
    let drawnAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      drawnAt = performance.now();
      const { asks, bids } = currentBook();
      chart.show(depthCurves(asks, bids));
    };
    const drawSoon = () => {
      timer ??= setTimeout(draw, Math.max(0, drawnAt + DEPTH_PAUSE_MS - performance.now()));
    };
    draw();
    const end = bookChanges.subscribe(drawSoon);
    return () => {
      end();
      clearTimeout(timer);
      chart.close();
    };
  }, []);
  return (
    <div class="chart-body">
      <div class="chart-box" ref={box} role="img" aria-label={t.trade.depthSummary(shown.name)} />
    </div>
  );
}
