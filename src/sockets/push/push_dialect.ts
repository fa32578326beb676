/**
 * The push protocol: `{"<stream>": payload, "sequence": n}`. Private messages and those of books also
 * have the number of their event; snapshots are marked, and so is what makes a book whole.
 */
import type { ErrorReport } from "../../edge/errors.ts";
import { BookContent } from "../streams/book_content.ts";
import type { Dialect, StreamMessage } from "../stream_message.ts";

/** Messages without checksums. */
export const PUSH = dialect({ isChecked: false, isNumbered: true });
/** Messages with a checksum for books. */
export const CHECKED_PUSH = dialect({ isChecked: true, isNumbered: true });
/** The same as older clients know them: a message to everybody has the stream's key alone. */
export const OLDER_PUSH = dialect({ isChecked: false, isNumbered: false });
export const OLDER_CHECKED_PUSH = dialect({ isChecked: true, isNumbered: false });

/** What distinguishes the dialects. */
interface Form {
  readonly isChecked: boolean;
  readonly isNumbered: boolean;
}

function dialect({ isChecked, isNumbered }: Form): Dialect {
  return {
    frame(message) {
      const { content, stream } = message;
      const payload = isChecked && content instanceof BookContent
        ? content.checkedPayload()
        : content.payload();
      return isNumbered || !isPublic(stream)
        ? pushFrame(message, payload)
        : `{"${content.key ?? stream}":${payload}}`;
    },
    errorFrame,
  };
}

/** Names of private streams have no dots. */
function isPublic(stream: string): boolean {
  return stream.includes(".");
}

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

/** Returns the answer to a log-in: whose socket it is now, and the streams that it has already. */
export function loginFrame(uid: string, streams: readonly string[]): string {
  return JSON.stringify({ success: { message: "logged_in", uid, streams } });
}

/** Returns the answer to a log-in that was refused: the identifier, and what else HTTP would tell. */
export function loginErrorFrame(report: ErrorReport["body"]): string {
  return JSON.stringify({ error: { message: report.errors[0], event: "login", ...report } });
}

/** Returns the answer to a request that can't be met. */
export function errorFrame(message: string): string {
  return JSON.stringify({ error: { message } });
}

function pushFrame({ stream, sequence, content, event }: StreamMessage, payload: string): string {
  const number = event === undefined ? "" : `,"event":${event}`;
  const mark = content.isSnapshot === true ? `,"snapshot":true` : "";
  const last = content.isLast === true ? `,"last":true` : "";
  return `{"${content.key ?? stream}":${payload},"sequence":${sequence}${number}${mark}${last}}`;
}
