/** Names that the venue gives: unguessable, and not yet taken. */
import type { Venue } from "../domain/venue.ts";
import { randomHex } from "./random_text.ts";

const UID_BYTES = 5;
const KID_BYTES = 8;
const SECRET_BYTES = 16;

/** A member's name: `ID` and ten hex digits. */
export function createUid(venue: Venue): string {
  for (;;) {
    const uid = `ID${randomHex(UID_BYTES).toUpperCase()}`;
    if (!venue.holderByUid.has(uid)) return uid;
  }
}

/** An access key: sixteen hex digits. */
export function createKid(venue: Venue): string {
  for (;;) {
    const kid = randomHex(KID_BYTES);
    if (!venue.keyByKid.has(kid)) return kid;
  }
}

/** A key's secret: 32 hex digits. */
export function createSecret(): string {
  return randomHex(SECRET_BYTES);
}
