import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../src/edge/env.ts";
import { UnsentAnswers } from "../../src/edge/reading/unsent_answers.ts";
import { mountPages } from "../../src/pages/serving/mount_pages.ts";
import { PAGE_PATHS } from "../../src/pages/serving/page_paths.ts";

const BUILT = {
  sets: {
    trade: { script: "trade()", style: "a{}" },
    account: { script: "account()", style: "b{}" },
    operate: { script: "operate()", style: "c{}" },
  },
  texts: { en: "export const TEXTS = 1;", de: "export const TEXTS = 2;" },
};

function served(built: typeof BUILT | null): Hono<Env> {
  const app = new Hono<Env>();
  mountPages(app, built, new UnsentAnswers(() => "127.0.0.1"));
  return app;
}

async function html(app: Hono<Env>, path: string, headers = {}): Promise<string> {
  return await (await app.request(path, { headers })).text();
}

describe("the pages", () => {
  it("allow nothing of another origin and nothing inline, and have nothing of either", async () => {
    const app = served(BUILT);
    for (const path of Object.keys(PAGE_PATHS)) {
      const answer = await app.request(path.replace(":market", "btcusdt"));
      assertEquals(answer.status, 200);
      const policy = answer.headers.get("content-security-policy") ?? "";
      assertStringIncludes(policy, "default-src 'none'; script-src 'self'; style-src 'self'");
      assert(!policy.includes("unsafe"));
      assertEquals(answer.headers.get("x-frame-options"), "DENY");
      const text = await answer.text();
      assert(!/\son\w+=|\sstyle=|<style|<script>|https?:\/\/(?!www\.w3\.org)/.test(text), text);
    }
  });

  it("load files that are kept for ever under names of their content, packed if possible", async () => {
    const app = served(BUILT);
    const path = /src="(\/pages\/trade-[0-9a-f]{16}\.js)"/.exec(await html(app, "/"))?.[1] ?? "";
    const plain = await app.request(path);
    assertEquals([plain.status, await plain.text()], [200, "trade()"]);
    assertStringIncludes(plain.headers.get("cache-control") ?? "", "immutable");
    const packed = await app.request(path, { headers: { "Accept-Encoding": "gzip, br" } });
    assertEquals(packed.headers.get("content-encoding"), "gzip");
    const unpacked = packed.body?.pipeThrough(new DecompressionStream("gzip")) ?? null;
    assertEquals(await new Response(unpacked).text(), "trade()");
    const other = served({
      ...BUILT,
      sets: { ...BUILT.sets, trade: { script: "other()", style: "a{}" } },
    });
    assertEquals((await other.request(path)).status, 404);
  });

  it("speak the language that is chosen, or else accepted", async () => {
    const app = served(BUILT);
    const language = async (headers: Record<string, string>) =>
      /lang="(\w+)"/.exec(await html(app, "/", headers))?.[1];
    assertEquals(await language({}), "en");
    assertEquals(await language({ "Accept-Language": "fr, de-AT;q=0.8, en;q=0.5" }), "de");
    assertEquals(await language({ "Cookie": "language=en", "Accept-Language": "de" }), "en");
    assertEquals(await language({ "Cookie": 'language="><script>' }), "en");
    assertEquals(await language({ "Accept-Language": "__proto__, constructor" }), "en");
  });

  it("load the texts of their language alone", async () => {
    const app = served(BUILT);
    for (const [language, module] of Object.entries(BUILT.texts)) {
      const text = await html(app, "/wallet", { "Cookie": `language=${language}` });
      const [, path = ""] = /data-texts="(\S+)"/.exec(text) ?? [];
      assertStringIncludes(text, `<link rel="modulepreload" href="${path}"`);
      assertEquals(await (await app.request(path)).text(), module);
    }
  });

  it("look as the visitor has chosen", async () => {
    const app = served(BUILT);
    assertStringIncludes(await html(app, "/", { "Cookie": "theme=dark" }), 'data-theme="dark"');
    assert(!(await html(app, "/", { "Cookie": "theme=x" })).includes("data-theme"));
    assert(!(await html(app, "/")).includes("data-session"));
    const visited = await html(app, "/", { "Cookie": "_kvenue_session=1" });
    assertStringIncludes(visited, "data-session");
  });

  it("say in their navigation where one is", async () => {
    const app = served(BUILT);
    for (const path of ["/", "/wallet", "/account"]) {
      const current = [...(await html(app, path)).matchAll(/<a href="(\S+)" aria-current="page"/g)];
      assertEquals(current.map(([, href]) => href), [path]);
    }
    assertStringIncludes(await html(app, "/trade/btcusdt"), '<a href="/" aria-current="page"');
  });

  it("say how to build them where they are not built", async () => {
    for (const path of ["/", "/wallet", "/operate"]) {
      assertStringIncludes(await html(served(null), path), "deno task build");
    }
  });
});
