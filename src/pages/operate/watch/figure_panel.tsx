/** @jsxImportSource hono/jsx/dom */
/** A chart of figures with its name, and what it shows now or where the cursor points. */
import { useEffect, useRef } from "hono/jsx/dom";
import { o } from "../acting/operate_texts.ts";
import { locale } from "../../shared/language.ts";
import { useShown } from "../../shared/shown.ts";
import { clockText } from "../../shared/times.ts";
import type { View } from "../../shared/view.ts";
import { type Curves, FigureChart, pointed } from "./figure_chart.ts";
import type { Figure, Sample } from "./metric_history.ts";
import { samples } from "./metrics.ts";

interface FigurePanelProps {
  readonly title: string;
  /** One or two; the second is dashed. */
  readonly figures: readonly Figure[];
  readonly digits: number;
  readonly unit?: string;
}

/** A chart that goes on as figures come. */
export function FigurePanel({ title, figures, digits, unit = "" }: FigurePanelProps): View {
  const box = useRef<HTMLDivElement>(null);
  const all = useShown(samples);
  const at = useShown(pointed);
  useEffect(() => {
    if (box.current === null) return;
    const chart = new FigureChart(box.current, curvesOf(samples.value, figures));
    const end = samples.subscribe(() => chart.show(curvesOf(samples.value, figures)));
    return () => {
      end();
      chart.close();
    };
  }, []);
  const shown = (at === null ? undefined : all[at]) ?? all.at(-1);
  const text = (figure: Figure) => figureText(shown?.figures[figure] ?? null, digits, unit);
  return (
    <section class="sheet figure-panel" aria-label={title}>
      <h3>{title}</h3>
      <p class="figure-now">
        {figures.map((figure, place) => (
          <span key={figure} class={place === 0 ? "first" : "second"}>
            <span class="soft">{figures.length === 1 ? "" : o.overview.lines[figure]}</span>{" "}
            <b class="figures">{text(figure)}</b>
          </span>
        ))}
        <span class="soft figure-at">
          {at === null || shown === undefined ? "" : clockText(shown.at * 1000)}
        </span>
      </p>
      <div
        class="figure-box"
        ref={box}
        role="img"
        aria-label={o.overview.chart(title, figures.map(text).join(", "))}
      />
    </section>
  );
}

function curvesOf(all: readonly Sample[], figures: readonly Figure[]): Curves {
  return [
    all.map(({ at }) => at),
    ...figures.map((figure) => all.map((sample) => sample.figures[figure])),
  ];
}

/** Returns a figure as it is shown; a dash for none. */
function figureText(value: number | null, digits: number, unit: string): string {
  if (value === null) return "–";
  const text = value.toLocaleString(locale, { maximumFractionDigits: digits });
  return unit === "" ? text : `${text}\u202f${unit}`;
}
