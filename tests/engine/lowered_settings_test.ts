import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Command, isRejection } from "../../src/domain/command.ts";
import type { RejectionCode } from "../../src/domain/rejection.ts";
import type { Settings } from "../../src/domain/settings.ts";
import { units } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import type { FaultyStore } from "../support/faulty_store.ts";

const ORDER = { price: "100", amount: "1" } as const;

/** Settings, and why what was allowed before them is refused. */
type Lowered = readonly [Partial<Settings>, Command, RejectionCode];

/** Opens an engine, and another on the same file that hears of nothing by its watch. */
async function openTwo(path: string): Promise<[EngineVenue, EngineVenue]> {
  const one = await EngineVenue.open({ path, isShared: true });
  await one.addUsual();
  const prepare = (store: FaultyStore) => store.isWatchDropped = true;
  return [one, await EngineVenue.open({ path, isShared: true, prepare })];
}

/** Gives alice an active beneficiary; returns a withdrawal to it. */
async function withdrawing(test: EngineVenue): Promise<Command> {
  const member = test.member("alice");
  await test.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
  const beneficiary = { member, currency: "btc", addressDigest: "digest" } as const;
  const made = await test.must({ kind: "create_beneficiary", ...beneficiary });
  if (made.kind !== "beneficiary_set") throw new Error(made.kind);
  const { id } = made.beneficiary;
  await test.must({ kind: "try_pin", member, id, pin: 1, isRight: true });
  const otp = { member, step: 2, generation: 1 };
  const amount = units("1");
  return { kind: "request_withdraw", member, otp, beneficiary: id, currency: "btc", amount };
}

describe("a setting that one engine has lowered", () => {
  it("holds at once on another that has not heard of it", async () => {
    await using file = await VenueFile.create();
    const [one, two] = await openTwo(file.path);
    await using _one = one;
    await using _two = two;
    const request = await withdrawing(one);
    // One trades at 100, and one ends without a trade.
    await one.placed("bob", { ...ORDER, side: "sell" });
    await one.placed("alice", ORDER);
    await one.placed("alice", { ...ORDER, price: "1", timeInForce: "ioc" });
    const lowered: readonly Lowered[] = [
      [{ bulkOrdersMax: 1 }, one.placing("alice", ORDER, ORDER), "orders_per_bulk_exceeded"],
      [{ openOrdersMax: 1 }, one.placing("alice", ORDER, ORDER), "open_orders_exceeded"],
      [{ untradedOrdersMax: 1 }, one.placing("alice", ORDER), "untraded_orders_exceeded"],
      [
        { priceBandBps: 100 },
        one.placing("alice", { ...ORDER, price: "102" }),
        "price_out_of_band",
      ],
      [{ beneficiaryHoldMs: 60_000 }, request, "beneficiary_on_hold"],
      [{ credentialHoldMs: 60_000 }, request, "beneficiary_on_hold"],
    ];
    for (const [changes, command, code] of lowered) {
      await two.engine.fresh();
      const { settings: before } = two.venue;
      await one.must({ kind: "set_settings", changes });
      const outcome = await two.engine.submit(command, null);
      assertEquals(isRejection(outcome) && outcome.rejected, code);
      await one.must({ kind: "set_settings", changes: before });
    }
  });
});
