/** When an operator's order to go on with a network begins to do anything. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { walletCursorKey } from "../../src/engine/sidecar_rows.ts";
import { NetworkRails } from "../../src/wallet/network_rails.ts";
import {
  type NetworkFault,
  type NetworkRail,
  NoStateError,
} from "../../src/wallet/rails/network_rail.ts";
import { resumeNetwork, type ResumeOutcome } from "../../src/wallet/resume_network.ts";
import { currencyDefinition } from "../support/domain_venue.ts";
import { EngineVenue } from "../support/engine_venue.ts";

const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

interface Order {
  readonly network?: string;
  readonly fault?: NetworkFault | null;
  /** What the coins have been read up to. */
  readonly read?: readonly (string | null)[];
  /** Height of a block that is gone. */
  readonly gone?: number;
  /** Height of the last block that is known to be there. */
  readonly kept?: number | Error | null;
  readonly goBack?: () => Promise<string | null>;
  readonly begin?: () => Promise<void>;
}

/** Gives an order and judges its outcome; returns what was done, in its order. */
async function ordered(
  order: Order,
  judge: (outcome: Promise<ResumeOutcome>) => Promise<unknown>,
): Promise<readonly string[]> {
  const {
    network = "anvil",
    fault = "reorganised",
    read = ["9"],
    gone,
    kept = null,
    goBack,
    begin,
  } = order;
  const replaced = gone === undefined ? {} : { replaced: { height: gone, hash: "", depth: 1 } };
  await using venue = await EngineVenue.open();
  const { engine } = venue;
  for (const [i, cursor] of read.entries()) {
    const token = i === 0 ? {} : { contract: TOKEN.slice(0, -1) + i };
    const networks = [{ name: "anvil", digits: 18, ...token }];
    const currency = { ...currencyDefinition(`coin${i}`, 8), networks };
    await venue.must({ kind: "create_currency", currency });
    if (cursor !== null) await engine.createSidecar({ key: cursorKey(i), value: cursor });
  }
  const done: string[] = [];
  const rail = {
    network: "anvil",
    health: () => ({ height: 9, fault, ...replaced }),
    resumableHeight: () => kept instanceof Error ? Promise.reject(kept) : Promise.resolve(kept),
    goBack: async () => {
      done.push("goes back");
      return await (goBack?.() ?? "7");
    },
    heightOf: Number,
  } as unknown as NetworkRail;
  const parts = { engine, networks: new NetworkRails(engine, [rail]), onFault: () => {} };
  await judge(resumeNetwork(parts, network, 7, async () => {
    done.push("begins");
    await begin?.();
  }));
  for (const [i, before] of read.entries()) {
    const cursor = await engine.readSidecar(cursorKey(i));
    if (cursor !== before) done.push(`coin${i} from ${cursor}`);
  }
  return done;
}

function cursorKey(coin: number) {
  return walletCursorKey("networks", { currency: `coin${coin}` });
}

function comesTo(expected: ResumeOutcome): (outcome: Promise<ResumeOutcome>) => Promise<void> {
  return async (outcome) => assertEquals(await outcome, expected);
}

describe("an order to go on with a network", () => {
  it("is begun once nothing refuses it, and before anything happens", async () => {
    const done = await ordered({}, comesTo("resumed"));
    assertEquals(done, ["begins", "goes back", "coin0 from 7"]);
  });

  it("leads no coin past what was not read of it", async () => {
    const done = await ordered({ read: ["8", "7", "3", null] }, comesTo("resumed"));
    assertEquals(done, ["begins", "goes back", "coin0 from 7", "coin3 from 7"]);
    for (const read of [["7"], ["3", "7"], [null], []]) {
      assertEquals(await ordered({ read }, comesTo("unread_block")), []);
    }
  });

  it("leads all coins back as far as the rail has gone", async () => {
    const goBack = () => Promise.resolve("5");
    const done = await ordered({ goBack, read: ["8", "6", "5", "4"] }, comesTo("resumed"));
    assertEquals(done, ["begins", "goes back", "coin0 from 5", "coin1 from 5"]);
  });

  it("is begun where a process has read further than to what it has stored", async () => {
    const done = await ordered({ read: ["3", "5"], gone: 8 }, comesTo("resumed"));
    assertEquals(done, ["begins", "goes back"]);
    assertEquals(await ordered({ read: ["3", "5"], gone: 7 }, comesTo("unread_block")), []);
  });

  it("is not begun behind a block that may be gone, or a part of which is", async () => {
    for (const kept of [7, 8]) {
      const done = await ordered({ kept }, comesTo("resumed"));
      assertEquals(done, ["begins", "goes back", "coin0 from 7"]);
    }
    assertEquals(await ordered({ kept: 6 }, comesTo("replaced_block")), []);
    for (const gone of [6, 7]) {
      assertEquals(await ordered({ gone }, comesTo("replaced_block")), []);
    }
    assertEquals(await ordered({ kept: new Error("away") }, comesTo("unreliable")), []);
  });

  it("is not begun where it is refused at once", async () => {
    assertEquals(await ordered({ network: "moon" }, comesTo("no_node")), []);
    for (const fault of [null, "behind"] as const) {
      assertEquals(await ordered({ fault }, comesTo("not_reorganised")), []);
    }
  });

  it("does nothing if who gave it may not", async () => {
    const begin = () => Promise.reject(new Error("the session has ended"));
    const isRefused = (outcome: Promise<ResumeOutcome>) =>
      assertRejects(() => outcome, Error, "ended");
    assertEquals(await ordered({ begin }, isRefused), ["begins"]);
  });

  it("says what keeps the rail from it", async () => {
    const failing = (error: Error) => ({ goBack: () => Promise.reject(error) });
    const tried = ["begins", "goes back"];
    assertEquals(await ordered(failing(new Error("away")), comesTo("unreliable")), tried);
    assertEquals(await ordered(failing(new NoStateError("pruned")), comesTo("no_state")), tried);
    assertEquals(
      await ordered({ goBack: () => Promise.resolve(null) }, comesTo("no_block")),
      tried,
    );
  });
});
