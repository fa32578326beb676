/** The texts of all languages, for what the server says itself. */
import { TEXTS as DE } from "../texts/de.ts";
import { TEXTS as EN, type Texts } from "../texts/en.ts";
import type { Language } from "../texts/languages.ts";

/** Texts by language. */
export const PAGE_TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE };
