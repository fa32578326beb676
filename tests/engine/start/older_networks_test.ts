/** Currencies of older programs, which lived on one network. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { older } from "../../support/older_log.ts";
import { units } from "../../support/domain_venue.ts";

const NETWORK = {
  name: "anvil",
  contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  digits: 6,
};

/** Returns the events of a currency with a network, as format 7 has it, and of its deposit. */
function networked({ venue }: EngineVenue): VenueEvent[] {
  return [{
    kind: "currency_set",
    currency: { ...venue.currency(0), ...{ network: NETWORK } },
  }];
}

async function observed(test: EngineVenue, network?: string): Promise<number> {
  const receipt = await test.must({
    kind: "observe_deposit",
    uid: "bob",
    currency: test.venue.currency(0).id,
    ...network === undefined ? {} : { network },
    amount: units("1"),
    txid: "replayed",
    output: 0,
    confirmations: 0,
    ...await test.engine.findDeposit(0, "replayed", 0, network),
  });
  if (receipt.kind !== "deposit_set") throw new Error(`It answered ${receipt.kind}`);
  return receipt.deposit.id;
}

describe("a log of format 7", () => {
  it("keeps a currency's network as its first, to which others are added", async () => {
    await using file = await older(7, networked);
    const networksOf = ({ venue }: EngineVenue) =>
      [0, 1].map((index) => venue.currency(index).networks);
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(networksOf(test), [[NETWORK], undefined]);
    assertEquals(Object.hasOwn(test.venue.currency(0), "network"), false);
    const second = { name: "sepolia", digits: 6 };
    await test.folded();
    await test.must({ kind: "add_network", id: test.venue.currency(0).id, network: second });
    assertEquals([await observed(test), await observed(test, "sepolia")], [1, 2]);
    await test.folded();
    const found = [undefined, "sepolia"].map((network) =>
      test.engine.findDeposit(0, "replayed", 0, network)
    );
    assertEquals((await Promise.all(found)).map(({ knownId }) => knownId), [1, 2]);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path });
    assertEquals(networksOf(again), [[NETWORK, second], undefined]);
    assertEquals((await again.engine.deposit(2))?.network, "sepolia");
    await again.close();
    await runRebuild(file.path);
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
