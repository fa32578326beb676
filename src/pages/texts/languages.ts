/** The languages that pages speak. */
import { DE } from "./de.ts";
import { EN, type Texts } from "./en.ts";

/** All texts by the codes of their languages; the first is for everybody else. */
export const LANGUAGES: Readonly<Record<string, Texts>> = { en: EN, de: DE };

/** Returns the texts of a language; those in English if there are none. */
export function textsOf(language: string): Texts {
  return Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] ?? EN : EN;
}
