/** Faults in the page's language. */
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../client/client.ts";
import { type Fault, faultIn } from "./error_text.ts";
import { locale, t } from "./language.ts";

const TOLD = [VenueError, OutcomeUnknownError, UnreachableError];

/**
 * Returns what an error says, and at which field; one that is the page's own fault is reported.
 *
 * @param fields the fields of identifiers that name none
 * @param words what is said of identifiers that few pages meet
 */
export function faultOf(
  error: unknown,
  fields: Readonly<Record<string, string>> = {},
  words: Readonly<Record<string, string>> = {},
): Fault {
  if (!TOLD.some((kind) => error instanceof kind)) reportError(error);
  const { field, text } = faultIn(t.errors, locale, error);
  const code = error instanceof VenueError ? error.code : "";
  return { field: field ?? fields[code], text: words[code] ?? text };
}
