import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SignedCaller } from "../../src/edge/env.ts";
import { ApiError } from "../../src/edge/errors.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { KeyedHash } from "../../src/secrets/keyed_hash.ts";
import { IpAllowList } from "../../src/secrets/ip_allow_list.ts";
import { sessionKey } from "../../src/engine/sidecar_rows.ts";
import { BurstRoom } from "../../src/sockets/sending/burst_room.ts";
import { HANDED_BYTES_MAX } from "../../src/sockets/sending/outbox.ts";
import type { SocketPlace } from "../../src/sockets/place_counts.ts";
import {
  ENDED_MS_MAX,
  SocketRegistry,
  SOCKETS_PER_CALLER_MAX,
} from "../../src/sockets/socket_registry.ts";
import { type SocketHandlers, StreamSocket } from "../../src/sockets/sending/stream_socket.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { eventually } from "../support/eventually.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import {
  freeRegistry,
  type Opened,
  openSocket,
  placeOf,
  STALLED_MS,
  UNLIMITED,
} from "../support/registry_sockets.ts";
import { BURST_MS_MAX, CLOSE_CODES } from "../../src/sockets/limits.ts";

const SLOW = CLOSE_CODES.slowReader;
/** Addresses from which no socket here comes. */
const ELSEWHERE = ["192.0.2.0/24"];
const PER_ADDRESS_MAX = SOCKETS_PER_CALLER_MAX + 2;
const KEY = {
  kind: "create_key",
  uid: "alice",
  role: "member",
  scopes: ["read"],
  nonceMode: "single",
} as const;

/** Runs a test with a registry, and sockets of one key from one address with silent peers. */
async function withRegistry(
  test: (
    registry: SocketRegistry,
    open: (handlers?: Partial<SocketHandlers>) => Opened,
    clock: { now: number },
    at: { readonly venue: EngineVenue; readonly lists: Map<string, readonly string[]> },
  ) => void | Promise<void>,
): Promise<void> {
  await using venue = await EngineVenue.open();
  await venue.addUsual();
  const key = await venue.addKey("read");
  const signature = { key: key.index, nonce: 1 } as unknown as SignedCaller["signature"];
  const caller: SignedCaller = {
    member: key.member,
    key,
    signature,
    isBodySigned: false,
    session: null,
  };
  const lists = new Map<string, readonly string[]>();
  const keyedHash = new KeyedHash("secret");
  const credentials = {
    get: (kid: string) =>
      Promise.resolve({ keyedHash, allowList: IpAllowList.parse(lists.get(kid) ?? []) }),
  };
  const perAddress = { perAddressMax: PER_ADDRESS_MAX, anonymousPerAddressMax: PER_ADDRESS_MAX };
  const limits = { ...UNLIMITED, ...perAddress };
  const registry = new SocketRegistry(venue.engine, credentials, limits, (error) => {
    throw error;
  });
  const clock = { now: 0 };
  const open = (own: Partial<SocketHandlers> = {}): Opened => {
    const place = { caller, address: "10.0.0.1" };
    registry.enter(place);
    const platform = new FakeSocket();
    const handlers = { onOpen() {}, onText() {}, onClose() {}, ...own };
    const socket = new StreamSocket(platform.webSocket, handlers, {
      frameBytesMax: 100,
      stalledMsMax: STALLED_MS,
      room: new BurstRoom(0).shareOf(""),
      onClosed: (code, reason) => registry.closed.note(code, reason),
      onUnopened: () => registry.leave(place),
      now: () => clock.now,
    });
    registry.add(place, socket);
    return { place, platform, socket };
  };
  await test(registry, open, clock, { venue, lists });
  await registry.close(CLOSE_CODES.restart, "");
}

function assertFull(open: () => unknown): void {
  assertEquals(assertThrows(open, ApiError).errors, ["stream.too_many_sockets"]);
}

