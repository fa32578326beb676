import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BurstRoom } from "../../../src/sockets/sending/burst_room.ts";
import { FRAME_OWN_BYTES, HANDED_BYTES_MAX, Outbox } from "../../../src/sockets/sending/outbox.ts";
import { eventually } from "../../support/eventually.ts";
import { FakeSocket } from "../../support/fake_socket.ts";
import { PORTION_FRAMES } from "../../../src/sockets/limits.ts";

const FRAME_LENGTH = 200;
const COUNT = 2_000;
const FRAMES = Array.from({ length: COUNT }, (_, i) => `${i}`.padEnd(FRAME_LENGTH));
/** Frames of this length that the platform keeps for a reader that takes nothing. */
const KEPT = Math.ceil(HANDED_BYTES_MAX / (FRAME_LENGTH + FRAME_OWN_BYTES));

/** An outbox whose platform notes what it is given. */
class Filled {
  readonly platform = new FakeSocket();
  readonly given: string[] = [];
  readonly outbox: Outbox;
  now = 0;

  constructor(roomBytes: number, readonly room = new BurstRoom(roomBytes)) {
    const { send } = this.platform;
    this.platform.send = (frame) => {
      this.given.push(frame);
      send.call(this.platform, frame);
    };
    this.outbox = new Outbox(this.platform.webSocket, room.shareOf("one"), () => this.now);
  }

  send(frames: readonly string[]): void {
    for (const frame of frames) this.outbox.send(frame, this.platform.bufferedAmount);
  }

  /** Has the peer take everything that is sent. */
  read(): Promise<void> {
    return this.platform.readUntil(() => this.outbox.waiting === 0);
  }
}

describe("a reader that takes nothing", () => {
  it("has the platform keep little for it; the rest waits", () => {
    const filled = new Filled(0);
    filled.send(FRAMES);
    const { given, outbox } = filled;
    assertEquals(given, FRAMES.slice(0, KEPT));
    assertEquals(outbox.waiting, (COUNT - KEPT) * FRAME_LENGTH);
    assertEquals(outbox.taken, 0);
  });

  it("has the platform keep more while there is room for bursts", () => {
    const one = new Filled(2 * COUNT * (FRAME_LENGTH + FRAME_OWN_BYTES));
    one.send(FRAMES);
    assertEquals([one.given.length, one.outbox.waiting], [COUNT, 0]);
    const other = new Filled(0, one.room);
    other.send(FRAMES);
    assertEquals(other.given.length, 2 * KEPT, "what the first has of its own is not shared");
    assert(other.outbox.waiting > 0);
  });

  it("has nothing given to the platform once that is dropped", async () => {
    const filled = new Filled(0);
    filled.send(FRAMES);
    filled.outbox.drop();
    await filled.read();
    assertEquals(filled.given.length, KEPT);
    filled.send(["next"]);
    assertEquals(filled.given.at(-1), "next");
    assertEquals(filled.outbox.taken, KEPT * FRAME_LENGTH);
  });

  it("is told for how long something has waited", async () => {
    const filled = new Filled(0);
    const { outbox } = filled;
    filled.send(FRAMES.slice(0, KEPT));
    filled.now += 10;
    assertEquals(outbox.waitedMs, 0);
    filled.send(FRAMES);
    filled.now += 10;
    filled.send(FRAMES);
    assertEquals(outbox.waitedMs, 10);
    outbox.restartWait();
    assertEquals(outbox.waitedMs, 0);
    filled.now += 10;
    assertEquals(outbox.waitedMs, 10);
    await filled.read();
    assertEquals(outbox.waitedMs, 0);
  });
});

