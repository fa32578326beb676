/** The language of a page: the server chooses it, and says where its texts are. */
import type { Texts } from "../texts/en.ts";

const { lang, dataset } = document.documentElement;

/** The page's texts. */
export const t: Texts = (await import(dataset["texts"] ?? "") as { readonly TEXTS: Texts }).TEXTS;

/** The page's locale, for times. */
export const locale: string = lang;
