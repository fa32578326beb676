/** Figures in the text format of Prometheus, under the names that its OTLP receiver makes. */
import type { BuildInfo, Figures } from "../../edge/figures.ts";
import type { DistributionFigures } from "../../engine/distribution.ts";
import { EXPORTED_FIGURES, type Labels } from "./exported_figures.ts";

/** The media type of the text. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What units are called at the end of a name; those in braces are not. */
const UNIT_NAMES: Readonly<Record<string, string>> = { ms: "milliseconds", By: "bytes" };

/** Returns all figures of a process. */
export function prometheusText(figures: Figures, build: BuildInfo): string {
  const lines = EXPORTED_FIGURES.flatMap(({ name, kind, unit, description, values }) => {
    const full = fullName(name, unit) + (kind === "counter" ? "_total" : "");
    const samples = values(figures).map(({ labels = {}, value }) => sample(full, labels, value));
    return samples.length === 0 ? [] : [...heading(full, kind, description), ...samples];
  });
  const { version, formats } = build;
  const about = {
    version,
    build: build.build ?? "",
    log_format: `${formats.log}`,
    row_format: `${formats.rows}`,
  };
  return [
    ...lines,
    ...histogram("kvenue_commit_duration_milliseconds", "Time of commits.", figures.commit_ms),
    ...histogram("kvenue_commit_batch", "Commands per log entry.", figures.batch_size),
    ...heading("kvenue_build_info", "gauge", "The program, and the formats that it writes."),
    sample("kvenue_build_info", about, 1),
    "",
  ].join("\n");
}

function histogram(name: string, description: string, of: DistributionFigures): string[] {
  let below = 0;
  const buckets = [...of.bounds, Infinity].map((bound, range) => {
    below += of.counts[range] ?? 0;
    return sample(`${name}_bucket`, { le: bound === Infinity ? "+Inf" : `${bound}` }, below);
  });
  return [
    ...heading(name, "histogram", description),
    ...buckets,
    sample(`${name}_sum`, {}, of.sum),
    sample(`${name}_count`, {}, of.count),
  ];
}

function heading(name: string, kind: string, description: string): string[] {
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${kind}`];
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function fullName(name: string, unit: string): string {
  const end = UNIT_NAMES[unit];
  return name.replaceAll(".", "_") + (end === undefined ? "" : `_${end}`);
}
