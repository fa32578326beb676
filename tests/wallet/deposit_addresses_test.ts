import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../src/domain/assert.ts";
import { DepositAddresses } from "../../src/wallet/deposit_addresses.ts";
import type { DepositAddressMade } from "../../src/domain/event.ts";
import type { Way } from "../../src/domain/money/currency.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { RailAnswerError } from "../../src/wallet/rails/rail_answers.ts";
import { currencyDefinition } from "../support/domain_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

/** Collects the log's further events about addresses. */
function madeEvents(engine: Engine): DepositAddressMade[] {
  const made: DepositAddressMade[] = [];
  engine.onEvent((event) => {
    if (event.kind === "deposit_address_made") made.push(event);
  });
  return made;
}

const BTC: Way = { currency: "btc" };

describe("a deposit address", () => {
  it("is made when first asked for, and stays the same", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();

    const asked = await Promise.all(
      [venue, other, venue].map((one) => one.wallet().addressOf("bob", BTC)),
    );
    const [first] = asked;
    assertEquals(first?.state, "active");
    assertEquals(asked, [first, first, first]);
    assertEquals(await other.wallet().addressOf("bob", BTC), first);
  });

  it("is logged once, by index only, in the commit of its row", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    const made = madeEvents(other.engine);
    const rows: unknown[] = [];
    other.engine.onEvent((event) => {
      if (event.kind !== "deposit_address_made") return;
      rows.push(other.engine.readSidecar(["deposit_addresses", "btc", "bob"]));
    });

    const first = await venue.wallet().addressOf("bob", BTC);
    await other.engine.fresh();
    assertEquals(made, [
      { kind: "deposit_address_made", member: venue.test.member("bob"), currency: 0 },
    ]);
    assertEquals(await Promise.all(rows), [first]);
    for (const one of [venue, other]) await one.wallet().addressOf("bob", BTC);
    await other.engine.fresh();
    assertEquals(made.length, 1);
  });

  it("made meanwhile by another process is not logged again", async () => {
    await using venue = await WalletVenue.open();
    const made = madeEvents(venue.engine);
    const slow = Promise.withResolvers<{ address: string }>();
    const addressesOf = (created: Promise<{ address: string }>) =>
      new DepositAddresses(venue.engine, { createAddress: () => created }, () => {});
    const late = addressesOf(slow.promise).addressOf("bob", BTC);
    const first = await addressesOf(Promise.resolve({ address: "btc1q" })).addressOf("bob", BTC);
    slow.resolve({ address: "btc1q" });
    assertEquals([(await late).state, first.state], ["active", "active"]);
    assertEquals(made.length, 1);
  });

  it("is asked for again if the rail never answers", async () => {
    await using venue = await WalletVenue.open();
    const faults: unknown[] = [];
    let calls = 0;
    const rail = {
      createAddress: () => {
        calls += 1;
        return calls === 1
          ? new Promise<{ address: string }>(() => {})
          : Promise.resolve({ address: "btc1q" });
      },
    };
    const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault), 50);
    assertEquals((await addresses.addressOf("bob", BTC)).state, "pending");
    assertEquals(faults.map(String), ["TooLateError: No answer within 50 ms"]);
    assertEquals(await addresses.addressOf("bob", BTC), { address: "btc1q", state: "active" });
  });

  it("is not kept if it is invalid", async () => {
    await using venue = await WalletVenue.open();
    const faults: unknown[] = [];
    for (const address of ["", "a".repeat(257), "a\ud800"]) {
      const rail = { createAddress: () => Promise.resolve({ address }) };
      const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault));
      assertEquals((await addresses.addressOf("bob", BTC)).state, "pending");
    }
    assertEquals(faults.map((fault) => fault instanceof RailAnswerError), [true, true, true]);
    assertEquals(await venue.engine.readSidecar(["deposit_addresses", "btc", "bob"]), null);
  });

  it("is not made for an unknown member or an unknown currency", async () => {
    await using venue = await WalletVenue.open();
    const made = madeEvents(venue.engine);
    const faults: unknown[] = [];
    const rail = {
      createAddress: ({ currency }: Way, uid: string) =>
        Promise.resolve({ address: `${currency}:${uid}` }),
    };
    const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault));
    for (const [uid, currency] of [["nobody", "btc"], ["bob", "nothing"]] as const) {
      assertEquals((await addresses.addressOf(uid, { currency })).state, "pending");
      assertEquals(await venue.engine.readSidecar(["deposit_addresses", currency, uid]), null);
    }
    assertEquals(faults.map(String), [
      "Error: No address is kept: member_not_found",
      "Error: No address is kept: currency_not_found",
    ]);
    assertEquals(made, []);
  });

  it("is pending while the rail makes it, and is made once for all who ask", async () => {
    await using venue = await WalletVenue.open();
    const made = Promise.withResolvers<{ address: string }>();
    let count = 0;
    const rail = {
      createAddress: () => {
        count += 1;
        return made.promise;
      },
    };
    const addresses = new DepositAddresses(venue.engine, rail, () => {});
    const pending = { address: null, state: "pending" } as const;
    assertEquals(
      await Promise.all([addresses.addressOf("bob", BTC), addresses.addressOf("bob", BTC)]),
      [pending, pending],
    );
    assertEquals(await addresses.uidOf(BTC, "btc1qlate"), null);
    const late = addresses.addressOf("bob", BTC);
    made.resolve({ address: "btc1qlate" });
    assertEquals(await late, { address: "btc1qlate", state: "active" });
    assertEquals(await addresses.addressOf("bob", BTC), await late);
    assertEquals(await addresses.uidOf(BTC, "btc1qlate"), "bob");
    assertEquals(count, 1);
  });

  it("is pending after a rail's fault, and is made when asked for again", async () => {
    await using venue = await WalletVenue.open();
    const faults: unknown[] = [];
    let isDown = true;
    const rail = {
      createAddress: () =>
        isDown ? Promise.reject(new Error("down")) : Promise.resolve({ address: "btc1qup" }),
    };
    const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault));
    assertEquals((await addresses.addressOf("bob", BTC)).state, "pending");
    isDown = false;
    assertEquals((await addresses.addressOf("bob", BTC)).address, "btc1qup");
    assertEquals(faults.length, 1);
  });

  it("belongs to one member and one currency, however many ask at once", async () => {
    await using venue = await WalletVenue.open();
    const rail = {
      createAddress: ({ currency }: Way, uid: string) =>
        Promise.resolve({ address: `${currency}:${uid}` }),
    };
    const addresses = new DepositAddresses(venue.engine, rail, () => {});
    await venue.test.must({ kind: "create_currency", currency: currencyDefinition("eth") });
    const asked = [["alice", "btc"], ["bob", "btc"], ["bob", "eth"]] as const;
    const made = await Promise.all(
      asked.map(([uid, currency]) => addresses.addressOf(uid, { currency })),
    );
    assertEquals(made.map(({ address }) => address), ["btc:alice", "btc:bob", "eth:bob"]);
    assertEquals(await addresses.uidOf(BTC, "btc:bob"), "bob");
    assertEquals(await addresses.uidOf({ currency: "eth" }, "btc:bob"), null);
  });

  it("never has two owners", async () => {
    await using venue = await WalletVenue.open();
    const faults: unknown[] = [];
    const rail = { createAddress: () => Promise.resolve({ address: "btc1qsame" }) };
    const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault));
    assertEquals((await addresses.addressOf("alice", BTC)).address, "btc1qsame");
    assertEquals((await addresses.addressOf("bob", BTC)).address, null);
    assertEquals(faults.map((fault) => fault instanceof InvariantError), [true]);
    assertEquals(await addresses.uidOf(BTC, "btc1qsame"), "alice");
  });
});
