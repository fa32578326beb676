/** Draws figures over time; all such charts share their cursor. */
import type UPlot from "uplot";
import { axisLook, KeptPlot, type PlotLook } from "../../shared/kept_plot.ts";
import { Shown } from "../../shared/shown.ts";
import { clockText } from "../../shared/times.ts";
import { KEPT_SECONDS } from "./metric_history.ts";

/** Times in seconds since 1970, and one or two rows of figures. */
export type Curves = readonly [number[], ...(number | null)[][]];

/** The place of the sample that the cursor points to; null while it points to none. */
export const pointed: Shown<number | null> = new Shown<number | null>(null);

/** Width of the axis of figures, in CSS pixels. */
const AXIS_PX = 46;
const SHOWN_SECONDS_MIN = 60;
/** What the chart shows at least of the axis of figures, so that noise looks like noise. */
const TOP_MIN = 1;

/** A chart of one or two figures. */
export class FigureChart extends KeptPlot<Curves> {
  constructor(box: HTMLElement, curves: Curves) {
    super(box, curves, figureLook);
  }
}

function figureLook([, ...rows]: Curves): PlotLook {
  const { accent, warn } = lineColours();
  const axis = axisLook();
  const font = "11px system-ui, sans-serif";
  return {
    padding: [8, 8, 0, 0],
    scales: {
      x: { range: (_, first, last) => shownTime(first, last) },
      y: { range: (_, __, top) => [0, Math.max(TOP_MIN, (top ?? 0) * 1.15)] },
    },
    legend: { show: false },
    cursor: { y: false, points: { show: false }, sync: { key: "figures" }, drag: { x: false } },
    hooks: {
      setCursor: [(plot) => pointed.set(plot.cursor.idx ?? null)],
    },
    series: [
      {},
      ...rows.map((_, at): UPlot.Series => ({
        stroke: at === 0 ? accent : warn,
        width: 1.5,
        points: { show: false },
        ...(at === 0 ? {} : { dash: [4, 3] }),
      })),
    ],
    axes: [
      {
        ...axis,
        font,
        size: 22,
        space: 80,
        values: (_, ticks) => ticks.map((tick) => clockText(tick * 1000).slice(0, 5)),
      },
      { ...axis, font, size: AXIS_PX, space: 28 },
    ],
  };
}

/** Returns from when to when a chart goes: as far back as there are figures, a minute at least. */
function shownTime(first: number, last: number): [number, number] {
  return [Math.max(last - KEPT_SECONDS, Math.min(first, last - SHOWN_SECONDS_MIN)), last];
}

function lineColours(): { readonly accent: string; readonly warn: string } {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { accent: of("--accent"), warn: of("--warn") };
}
