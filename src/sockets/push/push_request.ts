/** Requests of the push protocol. */
import { parseShallow, RepeatedKeyError } from "../../edge/reading/exact_json.ts";

/** A client's frame, valid or not. */
export type PushRequest =
  | { readonly kind: "subscribe" | "unsubscribe"; readonly streams: readonly string[] }
  | { readonly kind: "invalid"; readonly message: string };

/** Parses a frame; ignores unknown fields. */
export function readPushRequest(text: string): PushRequest {
  const value = parsed(text);
  if (value instanceof RepeatedKeyError) {
    return invalid(`Could not parse the message: ${value.message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("Could not parse the message: not a JSON object");
  }
  const { event, streams } = value as { event?: unknown; streams?: unknown };
  if (event !== "subscribe" && event !== "unsubscribe") {
    return invalid("Could not parse Type: Invalid event");
  }
  if (!Array.isArray(streams) || streams.length === 0) return invalid("No streams provided");
  if (!streams.every((stream) => typeof stream === "string")) {
    return invalid("Streams must be strings");
  }
  return { kind: event, streams };
}

function invalid(message: string): PushRequest {
  return { kind: "invalid", message };
}

function parsed(text: string): unknown {
  try {
    return parseShallow(text);
  } catch (error) {
    return error instanceof RepeatedKeyError ? error : undefined;
  }
}
