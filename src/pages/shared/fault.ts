/** Faults in the page's language. */
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../client/client.ts";
import { type Fault, faultIn } from "./error_text.ts";
import { locale, t } from "./language.ts";

const TOLD = [VenueError, OutcomeUnknownError, UnreachableError];

/** Returns what an error says, and at which field; one that is the page's own fault is reported. */
export function faultOf(error: unknown): Fault {
  if (!TOLD.some((kind) => error instanceof kind)) reportError(error);
  return faultIn(t.errors, locale, error);
}
