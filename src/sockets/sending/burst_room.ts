/** Room for bursts: what the platform may keep for all readers beyond the little it may for each. */
import { ByteTally } from "../../edge/reading/byte_tally.ts";

/** One address's room. */
export interface RoomShare {
  /** Returns whether there was as much room, which is then taken. */
  take(bytes: number): boolean;
  /** Gives room back. */
  give(bytes: number): void;
}

/**
 * The room that all sockets share; an address gets at most half of it. A reader that takes it and
 * stops reading keeps it, so there may be none left.
 */
export class BurstRoom {
  readonly #bytes: number;
  readonly #taken = new ByteTally();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Returns an address's share. */
  shareOf(address: string): RoomShare {
    const taken = this.#taken;
    return {
      take: (bytes) => {
        const hasRoom = taken.total + bytes <= this.#bytes &&
          taken.of(address) + bytes <= this.#bytes / 2;
        if (hasRoom) taken.add(address, bytes);
        return hasRoom;
      },
      give: (bytes) => taken.add(address, -bytes),
    };
  }
}
