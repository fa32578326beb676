import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NetworkLog } from "../../../src/server/watching/network_log.ts";
import type { NetworkState } from "../../../src/wallet/network_rails.ts";
import type { NetworkFault, ReplacedBlock } from "../../../src/wallet/rails/network_rail.ts";
import type { NewNotice } from "../../../src/wallet/wallet_notices.ts";
import { FakeIntervals } from "../../support/fake_intervals.ts";

const DAY_MS = 86_400_000;

/** Looks at networks as a test sets them, and keeps what is told. */
class Ground {
  readonly lines: string[] = [];
  readonly notices: [NewNotice, number | undefined][] = [];
  states: readonly NetworkState[] = [];
  failing = false;
  readonly log = new NetworkLog({
    states: () => this.states,
    engine: { now: () => 3 * DAY_MS + 5 },
    notices: {
      add: (notice, round) => {
        if (this.failing) return Promise.reject(new Error("the store fails"));
        this.notices.push([notice, round]);
        return Promise.resolve();
      },
    },
    logger: {
      info: (event, fields) => this.#note(event, fields),
      warn: (event, fields) => this.#note(event, fields),
      error: (event) => this.#note(event),
    },
  });

  async look(
    faults: readonly (NetworkFault | null)[],
    gone: Partial<ReplacedBlock> = {},
  ): Promise<void> {
    const names = ["anvil", "sepolia"];
    const replaced = { height: 120, hash: "0xab", depth: 13, kept: 112, ...gone };
    this.states = faults.map((fault, i) => ({
      network: names[i] ?? "",
      height: 7,
      fault,
      ...fault === "reorganised" ? { replaced } : {},
    }));
    await this.log.look();
  }

  #note(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push([event, ...Object.values(fields)].join(" "));
  }
}

describe("the log of networks", () => {
  it("tells once what lasts, for each network, and once that it is over", async () => {
    const ground = new Ground();
    for (
      const faults of [
        [null, null],
        ["behind", null],
        [null, null],
        ["unreachable", null],
        ["unreachable", null],
        ["unreachable", "behind"],
        [null, "behind"],
        [null, "behind"],
        [null, "contradicting"],
        [null, "contradicting"],
      ] as const
    ) await ground.look(faults);
    assertEquals(ground.lines, [
      "network_unreliable anvil 7 unreachable",
      "network_unreliable sepolia 7 behind",
      "network_recovered anvil 7",
      "network_unreliable sepolia 7 contradicting",
    ]);
    assertEquals(ground.notices, [], "these pass by themselves");
  });

  it("tells of what is there at the start", async () => {
    const ground = new Ground();
    await ground.look(["behind"]);
    await ground.look(["behind"]);
    assertEquals(ground.lines, ["network_unreliable anvil 7 behind"]);
  });

  it("leaves a notice of what a person has to look at, once for all processes", async () => {
    const ground = new Ground();
    for (const fault of ["reorganised", "reorganised", "other_network", "other_network"] as const) {
      await ground.look([fault]);
    }
    const about = { currency: "", network: "anvil", id: 0, txid: "" };
    const [[lost, block] = [], [other, day] = [], ...more] = ground.notices;
    const { reason = "" } = lost ?? {};
    assertEquals([lost, block], [{ ...about, kind: "network_reorganised", reason }, 0xab]);
    for (
      const told of [
        "Block 120 (0xab)",
        "at least 13 blocks",
        "/networks/anvil/resume",
        "from_height 112, the last",
      ]
    ) assert(reason.includes(told), reason);
    assertEquals([other, day], [{
      ...about,
      kind: "network_mistaken",
      reason: "The node of anvil is of another network: put the right one into WALLET_NODES",
    }, 3]);
    assertEquals(more, []);
  });

  it("tells of each deep reorganisation, though one follows another at once", async () => {
    const ground = new Ground();
    const hash = `0x${"ab".repeat(31)}cd`;
    for (const gone of [{}, {}, { hash }, { hash, kept: null }]) {
      await ground.look(["reorganised"], gone);
    }
    assertEquals(ground.notices.map(([, round]) => round), [0xab, 0xabab_abab_abcd]);
    await ground.look([null]);
    for (let i = 0; i < 2; i++) await ground.look(["reorganised"], { kept: null });
    const [, , [{ reason } = { reason: "" }] = []] = ground.notices;
    assert(reason.includes("from_height a block before the first"), reason);
  });

  it("looks by itself until it is stopped", () => {
    using intervals = new FakeIntervals();
    const { log } = new Ground();
    log.start();
    assertEquals(intervals.periods, [1_000]);
    log.stop();
    assertEquals(intervals.periods, []);
  });

  it("goes on where a notice can't be written", async () => {
    const ground = new Ground();
    ground.failing = true;
    for (const fault of ["reorganised", "reorganised", null, null] as const) {
      await ground.look([fault]);
    }
    assertEquals(ground.lines, [
      "network_unreliable anvil 7 reorganised",
      "wallet_fault",
      "network_recovered anvil 7",
    ]);
  });

  it("writes a notice as soon as it can, while what it tells of lasts", async () => {
    const ground = new Ground();
    ground.failing = true;
    for (let look = 0; look < 3; look++) await ground.look(["reorganised"]);
    assertEquals(ground.notices, []);
    ground.failing = false;
    for (let look = 0; look < 3; look++) await ground.look(["reorganised"]);
    assertEquals(ground.notices.map(([{ kind }]) => kind), ["network_reorganised"]);
    assertEquals(ground.lines, [
      "network_unreliable anvil 7 reorganised",
      "wallet_fault",
      "wallet_fault",
    ]);
  });
});
