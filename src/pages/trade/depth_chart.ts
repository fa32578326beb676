/** Draws how much is bid and asked up to each price. What is drawn are numbers; no money. */
import UPlot from "uplot";
import type { Level } from "../../client/client.ts";
import { chartColours } from "../shared/chart_colours.ts";
import { axisLook, KeptPlot, type PlotLook } from "../shared/kept_plot.ts";

/** Prices, and the sums that are bid and asked up to them; null where that is the other side. */
export type DepthCurves = [number[], (number | null)[], (number | null)[]];

/** Share of each side's volume that is drawn: a few orders far off would leave no room for the rest. */
const DRAWN_SHARE = 0.9;
/** How many times as far one side is drawn as most of the other reaches. */
const UNEVEN_MAX = 3;
/** What is drawn beyond that, as a part of it. */
const DRAWN_MARGIN = 1.3;

/** Returns the curves of a book as far as they say something, by rising price. */
export function depthCurves(asks: readonly Level[], bids: readonly Level[]): DepthCurves {
  const [near = 0, far = 0] = [reachOf(asks), reachOf(bids)].sort((one, other) => one - other);
  const reach = Math.min(far, (near || far) * UNEVEN_MAX) * DRAWN_MARGIN;
  const sums = (levels: readonly Level[]) => {
    let sum = 0;
    const best = Number(levels[0]?.[0]);
    return levels.map(([price, volume]) => [Number(price), sum += Number(volume)] as const)
      .filter(([price]) => reach === 0 || Math.abs(price - best) <= reach);
  };
  const [below, above] = [sums(bids).reverse(), sums(asks)];
  return [
    [...below, ...above].map(([price]) => price),
    [...below.map(([, sum]) => sum), ...above.map(() => null)],
    [...below.map(() => null), ...above.map(([, sum]) => sum)],
  ];
}

/** Returns how far from the best price most of a side's volume reaches. */
function reachOf(levels: readonly Level[]): number {
  const whole = levels.reduce((sum, [, volume]) => sum + Number(volume), 0);
  let sum = 0;
  const last = levels.find(([, volume]) => (sum += Number(volume)) >= whole * DRAWN_SHARE);
  return last === undefined ? 0 : Math.abs(Number(last[0]) - Number(levels[0]?.[0]));
}

/** A chart of a book's depth. */
export class DepthChart extends KeptPlot<DepthCurves> {
  /** @param digits of prices after the point */
  constructor(box: HTMLElement, digits: number) {
    super(box, [[], [], []], () => depthLook(digits));
  }
}

function depthLook(digits: number): PlotLook {
  const { up, down, upFill, downFill } = chartColours();
  const stepped = UPlot.paths.stepped;
  const side = (stroke: string, fill: string, align: -1 | 1): UPlot.Series => ({
    stroke,
    fill,
    width: 1.5,
    points: { show: false },
    ...(stepped === undefined ? {} : { paths: stepped({ align }) }),
  });
  const axis = axisLook();
  return {
    scales: { x: { time: false } },
    legend: { show: false },
    padding: [8, 8, 0, 28],
    cursor: { y: false, points: { show: false } },
    series: [{}, side(up, upFill, -1), side(down, downFill, 1)],
    axes: [
      {
        ...axis,
        space: 90,
        values: (_, ticks) => ticks.map((tick) => tick.toFixed(Math.min(digits, 8))),
      },
      { ...axis, side: 1, size: 60 },
    ],
  };
}
