/** Removes ended records from the state once they are kept elsewhere. */
import type { Venue } from "../domain/venue.ts";

/** Removes ended orders, deposits and withdrawals; whoever keeps them already has them. */
export function dropEnded(venue: Venue): void {
  venue.finished.length = 0;
  venue.endedDeposits.length = 0;
  venue.endedWithdraws.length = 0;
}
