import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EXPORTED_FIGURES } from "../../../src/server/watching/exported_figures.ts";
import { prometheusText } from "../../../src/server/watching/prometheus_text.ts";
import { figuresWith } from "../../support/figures.ts";

const BUILD = { version: "1.2.3", build: 'a"b\\c', formats: { log: 5, rows: 4 } };

function linesOf(given: Parameters<typeof figuresWith>[0]): readonly string[] {
  return prometheusText(figuresWith(given), BUILD).split("\n");
}

describe("the figures as Prometheus reads them", () => {
  it("have types, labels and units", () => {
    const lines = linesOf({
      orders: 7,
      rss: 1000,
      ready: false,
      degraded: ["backup_old"],
      unfolded_events: 12,
      unfolded_ms: 34,
      closed_sockets: [{ code: 4008, reason: "slow reader", count: 2 }],
      networks: [
        { network: "anvil", height: 70, fault: "behind" },
        { network: "sepolia", height: null, fault: null },
      ],
      waiting: {
        approval: { count: 2, oldest_ms: 5000 },
        payment_by_hand: { count: 3, oldest_ms: 6000 },
        rail: { count: 0, oldest_ms: 0 },
        decision: { count: 1, oldest_ms: 9 },
        hold: { count: 0, oldest_ms: 0 },
        deposits: { count: 0, oldest_ms: 0 },
      },
    });
    for (
      const line of [
        "# TYPE kvenue_orders_total counter",
        "kvenue_orders_total 7",
        "kvenue_memory_rss_bytes 1000",
        "kvenue_ready 0",
        'kvenue_degraded{reason="backup_old"} 1',
        'kvenue_degraded{reason="mail_failing"} 0',
        'kvenue_waiting{what="approval"} 2',
        'kvenue_waiting{what="payment_by_hand"} 3',
        'kvenue_waiting{what="hold"} 0',
        'kvenue_waiting{what="fold"} 12',
        'kvenue_waiting_oldest_milliseconds{what="decision"} 9',
        'kvenue_waiting_oldest_milliseconds{what="fold"} 34',
        'kvenue_network_height{network="anvil"} 70',
        'kvenue_network_fault{network="anvil",fault="behind"} 1',
        'kvenue_network_fault{network="anvil",fault="unreachable"} 0',
        'kvenue_network_fault{network="sepolia",fault="behind"} 0',
        'kvenue_sockets_closed_total{code="4008",reason="slow reader"} 2',
        'kvenue_build_info{version="1.2.3",build="a\\"b\\\\c",log_format="5",row_format="4"} 1',
      ]
    ) {
      assert(lines.includes(line), `${line}\n${lines.join("\n")}`);
    }
  });

  it("have distributions whose ranges add up", () => {
    assertEquals(linesOf({}).filter((line) => line.startsWith("kvenue_commit_batch")), [
      'kvenue_commit_batch_bucket{le="1"} 1',
      'kvenue_commit_batch_bucket{le="2"} 1',
      'kvenue_commit_batch_bucket{le="+Inf"} 3',
      "kvenue_commit_batch_sum 7",
      "kvenue_commit_batch_count 3",
    ]);
  });

  it("leave out what is not known, and are otherwise all there", () => {
    const known = { disk_free: 1, disk_size: 2, backup_age_ms: 3 };
    const closed_sockets = [{ code: 1013, reason: "reconnect", count: 1 }];
    const names = (lines: readonly string[]) =>
      lines.filter((line) => line.startsWith("# TYPE")).length;
    const networks = [{ network: "anvil", height: 1, fault: null }];
    const all = names(linesOf({ storage: known, closed_sockets, networks }));
    assertEquals(all, EXPORTED_FIGURES.length + 3);
    assertEquals(names(linesOf({})), all - 6);
    assert(!linesOf({}).join().includes("null"));
  });

  it("are lines of the format, the last one ended", () => {
    const lines = linesOf({ closed_sockets: [{ code: 1009, reason: "a\nb", count: 1 }] });
    assertEquals(lines.at(-1), "");
    for (const line of lines.slice(0, -1)) {
      assert(/^(# (HELP|TYPE) kvenue_\w+ .+|kvenue_\w+(\{.*\})? [\d.e+-]+)$/.test(line), line);
    }
  });
});
