/** What is open and what is stopped, as everybody is told. */
import type { Tone } from "../acting/record_views.tsx";

/** Returns how good a state of the venue, a market or a switch is. */
export function toneOf(state: string | boolean): Tone {
  if (state === true || state === "operational" || state === "enabled") return "good";
  return state === "degraded" || state === "cancel_only" ? "warn" : "bad";
}
