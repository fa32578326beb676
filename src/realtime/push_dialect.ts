/** The push protocol: `{"<stream>": payload, "sequence": n}`; a snapshot says so. */
import { BookContent } from "./book_content.ts";
import type { Dialect, StreamMessage } from "./stream_message.ts";

/** Messages as they are. */
export const PUSH: Dialect = {
  frame: (message) => pushFrame(message, message.content.payload()),
  errorFrame,
};

/** Those of books with a checksum. */
export const CHECKED_PUSH: Dialect = {
  frame(message) {
    const { content } = message;
    const isChecked = content instanceof BookContent;
    return pushFrame(message, isChecked ? content.checkedPayload() : content.payload());
  },
  errorFrame,
};

/**
 * The answer to subscribing and unsubscribing: all streams that are left, and how far the
 * private ones are.
 */
export function successFrame(
  message: string,
  streams: readonly string[],
  sequences: Readonly<Record<string, number>>,
): string {
  const isPrivate = Object.keys(sequences).length > 0;
  return JSON.stringify({ success: { message, streams, ...(isPrivate ? { sequences } : {}) } });
}

/** The answer to what can't be done. */
export function errorFrame(message: string): string {
  return JSON.stringify({ error: { message } });
}

function pushFrame({ stream, sequence, content }: StreamMessage, payload: string): string {
  const mark = content.isSnapshot === true ? `,"snapshot":true` : "";
  return `{"${content.key ?? stream}":${payload},"sequence":${sequence}${mark}}`;
}
