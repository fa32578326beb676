import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { seriousViolations } from "./axe.ts";
import { findChromium, type Look, type TestBrowser, THEMES, withBrowser } from "./chromium.ts";

/** What a page of the venue may do. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";

/** Serves a page whose script and body these are, and tries it. */
async function withPage(
  { script = "", body = "<main><h1>A page</h1></main>", policy = POLICY }: {
    readonly script?: string;
    readonly body?: string;
    readonly policy?: string;
  },
  test: (browser: TestBrowser, url: string) => Promise<void>,
): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>A page</title>${body}` +
    `<script src="/page.js"></script></html>`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/missing") return new Response(null, { status: 404 });
    const isScript = pathname === "/page.js";
    const headers = {
      "Content-Type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
    };
    return new Response(isScript ? script : html, { headers });
  });
  try {
    await withBrowser((browser) => test(browser, `http://127.0.0.1:${server.addr.port}/`));
  } finally {
    await server.shutdown();
  }
}

/** Opens a page, and waits until its script has had time to fail. */
async function look(browser: TestBrowser, url: string, options: Look = {}): Promise<void> {
  const page = await browser.open(url, options);
  await page.waitForTimeout(100);
}

/** Tries a page that must not pass; returns why it did not. */
async function refused(page: { script?: string; body?: string; policy?: string }): Promise<string> {
  const error = await assertRejects(() => withPage(page, look), Error);
  return error.message;
}

describe("a browser for tests", () => {
  const hasNone = findChromium() === null;

  it("lets a quiet page pass, in both themes and at any width", () =>
    withPage({}, async (browser, url) => {
      for (const theme of THEMES) {
        const page = await browser.open(url, { theme, width: 360, height: 640 });
        const seen = "[matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]";
        assertEquals(await page.evaluate(seen), [theme === "dark", 360]);
        assertEquals(await seriousViolations(page), []);
      }
    }));

  it("notices a request to another host, also by a socket", async () => {
    if (hasNone) return;
    const policy = "script-src 'self'; connect-src *";
    const script = (url: string) => `try { ${url} } catch {}`;
    const call = script("fetch('http://other.invalid/').catch(() => {})");
    assertMatch(await refused({ policy, script: call }), /request: http:\/\/other\.invalid/);
    const socket = script("new WebSocket('ws://127.0.0.1:1/')");
    assertMatch(await refused({ policy, script: socket }), /request: ws:\/\/127\.0\.0\.1:1/);
  });

  it("notices what the page's policy forbids", async () => {
    if (hasNone) return;
    const inline = "<main><h1 style='color: red'>A page</h1></main>";
    assertMatch(await refused({ body: inline }), /policy: .*style-src 'self'/);
    assertMatch(await refused({ script: "eval('1')" }), /unsafe-eval/);
  });

  it("notices errors: thrown, rejected, written to the console, or of a missing file", async () => {
    if (hasNone) return;
    assertMatch(await refused({ script: "throw new Error('thrown')" }), /error: .*thrown/);
    assertMatch(await refused({ script: "Promise.reject(new Error('late'))" }), /error: .*late/);
    assertMatch(await refused({ script: "console.error('written')" }), /console: written/);
    assertMatch(await refused({ script: "fetch('/missing')" }), /console: .*404/);
  });

  it("lets happen what the test expects, and nothing else", async () => {
    if (hasNone) return;
    const script = "console.error('one'); console.error('two')";
    const error = await assertRejects(() =>
      withPage({ script }, async (browser, url) => {
        browser.expect(/: one /);
        await look(browser, url);
      })
    );
    assertMatch((error as Error).message, /two/);
    assertEquals(/: one /.test((error as Error).message), false);
  });

  it("tells what a reader of screens can't use, and keeps the policy as it is", () => {
    const body = "<main><h1>A page</h1><input><button></button></main>";
    return withPage({ body }, async (browser, url) => {
      const page = await browser.open(url);
      assertEquals(await seriousViolations(page), ["button-name: button", "label: input"]);
    });
  });
});
