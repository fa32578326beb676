import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BurstRoom } from "../../src/sockets/sending/burst_room.ts";
import { OPENING_MS_MAX, SILENT, StreamSocket } from "../../src/sockets/sending/stream_socket.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";

/** A socket, and the closes that were told of it. */
class Watched {
  readonly platform = new FakeSocket();
  readonly socket: StreamSocket;
  readonly closes: [number, string][] = [];
  now = 0;

  constructor(readyState: number = WebSocket.OPEN) {
    this.platform.readyState = readyState;
    this.socket = new StreamSocket(
      this.platform.webSocket,
      { onOpen() {}, onText() {}, onClose() {} },
      {
        frameBytesMax: 100,
        stalledMsMax: 60_000,
        room: new BurstRoom(Infinity).shareOf("10.0.0.1"),
        onClosed: (code, reason) => this.closes.push([code, reason]),
        onUnopened() {},
        now: () => this.now,
      },
    );
  }
}

describe("a close", () => {
  it("that the venue decides on is told once, with its code and reason", () => {
    const closed = new Watched();
    closed.socket.close(CLOSE_CODES.tryLater, "room for signed callers");
    closed.socket.close(CLOSE_CODES.fault, "another");
    closed.platform.onclose?.({ code: 1013, reason: "", wasClean: true });
    assertEquals(closed.closes, [[CLOSE_CODES.tryLater, "room for signed callers"]]);
    const slow = new Watched();
    slow.socket.giveUp();
    slow.socket.giveUp();
    assertEquals(slow.closes, [[CLOSE_CODES.slowReader, "slow reader"]]);
    const binary = new Watched();
    binary.platform.onmessage?.({ data: new ArrayBuffer(1) });
    assertEquals(binary.closes, [[CLOSE_CODES.notText, "text only"]]);
  });

  it("of the platform is told if the client is silent, and that of a client is not", () => {
    const silent = new Watched();
    const reason = "No response from ping frame.";
    silent.platform.onclose?.({ code: 1001, reason, wasClean: false });
    assertEquals(silent.closes, [[1001, SILENT]]);
    const gone = new Watched();
    gone.platform.onclose?.({ code: 1001, reason: "", wasClean: true });
    const lost = new Watched();
    lost.platform.onclose?.({ code: 1006, reason: "", wasClean: false });
    assertEquals([gone.closes, lost.closes], [[], []]);
  });

  it("of a socket that never opened is told", () => {
    const watched = new Watched(WebSocket.CONNECTING);
    watched.now += OPENING_MS_MAX;
    watched.socket.check();
    watched.socket.check();
    assertEquals(watched.closes, [[1006, "never opened"]]);
  });
});
