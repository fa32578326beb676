/** Words for what members have. */
import { t } from "../../shared/language.ts";
import type { Tone } from "../acting/record_views.tsx";

/** Returns how good a member's state is. */
export function memberTone(state: string): Tone {
  return state === "active" ? "good" : state === "pending" ? "warn" : "bad";
}

/** Returns yes or no. */
export function yesNo(is: boolean): string {
  return is ? t.operate.yes : t.operate.no;
}
