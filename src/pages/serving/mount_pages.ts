/** Serves the pages: to everybody, and in each visitor's language. */
import type { Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { answerBody } from "../../edge/answer.ts";
import { hasSessionCookie } from "../../edge/callers/session_cookie.ts";
import type { Env } from "../../edge/env.ts";
import { UNDERWAY_BYTES, type UnsentAnswers } from "../../edge/reading/unsent_answers.ts";
import { isLanguage, type Language } from "../texts/languages.ts";
import { type BuiltPages, mountIcon, mountPageFiles } from "./page_files.ts";
import { PAGE_PATHS } from "./page_paths.ts";
import { type Look, pageShell } from "./page_shell.tsx";

/** Cookies by which a visitor's browser remembers how pages are to look. */
const LANGUAGE_COOKIE = "language";
const THEME_COOKIE = "theme";

/** Headers of all pages: nothing of another origin, nothing inline, and no framing. */
const PAGE_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
  "Vary": "Cookie, Accept-Language",
};

/**
 * Mounts all pages; where they are not built, they say how to do that.
 *
 * @param kind whether they are of a demo, whose mails stay with it, and whether it has a faucet
 */
export function mountPages(
  app: Hono<Env>,
  built: BuiltPages | null,
  unsent: Pick<UnsentAnswers, "body">,
  kind: Pick<Look, "hasFaucet" | "isDemo"> = { isDemo: false, hasFaucet: false },
): void {
  mountIcon(app, unsent);
  const urls = built === null ? null : mountPageFiles(app, built, unsent);
  for (const [path, set] of Object.entries(PAGE_PATHS)) {
    const place = set === "trade" ? "/" : path;
    app.get(path, (c) => {
      const look = { ...lookOf(c), ...kind };
      const bytes = utf8ToBytes(pageShell(place, look, urls?.(set, look.language) ?? null));
      const body = unsent.body(c, bytes, UNDERWAY_BYTES);
      const headers = { ...PAGE_HEADERS, "Content-Length": String(bytes.length) };
      return answerBody(c, 200, body, "text/html; charset=UTF-8", headers);
    });
  }
}

function lookOf(c: Context<Env>): Omit<Look, "hasFaucet" | "isDemo"> {
  const language = languageOf(getCookie(c, LANGUAGE_COOKIE), c.req.header("accept-language"));
  const theme = getCookie(c, THEME_COOKIE);
  return {
    language,
    theme: theme === "dark" || theme === "light" ? theme : null,
    hasSession: hasSessionCookie(c),
  };
}

/** Returns the chosen language, else the first accepted one that there is, else the first. */
function languageOf(chosen: string | undefined, accepted: string | undefined): Language {
  const wanted = [chosen ?? "", ...(accepted ?? "").slice(0, 200).split(",")];
  const codes = wanted.map((one) => /^\s*([a-z]{2})\b/i.exec(one)?.[1]?.toLowerCase() ?? "");
  return codes.find(isLanguage) ?? "en";
}
