import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BurstRoom } from "../../../src/sockets/sending/burst_room.ts";
import { REQUESTS_AT_ONCE_MAX } from "../../../src/sockets/request_pace.ts";
import {
  FAREWELL_MS_MAX,
  OPENING_MS_MAX,
  PUTTING_OUT_MS,
  type SocketHandlers,
  StreamSocket,
} from "../../../src/sockets/sending/stream_socket.ts";
import { FakeSocket } from "../../support/fake_socket.ts";
import {
  BURST_BYTES_MAX,
  BURST_MS_MAX,
  CLOSE_CODES,
  SEND_BUFFER_BYTES_MAX,
} from "../../../src/sockets/limits.ts";

const STALLED_MS = 20_000;
const CHECK_MS = 1_000;
const FRAME_BYTES_MAX = 100;
const FRAME = "x".repeat(1_000);

/** A socket whose clock the test advances. */
class Watched {
  readonly platform = new FakeSocket();
  readonly socket: StreamSocket;
  slow = 0;
  ends = 0;
  unopened = 0;
  readonly tooLong: number[] = [];
  now = 0;

  constructor(
    readyState: number = WebSocket.OPEN,
    own: Partial<SocketHandlers> = {},
    roomBytes: number = Infinity,
  ) {
    this.platform.readyState = readyState;
    const handlers = { onOpen() {}, onText() {}, onClose: () => this.ends += 1, ...own };
    this.socket = new StreamSocket(this.platform.webSocket, handlers, {
      frameBytesMax: FRAME_BYTES_MAX,
      stalledMsMax: STALLED_MS,
      room: new BurstRoom(roomBytes).shareOf("10.0.0.1"),
      onClosed: (code) => this.slow += code === CLOSE_CODES.slowReader ? 1 : 0,
      onTooLong: (length) => this.tooLong.push(length),
      onUnopened: () => this.unopened += 1,
      now: () => this.now,
    });
  }

  /** Checks the socket repeatedly for `ms`; returns the time at which it had ended, or null. */
  pass(ms: number, meanwhile: () => void = () => {}): number | null {
    for (const end = this.now + ms; this.now < end;) {
      this.now += CHECK_MS;
      meanwhile();
      this.socket.check();
      if (this.ends > 0) return this.now;
    }
    return null;
  }
}

describe("a socket that does not open", () => {
  const states = { CONNECTING: WebSocket.CONNECTING, CLOSING: WebSocket.CLOSING };
  for (const [name, readyState] of Object.entries(states)) {
    it(`is given up once after a while, and closed if it opens late: ${name}`, () => {
      const watched = new Watched(readyState);
      watched.pass(OPENING_MS_MAX - CHECK_MS);
      assertEquals([watched.unopened, watched.socket.hasEndedFor(0)], [0, false]);
      watched.pass(3 * CHECK_MS);
      assertEquals([watched.unopened, watched.ends, watched.slow], [1, 0, 0]);
      const ended = [2 * CHECK_MS, 3 * CHECK_MS].map((ms) => watched.socket.hasEndedFor(ms));
      assertEquals(ended, [true, false]);
      watched.platform.readyState = WebSocket.OPEN;
      watched.platform.onopen?.();
      assertEquals(watched.platform.readyState, WebSocket.CLOSING);
      assertEquals(watched.unopened, 1);
    });
  }

  it("is given up even if its right has ended meanwhile", () => {
    const watched = new Watched(WebSocket.CONNECTING);
    watched.socket.close(CLOSE_CODES.accessEnded, "access ended");
    watched.ends = 0;
    watched.pass(OPENING_MS_MAX);
    assertEquals([watched.unopened, watched.socket.hasEndedFor(OPENING_MS_MAX)], [1, true]);
  });

  it("is closed with the earlier code if it opens after its close", () => {
    const watched = new Watched(WebSocket.CONNECTING);
    watched.socket.close(CLOSE_CODES.accessEnded, "access ended");
    watched.platform.readyState = WebSocket.OPEN;
    watched.platform.closedWith = null;
    watched.platform.onopen?.();
    const { closedWith, readyState } = watched.platform;
    assertEquals([closedWith, readyState], [CLOSE_CODES.accessEnded, WebSocket.CLOSING]);
    assertEquals([watched.unopened, watched.ends], [0, 1]);
  });

  it("is left alone if it opens in time", () => {
    const watched = new Watched(WebSocket.CONNECTING);
    watched.pass(OPENING_MS_MAX / 2);
    watched.platform.readyState = WebSocket.OPEN;
    watched.platform.onopen?.();
    watched.pass(2 * OPENING_MS_MAX);
    assertEquals([watched.unopened, watched.ends, watched.socket.isOpen], [0, 0, true]);
  });
});

