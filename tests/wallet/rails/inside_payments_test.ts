/** Payouts to members are one deposit each, by whichever transaction they come. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { networkKey } from "../../../src/engine/sidecar_rows.ts";
import { InsidePayments } from "../../../src/wallet/rails/inside_payments.ts";
import type { Booking } from "../../../src/wallet/rails/network_rail.ts";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const SEEN = { address: "bob", output: 0, amount: 1n, confirmations: 3, isDropped: false };

function seenOf(txid: string, isDropped: boolean = false): SeenOutput {
  return { ...SEEN, txid, isDropped };
}

/** What there is of one payout. */
class Ground implements AsyncDisposable {
  readonly bookings = new Map<string, Booking>();
  isLost = false;
  readonly inside: InsidePayments;

  private constructor(readonly venue: EngineVenue) {
    this.inside = new InsidePayments({
      engine: venue.engine,
      rows: new EvmRows("anvil"),
      bookingOf: (_currency, txid) => Promise.resolve(this.bookings.get(txid) ?? "none"),
      isLost: () => Promise.resolve(this.isLost),
    });
  }

  static async open(): Promise<Ground> {
    return new Ground(await EngineVenue.open());
  }

  /** Returns how an output is called: `txid`, with a `-` if it is gone. */
  async named(seen: SeenOutput): Promise<string> {
    const { txid, isDropped } = await this.inside.named("eth", seen);
    return `${txid}${isDropped ? "-" : ""}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.venue.close();
  }
}

describe("a payout to a member", () => {
  it("is called by the transaction that was credited, and by its own where none stands", async () => {
    await using ground = await Ground.open();
    const { inside, bookings } = ground;
    await inside.note("withdraw-1", ["a"]);
    await inside.note("withdraw-1", ["b"]);
    await inside.note("withdraw-2", ["c"]);
    const names = () => Promise.all(["a", "b", "c", "d"].map((one) => ground.named(seenOf(one))));
    assertEquals(await names(), ["a", "b", "c", "d"]);
    bookings.set("a", "taken_back");
    assertEquals(await names(), ["a", "b", "c", "d"]);
    bookings.set("a", "standing").set("c", "standing");
    assertEquals(await names(), ["a", "a", "c", "d"]);
    // Taken back later, it is not credited by another one: the operator is told that it is there.
    bookings.set("a", "taken_back");
    assertEquals(await names(), ["a", "a", "c", "d"]);
    bookings.set("b", "standing");
    assertEquals(await names(), ["b", "b", "c", "d"]);
  });

  it("is not gone before the payout is, if it was credited", async () => {
    await using ground = await Ground.open();
    const { inside, bookings } = ground;
    await inside.note("withdraw-1", ["a", "b"]);
    const names = () => Promise.all(["a", "b"].map((one) => ground.named(seenOf(one, true))));
    assertEquals(await names(), ["a-", "b-"]);
    bookings.set("a", "standing");
    assertEquals(await names(), ["a", "a"]);
    ground.isLost = true;
    assertEquals(await names(), ["a-", "a-"]);
    bookings.set("a", "taken_back");
    ground.isLost = false;
    assertEquals(await names(), ["a-", "a-"]);
  });

  it("is not looked at by another name than its own", async () => {
    await using ground = await Ground.open();
    const { inside, bookings } = ground;
    await inside.note("withdraw-1", ["a", "b"]);
    bookings.set("a", "standing").set("b", "open");
    const none = () => Promise.resolve(null);
    assertEquals(await inside.looked("eth", seenOf("a"), none), seenOf("a"));
    const gone = { ...seenOf("b", true), confirmations: 0 };
    assertEquals(await inside.looked("eth", seenOf("b"), none), gone);
  });

  it("is looked at as the transaction that a block has, once it is credited", async () => {
    await using ground = await Ground.open();
    const { inside, bookings } = ground;
    await inside.note("withdraw-1", ["a", "b", "c"]);
    const mined = new Map([["b", 0], ["c", 3]]);
    const at = (txid: string) => {
      const confirmations = mined.get(txid);
      return Promise.resolve(
        confirmations === undefined ? null : { ...seenOf(txid), confirmations },
      );
    };
    const waiting = { ...seenOf("a"), confirmations: 0 };
    // It would be credited by both names.
    assertEquals(await inside.looked("eth", waiting, at), waiting);
    bookings.set("a", "standing");
    assertEquals(await inside.looked("eth", waiting, at), seenOf("a"));
    mined.clear();
    assertEquals(await inside.looked("eth", waiting, at), waiting);
  });

  it("stands by the name that was credited, if any was", async () => {
    await using ground = await Ground.open();
    const { inside, bookings } = ground;
    await inside.note("withdraw-1", ["a", "b"]);
    const standing = (txid: string) => inside.credited({ currency: "eth", txid, output: 0 });
    assertEquals([await standing("a"), await standing("b"), await standing("d")], [
      null,
      null,
      null,
    ]);
    bookings.set("b", "taken_back");
    assertEquals([await standing("a"), await standing("b")], [null, "b"], "it was");
    bookings.set("a", "standing").set("d", "standing");
    assertEquals([await standing("a"), await standing("b"), await standing("d")], ["a", "a", "d"]);
  });

  it("is known by what an older version of the program has noted", async () => {
    await using ground = await Ground.open();
    const { inside, bookings, venue: { engine } } = ground;
    await engine.createSidecar({ key: networkKey("anvil", "inside", "a"), value: true });
    bookings.set("a", "standing");
    assertEquals(await ground.named(seenOf("a", true)), "a-");
    await inside.note("withdraw-1", ["a", "b"]);
    assertEquals([await ground.named(seenOf("a", true)), await ground.named(seenOf("b"))], [
      "a",
      "a",
    ]);
  });
});
