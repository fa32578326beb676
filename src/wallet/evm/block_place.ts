/** Where a reader of a chain stands: the text that the venue keeps as a rail's cursor. */

/** A block. */
export interface BlockPlace {
  readonly height: number;
  readonly hash: string;
}

/** How far deposits have been read. */
export interface ReadPlace extends BlockPlace {
  /** Number of the last payment that was found by comparing balances; 0 before the first. */
  readonly compared: number;
}

const PLACE = /^(\d{1,15}):(0x[0-9a-f]{64})(?::(\d{1,15}))?$/;

/** Returns a place as a cursor. */
export function cursorOf({ height, hash, compared }: ReadPlace): string {
  return compared === 0 ? `${height}:${hash}` : `${height}:${hash}:${compared}`;
}

/** @throws {TypeError} the text is no cursor of this rail */
export function placeOf(cursor: string): ReadPlace {
  const [, height, hash, compared = "0"] = PLACE.exec(cursor) ?? [];
  if (height === undefined || hash === undefined) throw new TypeError("A cursor can't be read");
  return { height: Number(height), hash, compared: Number(compared) };
}
