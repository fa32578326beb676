/** The texts of the operators' page, besides those of all pages. */
import { locale } from "../../shared/language.ts";
import { OPERATE_DE } from "../../texts/operate_de.ts";
import { OPERATE_EN, type OperateTexts } from "../../texts/operate_en.ts";

const LANGUAGES: Readonly<Record<string, OperateTexts>> = { en: OPERATE_EN, de: OPERATE_DE };

/** In the page's language. */
export const o: OperateTexts = LANGUAGES[locale] ?? OPERATE_EN;
