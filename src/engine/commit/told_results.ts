/** Tells the commands of a durable entry that ask for it what has become of their orders in it. */
import { type FollowedEntry, orderResults } from "../../domain/trading/order_result.ts";
import type { Venue } from "../../domain/venue.ts";
import type { QueuedCommand } from "./queued_command.ts";

/** Adds to the receipts of commands that ask for it what the entry did to their orders. */
export function tellResults(
  commands: readonly QueuedCommand[],
  entry: FollowedEntry,
  venue: Venue,
): void {
  let asking: QueuedCommand[] | null = null;
  for (const command of commands) {
    // Few ask, and the others are not to pay for it.
    if (asksForResults(command)) (asking ??= []).push(command);
  }
  if (asking === null) return;
  const ids = new Set(asking.flatMap(acceptedIds));
  const results = orderResults(entry, ids, venue);
  for (const command of asking) command.tellResults(results);
}

function asksForResults({ command }: QueuedCommand): boolean {
  return command.kind === "place_orders" && command.tellsResults === true;
}

function acceptedIds({ decided }: QueuedCommand): number[] {
  const outcome = decided?.outcome;
  if (outcome === undefined || "rejected" in outcome) return [];
  if (outcome.kind !== "orders_placed") return [];
  return outcome.orders.flatMap((one) => "accepted" in one ? [one.accepted.id] : []);
}
