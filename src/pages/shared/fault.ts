/** Faults in the page's language. */
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../client/client.ts";
import { type Fault, faultIn } from "./error_text.ts";
import { locale, t } from "./language.ts";

const TOLD = [VenueError, OutcomeUnknownError, UnreachableError];

/**
 * Returns what an error says, and at which field; one that is the page's own fault is reported.
 *
 * @param fields the fields of identifiers that name none
 */
export function faultOf(error: unknown, fields: Readonly<Record<string, string>> = {}): Fault {
  if (!TOLD.some((kind) => error instanceof kind)) reportError(error);
  const { field, text } = faultIn(t.errors, locale, error);
  return { field: field ?? (error instanceof VenueError ? fields[error.code] : undefined), text };
}
