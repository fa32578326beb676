import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Hono } from "hono";
import { ArrivingBodies } from "../../../src/edge/reading/arriving_bodies.ts";
import {
  BODY_CHUNKS_MAX,
  MULTIPART_PARTS_MAX,
  parseBody,
  readBody,
} from "../../../src/edge/reading/body.ts";
import { Deadline } from "../../../src/edge/reading/deadline.ts";
import type { Env } from "../../../src/edge/env.ts";
import { ApiError } from "../../../src/edge/errors.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Parses JSON with numbers as their source texts: slow, but certainly right. */
function revived(text: string): unknown {
  return JSON.parse(
    text,
    (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === "number" ? context?.source : value,
  );
}

describe("parseBody()", () => {
  it("keeps the text of every number", async () => {
    const text = '{"a": 0.10, "b":[1,-2.50 , 1e-7], "c":12345678901234567890.123}';
    assertEquals(await parseBody(JSON_TYPE, text), {
      a: "0.10",
      b: ["1", "-2.50", "1e-7"],
      c: "12345678901234567890.123",
    });
    assertEquals(await parseBody(JSON_TYPE, "[\n 7]"), ["7"]);
    assertEquals(await parseBody(JSON_TYPE, " 7"), "7");
  });

  it("leaves texts, flags and nulls as they are", async () => {
    const text = '{"a":"x: 5","b":true,"c":null,"d":{"e":"1"}}';
    assertEquals(await parseBody(JSON_TYPE, text), JSON.parse(text));
  });

  it("takes nothing in a text as a number, and reads any JSON like a reviver", async () => {
    const parts = fc.constantFrom('"', "\\", "1", "-2.5e-7", ",", ": ", "\u2028", "é");
    const texts = fc.array(parts).map((some) => some.join(""));
    const json = fc.oneof(
      fc.json({ maxDepth: 3 }),
      texts.map((text) => JSON.stringify([text, 3, { [text]: -0.5, "4": [text] }])),
    );
    await fc.assert(fc.asyncProperty(json, async (text) => {
      assertEquals(await parseBody(JSON_TYPE, text), revived(text) ?? undefined);
    }));
  });

  it("reads a body without a type as JSON", async () => {
    assertEquals(await parseBody(undefined, '{"a":"1"}'), { a: "1" });
  });

  it("reads an empty body and a literal null as nothing", async () => {
    for (const text of ["", "  ", "null"]) {
      assertEquals(await parseBody(JSON_TYPE, text), undefined);
    }
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=b"]) {
      for (const text of ["", "\r\n"]) assertEquals(await parseBody(type, text), undefined);
    }
  });

  it("takes no white space but that of JSON for nothing", async () => {
    for (const blank of ["\u00a0", "\ufeff", " \u2003\n", "\v", "\f"]) {
      for (const type of [undefined, JSON_TYPE, "multipart/form-data; boundary=b"]) {
        const error = await assertRejects(async () => await parseBody(type, blank), ApiError);
        assertEquals([error.status, error.errors], [400, ["server.method.invalid_message_body"]]);
      }
    }
    assertEquals(await parseBody(JSON_TYPE, " \t\r\n"), undefined);
  });

  it("reads forms, and lists what they repeat", async () => {
    const type = "application/x-www-form-urlencoded";
    assertEquals({ ...await parseBody(type, "a=1&b=x+y&s[]=p&s[]=q") as object }, {
      a: "1",
      b: "x y",
      s: ["p", "q"],
    });
    assertEquals(await parseBody(type, '{"a":"1"}'), { a: "1" });
  });

  it("takes no multipart body for a form, whose fields would be lost", async () => {
    const text = '--x\r\nContent-Disposition: form-data; name="market"\r\n\r\nethusdt\r\n--x--\r\n';
    for (const before of ["", "\r\n"]) {
      const error = await assertRejects(
        async () => await parseBody("application/x-www-form-urlencoded", before + text),
        ApiError,
      );
      assertEquals([error.status, error.errors], [400, ["server.method.invalid_message_body"]]);
    }
  });

  it("takes a form in which bytes hold no field for a broken body", async () => {
    const other = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
    const bodies = [
      ["multipart/form-data; boundary=y", other],
      ["multipart/form-data; boundary=x", "--x--\r\n"],
      ["multipart/form-data", other],
      ["application/x-www-form-urlencoded", "&&"],
    ] as const;
    for (const [type, text] of bodies) {
      const error = await assertRejects(async () => await parseBody(type, text), ApiError);
      assertEquals([error.status, error.errors], [400, ["server.method.invalid_message_body"]]);
    }
  });

  it("takes bytes that are not UTF-8 for a broken body, escaped ones too", async () => {
    const lost = new TextDecoder().decode(new Uint8Array([0xff]));
    const bodies = [
      [JSON_TYPE, `{"a":"${lost}"}`],
      [undefined, `{"${lost}":"1"}`],
      ["application/x-www-form-urlencoded", `a=${lost}`],
      ["application/x-www-form-urlencoded", "a=%FF"],
      ["application/x-www-form-urlencoded", "%C3=1"],
    ] as const;
    for (const [type, text] of bodies) {
      for (const brokenStatus of [400, 422] as const) {
        const parse = async () => await parseBody(type, text, { brokenStatus });
        const error = await assertRejects(parse, ApiError);
        assertEquals(error.status, brokenStatus, text);
      }
    }
    assertEquals({ ...await parseBody(bodies[3][0], "a=%C3%A9%25") as object }, { a: "é%" });
  });

  it("refuses an object that has a key twice, by its name", async () => {
    const parse = async () => await parseBody(JSON_TYPE, '{"a":1,"b":2,"a":3}');
    const error = await assertRejects(parse, ApiError);
    assertEquals([error.status, error.errors], [422, ["server.repeated_field"]]);
    assertEquals(error.extras.details, { field: "a" });
  });

  it("reads fields of a form with names that every object has like any others", async () => {
    const text = "constructor=1&toString=1&toString=2";
    const value = await parseBody("application/x-www-form-urlencoded", text) as object;
    assertEquals(Object.entries(value), [["constructor", "1"], ["toString", ["1", "2"]]]);
  });

  it("lists numbered fields, and leaves other brackets alone", async () => {
    const type = "application/x-www-form-urlencoded";
    const text = "s[0]=p&s[1]=q&t%5B0%5D=r&search[code]=b&a[0][b]=1&[c]=2&d[-1]=3";
    assertEquals({ ...await parseBody(type, text) as object }, {
      s: ["p", "q"],
      t: "r",
      "search[code]": "b",
      "a[0][b]": "1",
      "[c]": "2",
      "d[-1]": "3",
    });
  });

  it("reads multipart forms", async () => {
    const text = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n0.10\r\n--b--\r\n';
    const value = await parseBody("multipart/form-data; boundary=b", text);
    assertEquals({ ...value as object }, { a: "0.10" });
  });

  it("reads only so many parts of a form, whether fields or files", async () => {
    const type = "multipart/form-data; boundary=b";
    const form = (parts: number) =>
      '--b\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n1\r\n'.repeat(parts) +
      "--b--\r\n";
    const value = await parseBody(type, form(MULTIPART_PARTS_MAX)) as { a: string[] };
    assertEquals(value.a.length, MULTIPART_PARTS_MAX);
    const more = async () => await parseBody(type, form(MULTIPART_PARTS_MAX + 1));
    assertEquals((await assertRejects(more, ApiError)).status, 400);
  });

  it("refuses a boundary that is too long", async () => {
    const text = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
    const type = `multipart/form-data; boundary=b;${" ".repeat(1000)}charset=utf-8`;
    const error = await assertRejects(async () => await parseBody(type, text), ApiError);
    assertEquals(error.status, 400);
  });

  it("answers 400 for values nested too deep, with numbers among them or not", async () => {
    const nested = (depth: number, inside: string) =>
      "[".repeat(depth) + inside + "]".repeat(depth);
    for (const inside of ["", "7", '{"a":null}']) {
      const good = `[1,${nested(6, inside)}]`;
      assertEquals(JSON.stringify(await parseBody(JSON_TYPE, good)).includes("[[[["), true);
      for (const depth of [9, 100, 5_000, 30_000]) {
        for (const text of [nested(depth, inside), `[1,${nested(depth, inside)}]`]) {
          const error = await assertRejects(async () => await parseBody(JSON_TYPE, text), ApiError);
          assertEquals(error.status, 400);
        }
      }
    }
  });

  it("answers 400 for what is not what it claims to be", async () => {
    const cases = [[JSON_TYPE, "{"], [JSON_TYPE, "a=1"], ["multipart/form-data", "x"]] as const;
    for (const [type, text] of cases) {
      const error = await assertRejects(async () => await parseBody(type, text), ApiError);
      assertEquals([error.status, error.errors], [400, ["server.method.invalid_message_body"]]);
    }
  });
});

