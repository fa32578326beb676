/** What the ledger has of a payment, as rails are told. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type BookingEngine, bookingOf } from "../../../src/wallet/bookings.ts";
import { currencyDefinition, units } from "../../support/domain_venue.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const NETWORKS = [{ name: "anvil", digits: 18 }, { name: "anvil-second", digits: 18 }];
const TXID = `0x${"ab".repeat(32)}`;

async function openVenue(): Promise<EngineVenue> {
  const test = await EngineVenue.open();
  const currency = { ...currencyDefinition("coin", 8), networks: NETWORKS };
  await test.must({ kind: "create_currency", currency });
  await test.addMember("alice");
  return test;
}

/** Notes a deposit; returns its id. */
async function observe(
  { engine }: EngineVenue,
  output: number,
  network: { readonly network?: string } = {},
): Promise<number> {
  const lookup = await engine.findDeposit(0, TXID, output, network.network);
  const names = { uid: "alice", currency: "coin", txid: TXID, output, ...network };
  const outcome = await engine.submit(
    { kind: "observe_deposit", amount: units("2"), confirmations: 1, ...names, ...lookup },
    null,
  );
  if (!("kind" in outcome) || outcome.kind !== "deposit_set") throw new Error("It is refused");
  return outcome.deposit.id;
}

describe("what the ledger has of a payment", () => {
  it("is nothing, a deposit that is open or stands, or one that was taken back", async () => {
    await using test = await openVenue();
    const { engine } = test;
    const of = (output: number, network: string = "anvil") =>
      bookingOf(engine, { currency: "coin", network }, TXID, output);
    assertEquals(await of(1), "none");
    const id = await observe(test, 1);
    assertEquals([await of(1), await of(2), await of(1, "anvil-second")], [
      "open",
      "none",
      "none",
    ]);
    for (const action of ["accept", "process", "collect"] as const) {
      await test.must({ kind: "change_deposit", id, action });
      assertEquals(await of(1), action === "collect" ? "standing" : "open");
    }
    const record = await engine.deposit(id);
    if (record === null) throw new Error("It is gone");
    const lookup = { knownId: 0, checkedAt: engine.venue.sequence };
    await test.must({ kind: "reverse", reversed: { type: "deposit", record }, ...lookup });
    assertEquals(await of(1), "taken_back");
    await engine.folded();
    assertEquals(await of(1), "taken_back");
    for (const [i, action] of (["cancel", "reject"] as const).entries()) {
      await test.must({ kind: "change_deposit", id: await observe(test, 2 + i), action });
      assertEquals(await of(2 + i), "taken_back");
    }
    await observe(test, 1, { network: "anvil-second" });
    assertEquals(await of(1, "anvil-second"), "open");
  });

  it("is what the rows tell where the state has forgotten it", async () => {
    await using test = await openVenue();
    const { engine } = test;
    const id = await observe(test, 1);
    for (const action of ["accept", "process", "collect"] as const) {
      await test.must({ kind: "change_deposit", id, action });
    }
    await engine.folded();
    const forgetful: BookingEngine = {
      venue: Object.create(engine.venue, { depositNames: { value: { get: () => undefined } } }),
      fresh: () => engine.fresh(),
      findDeposit: (...sought) => engine.findDeposit(...sought),
      deposit: (id) => engine.deposit(id),
    };
    const way = { currency: "coin", network: "anvil" };
    assertEquals(await bookingOf(forgetful, way, TXID, 1), "standing");
    assertEquals(await bookingOf(forgetful, way, TXID, 2), "none");
  });
});
