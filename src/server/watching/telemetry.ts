/** Traces and figures for OpenTelemetry; Deno exports them when `OTEL_DENO` is set. */
import {
  type Context,
  type Histogram,
  metrics,
  type ObservableCounter,
  type ObservableGauge,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { Figures } from "../../edge/figures.ts";
import type { Command } from "../../domain/command.ts";
import { BATCH_SIZE_BOUNDS, COMMIT_MS_BOUNDS } from "../../engine/commit/commit_meter.ts";
import type {
  CommandEnd,
  CommandWatch,
  CommitReport,
  EngineTracer,
} from "../../engine/engine_tracer.ts";
import { EXPORTED_FIGURES } from "./exported_figures.ts";

/** Name of the instrumentation scope. */
const SCOPE = "kvenue";

/** Records the spans and figures of a venue. */
export class Telemetry implements EngineTracer {
  readonly #version: string;
  readonly #tracer: Tracer;
  readonly #duration: Histogram;
  readonly #batchSize: Histogram;
  /** Spans of HTTP calls in flight; a socket's own span ends long before its commands. */
  readonly #calls = new WeakSet<Span>();

  /** @param version of the software */
  constructor(version: string) {
    this.#version = version;
    this.#tracer = trace.getTracer(SCOPE, version);
    const meter = metrics.getMeter(SCOPE, version);
    this.#duration = meter.createHistogram("kvenue.commit.duration", {
      description: "Time until the outcome of a log entry was known.",
      unit: "ms",
      advice: { explicitBucketBoundaries: [...COMMIT_MS_BOUNDS] },
    });
    this.#batchSize = meter.createHistogram("kvenue.commit.batch", {
      description: "Commands per log entry.",
      unit: "{command}",
      advice: { explicitBucketBoundaries: [...BATCH_SIZE_BOUNDS] },
    });
  }

  /** Has the figures read at each export. */
  exportFigures(read: () => Figures): void {
    const meter = metrics.getMeter(SCOPE, this.#version);
    const instruments = EXPORTED_FIGURES.map(({ name, kind, unit, description, values }) => {
      const options = { description, unit };
      const instrument: ObservableCounter | ObservableGauge = kind === "counter"
        ? meter.createObservableCounter(name, options)
        : meter.createObservableGauge(name, options);
      return { instrument, values };
    });
    meter.addBatchObservableCallback((result) => {
      const figures = read();
      for (const { instrument, values } of instruments) {
        for (const { value, labels = {} } of values(figures)) {
          result.observe(instrument, value, labels);
        }
      }
    }, instruments.map(({ instrument }) => instrument));
  }

  /** Names the active span by the call's route, which many paths share. */
  call(path: string): void {
    const span = trace.getActiveSpan();
    if (span === undefined) return;
    this.#calls.add(span);
    span.setAttribute("http.route", path);
  }

  queued({ kind }: Command): CommandWatch {
    const call = trace.getActiveSpan();
    if (call !== undefined && this.#calls.has(call)) return this.#watch(call, null);
    // A command from a socket, or one of the venue's own, is the root of its own trace.
    const own = this.#tracer.startSpan(`command ${kind}`, { root: true }, ROOT_CONTEXT);
    return this.#watch(own, own);
  }

  #watch(parent: Span, own: Span | null): CommandWatch {
    return new CommandSpans(this.#tracer, trace.setSpan(ROOT_CONTEXT, parent), own);
  }

  committed({ commands, ms, outcome }: CommitReport): void {
    this.#duration.record(ms, { "kvenue.commit.outcome": outcome });
    if (outcome === "committed") this.#batchSize.record(commands);
  }
}

/** The spans of one command: one for its wait, and one for each batch that included it. */
class CommandSpans implements CommandWatch {
  readonly #tracer: Tracer;
  readonly #parent: Context;
  /** Ends with the command; null inside the span of a call. */
  readonly #own: Span | null;
  #queue: Span | null;
  #commit: Span | null = null;

  constructor(tracer: Tracer, parent: Context, own: Span | null) {
    this.#tracer = tracer;
    this.#parent = parent;
    this.#own = own;
    this.#queue = tracer.startSpan("queue", {}, parent);
  }

  taken(): void {
    this.#endQueue();
    this.#commit ??= this.#tracer.startSpan("commit", {}, this.#parent);
  }

  committed({ commands, events, outcome, sequence }: CommitReport): void {
    this.#commit?.setAttributes({
      "kvenue.commit.commands": commands,
      "kvenue.commit.events": events,
      // Commands in one entry share its sequence; a failed commit has none.
      ...(outcome === "committed" ? { "kvenue.commit.sequence": sequence } : {}),
    });
    this.#endCommit(outcome, outcome === "failed");
  }

  ended(end: CommandEnd): void {
    this.#endQueue();
    // A batch without events is confirmed by reading the head only.
    this.#endCommit(end === "answered" ? "confirmed" : end, end !== "answered");
    this.#own?.end();
  }

  #endCommit(outcome: string, isError: boolean): void {
    this.#commit?.setAttribute("kvenue.commit.outcome", outcome);
    if (isError) this.#commit?.setStatus({ code: SpanStatusCode.ERROR });
    this.#commit?.end();
    this.#commit = null;
  }

  #endQueue(): void {
    this.#queue?.end();
    this.#queue = null;
  }
}
