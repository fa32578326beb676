/** Limits of sockets and of what they are sent, and the codes with which they are closed. */

/** Close codes of sockets. */
export const CLOSE_CODES = {
  /** A frame is binary. */
  notText: 1003,
  /** The client asks for more than the venue accepts. */
  policy: 1008,
  tooBig: 1009,
  fault: 1011,
  /** The process is closing; the client should reconnect. */
  restart: 1012,
  /** The place is needed; the client may come back later. */
  tryLater: 1013,
  /** The key or session is no longer valid. */
  accessEnded: 4001,
  slowReader: 4008,
} as const;

/** Bytes that may stay unread for long. */
export const SEND_BUFFER_BYTES_MAX = 1024 * 1024;

/**
 * One command's frames are sent at once, before a reader can take any of them: this many bytes may
 * stay unread for this long, in ms, before the reader counts as slow.
 */
export const BURST_BYTES_MAX = 16 * SEND_BUFFER_BYTES_MAX;

export const BURST_MS_MAX = 2_000;

/** Frames sent before others get their turn, at 4 to 10 µs each. */
export const PORTION_FRAMES = 250;
