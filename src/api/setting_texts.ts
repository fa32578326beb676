/** How the texts of settings are read; the message of an issue continues the name of the setting. */
import * as z from "zod";

/** Reads a whole number. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d{1,15}$/, message).transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Reads one of the words, in lower or upper case, as all settings do. */
export function oneOf<const T extends readonly string[]>(words: T): z.ZodType<T[number], string> {
  return z.string().toLowerCase().pipe(z.enum(words, `must be one of ${words.join(", ")}`));
}

/** Reads a text by a function that throws, or says by `wrong`, what is wrong with it. */
export function readBy<T>(
  read: (text: string, context: z.RefinementCtx) => T,
): z.ZodType<T, string> {
  return z.string().transform(read);
}

/** Says what is wrong with a text. */
export function wrong(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
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
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= max) return count;
    return wrong(context, `must be ${what} from 1 to ${max}, or "off"`);
  });
}
