/** The paths of the push protocol and their queries. */
import type { Context } from "hono";
import type { Caller, Env } from "../api/env.ts";
import { formValue } from "../api/body.ts";
import { invalidField } from "../api/errors.ts";
import { queryPairs } from "../api/query.ts";
import type { Hub } from "./hub.ts";
import { PushConnection } from "./push_connection.ts";
import { CHECKED_PUSH, PUSH } from "./push_dialect.ts";
import type { SocketRoute } from "./socket_gate.ts";
import type { Dialect } from "./stream_message.ts";

/** Longest frame from a client, in bytes. */
export const PUSH_FRAME_BYTES_MAX = 4096;

const FOLDERS = ["stream", "ranger", "websocket"];

/** Returns the public and the private route. */
export function pushRoutes(hub: Hub, onFault: (error: unknown) => void): readonly SocketRoute[] {
  function connect(c: Context<Env>, caller: Caller | null): PushConnection {
    const query = queryPairs(c.req.url);
    const { stream = [], since: seen = [] } = formValue(query);
    const streams = textsOf(stream).filter((one) => one !== "");
    const since = readSince(hub, textsOf(seen), streams);
    const handshake = { member: caller?.member ?? null, dialect: dialectOf(query), streams, since };
    return new PushConnection(hub, handshake, onFault);
  }
  return (["public", "private"] as const).map((end) => ({
    paths: FOLDERS.map((folder) => `/api/v2/${folder}/${end}`),
    access: end === "public" ? "public" : "member",
    frameBytesMax: () => PUSH_FRAME_BYTES_MAX,
    connect,
  }));
}

/** Splits a field that is given several times, or once with commas. */
function textsOf(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((list) => list.split(",")).map((text) => text.trim());
}

/** Messages of books have a checksum if the client asks for it. */
function dialectOf(query: URLSearchParams): Dialect {
  const checksum = query.get("checksum");
  if (checksum === null) return PUSH;
  if (checksum !== "crc32") throw invalidField("stream.invalid_checksum", "checksum", checksum);
  return CHECKED_PUSH;
}

/**
 * Reads `since=12` for the only private stream asked for, or `since=order:12,balances:7` for
 * several.
 */
function readSince(
  hub: Hub,
  texts: readonly string[],
  streams: readonly string[],
): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  for (const text of texts) {
    const match = /^(?:([a-z_]+):)?([0-9]{1,15})$/.exec(text);
    const stream = match?.[1] ?? onlyPrivate(streams);
    // A client that names no stream would never learn what it has missed.
    if (match === null || stream === null || !hub.has(stream)) {
      throw invalidField("stream.invalid_since", "since", text);
    }
    since.set(stream, Number(match[2]));
  }
  return since;
}

/** Names of private streams have no dots. */
function onlyPrivate(streams: readonly string[]): string | null {
  const names = new Set(streams.filter((stream) => !stream.includes(".")));
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : null;
}
