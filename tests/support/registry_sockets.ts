/** Sockets in a registry, with platforms that the test controls. */
import type { Member } from "../../src/domain/people/member.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { BurstRoom } from "../../src/sockets/sending/burst_room.ts";
import type { SocketPlace } from "../../src/sockets/place_counts.ts";
import { type SocketLimits, SocketRegistry } from "../../src/sockets/socket_registry.ts";
import { type SocketHandlers, StreamSocket } from "../../src/sockets/sending/stream_socket.ts";
import { FakeSocket } from "./fake_socket.ts";

/** How long a reader may stall, in ms. */
export const STALLED_MS = 20_000;
/** Limits that no test reaches. */
export const UNLIMITED: SocketLimits = {
  perAddressMax: 100,
  anonymousPerAddressMax: 100,
  totalMax: 100,
  reserved: 0,
  waitingBytesMax: Infinity,
  burstBytesMax: 0,
};

/** A socket in its place. */
export interface Opened {
  readonly place: SocketPlace;
  readonly platform: FakeSocket;
  readonly socket: StreamSocket;
}

/** Returns the place of a socket in a person's session. */
export function placeOf(member: Member, sessionId: string): SocketPlace {
  const session = { member, sessionId, csrfToken: "" };
  const caller = { member: member.index, key: null, signature: null, session };
  return { caller, address: "10.0.0.1" };
}

/** Opens a socket in a place, which it takes. */
export function openSocket(
  registry: SocketRegistry,
  place: SocketPlace,
  clock?: { readonly now: number },
  own: Partial<SocketHandlers> = {},
): Opened {
  registry.enter(place);
  const platform = new FakeSocket();
  const handlers = { onOpen() {}, onText() {}, onClose: () => registry.leave(place), ...own };
  const room = new BurstRoom(0).shareOf("");
  const limits = { frameBytesMax: 100, stalledMsMax: STALLED_MS, room };
  const told = { onClosed() {}, onUnopened() {} };
  const now = clock === undefined ? {} : { now: () => clock.now };
  const bounds = { ...limits, ...told, ...now };
  const socket = new StreamSocket(platform.webSocket, handlers, bounds);
  registry.add(place, socket);
  return { place, platform, socket };
}

/** Returns a registry that limits nothing else, and whose keys may be used from anywhere. */
export function freeRegistry(engine: Engine, limits: Partial<SocketLimits> = {}): SocketRegistry {
  const credentials = { get: () => Promise.resolve(null) };
  return new SocketRegistry(engine, credentials, { ...UNLIMITED, ...limits }, (error) => {
    throw error;
  });
}