describe("a socket whose client sends only pings", () => {
  for (const data of ["ping", " ping\n"]) {
    it(`is closed when they exceed the pace of requests: ${JSON.stringify(data)}`, async () => {
      const { platform } = new Watched();
      for (let i = 0; i < REQUESTS_AT_ONCE_MAX; i++) platform.onmessage?.({ data });
      assertEquals(platform.closedWith, null);
      for (let i = 0; i < REQUESTS_AT_ONCE_MAX; i++) platform.onmessage?.({ data });
      assertEquals(platform.closedWith, null, "what is on its way is read first");
      await new Promise((resolve) => setTimeout(resolve, PUTTING_OUT_MS + 10));
      assertEquals(platform.closedWith, CLOSE_CODES.policy);
    });
  }
});

describe("a socket whose reader takes nothing", () => {
  it("is ended when that lasts too long, whatever its platform does", () => {
    const watched = new Watched();
    assertEquals(watched.pass(10 * STALLED_MS), null);
    const sentAt = watched.now;
    watched.socket.send(FRAME);
    const endedAt = watched.pass(10 * STALLED_MS, () => watched.socket.send(FRAME));
    assertEquals(endedAt, sentAt + CHECK_MS + STALLED_MS);
    assertEquals(watched.platform.closedWith, CLOSE_CODES.slowReader);
    watched.platform.onclose?.();
    assertEquals([watched.ends, watched.slow], [1, 1]);
  });

  it("is ended when that lasts too long after a read", () => {
    const watched = new Watched();
    for (let i = 0; i < 2; i++) watched.socket.send(FRAME);
    assertEquals(watched.pass(STALLED_MS), null);
    watched.platform.bufferedAmount -= 1;
    const endedAt = watched.pass(10 * STALLED_MS);
    assertEquals(endedAt, 2 * STALLED_MS + CHECK_MS);
  });

  it("stays while the reader takes even a little of what is sent", () => {
    const watched = new Watched();
    const sent = watched.pass(40 * STALLED_MS, () => {
      watched.socket.send(FRAME);
      if (watched.now % (STALLED_MS - CHECK_MS) === 0) watched.platform.bufferedAmount -= 1;
    });
    assertEquals([sent, watched.platform.closedWith], [null, null]);
  });

  it("stays if its buffer is found empty now and then", () => {
    const watched = new Watched();
    const ended = watched.pass(10 * STALLED_MS, () => {
      watched.platform.bufferedAmount = 0;
      watched.socket.send(FRAME);
    });
    assertEquals(ended, null);
  });

  it("is ended by the next frame when too much has waited for too long", () => {
    const watched = new Watched();
    const { platform, socket } = watched;
    while (socket.unread <= SEND_BUFFER_BYTES_MAX) socket.send(FRAME);
    watched.now += BURST_MS_MAX - 1;
    socket.check();
    socket.send(FRAME);
    assertEquals(platform.closedWith, null);
    watched.now += 1;
    socket.send(FRAME);
    assertEquals([platform.closedWith, watched.slow], [CLOSE_CODES.slowReader, 1]);
  });

  it("has its time anew where the process itself stood still", () => {
    const watched = new Watched();
    const { platform, socket } = watched;
    while (socket.unread <= SEND_BUFFER_BYTES_MAX) socket.send(FRAME);
    watched.pass(CHECK_MS);
    watched.now += 10 * STALLED_MS;
    socket.check();
    socket.send(FRAME);
    assertEquals(platform.closedWith, null);
    const wentOnAt = watched.now;
    assertEquals(watched.pass(2 * STALLED_MS), wentOnAt + STALLED_MS);
    assertEquals(platform.closedWith, CLOSE_CODES.slowReader);
  });

  it("is ended at once when more waits than any command causes", () => {
    const { platform, socket } = new Watched();
    while (socket.unread <= BURST_BYTES_MAX) socket.send(FRAME);
    assertEquals(platform.closedWith, null);
    socket.send(FRAME);
    assertEquals(platform.closedWith, CLOSE_CODES.slowReader);
  });

  it("stays through bursts that its reader takes", async () => {
    const watched = new Watched();
    const { platform, socket } = watched;
    for (let burst = 0; burst < 3; burst++) {
      for (let sent = 0; sent < 8 * SEND_BUFFER_BYTES_MAX; sent += FRAME.length) socket.send(FRAME);
      watched.now += BURST_MS_MAX - 1;
      await platform.readUntil(() => socket.unread === 0);
      if (burst === 1) socket.check();
    }
    assertEquals([platform.closedWith, watched.ends], [null, 0]);
  });
});