describe("an ended socket with a silent peer", () => {
  it("does not lock its key out, but counts against its address until it is gone", () =>
    withRegistry((registry, open, clock) => {
      const opened = Array.from({ length: SOCKETS_PER_CALLER_MAX }, open);
      assertFull(open);
      for (const { socket } of opened) socket.close(CLOSE_CODES.notText, "");
      clock.now += ENDED_MS_MAX - 1;
      registry.look();
      assertFull(open);
      clock.now += 1;
      registry.look();
      for (let size = opened.length; size < PER_ADDRESS_MAX; size++) opened.push(open());
      assertFull(open);
      assertEquals(registry.size, PER_ADDRESS_MAX);
      for (const { place } of opened) registry.leave(place);
      for (let size = 0; size < SOCKETS_PER_CALLER_MAX; size++) opened.push(open());
      assertFull(open);
      for (const { place } of opened) registry.leave(place);
      assertEquals(registry.size, 0);
    }));

  it("is found even if its platform is silent", () =>
    withRegistry((registry, open, clock) => {
      const { platform, place, socket } = open();
      const left = open();
      left.platform.readyState = WebSocket.CLOSING;
      for (let ms = 0; ms <= STALLED_MS; ms += 1_000) {
        if (ms === 0) registry.look();
        socket.send("frame");
        clock.now += 1_000;
        registry.look();
      }
      assertEquals([platform.closedWith, registry.closed.figures()], [
        CLOSE_CODES.slowReader,
        [{ code: CLOSE_CODES.slowReader, reason: "slow reader", count: 1 }],
      ]);
      assertEquals([left.socket.hasEndedFor(0), socket.hasEndedFor(0)], [true, true]);
      for (const one of [place, left.place]) registry.leave(one);
    }));
});

describe("an owner of many addresses", () => {
  it("has no more sockets than an owner of one", () =>
    withRegistry((registry) => {
      const places: SocketPlace[] = [];
      const enter = (address: string) => {
        const place = { caller: null, address };
        registry.enter(place);
        places.push(place);
      };
      for (let host = 1; host <= PER_ADDRESS_MAX; host++) {
        enter(`2001:db8:0:${host.toString(16)}::1`);
      }
      assertFull(() => enter("2001:db8:0:ffff::1"));
      enter("2001:db8:1::1");
      enter("10.0.0.2");
      for (const place of places) registry.leave(place);
    }));

  it("has them for signed callers and anonymous ones apart, by smaller networks", () =>
    withRegistry((registry, open, _clock, { venue }) => {
      const { member } = venue.venue.holder(venue.member("alice"));
      const enter = (address: string, isSigned: boolean) => {
        const { caller } = isSigned ? placeOf(member, address) : { caller: null };
        const place = { caller, address };
        registry.enter(place);
        return place;
      };
      const hosts = Array.from(
        { length: PER_ADDRESS_MAX },
        (_, i) => `2001:db8::${i.toString(16)}`,
      );
      const places = [false, true].flatMap((isSigned) =>
        hosts.map((host) => enter(host, isSigned))
      );
      for (const isSigned of [false, true]) assertFull(() => enter("2001:db8::ffff", isSigned));
      assertFull(() => enter("2001:db8:0:1::1", false));
      places.push(enter("2001:db8:0:1::1", true), open().place);
      for (const place of places) registry.leave(place);
    }));
});

describe("readers that leave much unread together", () => {
  const FRAME = "x".repeat(2 * HANDED_BYTES_MAX);
  const anonymous = (address: string) => ({ caller: null, address });

  it("lose their sockets, the slowest first, and prompt readers do not", async () => {
    await using venue = await EngineVenue.open();
    const registry = freeRegistry(venue.engine, { waitingBytesMax: 4 * FRAME.length });
    const clock = { now: 0 };
    const addresses = ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"];
    const opened = addresses.map((address) => openSocket(registry, anonymous(address), clock));
    const send = (which: number, frames: number) => {
      for (let i = 0; i < frames; i++) opened[which]?.socket.send(FRAME);
    };
    const closed = () => {
      registry.look();
      return opened.map(({ platform }) => platform.closedWith);
    };
    // The first frame of each reader does not wait.
    for (const which of [0, 1, 2]) send(which, 2);
    send(3, 2);
    registry.look();
    clock.now += BURST_MS_MAX;
    assertEquals(closed(), [null, null, null, null, null]);
    send(1, 1);
    assertEquals(closed(), [null, SLOW, null, null, null]);
    send(4, 20);
    assertEquals(closed(), [SLOW, SLOW, SLOW, SLOW, null], "the last one had no time to read");
    clock.now += BURST_MS_MAX;
    assertEquals(closed(), [SLOW, SLOW, SLOW, SLOW, SLOW]);
    for (const { place } of opened) registry.leave(place);
    await registry.close(CLOSE_CODES.restart, "");
  });

  it("do not cost a reader elsewhere its socket, who has left less for longer", async () => {
    await using venue = await EngineVenue.open();
    const registry = freeRegistry(venue.engine, { waitingBytesMax: 6 * FRAME.length });
    const clock = { now: 0 };
    const open = (host: string) => openSocket(registry, anonymous(`2001:db8:0:${host}`), clock);
    const patient = open("1::1");
    for (let i = 0; i < 3; i++) patient.socket.send(FRAME);
    clock.now += 9 * BURST_MS_MAX;
    patient.socket.check();
    const crowd = Array.from({ length: 10 }, (_, i) => open(`2::${i}`));
    for (const { socket } of crowd) for (let i = 0; i < 2; i++) socket.send(FRAME);
    registry.look();
    clock.now += BURST_MS_MAX;
    registry.look();
    assertEquals(patient.platform.closedWith, null);
    assertEquals(crowd.filter(({ platform }) => platform.closedWith === SLOW).length, 6);
    for (const { place } of [patient, ...crowd]) registry.leave(place);
    await registry.close(CLOSE_CODES.restart, "");
  });
});

