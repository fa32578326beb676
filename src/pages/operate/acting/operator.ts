/** The operator who has opened the page. */
import { me } from "../../shared/session.ts";
import { Shown, useShown } from "../../shared/shown.ts";
import type { Act } from "./act.ts";
import { type Role, roleOf } from "./roles.ts";

/** What was done last, for those who see and those who hear the page; empty for nothing. */
export const news: Shown<string> = new Shown("");

/** The act whose dialog is open; null for none. It stands above all views, which may change meanwhile. */
export const opened: Shown<Act | null> = new Shown<Act | null>(null);

/** Returns the operator's role; null for everybody else. */
export function useRole(): Role | null {
  return roleOf(useShown(me)?.role);
}
