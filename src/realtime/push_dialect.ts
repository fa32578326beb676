/**
 * The push protocol: `{"<stream>": payload, "sequence": n}`. Private messages also have the number of
 * their event, and snapshots are marked.
 */
import { BookContent } from "./book_content.ts";
import type { Dialect, StreamMessage } from "./stream_message.ts";

/** Messages without checksums. */
export const PUSH: Dialect = {
  frame: (message) => pushFrame(message, message.content.payload()),
  errorFrame,
};

/** Messages with a checksum for books. */
export const CHECKED_PUSH: Dialect = {
  frame(message) {
    const { content } = message;
    const isChecked = content instanceof BookContent;
    return pushFrame(message, isChecked ? content.checkedPayload() : content.payload());
  },
  errorFrame,
};

/**
 * Returns the answer to subscribing or unsubscribing: the remaining streams, and the last sequences
 * of the private ones.
 */
export function successFrame(
  message: string,
  streams: readonly string[],
  sequences: Readonly<Record<string, number>>,
): string {
  const isPrivate = Object.keys(sequences).length > 0;
  return JSON.stringify({ success: { message, streams, ...(isPrivate ? { sequences } : {}) } });
}

/** Returns the answer to a request that can't be met. */
export function errorFrame(message: string): string {
  return JSON.stringify({ error: { message } });
}

function pushFrame({ stream, sequence, content, event }: StreamMessage, payload: string): string {
  const number = event === undefined ? "" : `,"event":${event}`;
  const mark = content.isSnapshot === true ? `,"snapshot":true` : "";
  return `{"${content.key ?? stream}":${payload},"sequence":${sequence}${number}${mark}}`;
}
