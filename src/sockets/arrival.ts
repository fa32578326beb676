/** A call that asks for a websocket, until it has one. */
import { yieldToOthers } from "../engine/yield_to_others.ts";

/** Error identifier of a call that does not ask for a websocket, or in a version nobody speaks. */
export const UPGRADE_REQUIRED = "stream.upgrade_required";
/** Header that names the version of the protocol. */
export const VERSION_HEADER = "Sec-WebSocket-Version";
/** The only version of the protocol (RFC 6455, 4.4). */
export const VERSION = "13";
/** What the answer to such a call tells it to ask for. */
export const UPGRADE_HEADERS = { "Upgrade": "websocket", [VERSION_HEADER]: VERSION } as const;

/**
 * How long to wait before a socket is made of a call, in ms, and event-loop turns after that: most
 * clients that hang up do so at once.
 */
const HANGING_UP_MS = 2;
const HANGING_UP_TURNS = 2;

/** Tells whether a client that asks for a socket has hung up. */
export class Arrival {
  readonly #signal: AbortSignal;

  constructor(request: Request) {
    // Read first: the platform reports a client that hangs up only to a signal obtained before.
    this.#signal = request.signal;
  }

  /** Returns whether it has. */
  async hasHungUp(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, HANGING_UP_MS));
    for (let turn = 0; turn < HANGING_UP_TURNS; turn++) await yieldToOthers();
    return this.#signal.aborted;
  }
}

/**
 * The answer to a client that has hung up: after an upgrade its connection would neither open nor
 * end, and the platform would keep its file descriptor as long as the process lives.
 */
export function goneAnswer(): Response {
  return new Response(null, { status: 400 });
}
