/** Draws how a value has changed over a time. What is drawn are numbers; no money. */
import UPlot from "uplot";
import { chartColours, onThemeChange } from "../shared/chart_colours.ts";
import { locale } from "../shared/language.ts";

/** Times in seconds since 1970, and the value at each of them. */
export type ValueCurve = [number[], number[]];

/** What a curve's colour says: which way it went, or nothing. */
export type CurveTone = "gain" | "plain";

const DAY = 86_400;
const HOUR = 3_600;
const COMPACT = new Intl.NumberFormat(locale, {
  notation: "compact",
  maximumSignificantDigits: 5,
});

/** A chart of one curve. */
export class ValueChart {
  readonly #box: HTMLElement;
  readonly #onPoint: (index: number | null) => void;
  readonly #end: readonly (() => void)[];
  #plot: UPlot;
  #curve: ValueCurve = [[], []];
  #tone: CurveTone = "plain";

  /** @param onPoint is told at which point somebody points; null if at none */
  constructor(box: HTMLElement, onPoint: (index: number | null) => void) {
    this.#box = box;
    this.#onPoint = onPoint;
    this.#plot = this.#create();
    const observer = new ResizeObserver(() =>
      this.#plot.setSize({ width: box.clientWidth, height: box.clientHeight })
    );
    observer.observe(box);
    this.#end = [() => observer.disconnect(), onThemeChange(() => this.#renew())];
  }

  /** Shows a curve. */
  show(curve: ValueCurve, tone: CurveTone): void {
    this.#curve = curve;
    this.#tone = tone;
    this.#renew();
  }

  /** Ends the chart. */
  close(): void {
    for (const end of this.#end) end();
    this.#plot.destroy();
  }

  #renew(): void {
    this.#plot.destroy();
    this.#plot = this.#create();
  }

  #paint(): { readonly stroke: string; readonly fill: string } {
    const { accent, raised, up, down, upFill, downFill } = chartColours();
    if (this.#tone === "plain") return { stroke: accent, fill: raised };
    const isLoss = (this.#curve[1].at(-1) ?? 0) < 0;
    return isLoss ? { stroke: down, fill: downFill } : { stroke: up, fill: upFill };
  }

  /** Returns what names the times of the axis: the longer the curve, the coarser. */
  #clock(): Intl.DateTimeFormat {
    const [times] = this.#curve;
    const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
    if (span > 2 * DAY) return new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
    return new Intl.DateTimeFormat(locale, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(span < HOUR / 4 ? { second: "2-digit" } : {}),
    });
  }

  #create(): UPlot {
    const { soft, line } = chartColours();
    const { stroke, fill } = this.#paint();
    const clock = this.#clock();
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    return new UPlot(
      {
        width: this.#box.clientWidth,
        height: this.#box.clientHeight,
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        scales: { y: { range: (_, low, high) => padded(low, high) } },
        series: [
          {},
          {
            stroke,
            fill,
            fillTo: (plot) => plot.scales["y"]?.min ?? 0,
            width: 1.75,
            points: { show: false },
          },
        ],
        axes: [
          {
            ...axis,
            space: 80,
            size: 30,
            values: (_, ticks) => ticks.map((tick) => clock.format(tick * 1000)),
          },
          {
            ...axis,
            side: 1,
            size: 64,
            values: (_, ticks) => ticks.map((tick) => COMPACT.format(tick)),
          },
        ],
        hooks: { setCursor: [(plot) => this.#onPoint(plot.cursor.idx ?? null)] },
      },
      this.#curve,
      this.#box,
    );
  }
}

/** Returns a range around values, which a curve that never changes needs, too. */
function padded(low: number, high: number): [number, number] {
  const room = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.02, 0.01);
  return [low - room, high + room];
}
