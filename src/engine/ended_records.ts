/** Removes ended records from the state once they are kept elsewhere. */
import type { Venue } from "../domain/venue.ts";

/** Clears the lists of ended orders, deposits and withdrawals, once they have been taken over. */
export function dropEnded(venue: Venue): void {
  venue.endedOrders.length = 0;
  venue.endedDeposits.length = 0;
  venue.endedWithdraws.length = 0;
}
