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

interface Order {
  readonly network?: string;
  readonly fault?: NetworkFault | null;
  readonly goBack?: () => Promise<string | null>;
  readonly begin?: () => Promise<void>;
}

/** Gives an order and judges its outcome; returns what was done, in its order. */
async function ordered(
  order: Order,
  judge: (outcome: Promise<ResumeOutcome>) => Promise<unknown>,
): Promise<readonly string[]> {
  const { network = "anvil", fault = "reorganised", goBack, begin } = order;
  await using venue = await EngineVenue.open();
  const networks = [{ name: "anvil", digits: 18 }];
  const currency = { ...currencyDefinition("coin", 8), networks };
  await venue.must({ kind: "create_currency", currency });
  const done: string[] = [];
  const rail = {
    network: "anvil",
    health: () => ({ height: 9, fault }),
    goBack: async () => {
      done.push("goes back");
      return await (goBack?.() ?? "cursor");
    },
  } as unknown as NetworkRail;
  const { engine } = venue;
  const parts = { engine, networks: new NetworkRails(engine, [rail]), onFault: () => {} };
  await judge(resumeNetwork(parts, network, 7, async () => {
    done.push("begins");
    await begin?.();
  }));
  const key = walletCursorKey("networks", { currency: "coin" });
  if (await engine.readSidecar(key) === "cursor") done.push("reads on");
  return done;
}

function comesTo(expected: ResumeOutcome): (outcome: Promise<ResumeOutcome>) => Promise<void> {
  return async (outcome) => assertEquals(await outcome, expected);
}

describe("an order to go on with a network", () => {
  it("is begun once nothing refuses it, and before anything happens", async () => {
    const done = await ordered({}, comesTo("resumed"));
    assertEquals(done, ["begins", "goes back", "reads on"]);
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
