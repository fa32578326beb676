/** Who reads streams. */
import type { Dialect } from "../stream_message.ts";

/** A connection that reads streams. */
export interface StreamReader {
  /** Member index; null for an anonymous reader. */
  readonly member: number | null;
  readonly dialect: Dialect;
  /** Whether it still accepts frames. */
  readonly isOpen: boolean;
  /** Bytes sent but not read yet. */
  readonly unread: number;
  /** Sends without waiting; a reader that is too slow is closed. */
  send(frame: string): void;
  /** Ends the connection. */
  close(code: number, reason: string): void;
  /** Ends the connection once requests under way are answered; takes no more. */
  closeAnswered(code: number, reason: string): void;
}
