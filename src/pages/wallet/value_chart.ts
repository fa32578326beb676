/** Draws how a value has changed over a time. What is drawn are numbers; no money. */
import { chartColours } from "../shared/chart_colours.ts";
import { axisLook, KeptPlot, type PlotLook } from "../shared/kept_plot.ts";
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
  readonly #plot: KeptPlot<ValueCurve>;
  #tone: CurveTone = "plain";

  /** @param onPoint is told at which point somebody points; null if at none */
  constructor(box: HTMLElement, onPoint: (index: number | null) => void) {
    this.#plot = new KeptPlot<ValueCurve>(box, [[], []], (curve) => ({
      ...valueLook(curve, this.#tone),
      hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    }));
  }

  /** Shows a curve. */
  show(curve: ValueCurve, tone: CurveTone): void {
    this.#tone = tone;
    this.#plot.renew(curve);
  }

  /** Ends the chart. */
  close(): void {
    this.#plot.close();
  }
}

function valueLook(curve: ValueCurve, tone: CurveTone): PlotLook {
  const { stroke, fill } = paintOf(curve, tone);
  const clock = clockOf(curve);
  const axis = axisLook();
  return {
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
  };
}

function paintOf([, values]: ValueCurve, tone: CurveTone): { stroke: string; fill: string } {
  const { accent, raised, up, down, upFill, downFill } = chartColours();
  if (tone === "plain") return { stroke: accent, fill: raised };
  const isLoss = (values.at(-1) ?? 0) < 0;
  return isLoss ? { stroke: down, fill: downFill } : { stroke: up, fill: upFill };
}

/** Returns what names the times of the axis: the longer the curve, the coarser. */
function clockOf([times]: ValueCurve): Intl.DateTimeFormat {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (span > 2 * DAY) return new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
  return new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(span < HOUR / 4 ? { second: "2-digit" } : {}),
  });
}

/** Returns a range around values, which a curve that never changes needs, too. */
function padded(low: number, high: number): [number, number] {
  const room = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.02, 0.01);
  return [low - room, high + room];
}
