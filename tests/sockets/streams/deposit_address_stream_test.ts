import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { DepositAddressStream } from "../../../src/sockets/streams/deposit_address_stream.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { WalletVenue } from "../../support/wallet_venue.ts";
import { CLOSE_CODES } from "../../../src/sockets/limits.ts";

/** Creates the stream of one process, and a list of its reads of rows. */
function streamOf(
  engine: Engine,
  readSidecar = engine.readSidecar.bind(engine),
  whenHeard: Engine["whenHeard"] = (push) => push(),
) {
  const hub = new Hub();
  const faults: unknown[] = [];
  const read: Promise<unknown>[] = [];
  const watched = {
    venue: engine.venue,
    onEvent: engine.onEvent.bind(engine),
    whenHeard,
    readSidecar: (key: readonly (string | number)[]) => {
      const row = readSidecar(key);
      read.push(row.catch(() => {}));
      return row;
    },
  };
  hub.register(new DepositAddressStream(watched, hub, (fault) => faults.push(fault)));
  /** Waits until everything in the log so far has been processed. */
  const settled = async () => {
    await engine.fresh();
    await Promise.all(read);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { hub, faults, read, settled };
}

/** Returns a reader of a member's stream that has begun. */
async function readerOf(hub: Hub, member: number): Promise<FramesReader> {
  const reader = new FramesReader(member);
  await hub.subscribe(reader, ["deposit_address"]);
  return reader;
}

describe("the deposit_address stream of several processes", () => {
  it("reports on each process an address that one of them made", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    const bob = venue.test.member("bob");
    const streams = [streamOf(venue.engine), streamOf(other.engine)];
    const readers = await Promise.all(streams.map(({ hub }) => readerOf(hub, bob)));
    const address = await venue.address("bob");
    for (const { settled } of streams) await settled();
    const expected = {
      deposit_address: { type: "create", currencies: ["btc"], address },
      sequence: 1,
    };
    assertEquals(readers.map(({ frames }) => frames.map((one) => JSON.parse(one))), [
      [expected],
      [expected],
    ]);
    assertEquals(streams.map(({ faults }) => faults), [[], []]);
  });

  it("keeps no address from a reader that begins, or begins again, before it is pushed", async () => {
    await using venue = await WalletVenue.open();
    const heard: (() => void)[] = [];
    const { engine } = venue;
    const { hub, settled } = streamOf(engine, undefined, (push) => void heard.push(push));
    const bob = venue.test.member("bob");
    const reader = await readerOf(hub, bob);
    const address = await venue.address("bob");
    await engine.fresh();
    await hub.subscribe(reader, ["deposit_address"]);
    const late = await readerOf(hub, bob);
    const back = new FramesReader(bob);
    await hub.subscribe(back, ["deposit_address"], new Map([["deposit_address", 0]]));
    for (const push of heard) push();
    await settled();
    const expected = {
      deposit_address: { type: "create", currencies: ["btc"], address },
      sequence: 1,
    };
    for (const { frames } of [reader, late, back]) {
      assertEquals(frames.map((one) => JSON.parse(one)), [expected]);
    }
  });

  it("reads no row for a member without listeners", async () => {
    await using venue = await WalletVenue.open();
    const { hub, read, settled } = streamOf(venue.engine);
    const alice = await readerOf(hub, venue.test.member("alice"));
    await venue.address("bob");
    await settled();
    assertEquals([alice.frames, read.length], [[], 0]);
    const address = await venue.address("alice");
    await settled();
    assertEquals(alice.frames.map((one) => JSON.parse(one).deposit_address.address), [address]);
    assertEquals(read.length, 1);
  });

  it("reports an address without a row, and continues", async () => {
    await using venue = await WalletVenue.open();
    const { hub, faults, settled } = streamOf(venue.engine);
    const reader = await readerOf(hub, venue.test.member("bob"));
    await venue.test.must({ kind: "note_deposit_address", uid: "bob", currency: "btc" });
    await settled();
    assertEquals(faults.map((fault) => fault instanceof InvariantError), [true]);
    assertEquals([reader.frames, reader.closed], [[], null]);
    const address = await venue.address("bob");
    await settled();
    assertEquals(reader.frames.map((one) => JSON.parse(one).deposit_address.address), [address]);
    assertEquals(faults.length, 1);
  });

  it("closes readers that miss an address, which they could not notice", async () => {
    await using venue = await WalletVenue.open();
    const unreadable = () => Promise.reject(new Error("The store cannot be read"));
    const { hub, faults, settled } = streamOf(venue.engine, unreadable);
    const [bob, alice] = [
      await readerOf(hub, venue.test.member("bob")),
      await readerOf(hub, venue.test.member("alice")),
    ];
    await venue.address("bob");
    await settled();
    assertEquals([bob.closed?.code, alice.closed], [CLOSE_CODES.fault, null]);
    assertEquals([bob.frames, faults.length], [[], 1]);
  });
});
