/** The exported figures, under their OpenTelemetry names. */
import type { Figures } from "./api/figures.ts";

/** A figure: how it is described to collectors, and where it is read. */
export interface ExportedFigure {
  readonly name: string;
  /** A figure that only grows is a counter. */
  readonly kind: "counter" | "gauge";
  readonly unit: string;
  readonly description: string;
  of(figures: Figures): number;
}

/** The figures read at each export; those of single commits are recorded as they happen. */
export const EXPORTED_FIGURES: readonly ExportedFigure[] = [
  counter("orders", "{order}", "Orders of the venue, across all processes.", (f) => f.orders),
  counter("trades", "{trade}", "Trades of the venue, across all processes.", (f) => f.trades),
  counter("events", "{event}", "Sequence of the last durable event.", (f) => f.events),
  counter("commits", "{commit}", "Commits sent, of log and rows.", (f) => f.commits),
  counter("mutations.log", "{mutation}", "Mutations of the log.", (f) => f.log_mutations),
  counter("mutations.fold", "{mutation}", "Mutations of rows.", (f) => f.fold_mutations),
  counter("commit.conflicts", "{commit}", "Commits lost to another process.", (f) => f.conflicts),
  counter("commit.failures", "{commit}", "Commits refused by the store.", (f) => f.failed_commits),
  counter(
    "commit.unknown",
    "{commit}",
    "Commits whose outcome had to be looked up.",
    (f) => f.unknown_commits,
  ),
  counter(
    "readers.dropped",
    "{socket}",
    "Readers dropped for being too slow.",
    (f) => f.dropped_readers,
  ),
  counter("auth.failures", "{call}", "Calls and sign-ins refused.", (f) => f.auth_failures),
  gauge("orders.open", "{order}", "Open orders.", (f) => f.open_orders),
  gauge("queue", "{command}", "Commands waiting or in flight.", (f) => f.queue),
  gauge("sockets", "{socket}", "Open websockets.", (f) => f.sockets),
  gauge("events.unfolded", "{event}", "Events not yet in rows.", (f) => f.unfolded_events),
  gauge("lag.events", "{event}", "Durable events not yet read.", (f) => f.lag_events),
  gauge("lag.time", "ms", "Time since all durable events were last known.", (f) => f.lag_ms),
  gauge("memory.rss", "By", "Resident memory.", (f) => f.rss),
];

function counter(
  name: string,
  unit: string,
  description: string,
  of: ExportedFigure["of"],
): ExportedFigure {
  return { name: `kvenue.${name}`, kind: "counter", unit, description, of };
}

function gauge(
  name: string,
  unit: string,
  description: string,
  of: ExportedFigure["of"],
): ExportedFigure {
  return { name: `kvenue.${name}`, kind: "gauge", unit, description, of };
}
