/** Content that can carry a sum by which a reader checks what it has built. */
import type { StreamContent } from "./stream_message.ts";

/** Content of a book. */
export interface CheckedContent extends StreamContent {
  /** The payload with its `checksum`. */
  checkedPayload(): string;
}

/** Whether there is a sum. */
export function isChecked(content: StreamContent): content is CheckedContent {
  return "checkedPayload" in content;
}
