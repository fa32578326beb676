/** The language of a page: the server chooses it, the page's texts follow. */
import type { Texts } from "../texts/en.ts";
import { textsOf } from "../texts/languages.ts";

/** The page's texts. */
export const t: Texts = textsOf(document.documentElement.lang);

/** The page's locale, for times. */
export const locale: string = document.documentElement.lang;