/** Room for any number of bodies. */
const READING = { bodies: new ArrivingBodies(() => "192.0.2.1"), isEnding: () => false };

describe("readBody()", () => {
  const app = new Hono<Env>();
  app.onError((error, c) => c.text(error.message, error instanceof ApiError ? error.status : 500));
  app.post("/", async (c) => c.text(await readBody(c, 8, READING)));

  it("returns the text", async () => {
    const answer = await app.request("/", { method: "POST", body: "12345678" });
    assertEquals(await answer.text(), "12345678");
  });

  it("refuses by the declared length, before reading", async () => {
    const answer = await app.request("/", {
      method: "POST",
      headers: { "Content-Length": "9" },
      body: "1",
    });
    assertEquals([answer.status, await answer.text()], [413, "server.body_too_large"]);
  });

  it("refuses a stream that grows too long", async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 3; i++) controller.enqueue(new TextEncoder().encode("1234"));
        controller.close();
      },
    });
    const answer = await app.request("/", { method: "POST", body });
    assertEquals(answer.status, 413);
  });

  it("refuses a stream of too many pieces, and reads no more of it", async () => {
    const wide = new Hono<Env>();
    wide.onError((error, c) =>
      c.json(
        error instanceof ApiError
          ? [error.status, error.errors, error.extras.details, error.extras.headers]
          : null,
      )
    );
    wide.post("/", async (c) => c.text(String((await readBody(c, 65_536, READING)).length)));
    const sent = { count: 0, isCancelled: false };
    const pieces = (max: number) =>
      new ReadableStream({
        pull(controller) {
          if (sent.count === max) return controller.close();
          sent.count += 1;
          controller.enqueue(new Uint8Array([0x61]));
        },
        cancel: () => void (sent.isCancelled = true),
      }, { highWaterMark: 0 });
    const good = await wide.request("/", { method: "POST", body: pieces(BODY_CHUNKS_MAX) });
    assertEquals(await good.text(), String(BODY_CHUNKS_MAX));
    sent.count = 0;
    const answer = await wide.request("/", { method: "POST", body: pieces(65_536) });
    assertEquals(await answer.json(), [
      413,
      ["server.body_too_large"],
      { limit: `${BODY_CHUNKS_MAX} chunks` },
      { Connection: "close" },
    ]);
    assertEquals(sent, { count: BODY_CHUNKS_MAX + 1, isCancelled: true });
  });

  it("gives up a body that does not come, which counts until its client is gone", async () => {
    const deadline = new Deadline(20);
    const bodies = new ArrivingBodies(() => "192.0.2.1");
    const clients: ReadableStreamDefaultController[] = [];
    const slow = new Hono<Env>();
    slow.onError((error, c) =>
      c.json(error instanceof ApiError ? [error.status, error.errors, error.extras.headers] : null)
    );
    slow.post("/", async (c) => c.text(await readBody(c, 8, { ...READING, bodies, deadline })));
    // A wait for bodies does not keep a process alive, but a server does.
    const alive = setInterval(() => {}, 1000);
    for (const headers of [new Headers({ "Content-Length": "8" }), new Headers()]) {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("12"));
          clients.push(controller);
        },
      });
      const answer = await slow.request("/", { method: "POST", headers, body });
      const close = { Connection: "close" };
      assertEquals(await answer.json(), [408, ["server.body_timeout"], close]);
    }
    clearInterval(alive);
    assertEquals(bodies.total, 16);
    for (const client of clients) client.error(new Error("The client has hung up"));
    const good = await slow.request("/", { method: "POST", body: "12" });
    assertEquals([await good.text(), bodies.total], ["12", 0]);
  });

  it("refuses a body that breaks off", async () => {
    for (const headers of [new Headers({ "Content-Length": "8" }), new Headers()]) {
      const body = new ReadableStream({
        pull: (controller) => controller.error(new Error("The client has hung up")),
      });
      const answer = await app.request("/", { method: "POST", headers, body });
      const identifier = "server.method.invalid_message_body";
      assertEquals([answer.status, await answer.text()], [400, identifier]);
    }
  });

  it("answers 503 if the end of the process breaks a body off", async () => {
    const ending = new Hono<Env>();
    ending.post(
      "/",
      async (c) => c.text(await readBody(c, 8, { ...READING, isEnding: () => true })),
    );
    ending.onError((error, c) => {
      if (!(error instanceof ApiError)) throw error;
      return c.text(error.message, error.status, error.extras.headers);
    });
    const broken = () =>
      new ReadableStream({ pull: (controller) => controller.error(new Deno.errors.BadResource()) });
    for (const headers of [new Headers({ "Content-Length": "8" }), new Headers()]) {
      const answer = await ending.request("/", { method: "POST", headers, body: broken() });
      assertEquals([answer.status, await answer.text()], [503, "server.unavailable"]);
      assertEquals(answer.headers.get("retry-after"), "1");
    }
    // An invalid body stays invalid.
    const long = await ending.request("/", {
      method: "POST",
      headers: { "Content-Length": "9" },
      body: "123456789",
    });
    assertEquals(long.status, 413);
  });

  it("refuses a byte order mark before nothing, and drops one before something", async () => {
    const post = async (text: string, isDeclared: boolean) => {
      const body = new TextEncoder().encode(text);
      const headers = { "Content-Length": String(body.length) };
      const answer = await app.request("/", { method: "POST", body, ...isDeclared && { headers } });
      return [answer.status, await answer.text()];
    };
    for (const isDeclared of [false, true]) {
      for (const text of ["\ufeff", "\ufeff \n"]) {
        const refused = [400, "server.method.invalid_message_body"];
        assertEquals(await post(text, isDeclared), refused, `${text.length} ${isDeclared}`);
      }
      assertEquals(await post("\ufeff{}", isDeclared), [200, "{}"]);
      for (const blank of ["", " \n"]) assertEquals(await post(blank, isDeclared), [200, blank]);
    }
  });

  it("joins characters that a stream splits", async () => {
    const bytes = new TextEncoder().encode("aé");
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const answer = await app.request("/", { method: "POST", body });
    assertEquals(await answer.text(), "aé");
  });
});
