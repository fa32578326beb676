import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Figures } from "../../../src/edge/figures.ts";
import { EXPORTED_FIGURES } from "../../../src/server/watching/exported_figures.ts";
import { figuresWith } from "../../support/figures.ts";

/** The exported metrics and the figures behind them. */
const EXPECTED: readonly (readonly ["counter" | "gauge", string, keyof Figures])[] = [
  ["counter", "kvenue.orders", "orders"],
  ["counter", "kvenue.trades", "trades"],
  ["counter", "kvenue.events", "events"],
  ["counter", "kvenue.commits", "commits"],
  ["counter", "kvenue.mutations.log", "log_mutations"],
  ["counter", "kvenue.mutations.fold", "fold_mutations"],
  ["counter", "kvenue.commit.conflicts", "conflicts"],
  ["counter", "kvenue.commit.failures", "failed_commits"],
  ["counter", "kvenue.commit.unknown", "unknown_commits"],
  ["counter", "kvenue.readers.dropped", "dropped_readers"],
  ["counter", "kvenue.auth.failures", "auth_failures"],
  ["gauge", "kvenue.orders.open", "open_orders"],
  ["gauge", "kvenue.queue", "queue"],
  ["gauge", "kvenue.sockets", "sockets"],
  ["gauge", "kvenue.events.unfolded", "unfolded_events"],
  ["gauge", "kvenue.lag.events", "lag_events"],
  ["gauge", "kvenue.lag.time", "lag_ms"],
  ["gauge", "kvenue.memory.rss", "rss"],
];

describe("the exported figures", () => {
  it("match their names, and are counters if they only grow", () => {
    const given = Object.fromEntries(EXPECTED.map(([, , name], place) => [name, place + 100]));
    const figures = figuresWith(given as Partial<Figures>);
    assertEquals(
      EXPORTED_FIGURES.slice(0, EXPECTED.length).map(({ kind, name, values }) => {
        const [value] = values(figures);
        return [kind, name, EXPECTED[(value?.value ?? 0) - 100]?.[2]];
      }),
      EXPECTED.map((figure) => [...figure]),
    );
  });

  it("have names of their own", () => {
    const names = new Set(EXPORTED_FIGURES.map(({ name }) => name));
    assertEquals(names.size, EXPORTED_FIGURES.length);
  });
});
