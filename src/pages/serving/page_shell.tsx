/** @jsxImportSource hono/jsx */
/** What the server sends of a page: its head, its navigation, and the place for the rest. */
import type { Child } from "hono/jsx";
import type { Texts } from "../texts/en.ts";
import type { Language } from "../texts/languages.ts";
import { ICON_PATH, type PageUrls } from "./page_files.ts";
import { PAGE_TEXTS } from "./page_texts.ts";

/** How a visitor sees pages. */
export interface Look {
  readonly language: Language;
  /** Null if the visitor's system decides. */
  readonly theme: "dark" | "light" | null;
  /** Whether the visitor's browser has a session, which may have ended. */
  readonly hasSession: boolean;
  readonly isDemo: boolean;
  /** Whether the venue serves its faucet. */
  readonly hasFaucet: boolean;
}

/**
 * Returns the page as HTML; with null for its URLs one that says how to make them.
 *
 * @param path the page's place in the navigation, such as `/` for all markets
 */
export function pageShell(path: string, look: Look, urls: PageUrls | null): string {
  const { language, theme, hasSession, isDemo, hasFaucet } = look;
  const texts = PAGE_TEXTS[language];
  const { shell } = texts;
  const page = (
    <html
      lang={language}
      data-theme={theme ?? undefined}
      data-session={hasSession ? "" : undefined}
      data-demo={isDemo ? "" : undefined}
      data-faucet={hasFaucet ? "" : undefined}
      data-texts={urls?.texts}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? "dark light"} />
        <title>kvenue</title>
        <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
        {urls === null ? null : <Files urls={urls} />}
      </head>
      <body>
        <a class="skip" href="#page">{shell.skip}</a>
        <Navigation path={path} texts={texts} />
        <main id="page" tabindex={-1}>
          {urls === null
            ? <NotBuilt texts={texts} />
            : <p class="waiting" role="status">{shell.loading}</p>}
        </main>
        <noscript>
          <p class="waiting">
            {shell.needsScript} <a href="/docs">{shell.docs}</a>
          </p>
        </noscript>
        <footer id="footer" />
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

function Files({ urls }: { readonly urls: PageUrls }): Child {
  return (
    <>
      <link rel="stylesheet" href={urls.style} />
      <link rel="modulepreload" href={urls.texts} />
      <script type="module" src={urls.script} />
    </>
  );
}

function Navigation({ path, texts }: { readonly path: string; readonly texts: Texts }): Child {
  const { shell } = texts;
  return (
    <header class="top">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="mark" />
          <path d="M9 7v18M9 17l11-10M13 14l9 11" class="mark-letter" />
        </svg>
        kvenue
      </a>
      <nav aria-label={shell.menu}>
        {[["/", shell.trade], ["/wallet", shell.wallet], ["/account", shell.account]].map((
          [target, name],
        ) => (
          <a key={target} href={target} aria-current={target === path ? "page" : undefined}>
            {name}
          </a>
        ))}
        <a href="/docs">{shell.docs}</a>
      </nav>
      <div id="session" class="session" />
    </header>
  );
}

function NotBuilt({ texts }: { readonly texts: Texts }): Child {
  return (
    <div class="waiting">
      <h1>{texts.shell.notBuilt}</h1>
      <p>{texts.shell.howToBuild}</p>
      <pre><code>deno task build</code></pre>
    </div>
  );
}
