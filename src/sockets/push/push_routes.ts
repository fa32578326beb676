/** The paths of the push protocol and their queries. */
import type { Context } from "hono";
import type { Caller, Env } from "../../edge/env.ts";
import { formValue } from "../../edge/reading/body.ts";
import { invalidField } from "../../edge/errors.ts";
import { queryPairs } from "../../edge/reading/query.ts";
import { CHECKSUM_WORDS } from "../../edge/wire/book_checksum.ts";
import { PushConnection, type PushParts } from "./push_connection.ts";
import { CHECKED_PUSH, OLDER_CHECKED_PUSH, OLDER_PUSH, PUSH } from "./push_dialect.ts";
import type { SocketRoute } from "../socket_gate.ts";
import type { SocketLogin } from "../socket_login.ts";
import type { Dialect } from "../stream_message.ts";

/** Longest frame from a client, in bytes. */
export const PUSH_FRAME_BYTES_MAX = 4096;

const FOLDER = "stream";
/** Folders of older interfaces of this family. */
const OLDER_FOLDERS = ["ranger", "websocket"];

/** Returns the public and the private routes. */
export function pushRoutes(parts: PushParts): readonly SocketRoute[] {
  function route(folders: readonly string[], end: "public" | "private"): SocketRoute {
    return {
      paths: folders.map((folder) => `/api/v2/${folder}/${end}`),
      access: end === "public" ? "public" : "member",
      frameBytesMax: () => PUSH_FRAME_BYTES_MAX,
      connect: (c, caller, login) => connect(c, caller, login, folders === OLDER_FOLDERS),
    };
  }

  function connect(
    c: Context<Env>,
    caller: Caller | null,
    login: SocketLogin | null,
    isOlder: boolean,
  ): PushConnection {
    const query = queryPairs(c.req.url);
    const { stream = [], since: seen = [] } = formValue(query);
    const streams = textsOf(stream).filter((one) => one !== "");
    const member = caller?.member ?? null;
    const own = member === null
      ? []
      : streams.filter((one) => parts.hub.accessOf(one) === "private");
    const since = readSince(textsOf(seen), new Set(own));
    const dialect = dialectOf(query, isOlder);
    return new PushConnection(parts, { member, dialect, streams, since }, login);
  }

  return (["public", "private"] as const)
    .flatMap((end) => [route([FOLDER], end), route(OLDER_FOLDERS, end)]);
}

/** Splits a field that is given several times, or once with commas. */
function textsOf(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((list) => list.split(",")).map((text) => text.trim());
}

/** Messages of books have a checksum if the client asks for it. */
function dialectOf(query: URLSearchParams, isOlder: boolean): Dialect {
  const checksum = query.get("checksum");
  if (checksum === null) return isOlder ? OLDER_PUSH : PUSH;
  if (!CHECKSUM_WORDS.some((word) => word === checksum)) {
    throw invalidField("stream.invalid_checksum", "checksum", checksum);
  }
  return isOlder ? OLDER_CHECKED_PUSH : CHECKED_PUSH;
}

/**
 * Reads `since=12` for the only private stream asked for, or `since=order:12,balances:7` for
 * several.
 *
 * @param own the member's streams that are asked for
 * @throws {ApiError} 422 one is malformed, given twice, or of another stream: its client would never
 * learn what it has missed
 */
function readSince(
  texts: readonly string[],
  own: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  for (const text of texts) {
    const match = /^(?:([a-z_]+):)?([0-9]{1,15})$/.exec(text);
    const stream = match?.[1] ?? onlyOf(own);
    if (match === null || stream === null || !own.has(stream) || since.has(stream)) {
      throw invalidField("stream.invalid_since", "since", text);
    }
    since.set(stream, Number(match[2]));
  }
  return since;
}

function onlyOf(streams: ReadonlySet<string>): string | null {
  const [only] = streams;
  return streams.size === 1 && only !== undefined ? only : null;
}
