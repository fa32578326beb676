/** Names that the venue assigns: unguessable and not taken yet. */
import type { Venue } from "../domain/venue.ts";
import { randomHex } from "./random_text.ts";

const UID_BYTES = 5;
const KID_BYTES = 8;
const SECRET_BYTES = 16;

/** Creates a member's uid: `ID` and ten hex digits. */
export function createUid(venue: Venue): string {
  for (;;) {
    const uid = `ID${randomHex(UID_BYTES).toUpperCase()}`;
    if (!venue.holderByUid.has(uid)) return uid;
  }
}

/** Creates an access key: sixteen hex digits. */
export function createKid(venue: Venue): string {
  for (;;) {
    const kid = randomHex(KID_BYTES);
    if (!venue.keyByKid.has(kid)) return kid;
  }
}

/** Creates a key's secret: 32 hex digits. */
export function createSecret(): string {
  return randomHex(SECRET_BYTES);
}