describe("what waits when a socket is closed", () => {
  /** A socket for whose reader more waits than the platform may keep. */
  function waiting(): Watched {
    const watched = new Watched(WebSocket.OPEN, {}, 0);
    while (watched.socket.waiting < SEND_BUFFER_BYTES_MAX / 2) watched.socket.send(FRAME);
    return watched;
  }

  it("is read before the close", async () => {
    const watched = waiting();
    const { platform, socket } = watched;
    const sent = socket.unread;
    let taken = platform.bufferedAmount;
    const { send } = platform;
    platform.send = (frame) => {
      taken += frame.length;
      send.call(platform, frame);
    };
    socket.close(CLOSE_CODES.restart, "service restart");
    socket.send(FRAME);
    assertEquals([platform.closedWith, socket.isOpen, watched.ends], [null, false, 1]);
    await platform.readUntil(() => platform.closedWith !== null);
    assertEquals([platform.closedWith, platform.closedFor], [
      CLOSE_CODES.restart,
      "service restart",
    ]);
    assertEquals(taken, sent);
  });

  it("is dropped if it is not read for a while", () => {
    const watched = waiting();
    const { platform, socket } = watched;
    socket.close(CLOSE_CODES.restart, "");
    watched.now += FAREWELL_MS_MAX - 1;
    socket.check();
    assertEquals([platform.closedWith, socket.waiting > 0], [null, true]);
    watched.now += 1;
    socket.check();
    assertEquals([platform.closedWith, socket.waiting], [CLOSE_CODES.restart, 0]);
  });

  it("is dropped at once if the reader is slow, even if the socket is closing by then", () => {
    const [slow, closing] = [waiting(), waiting()];
    slow.socket.giveUp();
    closing.socket.close(CLOSE_CODES.restart, "");
    closing.socket.giveUp();
    const ends = [slow, closing].map(({ platform, socket, slow, ends }) => [
      platform.closedWith,
      socket.waiting,
      slow,
      ends,
    ]);
    assertEquals(ends, [[CLOSE_CODES.slowReader, 0, 1, 1], [CLOSE_CODES.restart, 0, 0, 1]]);
  });

  it("is dropped if its platform has given the socket up or its peer is gone", () => {
    const [givenUp, gone] = [waiting(), waiting()];
    givenUp.platform.readyState = WebSocket.CLOSING;
    givenUp.socket.check();
    gone.platform.onclose?.();
    assertEquals([givenUp.socket.waiting, gone.socket.waiting], [0, 0]);
  });

  it("is the reader's fault if it takes nothing", async () => {
    const watched = waiting();
    const { socket, platform } = watched;
    const stalledMs = () => {
      watched.now += CHECK_MS;
      socket.check();
      return socket.stalledMs;
    };
    assertEquals([stalledMs(), stalledMs(), stalledMs()], [0, CHECK_MS, 2 * CHECK_MS]);
    // What waits has not been handed to the platform.
    platform.bufferedAmount = 0;
    assertEquals([stalledMs(), stalledMs()], [0, 0]);
    assertEquals([socket.waiting > 0, socket.waitedMs], [true, 5 * CHECK_MS]);
    await platform.readUntil(() => socket.waiting === 0);
    assertEquals(socket.waitedMs, 0);
  });

  it("has its time anew where the process itself stood still", () => {
    const watched = waiting();
    watched.now += 10 * STALLED_MS;
    assertEquals(watched.socket.waitedMs, 10 * STALLED_MS);
    watched.socket.check();
    assertEquals(watched.socket.waitedMs, 0);
  });
});

