/** How the texts of settings are read; the message of an issue continues the name of the setting. */
import * as z from "zod";
import type { ErrorDetails } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";

/** What a text breaks, as an error's details tell it. */
export type Broken = Pick<ErrorDetails, "rule" | "limit" | "nearest">;

/** Reads a whole number. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  return readBy((text, context) =>
    readNumber(text, min, max) ?? wrong(
      context,
      `must be a whole number from ${min} to ${max}`,
      brokenByNumber(text, min, max),
    )
  );
}

/** Reads one of the words, in lower or upper case, as all settings do. */
export function oneOf<const T extends readonly string[]>(words: T): z.ZodType<T[number], string> {
  return readBy((text, context) => {
    const word = words.find((one) => one === text.toLowerCase());
    if (word !== undefined) return word;
    const nearest = nearestName(text, words);
    return wrong(context, `must be one of ${words.join(", ")}`, {
      rule: "known",
      ...(nearest === undefined ? {} : { nearest }),
    });
  });
}

/** Reads a text by a function that throws, or says by `wrong`, what is wrong with it. */
export function readBy<T>(
  read: (text: string, context: z.RefinementCtx) => T,
): z.ZodType<T, string> {
  return z.string().transform(read);
}

/** Says what is wrong with a text. */
export function wrong(
  context: z.RefinementCtx,
  message: string,
  broken: Broken = { rule: "format" },
): never {
  context.addIssue({ code: "custom", message, params: broken });
  return z.NEVER;
}

/** Returns whether a text is the word for none. */
export function isOff(text: string): boolean {
  return text.toLowerCase() === "off";
}

/** Returns a whole number from 1 on, or 0 if the text is "off". */
export function countOrOff(
  max: number,
  what: string = "a whole number",
): z.ZodType<number, string> {
  return readBy((text, context) => {
    if (isOff(text)) return 0;
    const message = `must be ${what} from 1 to ${max}, or "off"`;
    return readNumber(text, 1, max) ?? wrong(context, message, brokenByNumber(text, 1, max));
  });
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function readNumber(text: string, min: number, max: number): number | undefined {
  const number = WHOLE_NUMBER.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : undefined;
}

function brokenByNumber(text: string, min: number, max: number): Broken {
  if (!WHOLE_NUMBER.test(text)) return { rule: "format" };
  return Number(text) < min
    ? { rule: "minimum", limit: String(min) }
    : { rule: "maximum", limit: String(max) };
}
