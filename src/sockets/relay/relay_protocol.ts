/** What the venue's thread and that of the unsigned sockets tell each other, see `socket_relay.ts`. */

/** A call for a socket, whose id it gets if it is admitted. */
export interface RelayedCall {
  readonly kind: "call";
  readonly id: number;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly remoteAddr: Deno.NetAddr;
}

/** What happens at a socket; a `text` is null if it was no text, and cut if it was too long. */
export type RelayedEvent =
  | RelayedCall
  | { readonly kind: "open"; readonly id: number }
  | { readonly kind: "text"; readonly id: number; readonly text: string | null }
  | {
    readonly kind: "close";
    readonly id: number;
    readonly code: number;
    readonly reason: string;
    readonly wasClean: boolean;
  };

/** The answer to a call: it becomes a socket, or is refused. */
export type CallAnswer =
  | { readonly id: number; readonly idleTimeout: number }
  | {
    readonly id: number;
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
  };

/** What the venue has for the sockets after one turn of its own. */
export interface VenueTurn {
  readonly kind: "turn";
  /** Counts the turns. */
  readonly turn: number;
  /** How many more of the sockets' events are dealt with. */
  readonly handled: number;
  readonly answers: readonly CallAnswer[];
  /** Sockets of which longer frames are read now, since their callers have logged in. */
  readonly lengths: readonly (readonly [id: number, lengthMax: number])[];
  /** Frames in order, each with the sockets that it goes to. */
  readonly frames: readonly (readonly [frame: string, ids: readonly number[]])[];
  /** Sockets to close when they have sent that. */
  readonly closes:
    readonly (readonly [id: number, code?: number | undefined, reason?: string | undefined])[];
}

/** What the venue tells the thread. */
export type ToSockets =
  | {
    readonly kind: "listen";
    readonly hostname: string;
    readonly port: number;
    /** Length of the longest frame, in characters: of longer ones only a little more is passed on. */
    readonly lengthMax: number;
  }
  | VenueTurn
  | { readonly kind: "stop" };

/** What the thread tells the venue. */
export type FromSockets =
  | { readonly kind: "listening"; readonly address: Deno.NetAddr }
  | { readonly kind: "failed"; readonly message: string }
  /** So many descriptors are lost that another thread should begin. */
  | { readonly kind: "worn" }
  | { readonly kind: "events"; readonly events: readonly RelayedEvent[] }
  | {
    readonly kind: "sent";
    /** The last turn whose frames were handed to the platform. */
    readonly turn: number;
    /** What the platform still keeps for sockets of which that has changed, in bytes. */
    readonly kept: readonly (readonly [id: number, bytes: number])[];
  }
  | { readonly kind: "stopped" };