describe("what a socket takes", () => {
  function taking(handlers: Partial<SocketHandlers> = {}) {
    const texts: string[] = [];
    const onText = (text: string) => texts.push(text);
    const watched = new Watched(WebSocket.OPEN, { onText, ...handlers });
    const say = (data: unknown) => {
      watched.platform.onmessage?.({ data: typeof data === "string" ? data : bytes(data) });
      return watched.platform.closedWith;
    };
    return { watched, texts, say };
  }

  function bytes(data: unknown): unknown {
    return data instanceof Uint8Array ? data.buffer : data;
  }

  it("is text of limited length, and no binary frame", () => {
    const { texts, say } = taking();
    const [longest, wide] = ["x".repeat(FRAME_BYTES_MAX), "ä".repeat(FRAME_BYTES_MAX / 2)];
    for (const text of ["", longest, wide]) assertEquals(say(text), null);
    assertEquals(texts, ["", longest, wide]);
    for (const text of [`${longest}x`, `${wide}x`, `${wide}ä`]) {
      assertEquals(taking().say(text), CLOSE_CODES.tooBig);
    }
    for (const text of ["text", `${longest}x`]) {
      assertEquals(taking().say(new TextEncoder().encode(text)), CLOSE_CODES.notText);
    }
  });

  it("is told of if it is too long, text or not", () => {
    const { watched, say } = taking();
    for (const length of [FRAME_BYTES_MAX, FRAME_BYTES_MAX + 1]) {
      say("x".repeat(length));
      say(new Uint8Array(length + 1));
    }
    assertEquals(watched.tooLong, [101, 101, 102]);
  });

  it("is nothing once it is closed or closing", () => {
    const closed = taking();
    closed.watched.socket.close(CLOSE_CODES.policy, "");
    const finishing = taking({ finish: () => new Promise(() => {}) });
    finishing.watched.socket.finish(CLOSE_CODES.restart, "");
    for (const { say, texts } of [closed, finishing]) {
      say("text");
      assertEquals(texts, []);
    }
    assertEquals(finishing.watched.platform.closedWith, null);
  });

  it("is finished and ended once", () => {
    let finished = 0;
    const { watched } = taking({
      finish() {
        finished += 1;
        return new Promise(() => {});
      },
    });
    for (let times = 0; times < 2; times++) watched.socket.finish(CLOSE_CODES.restart, "");
    watched.socket.close(CLOSE_CODES.policy, "");
    watched.socket.close(CLOSE_CODES.slowReader, "");
    assertEquals([finished, watched.ends, watched.slow], [1, 1, 0]);
    assertEquals(watched.platform.closedWith, CLOSE_CODES.policy);
  });
});

describe("a socket that its platform has silently given up", () => {
  for (const state of [WebSocket.CLOSING, WebSocket.CLOSED]) {
    it(`is ended at the next check (${state})`, () => {
      const watched = new Watched();
      watched.platform.readyState = state;
      watched.socket.check();
      watched.socket.check();
      watched.platform.onclose?.();
      assertEquals([watched.ends, watched.slow, watched.platform.closedWith], [1, 0, null]);
    });
  }

  it("is not ended before it is open", () => {
    assertEquals(new Watched(WebSocket.CONNECTING).pass(2 * STALLED_MS), null);
  });
});
