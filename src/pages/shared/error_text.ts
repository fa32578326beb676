/** What is said to people when something can't be done, and at which field. */
import { OutcomeUnknownError, UnreachableError, VenueError } from "../../client/client.ts";
import type { Texts } from "../texts/en.ts";

/** A fault as it is shown. */
export interface Fault {
  /** Name of the field that it is shown at, as the call has it; undefined if at none. */
  readonly field: string | undefined;
  readonly text: string;
}

type Words = Texts["errors"];
type Details = Readonly<Record<string, string | undefined>>;

const MINUTE = 60;
const HOUR = 3600;

/** Returns what an error says, and where, in the words of a language. */
export function faultIn(words: Words, locale: string, error: unknown): Fault {
  if (error instanceof VenueError) {
    return { field: error.field, text: refusalText(words, locale, error) };
  }
  const { unknown, unreachable, broken } = words;
  const text = error instanceof OutcomeUnknownError
    ? unknown
    : error instanceof UnreachableError
    ? unreachable
    : broken;
  return { field: undefined, text };
}

function refusalText(words: Words, locale: string, error: VenueError): string {
  const details = (error.body.details ?? {}) as Details;
  const { needed, available, held_until: held, resets_at: resets } = details;
  const parts = [identifierText(words, error.code, error.rule, error.limit)];
  if (needed !== undefined && available !== undefined) {
    parts.push(words.needs(needed, available));
  }
  const until = held ?? resets;
  if (until !== undefined) parts.push(words.until(new Date(until).toLocaleString(locale)));
  const { retry_after: retry } = error.body as { readonly retry_after?: unknown };
  if (typeof retry === "number") parts.push(words.retryAfter(durationText(words, retry)));
  return parts.join(" ");
}

/**
 * Returns what is said of an identifier; the identifier itself if there are no words for it.
 *
 * @param rule the rule that the field breaks, if one is known, and `limit` its bound
 */
export function identifierText(
  words: Words,
  identifier: string,
  rule?: string,
  limit?: string,
): string {
  const { about, rules, shapes } = words;
  if (Object.hasOwn(about, identifier)) return about[identifier as keyof typeof about];
  if (rule !== undefined && Object.hasOwn(rules, rule)) {
    return rules[rule as keyof typeof rules](limit ?? "");
  }
  const last = identifier.slice(identifier.lastIndexOf(".") + 1);
  const shape = Object.entries(shapes).find(([begin]) => last.startsWith(`${begin}_`));
  return shape?.[1] ?? identifier;
}

/** Returns a time of so many seconds, in the largest unit that has one of them, rounded up. */
function durationText(words: Words, seconds: number): string {
  if (seconds <= MINUTE) return words.seconds(Math.ceil(seconds));
  return seconds <= HOUR
    ? words.minutes(Math.ceil(seconds / MINUTE))
    : words.hours(Math.ceil(seconds / HOUR));
}
