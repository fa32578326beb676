/** Frames of the RPC dialect: JSON arrays that begin with their kind. */
import { ApiError, INVALID_BODY, repeatedField } from "../../edge/errors.ts";
import {
  holdsNumber,
  parseShallow,
  RepeatedKeyError,
  withExactNumbers,
} from "../../edge/reading/exact_json.ts";
import { unexpectedArgument } from "./rpc_arguments.ts";

/** First element of a frame. */
const RPC_KINDS = { request: 1, response: 2, publicEvent: 3, privateEvent: 4 } as const;

/** Longest textual id, in characters. */
const ID_LENGTH_MAX = 64;

/** Names a request; echoed in its answer. */
export type RequestId = number | string;

/** `[1, id, method, args]`. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Numbers as the text in the frame, so that no decimal becomes a float. */
  readonly args: readonly unknown[];
  /** The arguments as they are echoed. */
  readonly given: readonly unknown[];
}

/** A frame that is not a request; `id` is null if it has none. */
export interface NoRequest {
  readonly id: RequestId | null;
  readonly error: ApiError;
}

/** The beginning of a request. */
export interface RequestHead {
  readonly id: RequestId;
  readonly method: string;
}

/** Longest beginning of a request that is looked at before it is parsed, in characters. */
const HEAD_LENGTH_MAX = 512;
const HEAD = /^\s*\[\s*1\s*,\s*("(?:[^"\\]|\\.)*"|\d+)\s*,\s*"([^"\\]*)"/;

/**
 * Reads the id and the method without the arguments, which may be long; null if the text begins
 * unlike what clients send. What follows may still make it no request.
 */
export function peekRequest(text: string): RequestHead | null {
  const [, idText = "", method = ""] = HEAD.exec(text.slice(0, HEAD_LENGTH_MAX)) ?? [];
  const id = parsed(idText);
  return isRequestId(id) ? { id, method } : null;
}

/** Parses a request. */
export function parseRequest(text: string): RpcRequest | NoRequest {
  const frame = parsed(text);
  if (frame instanceof ApiError) return { id: null, error: frame };
  if (!Array.isArray(frame)) return noRequest(null);
  const [kind, id, method, args = null, ...surplus] = frame;
  if (!isRequestId(id)) return noRequest(null);
  if (kind !== RPC_KINDS.request || typeof method !== "string") return noRequest(id);
  if (surplus.length > 0) return { id, error: unexpectedArgument("4", surplus[0]) };
  if (args === null) return { id, method, args: [], given: [] };
  if (!Array.isArray(args)) return noRequest(id);
  return { id, method, args: holdsNumber(args) ? exactArgs(text) : args, given: args };
}

function parsed(text: string): unknown {
  try {
    return parseShallow(text);
  } catch (error) {
    return error instanceof RepeatedKeyError ? repeatedField(error.key) : undefined;
  }
}

function exactArgs(text: string): readonly unknown[] {
  const [, , , args] = withExactNumbers(text) as readonly [unknown, unknown, unknown, unknown[]];
  return args;
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string"
    ? id.length <= ID_LENGTH_MAX
    : Number.isSafeInteger(id) && Number(id) >= 0;
}

function noRequest(id: RequestId | null): NoRequest {
  return { id, error: new ApiError(422, INVALID_BODY) };
}

/** A value that is JSON text already, because a long one is built piece by piece. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Returns the answer to a request; `extra` is a further element. */
export function responseFrame(
  { id, method }: Pick<RpcRequest, "id" | "method">,
  args: unknown,
  extra?: unknown,
): string {
  const head = [RPC_KINDS.response, id, method];
  if (args instanceof JsonText) return `${JSON.stringify(head).slice(0, -1)},${args.text}]`;
  return JSON.stringify(extra === undefined ? [...head, args] : [...head, args, extra]);
}

/** Returns the answer to a failed request: its identifiers, then any details. */
export function errorFrame(
  id: RequestId | null,
  { errors, ...extra }: { readonly errors: readonly string[] },
): string {
  const frame = [RPC_KINDS.response, id, "error", errors];
  return JSON.stringify(Object.keys(extra).length === 0 ? frame : [...frame, extra]);
}

/**
 * Returns a stream's message.
 *
 * @param extras what follows the dialect's own elements, as far as there is any
 */
export function eventFrame(
  access: "public" | "private",
  name: string,
  args: unknown,
  extras: readonly (number | true | undefined)[] = [],
): string {
  const kind = access === "public" ? RPC_KINDS.publicEvent : RPC_KINDS.privateEvent;
  return JSON.stringify([kind, name, args, ...extras.filter((extra) => extra !== undefined)]);
}
