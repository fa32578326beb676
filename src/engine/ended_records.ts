/** What has ended leaves the state once it is kept elsewhere. */
import type { Venue } from "../domain/venue.ts";

/** Takes away what has ended: whoever keeps it has it. */
export function dropEnded(venue: Venue): void {
  venue.finished.length = 0;
  venue.endedDeposits.length = 0;
  venue.endedWithdraws.length = 0;
}
