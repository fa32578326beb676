/** Words for what members have. */
import { o } from "../acting/operate_texts.ts";
import type { Tone } from "../acting/record_views.tsx";

/** Returns how good a member's state is. */
export function memberTone(state: string): Tone {
  return state === "active" ? "good" : state === "pending" ? "warn" : "bad";
}

/** Returns yes or no. */
export function yesNo(is: boolean): string {
  return is ? o.yes : o.no;
}
