import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BurstRoom } from "../../../src/sockets/sending/burst_room.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { PrivateStreams } from "../../../src/sockets/streams/private_streams.ts";
import { PUSH } from "../../../src/sockets/push/push_dialect.ts";
import { PushConnection } from "../../../src/sockets/push/push_connection.ts";
import { StreamSocket } from "../../../src/sockets/sending/stream_socket.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FakeSocket } from "../../support/fake_socket.ts";
import { pushParts } from "../../support/push_parts.ts";
import { BURST_BYTES_MAX, CLOSE_CODES } from "../../../src/sockets/limits.ts";

const { setImmediate } = globalThis as unknown as { setImmediate(step: () => void): void };

const ORDER = { side: "buy", amount: "1", price: "1" } as const;
const ORDERS_PER_REQUEST = 50;
const REQUESTS = 40;
const ORDERS = REQUESTS * ORDERS_PER_REQUEST;
/** What each frame weighs: all of them are twice what may wait at once. */
const FRAME_BYTES = 2 * BURST_BYTES_MAX / ORDERS;

/** A reader of alice's orders, over a socket whose frames are heavy. */
class HeavyReader {
  readonly platform = new FakeSocket();
  frames = 0;
  #isReading = false;

  constructor({ engine, member }: EngineVenue) {
    const hub = new Hub();
    const fail = (error: unknown) => {
      throw error;
    };
    hub.register(new PrivateStreams(engine, hub, fail));
    const alice = { member: member.call({ venue: engine.venue }, "alice"), dialect: PUSH };
    const asked = { ...alice, streams: ["order"], since: new Map() };
    const connection = new PushConnection(pushParts(hub, fail), asked);
    this.platform.send = (frame) => {
      if (JSON.parse(frame).order !== undefined) this.frames += 1;
      this.platform.bufferedAmount += FRAME_BYTES;
    };
    const room = new BurstRoom(8 * BURST_BYTES_MAX).shareOf("10.0.0.1");
    const limits = { frameBytesMax: 1_000, stalledMsMax: 600_000, room };
    const told = { onClosed: () => {}, onUnopened: () => {} };
    connection.attach(
      new StreamSocket(this.platform.webSocket, connection, { ...limits, ...told }),
    );
    connection.onOpen();
  }

  /** Takes all that waits, whenever the process lets anybody have a turn. */
  read(): void {
    this.#isReading = true;
    const take = () => {
      this.platform.bufferedAmount = 0;
      if (this.#isReading) setImmediate(take);
    };
    take();
  }

  [Symbol.dispose](): void {
    this.#isReading = false;
  }
}

/** A process that has stood still while another has written more than may wait for a reader at once. */
async function behind(
  test: (reader: HeavyReader, goOn: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await using file = await VenueFile.create();
  await using writer = await EngineVenue.open({ path: file.path, isShared: true });
  await writer.addUsual();
  const changes = { openOrdersMax: ORDERS, bulkOrdersMax: ORDERS_PER_REQUEST };
  await writer.must({ kind: "change_member", uid: "alice", changes });
  await using still = await EngineVenue.open({
    path: file.path,
    isShared: true,
    prepare: (store) => store.isWatchDropped = true,
  });
  using reader = new HeavyReader(still);
  await still.engine.fresh();
  const { getTogether } = still.store;
  const { promise: went, resolve: go } = Promise.withResolvers<void>();
  still.store.getTogether = async (...args) => {
    await went;
    return await getTogether.apply(still.store, args);
  };
  for (let i = 0; i < REQUESTS; i++) {
    await writer.place("alice", ...Array.from({ length: ORDERS_PER_REQUEST }, () => ORDER));
  }
  await test(reader, async () => {
    Object.assign(still.store, { getTogether });
    go();
    await still.engine.fresh();
    await eventually("the whole log", () => still.venue.sequence === writer.venue.sequence);
  });
}

describe("what a process that stood still has to tell", () => {
  it("reaches a reader that takes it as it comes", () =>
    behind(async (reader, goOn) => {
      reader.read();
      await goOn();
      const isOver = () => reader.frames >= ORDERS || reader.platform.closedWith !== null;
      await eventually("all that was missed", isOver);
      assertEquals([reader.platform.closedWith, reader.frames], [null, ORDERS]);
    }));

  it("does not wait for a reader that takes nothing", () =>
    behind(async (reader, goOn) => {
      await goOn();
      assertEquals(reader.platform.closedWith, CLOSE_CODES.slowReader);
      assert(reader.platform.bufferedAmount <= BURST_BYTES_MAX + FRAME_BYTES);
    }));
});
