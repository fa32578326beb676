/** The languages that pages speak: each has a file of texts, which its visitors alone load. */

/** Their own names by their codes; the first is for everybody else. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;

/** Code of a language. */
export type Language = keyof typeof LANGUAGES;

/** All codes. */
export const LANGUAGE_CODES: readonly Language[] = Object.keys(LANGUAGES) as Language[];

/** Whether there are texts in a language. */
export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}