function unexpected(what: string): never {
  throw new Error(what);
}

/** Opens a socket in a place, which it takes; returns its platform. */
function openAt(registry: SocketRegistry, place: SocketPlace): FakeSocket {
  return openSocket(registry, place).platform;
}

describe("a place whose caller logs in", () => {
  it("is the caller's, and not given to a socket that is gone", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { member } = venue.venue.holder(venue.member("alice"));
    const registry = freeRegistry(venue.engine);
    const { caller: named, address } = placeOf(member, "one");
    const caller = named ?? unexpected("a place without a caller");
    const stranger = openSocket(registry, { caller: null, address });
    const own = registry.admit(stranger.place, caller);
    assertEquals([own.caller, registry.size], [caller, 1]);
    registry.pauseAnonymous();
    assertEquals(stranger.platform.closedWith, null);
    registry.leave(stranger.place);
    assertEquals(registry.size, 1);
    registry.leave(own);
    assertEquals(registry.size, 0);
    assertThrows(() => registry.admit(stranger.place, caller), ApiError, "server.unavailable");
    await registry.close(CLOSE_CODES.restart, "");
  });

  it("goes with the thread of unsigned sockets where it lives there, as no other does", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { member } = venue.venue.holder(venue.member("alice"));
    const registry = freeRegistry(venue.engine);
    const { caller: named, address } = placeOf(member, "one");
    const caller = named ?? unexpected("a place without a caller");
    const relayed = openSocket(registry, { caller: null, address, isRelayed: true });
    const own = registry.admit(relayed.place, caller);
    const direct = openSocket(registry, { caller, address });
    registry.closeRelayed();
    assertEquals(relayed.platform.closedWith, CLOSE_CODES.tryLater);
    assertEquals(direct.platform.closedWith, null);
    for (const place of [own, direct.place]) registry.leave(place);
    await registry.close(CLOSE_CODES.restart, "");
  });
});

