import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../src/edge/env.ts";
import { UnsentAnswers } from "../../src/edge/reading/unsent_answers.ts";
import { type ClientFiles, mountCcxt, mountClient } from "../../src/http/client_files.ts";

function served(files: ClientFiles | null): Hono<Env> {
  const app = new Hono<Env>();
  mountClient(app, files, new UnsentAnswers(() => "127.0.0.1"));
  return app;
}

const FILES = { code: "export const a = 1;", types: "export declare const a: number;" };

describe("the client's files", () => {
  it("are served to pages and bots of any origin, with the way to the types", async () => {
    const app = served(FILES);
    const code = await app.request("/client.js");
    assertEquals([code.status, await code.text()], [200, FILES.code]);
    assertEquals(code.headers.get("access-control-allow-origin"), "*");
    assertEquals(code.headers.get("content-type"), "text/javascript; charset=UTF-8");
    assertEquals(code.headers.get("x-typescript-types"), "./client.d.ts");
    const types = await app.request("/client.d.ts");
    assertEquals([types.status, await types.text()], [200, FILES.types]);
    assertEquals(types.headers.get("x-typescript-types"), null);
  });

  it("are not sent again to who has them", async () => {
    const app = served(FILES);
    const etag = (await app.request("/client.js")).headers.get("etag") ?? "";
    const again = await app.request("/client.js", { headers: { "If-None-Match": etag } });
    assertEquals([again.status, await again.text()], [304, ""]);
    const other = await app.request("/client.d.ts", { headers: { "If-None-Match": etag } });
    assertEquals(other.status, 200);
  });

  it("say how to build them where they are not built", async () => {
    for (const path of ["/client.js", "/client.d.ts"]) {
      const answer = await served(null).request(path);
      assertEquals(answer.status, 404);
      assertStringIncludes(await answer.text(), "deno task build");
    }
  });

  it("have classes for ccxt beside them, in two languages", async () => {
    const app = new Hono<Env>();
    const files = { javaScript: "export default 1;", python: "a = 1" };
    mountCcxt(app, files, new UnsentAnswers(() => "127.0.0.1"));
    for (
      const [path, type, text] of [
        ["kvenue.js", "text/javascript", files.javaScript],
        ["kvenue.py", "text/x-python", files.python],
      ] as const
    ) {
      const answer = await app.request(`/client/ccxt/${path}`);
      assertEquals([answer.status, await answer.text()], [200, text]);
      assertEquals(answer.headers.get("content-type"), `${type}; charset=UTF-8`);
      assertEquals(answer.headers.get("access-control-allow-origin"), "*");
    }
  });
});
