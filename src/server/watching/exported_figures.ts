/** The exported figures, under their OpenTelemetry names. */
import { DEGRADED_REASONS, type Figures, type NotedWait } from "../../edge/figures.ts";
import { NETWORK_FAULTS } from "../../wallet/rails/network_rail.ts";

/** A figure: how it is described to collectors, and where it is read. */
export interface ExportedFigure {
  readonly name: string;
  /** A figure that only grows is a counter. */
  readonly kind: "counter" | "gauge";
  readonly unit: string;
  readonly description: string;
  /** Returns its values: one, or one for each label; none where it is not known. */
  values(figures: Figures): readonly FigureValue[];
}

/** What tells values of one figure apart. */
export type Labels = Readonly<Record<string, string>>;

/** A value of a figure. */
export interface FigureValue {
  readonly labels?: Labels;
  readonly value: number;
}

/** Reads a figure that may be unknown, or that is told apart by labels. */
type Reading = (figures: Figures) => number | null | readonly FigureValue[];

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
  gauge("ready", "1", "Whether orders are taken.", (f) => f.ready ? 1 : 0),
  gauge(
    "degraded",
    "1",
    "What an operator has to look at.",
    ({ degraded }) =>
      DEGRADED_REASONS.map((reason) => ({
        labels: { reason },
        value: degraded.includes(reason) ? 1 : 0,
      })),
  ),
  gauge("waiting", "{record}", "What waits.", (f) => waits(f, ({ count }) => count)),
  gauge(
    "waiting.oldest",
    "ms",
    "How long the oldest of it has waited.",
    (f) => waits(f, ({ oldest_ms }) => oldest_ms),
  ),
  counter("mail.failures", "{attempt}", "Attempts to mail that failed.", (f) => f.mail.failures),
  counter("mail.given_up", "{message}", "Messages given up.", (f) => f.mail.given_up),
  gauge("mail.failing", "ms", "Time since mail was last taken.", (f) => f.mail.failing_ms),
  gauge("disk.free", "By", "What is left of the store's disk.", (f) => f.storage.disk_free),
  gauge("disk.size", "By", "Size of the store's disk.", (f) => f.storage.disk_size),
  gauge("backup.age", "ms", "Age of the last backup.", (f) => f.storage.backup_age_ms),
  gauge(
    "network.height",
    "{block}",
    "Height of a network's last block.",
    ({ networks }) =>
      networks.flatMap(({ network, height }) =>
        height === null ? [] : [{ labels: { network }, value: height }]
      ),
  ),
  gauge(
    "network.fault",
    "1",
    "Why a network is not to be relied on.",
    ({ networks }) =>
      networks.flatMap(({ network, fault: found }) =>
        NETWORK_FAULTS.map((fault) => ({
          labels: { network, fault },
          value: fault === found ? 1 : 0,
        }))
      ),
  ),
  counter(
    "sockets.closed",
    "{socket}",
    "Websockets that their clients have not closed.",
    (f) =>
      f.closed_sockets.map(({ code, reason, count }) => ({
        labels: { code: `${code}`, reason },
        value: count,
      })),
  ),
];

/** Returns a value for each thing that waits. */
function waits(
  { mail, unfolded_events, unfolded_ms, waiting }: Figures,
  value: (wait: NotedWait) => number,
): readonly FigureValue[] {
  const fold = { count: unfolded_events, oldest_ms: unfolded_ms };
  return Object.entries({ ...waiting, mail, fold })
    .map(([what, wait]) => ({ labels: { what }, value: value(wait) }));
}

function counter(
  name: string,
  unit: string,
  description: string,
  read: Reading,
): ExportedFigure {
  return { name: `kvenue.${name}`, kind: "counter", unit, description, values: valuesBy(read) };
}

function gauge(
  name: string,
  unit: string,
  description: string,
  read: Reading,
): ExportedFigure {
  return { name: `kvenue.${name}`, kind: "gauge", unit, description, values: valuesBy(read) };
}

function valuesBy(read: Reading): ExportedFigure["values"] {
  return (figures) => {
    const found = read(figures);
    if (found === null) return [];
    return typeof found === "object" ? found : [{ value: found }];
  };
}