describe("sockets of people", () => {
  it("are counted by session, apart from the member's other sessions and keys", () =>
    withRegistry((registry, open, _clock, { venue }) => {
      const { member } = venue.venue.holder(venue.member("alice"));
      const enter = (sessionId: string, address: string) => {
        const place = { ...placeOf(member, sessionId), address };
        registry.enter(place);
        return place;
      };
      const places = Array.from(
        { length: SOCKETS_PER_CALLER_MAX },
        (_, i) => enter("one", `10.0.1.${i}`),
      );
      assertFull(() => enter("one", "10.0.0.1"));
      places.push(enter("other", "10.0.0.1"), open().place);
      registry.leave(places[0] as SocketPlace);
      places.push(enter("one", "10.0.0.1"));
      assertFull(() => enter("one", "10.0.0.1"));
      for (const place of places) registry.leave(place);
    }));

  it("end with their session, each looked up once and many at a time", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { member } = venue.venue.holder(venue.member("alice"));
    const asked: string[][] = [];
    const readSidecars: Engine["readSidecars"] = (keys) => {
      asked.push(keys.map((key) => String(key.at(-1))));
      return venue.engine.readSidecars(keys);
    };
    const registry = freeRegistry(changedEngine(venue.engine, { readSidecars }));
    const sessions = Array.from({ length: 40 }, (_, i) => `session-${i}`);
    const platforms = [...sessions, ...sessions].map((sessionId) =>
      openAt(registry, placeOf(member, sessionId))
    );
    await Promise.all([registry.checkSessions(), registry.checkSessions()]);
    assertEquals(asked.map((keys) => keys.sort()), [sessions.sort()]);
    const { accessEnded } = CLOSE_CODES;
    assertEquals(platforms.map(({ closedWith }) => closedWith), Array(80).fill(accessEnded));
    await registry.close(CLOSE_CODES.restart, "");
  });

  it("outlive the end of the member's other sessions", async () => {
    await using venue = await EngineVenue.open();
    await venue.addUsual();
    const { member } = venue.venue.holder(venue.member("alice"));
    const row = { csrfToken: "", expiresAt: Infinity, idleAt: Infinity };
    await venue.engine.writeSidecar({ key: sessionKey(member.uid, "live"), value: row });
    const registry = freeRegistry(venue.engine);
    const platforms = ["live", "over"].map((id) => openAt(registry, placeOf(member, id)));
    await registry.checkSessions();
    const codes = platforms.map(({ closedWith }) => closedWith);
    assertEquals(codes, [null, CLOSE_CODES.accessEnded]);
    await registry.close(CLOSE_CODES.restart, "");
  });
});

describe("the place of a socket", () => {
  it("is freed once, however often that is asked", () =>
    withRegistry((registry) => {
      const enter = () => {
        const place = { caller: null, address: "10.0.0.1" };
        registry.enter(place);
        return place;
      };
      const places = Array.from({ length: PER_ADDRESS_MAX }, enter);
      for (let times = 0; times < 2; times++) registry.leave(places[0] as SocketPlace);
      places.push(enter());
      assertFull(enter);
      for (const one of places) registry.leave(one);
    }));

  it("is taken off its key once, however often it is checked", () =>
    withRegistry((registry, open, clock) => {
      const opened = Array.from({ length: SOCKETS_PER_CALLER_MAX }, () => open());
      opened[0]?.socket.close(CLOSE_CODES.notText, "");
      clock.now += ENDED_MS_MAX;
      for (let times = 0; times < 3; times++) registry.look();
      opened.push(open());
      assertFull(open);
      for (const { place } of opened) registry.leave(place);
    }));

  it("is checked by a timer if the platform is silent", () =>
    withRegistry(async (registry, open) => {
      const { place, platform, socket } = open();
      platform.readyState = WebSocket.CLOSED;
      await eventually("the socket's end", () => socket.hasEndedFor(0));
      registry.leave(place);
    }));
});

describe("a key whose addresses change", () => {
  it("leaves the sockets of the member's other keys alone", () =>
    withRegistry(async (registry, open, _clock, { venue, lists }) => {
      const { place, platform } = open();
      await venue.must({ ...KEY, kid: "other" });
      lists.set("other", ELSEWHERE);
      await venue.must({ kind: "change_key", uid: "alice", kid: "other", scopes: ["trade"] });
      await venue.must({ kind: "note_act" });
      assertEquals(platform.closedWith, null);
      registry.leave(place);
    }));

  it("is read again once others have seen the event", () =>
    withRegistry(async (registry, open, _clock, { venue, lists }) => {
      const { place, platform } = open();
      venue.engine.onEvent(({ kind }) => {
        if (kind === "key_set") lists.set("bot", ELSEWHERE);
      });
      const scopes = ["read", "trade"] as const;
      await venue.must({ kind: "change_key", uid: "alice", kid: "bot", scopes });
      await venue.must({ kind: "note_act" });
      assertEquals(platform.closedWith, CLOSE_CODES.accessEnded);
      registry.leave(place);
    }));
});

describe("a registry that is closed", () => {
  it("lets nobody in, and finally closes unanswered sockets", () =>
    withRegistry(async (registry, open) => {
      const { place, platform } = open({ finish: () => new Promise(() => {}) });
      const closed = registry.close(CLOSE_CODES.restart, "");
      assertEquals(assertThrows(open, ApiError).errors, ["server.unavailable"]);
      assertEquals(platform.closedWith, null);
      await closed;
      assertEquals(platform.closedWith, CLOSE_CODES.restart);
      registry.leave(place);
    }));
});
