/** Keeps a chart of uPlot as wide and high as its box, and in the colours of the page's theme. */
import UPlot from "uplot";
import { chartColours, onThemeChange } from "./chart_colours.ts";

/** How a chart looks; its size is that of its box. */
export type PlotLook = Omit<UPlot.Options, "width" | "height">;

/** What axes have in common. */
export function axisLook(): UPlot.Axis {
  const { soft, line } = chartColours();
  return { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { show: false } };
}

/** A chart in a box. */
export class KeptPlot<Data> {
  readonly #box: HTMLElement;
  readonly #lookOf: (data: Data) => PlotLook;
  readonly #end: readonly (() => void)[];
  #data: Data;
  #plot: UPlot;

  /** @param lookOf is asked whenever the chart is made, as after a change of the theme */
  constructor(box: HTMLElement, data: Data, lookOf: (data: Data) => PlotLook) {
    this.#box = box;
    this.#data = data;
    this.#lookOf = lookOf;
    this.#plot = this.#create();
    const observer = new ResizeObserver(() =>
      this.#plot.setSize({ width: box.clientWidth, height: box.clientHeight })
    );
    observer.observe(box);
    this.#end = [() => observer.disconnect(), onThemeChange(() => this.renew(this.#data))];
  }

  /** Shows data, in the look that the chart has. */
  show(data: Data): void {
    this.#data = data;
    this.#plot.setData(data as UPlot.AlignedData);
  }

  /** Shows data, in the look that it gives the chart. */
  renew(data: Data): void {
    this.#data = data;
    this.#plot.destroy();
    this.#plot = this.#create();
  }

  /** Ends the chart. */
  close(): void {
    for (const end of this.#end) end();
    this.#plot.destroy();
  }

  #create(): UPlot {
    const { clientWidth: width, clientHeight: height } = this.#box;
    const look = this.#lookOf(this.#data);
    return new UPlot({ width, height, ...look }, this.#data as UPlot.AlignedData, this.#box);
  }
}