describe("a reader that takes what it is sent", () => {
  for (const [name, roomBytes] of [["room", 1e9], ["no room", 0]] as const) {
    it(`gets all of it once and in order, with ${name} for bursts`, async () => {
      const filled = new Filled(roomBytes);
      const half = COUNT / 2;
      filled.send(FRAMES.slice(0, half));
      const reading = filled.read();
      filled.send(FRAMES.slice(half));
      await reading;
      assertEquals(filled.given, FRAMES);
      filled.send(["last"]);
      assertEquals(filled.given.at(-1), "last");
    });
  }

  it("gets a frame of any length", () => {
    const filled = new Filled(0);
    filled.send(["x".repeat(4 * HANDED_BYTES_MAX)]);
    assertEquals([filled.given.length, filled.outbox.waiting], [1, 0]);
  });

  it("has taken what the platform has sent, counted in bytes", async () => {
    const filled = new Filled(0);
    filled.platform.send = (frame) => {
      filled.platform.bufferedAmount += new TextEncoder().encode(frame).length;
    };
    const frames = FRAMES.map((frame) => frame.replace(" ", "ä"));
    filled.send(frames);
    assertEquals(filled.outbox.taken, 0);
    let taken = 0;
    await eventually("all of it", () => {
      taken += filled.platform.bufferedAmount;
      filled.platform.bufferedAmount = 0;
      assertEquals(filled.outbox.taken, taken);
      return filled.outbox.waiting === 0;
    });
    assertEquals(taken + filled.platform.bufferedAmount, COUNT * (FRAME_LENGTH + 1));
  });

  it("gives its room for bursts back, without being sent anything more", async () => {
    const filled = new Filled(2 * COUNT * (FRAME_LENGTH + FRAME_OWN_BYTES));
    const share = filled.room.shareOf("one");
    const most = (COUNT - 1) * (FRAME_LENGTH + FRAME_OWN_BYTES);
    filled.send(FRAMES);
    assert(!share.take(most));
    filled.platform.bufferedAmount = 0;
    await eventually("the room", () => share.take(most));
  });
});

describe("a socket that is closed", () => {
  it("gives room for bursts back only when the platform has nothing any more", async () => {
    const filled = new Filled(2 * COUNT * (FRAME_LENGTH + FRAME_OWN_BYTES));
    const share = filled.room.shareOf("one");
    const most = (COUNT - 1) * (FRAME_LENGTH + FRAME_OWN_BYTES);
    filled.send(FRAMES);
    filled.outbox.drop();
    filled.platform.close(4008, "");
    // The platform no longer tells what it keeps.
    filled.platform.bufferedAmount = 0;
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve));
    assert(!share.take(most));
    filled.outbox.end();
    assert(share.take(most));
  });

  it("is given nothing more if it ends while it waits for its turn", async () => {
    const readers = Array.from({ length: 2 * Math.ceil(PORTION_FRAMES / KEPT) }, () => {
      const filled = new Filled(0);
      filled.send(FRAMES);
      return filled;
    });
    const served: Filled[] = [];
    let given = 0;
    const late: string[] = [];
    for (const reader of readers) {
      const { send } = reader.platform;
      reader.platform.send = (frame) => {
        send.call(reader.platform, frame);
        if (served.length > 0 && !served.includes(reader)) late.push(frame);
        given += 1;
        // As many as one turn has: the others wait for the next one.
        if (given <= PORTION_FRAMES) return;
        if (served.length > 0) return;
        served.push(reader);
        for (const other of readers) {
          if (other !== reader) other.platform.readyState = WebSocket.CLOSED;
        }
      };
      reader.platform.bufferedAmount = 0;
    }
    await eventually("a reader served in the next turn", () => served.length > 0);
    await served[0]?.read();
    assertEquals(late, []);
  });

  it("tells once when nothing waits any more", async () => {
    const filled = new Filled(0);
    let told = 0;
    filled.outbox.whenEmpty(() => told += 1);
    assertEquals(told, 1);
    filled.send(FRAMES);
    filled.outbox.whenEmpty(() => told += 1);
    assertEquals(told, 1);
    await filled.read();
    filled.outbox.drop();
    assertEquals(told, 2);
  });
});
