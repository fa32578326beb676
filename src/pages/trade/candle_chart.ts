/**
 * Draws candles and volumes, keeps them live, and reads older ones as one scrolls. What is drawn are
 * numbers, as the venue tells candles; money is reckoned elsewhere.
 */
import {
  type CandlestickData,
  CandlestickSeries,
  createChart,
  type HistogramData,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  TickMarkType,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Listening } from "../../client/client.ts";
import { untilRead } from "../live/until_read.ts";
import { chartColours, onThemeChange } from "../shared/chart_colours.ts";
import { locale } from "../shared/language.ts";
import { minuteText } from "../shared/times.ts";
import { venue } from "../shared/session.ts";
import type { Market } from "./markets.ts";
import type { Period } from "./periods.ts";

/** `[time, open, high, low, close, volume]`, the time in seconds since 1970. */
export type Candle = readonly [number, number, number, number, number, number];

/** Candles of one read. */
const PAGE = 500;
/** So many candles before the first that is known, older ones are read. */
const NEAR = 20;
/** Widths of a candle and its gap, in px: fewer candles than this are wider. */
const BAR = 7;
const WIDE_BAR = 13;
const FEW = 60;
/** Share of the height that volumes have at most. */
const VOLUME_TOP = 0.82;

/** A chart of a market. */
export class CandleChart {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<"Candlestick">;
  readonly #volumes: ISeriesApi<"Histogram">;
  readonly #onCandle: (candle: Candle | null) => void;
  readonly #endTheme: () => void;
  readonly #known = new Map<number, Candle>();
  /** What was told since candles were asked for; null if they are known. */
  #told: Map<number, Candle> | null = null;
  #market: Market;
  #period: Period;
  #listening: Listening | null = null;
  #hasOlder = true;
  #isReading = false;
  #reads = 0;

  /** @param onCandle hears of the candle that is pointed at, or else of the last one */
  constructor(
    box: HTMLElement,
    market: Market,
    period: Period,
    onCandle: (candle: Candle | null) => void,
  ) {
    this.#market = market;
    this.#period = period;
    this.#onCandle = onCandle;
    this.#chart = createChart(box, {
      autoSize: true,
      localization: { locale, timeFormatter: (time: UTCTimestamp) => minuteText(time * 1000) },
      // Its logo would bring an inline style; the page's footer has the notice.
      layout: { attributionLogo: false },
      timeScale: { rightOffset: 4 },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.#volumes = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      priceLineVisible: false,
      lastValueVisible: false,
    });
    this.#volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.22 } });
    this.#endTheme = onThemeChange(() => this.#colour());
    this.#chart.subscribeCrosshairMove(({ time }) => {
      const pointed = time === undefined ? undefined : this.#known.get(time as number);
      this.#onCandle(pointed ?? this.#last());
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < NEAR) this.#readOlder().catch(() => {});
    });
    this.#colour();
  }

  /** Shows candles of a market by a period, from what the venue has now. */
  async show(market: Market, period: Period): Promise<void> {
    const read = ++this.#reads;
    const isSame = this.#listening !== null && market.id === this.#market.id &&
      period.name === this.#period.name;
    [this.#market, this.#period] = [market, period];
    if (!isSame) {
      this.#listening?.close();
      this.#listening = venue.listen(`${market.id}.kline-${period.name}`, {
        onMessage: (candle) => this.#take(candle as unknown as Candle),
      });
    }
    const told = this.#told = new Map<number, Candle>();
    let list: readonly Candle[] = [];
    await untilRead(async () => {
      if (read === this.#reads) list = await this.#read({});
    }, () => {});
    if (read !== this.#reads) return;
    this.#known.clear();
    for (const candle of list) this.#known.set(candle[0], candle);
    for (const [time, candle] of told) this.#known.set(time, candle);
    this.#told = null;
    this.#hasOlder = list.length === PAGE;
    this.#draw();
    if (isSame) return this.#onCandle(this.#last());
    const barSpacing = list.length < FEW ? WIDE_BAR : BAR;
    this.#chart.timeScale().applyOptions({ barSpacing });
    this.#chart.timeScale().scrollToRealTime();
    this.#onCandle(this.#last());
  }

  /** Ends the chart. */
  close(): void {
    this.#reads++;
    this.#listening?.close();
    this.#endTheme();
    this.#chart.remove();
  }

  #take(candle: Candle): void {
    const [time] = candle;
    const last = this.#last();
    this.#known.set(time, candle);
    this.#told?.set(time, candle);
    if (last !== null && time < last[0]) this.#draw();
    else {
      this.#candles.update(candleData(candle));
      this.#volumes.update(this.#volumeData(candle));
    }
    this.#onCandle(this.#last());
  }

  async #readOlder(): Promise<void> {
    const first = Math.min(...this.#known.keys());
    if (!this.#hasOlder || this.#isReading || !Number.isFinite(first)) return;
    this.#isReading = true;
    const read = this.#reads;
    try {
      const list = await this.#read({ time_to: first - 1 });
      if (read !== this.#reads) return;
      this.#hasOlder = list.length === PAGE;
      for (const candle of list) this.#known.set(candle[0], candle);
      if (list.length > 0) this.#draw();
    } finally {
      this.#isReading = false;
    }
  }

  async #read(until: { readonly time_to?: number }): Promise<readonly Candle[]> {
    return await venue.get("/api/v2/backend/public/markets/{market}/k-line", {
      path: { market: this.#market.id },
      query: { period: this.#period.minutes, limit: PAGE, ...until },
    }) as unknown as readonly Candle[];
  }

  #draw(): void {
    const all = [...this.#known.values()].sort(([one], [other]) => one - other);
    this.#candles.setData(all.map(candleData));
    this.#volumes.setData(all.map((candle) => this.#volumeData(candle)));
  }

  #last(): Candle | null {
    let last: Candle | null = null;
    for (const candle of this.#known.values()) {
      if (last === null || candle[0] > last[0]) last = candle;
    }
    return last;
  }

  #volumeData([time, open, , , close, volume]: Candle): HistogramData<UTCTimestamp> {
    const { upFill, downFill } = chartColours();
    return {
      time: time as UTCTimestamp,
      value: volume,
      color: close >= open ? upFill : downFill,
    };
  }

  #colour(): void {
    const { soft, line, sheet, up, down } = chartColours();
    const digits = this.#market.price_precision;
    this.#chart.applyOptions({
      layout: {
        background: { color: sheet },
        textColor: soft,
        fontSize: 11,
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: {
        borderColor: line,
        timeVisible: true,
        secondsVisible: false,
        tickMarkFormatter: (time: UTCTimestamp, kind: TickMarkType) => tickText(time * 1000, kind),
      },
      crosshair: { mode: 0 },
    });
    this.#candles.applyOptions({
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      priceFormat: { type: "price", precision: digits, minMove: 10 ** -digits },
    });
    if (this.#known.size > 0) this.#draw();
  }
}

const YEAR = new Intl.DateTimeFormat(locale, { year: "numeric" });
const MONTH = new Intl.DateTimeFormat(locale, { month: "short" });
const DAY = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const TIME = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Returns what stands at the axis, in the visitor's own zone. @param at in ms since 1970 */
function tickText(at: number, kind: TickMarkType): string {
  if (kind === TickMarkType.Year) return YEAR.format(at);
  if (kind === TickMarkType.Month) return MONTH.format(at);
  return (kind === TickMarkType.DayOfMonth ? DAY : TIME).format(at);
}

function candleData([time, open, high, low, close]: Candle): CandlestickData<UTCTimestamp> {
  return { time: time as UTCTimestamp, open, high, low, close };
}
