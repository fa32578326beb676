import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { areFollowed } from "../../src/server/chain_audit.ts";
import type { NetworkFault, NetworkRail } from "../../src/wallet/rails/network_rail.ts";
import type { Holding, HoldingFault } from "../../src/wallet/solvency.ts";

/** A rail whose calls read one block each, up to a height. */
class SlowRail {
  asked = 0;
  #fault: NetworkFault | null = "behind";

  constructor(public height: number, readonly end: number, readonly tip: number) {}

  health() {
    return { height: this.height, fault: this.#fault };
  }

  balances(): Promise<unknown> {
    this.asked += 1;
    this.height = Math.min(this.end, this.height + 1);
    if (this.height < this.tip) return Promise.reject(new Error("not all read yet"));
    this.#fault = null;
    return Promise.resolve({});
  }
}

/** Returns whether a rail came further, how often it was asked, and where it is then. */
async function followed(rail: SlowRail | null, fault: HoldingFault | null): Promise<unknown[]> {
  const networks = { railTo: () => rail as unknown as NetworkRail | null };
  const holding = { network: "litecoin", fault, height: rail?.height ?? null } as Holding;
  const isAny = await areFollowed(networks, [{ currency: "ltc", networks: [holding] }]);
  return [isAny, rail?.asked, rail?.height];
}

describe("an audit of chains", () => {
  it("follows a chain to its end, however many blocks were not read", async () => {
    assertEquals(await followed(new SlowRail(3, 99, 99), "behind"), [true, 96, 99]);
  });

  it("waits for no node that has not caught up itself", async () => {
    assertEquals(await followed(new SlowRail(3, 3, 9), "behind"), [false, 1, 3]);
    assertEquals(await followed(new SlowRail(3, 5, 9), "behind"), [true, 3, 5]);
  });

  it("asks nobody again of whom something else is wrong, or nothing", async () => {
    for (const fault of [null, "unreachable", "reorganised"] as const) {
      assertEquals(await followed(new SlowRail(3, 9, 9), fault), [false, 0, 3]);
    }
    assertEquals(await followed(null, "no_node"), [false, undefined, undefined]);
  });
});
