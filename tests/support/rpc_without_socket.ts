/** A connection of the RPC dialect without a socket. */
import type { Caller } from "../../src/edge/env.ts";
import { FrameTurns } from "../../src/sockets/frame_turns.ts";
import { Hub } from "../../src/sockets/sending/hub.ts";
import { RpcConnection } from "../../src/sockets/rpc/rpc_connection.ts";
import { createRpcDialect } from "../../src/sockets/rpc/rpc_dialect.ts";
import type { StreamSocket } from "../../src/sockets/sending/stream_socket.ts";
import type { Frame } from "./stream_client.ts";
import type { TestVenue } from "./with_venue.ts";

/** Returns the caller that has opened a connection with a key. */
export function callerOf(venue: TestVenue, kid: string): Caller {
  const key = venue.engine.venue.keyByKid.get(kid)?.key;
  if (key === undefined) throw new Error(`No key ${kid}`);
  const signature = { key: key.index, nonce: 1, digest: 0 };
  return { member: key.member, key, signature, isBodySigned: false, session: null };
}

/** Returns a connection whose engine fails or never answers, and the frames it has sent. */
export function withoutSocket(
  venue: TestVenue,
  answer: () => Promise<never>,
  caller: Caller | null = callerOf(venue, "demo-alice"),
  lagMs = 0,
): { connection: RpcConnection; frames: Frame[] } {
  const { engine, auth, credentials } = venue;
  const { venue: state } = engine;
  const failing = {
    venue: state,
    lagMs,
    now: () => 0,
    uuidOf: (id: number) => `uuid-${id}`,
    fresh: answer,
    submit: answer,
  };
  const services = {
    engine: failing as unknown as TestVenue["engine"],
    onUnexpected: (error: Error) => venue.unexpected.push(error),
  };
  const dialect = createRpcDialect(engine, true);
  const registry = { sessionsSeenAt: Infinity };
  const shared = { hub: new Hub(), turns: new FrameTurns(), dialect, hasExtras: true };
  const parts = { ...shared, auth, credentials, registry, services };
  const connection = new RpcConnection(parts, caller, "10.0.0.1");
  const frames: Frame[] = [];
  const socket = { isOpen: true, send: (frame: string) => frames.push(JSON.parse(frame)) };
  connection.attach(socket as unknown as StreamSocket);
  return { connection, frames };
}
