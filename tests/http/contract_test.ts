import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBody } from "../../src/edge/reading/body.ts";
import { createDocsPage } from "../../src/http/docs/docs_page.ts";
import { createEndpoints } from "../../src/http/endpoints.ts";
import { createOpenApi } from "../../src/http/docs/openapi.ts";
import type { JsonObject } from "../../src/http/docs/openapi_schema.ts";
import { EMAIL } from "../../src/edge/schemas/email.ts";
import { fieldErrors } from "../../src/edge/schemas/field_errors.ts";
import { CANDLES_MAX } from "../../src/edge/schemas/market_data.ts";
import { parseWith } from "../../src/edge/reading/validation.ts";
import { CLOSE_REASONS } from "../../src/domain/trading/order.ts";
import { NOT_READY_REASONS } from "../../src/engine/engine.ts";
import { withVenue } from "../support/with_venue.ts";

// deno-lint-ignore no-explicit-any
const document = createOpenApi(createEndpoints(), "1.2.3") as any;

describe("the contract", () => {
  it("holds every endpoint once, under an id of its own", () => {
    const endpoints = createEndpoints();
    const ids = new Set(endpoints.map((endpoint) => endpoint.id));
    assertEquals(ids.size, endpoints.length);
    for (const { id, method, paths } of endpoints) {
      assertEquals(document.paths[paths[0]][method.toLowerCase()].operationId, id);
    }
  });

  it("lists no field errors, which the schemas tell", () => {
    for (const { id, query, body, errors } of createEndpoints()) {
      const ofFields = [...fieldErrors(query), ...fieldErrors(body?.schema)];
      assertEquals(ofFields.filter((identifier) => errors?.[422]?.includes(identifier)), [], id);
    }
  });

  it("holds the endpoints of the specification", () => {
    const wanted = [
      "GET /api/v2/backend/market/trades",
      "POST /api/v2/trading/market/orders/cancel/{id}",
      "POST /api/v2/trading/market/orders/cancel",
      "POST /api/v2/trading/market/orders",
      "POST /api/v2/trading/market/bulk/orders",
      "DELETE /api/v2/trading/market/bulk/orders",
      "DELETE /api/v2/trading/market/bulk/orders_by_id",
      "GET /api/v2/backend/market/orders",
      "GET /api/v2/backend/market/orders/{id}",
      "GET /api/v2/backend/account/transactions",
      "POST /api/v2/backend/account/withdraws",
      "GET /api/v2/backend/account/withdraws",
      "GET /api/v2/backend/account/withdraws/sums",
      "DELETE /api/v2/backend/account/beneficiaries/{id}",
      "GET /api/v2/backend/account/beneficiaries/{id}",
      "PATCH /api/v2/backend/account/beneficiaries/{id}/activate",
      "PATCH /api/v2/backend/account/beneficiaries/{id}/resend_pin",
      "POST /api/v2/backend/account/beneficiaries",
      "GET /api/v2/backend/account/beneficiaries",
      "GET /api/v2/backend/account/deposit_address/{currency}",
      "GET /api/v2/backend/account/deposits/{txid}",
      "GET /api/v2/backend/account/deposits",
      "GET /api/v2/backend/account/balances/{currency}",
      "GET /api/v2/backend/account/balances",
      "GET /api/v2/backend/public/member-levels",
      "GET /api/v2/backend/public/markets/{market}/tickers",
      "GET /api/v2/backend/public/markets/tickers",
      "GET /api/v2/backend/public/markets/{market}/k-line",
      "GET /api/v2/backend/public/markets/{market}/depth",
      "GET /api/v2/backend/public/markets/{market}/trades",
      "GET /api/v2/backend/public/markets/{market}/order-book",
      "GET /api/v2/backend/public/markets",
      "GET /api/v2/backend/public/currencies",
      "GET /api/v2/backend/public/currencies/{id}",
    ];
    for (const route of wanted) {
      const [method = "", path = ""] = route.split(" ");
      assert(document.paths[path]?.[method.toLowerCase()] !== undefined, route);
    }
  });

  it("asks operators for the reason of an act, and nobody else", () => {
    const asked = createEndpoints().filter(({ method, paths: [path = ""] }) => {
      const { requestBody } = document.paths[path][method.toLowerCase()];
      const schema = requestBody?.content["application/json"]?.schema ?? {};
      const whole = document.components.schemas[schema.$ref?.split("/").pop()] ?? schema;
      return whole.properties?.reason !== undefined;
    });
    const paths = asked.map(({ paths: [path = ""] }) => path);
    assert(paths.includes("/api/v2/admin/members/{uid}/orders/cancel"));
    assertEquals(paths.filter((path) => !path.startsWith("/api/v2/admin/")), []);
  });

  it("closes the bodies whose unknown fields are refused, and no others", () => {
    const keys = /^(create|change|delete)OwnApiKey$/;
    for (const { id, method, paths, access } of createEndpoints()) {
      const { requestBody } = document.paths[paths[0]][method.toLowerCase()];
      if (requestBody === undefined) continue;
      const { schema } = requestBody.content["application/json"];
      const one = schema.type === "array" ? schema.items : schema;
      const whole = document.components.schemas[one.$ref?.split("/").pop()] ?? one;
      // A list of names has no fields.
      if (whole.properties === undefined) continue;
      const isClosed = access.kind === "operator" || access.kind === "member" || keys.test(id);
      const expected = isClosed ? false : undefined;
      assertEquals(whole.additionalProperties, expected, id);
    }
  });

  it("names every field that a query may have", () => {
    for (const { id, method, paths, query } of createEndpoints()) {
      if (query === undefined) continue;
      const { parameters } = document.paths[paths[0]][method.toLowerCase()];
      assert(parameters.some((parameter: JsonObject) => parameter["in"] === "query"), id);
    }
  });

  it("gives a k-line's maximum of points, and the header that tells of more", () => {
    const { description, responses } = document
      .paths["/api/v2/backend/public/markets/{market}/k-line"].get;
    assert(description.includes(`with both times, at most ${CANDLES_MAX} points`));
    assert("X-Scan-Limited" in responses[200].headers);
  });

  it("says that a disabled market still accepts cancels", () => {
    const { description } = document.paths["/api/v2/admin/markets/{id}"].patch;
    assertStringIncludes(description, "`disabled` only accepts cancels and is not listed");
  });

  it("says which way a stop triggers, and when at once", () => {
    const { trigger_price } = document.components.schemas.OrderInput.properties;
    assertStringIncludes(
      trigger_price.description,
      "a buy as soon as the market trades at it or above",
    );
    assertStringIncludes(trigger_price.description, "a sell at it or below");
    assertStringIncludes(trigger_price.description, "a sell with a trigger above the market");
  });

  it("takes an idempotency key wherever an operator moves money", () => {
    const isMoney =
      /^\/api\/v2\/admin\/(?:adjustments|deposits|withdraws|approvals\/\{id\}\/approve)\b/;
    const others: string[] = [];
    for (const { id, method, paths: [path], isOnce = false } of createEndpoints()) {
      if (method === "GET" || isMoney.test(path) === isOnce) continue;
      others.push(id);
    }
    assertEquals(others, []);
  });

  it("says what differs under the older name of a path", () => {
    const ids = ["createOrder", "cancelOrders", "readOrderBook", "readAlive", "readReady"];
    for (const { id, method, paths } of createEndpoints()) {
      const { description } = document.paths[paths[0]][method.toLowerCase()];
      assertEquals(description.includes("Under `/api/v2/peatio`"), ids.includes(id), id);
    }
  });

  it("has examples that fit its schemas", async () => {
    for (const { id, answer, body } of createEndpoints()) {
      assert(answer.schema.safeParse(answer.example).success, `answer of ${id}`);
      // Order names are parsed item by item; the schema only sees numbers.
      if (body === undefined || id === "cancelOrdersById") continue;
      const value = await parseBody("application/json", JSON.stringify(body.example));
      parseWith(body.schema, value);
    }
  });

  it("has patterns that mean the same in every language's regex", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)]
      .map(([, text = ""]) => JSON.parse(text) as string);
    assert(patterns.includes(EMAIL.source));
    for (const pattern of patterns) {
      // Syntax that Python, Go, Rust or JavaScript without `u` lack or interpret differently.
      assert(!/\\[pPxuckzZAbB]|\(\?(?!:)/.test(pattern), pattern);
      assert(!/\[[^\]]*\[/.test(pattern.replace(/\\./g, "")), pattern);
      new RegExp(pattern);
      new RegExp(pattern, "u");
    }
  });

  it("says of every object what fields it has, or that it may have any", () => {
    const found: string[] = [];
    JSON.stringify(document.components.schemas, (name, value) => {
      const isObject = [value?.type].flat().includes("object");
      if (isObject && !("properties" in value) && !("additionalProperties" in value)) {
        found.push(name);
      }
      return value;
    });
    assertEquals(found, []);
  });

  it("refers to all the schemas that it holds, and no others", () => {
    const text = JSON.stringify(document);
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]),
    );
    assertEquals([...references].sort(), Object.keys(document.components.schemas).sort());
    assertEquals(text.includes("$defs"), false);
  });

  it("says of every operation what it answers, who may call, and what may go wrong", () => {
    for (const [path, methods] of Object.entries<Record<string, JsonObject>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const responses = operation["responses"] as JsonObject;
        const statuses = Object.keys(responses).map(Number);
        assert(statuses.some((status) => status < 300), `${method} ${path} answers`);
        assert(statuses.includes(500) && statuses.includes(503), `${method} ${path} fails`);
        const isPublic = (operation["security"] as unknown[]).length === 0;
        // A sign-in authenticates, which may fail.
        const isRefusable = !isPublic || operation["operationId"] === "signIn";
        assertEquals(statuses.includes(401), isRefusable, `${method} ${path} is signed`);
      }
    }
  });

  it("names every reason for which the venue may not be ready", () => {
    const { responses } = document.paths["/api/v2/backend/public/health/ready"].get;
    for (const reason of NOT_READY_REASONS) {
      assert(responses[503].description.includes(`\`server.${reason}\``), reason);
    }
  });

  it("tells why the venue ends an order, and what each reason means", () => {
    const { anyOf, description } = document.components.schemas.Order.properties.reject_reason;
    const reasons = CLOSE_REASONS.filter((reason) => reason !== "" && reason !== "requested");
    assertEquals(anyOf, [{ type: "string", enum: reasons }, { type: "null" }]);
    for (const reason of reasons) assertStringIncludes(description, `\`${reason}\`: `);
  });

  it("tells what is left of a rate limit wherever there is one", () => {
    const headers = ["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    for (const { id, method, paths, access } of createEndpoints()) {
      const refusal = document.paths[paths[0]][method.toLowerCase()].responses[429];
      const isLimited = ["member", "session", "operator"].includes(access.kind);
      assertEquals(isLimited, refusal?.description.includes("`server.rate_limited`") ?? false, id);
      if (isLimited) assertEquals(Object.keys(refusal.headers), headers, id);
    }
  });

  it("tells of body signatures wherever a key may call", () => {
    for (const { id, method, paths, access } of createEndpoints()) {
      const { responses, security } = document.paths[paths[0]][method.toLowerCase()];
      const isListed = responses[401]?.description.includes("`authz.body_signature_required`");
      const isForKeys = ["member", "operator"].includes(access.kind);
      assertEquals(isListed ?? false, isForKeys, id);
      const ways = security.filter((way: JsonObject) => "bodySignature" in way);
      const headers = { accessKey: [], nonce: [], signature: [], bodySignature: [] };
      assertEquals(ways, isForKeys ? [headers] : [], id);
    }
    const { name } = document.components.securitySchemes.bodySignature;
    assertEquals(name, "X-Auth-Body-Signature");
    assertStringIncludes(document.info.description, `\`${name}\``);
  });

  it("lists a session wherever a member's key may call, except cancel timers", () => {
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, JsonObject>)
    );
    const ofKeysOnly = operations.filter(({ security, tags }) =>
      JSON.stringify(security).includes("accessKey") && !(tags as string[]).includes("Operator") &&
      !JSON.stringify(security).includes("session")
    );
    assertEquals(ofKeysOnly.map(({ operationId }) => operationId), ["cancelAllAfter"]);
    assertStringIncludes(
      String(ofKeysOnly[0]?.["description"]),
      "Requires a key with the scope `trade`. ",
    );
  });

  it("describes every parameter of a path or query", () => {
    for (const [path, methods] of Object.entries<Record<string, JsonObject>>(document.paths)) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        for (const { name, in: place, description, example } of parameters as JsonObject[]) {
          const where = `${method} ${path} ${name}`;
          assert(typeof description === "string" && description !== "", where);
          assert(place === "query" || (example !== undefined && example !== ""), where);
        }
      }
    }
  });

  it("lists exactly the errors an operator's call may be refused with", () => {
    const listed = (path: string, method: string, status: number): string[] =>
      document.paths[path][method].responses[status].description.match(/[\w.]+/g);
    const of = (path: string, method: string, prefix: string) =>
      listed(path, method, 422).filter((identifier) => identifier.startsWith(prefix));
    const [currencies, markets] = ["/api/v2/admin/currencies", "/api/v2/admin/markets"];
    const [inexact, inUse, amount, crossed] = [
      "inexact_precision",
      "precision_in_use",
      "invalid_amount",
      "contradicting_limits",
    ].map((name) => `admin.venue.${name}`);
    assertEquals(of(currencies, "post", "admin.venue."), [amount, crossed]);
    assertEquals(of(`${currencies}/{id}`, "patch", "admin.venue."), [inUse, amount, crossed]);
    assertEquals(of(markets, "post", "admin.venue."), [inexact, amount]);
    assertEquals(of(`${markets}/{id}`, "patch", "admin.venue."), [inexact, inUse, amount]);
    assert(listed(currencies, "post", 422).includes("admin.currency.limit_exceeded"));
    assert(listed(markets, "post", 422).includes("admin.market.limit_exceeded"));
    const keys = "/api/v2/admin/members/{uid}/api_keys";
    assert(listed(keys, "post", 422).includes("resource.api_key.limit_exceeded"));
    const required = [
      ["get", "key with the scope `read`, or a session with the role `viewer`."],
      ["post", "key with the scope `trade`, or a session with the role `admin` and a fresh code."],
    ] as const;
    for (const [method, text] of required) {
      assert(listed(keys, method, 403).includes("authz.scope_not_permitted"));
      const { description } = document.paths[keys][method];
      assertStringIncludes(description, `Requires an operator's ${text}`);
    }
    assertStringIncludes(
      document.paths[`${keys}/{kid}`].patch.description,
      "the role `support` and a fresh code; for all but disabling it, `admin`.",
    );
  });

  it("says what each id identifies", () => {
    const idOf = (path: string, method: string) => {
      const [{ description, example }] = document.paths[path][method].parameters;
      return [description, example];
    };
    assertEquals(idOf("/api/v2/admin/deposits/{id}", "get"), ["Deposit id.", 2041]);
    assertEquals(idOf("/api/v2/admin/markets/{id}", "patch"), ["Market id.", "btcusdt"]);
  });

  it("shows defaults and bounds of query parameters", () => {
    const { parameters } = document.paths["/api/v2/backend/market/orders"].get;
    const limit = parameters.find((parameter: { name: string }) => parameter.name === "limit");
    assertEquals(limit.schema, { type: "integer", minimum: 1, maximum: 1000, default: 100 });
  });

  it("says which lists must not be empty", () => {
    const bodies = [["", "post"], ["", "delete"], ["_by_id", "delete"]].map(([end, method = ""]) =>
      document.paths[`/api/v2/trading/market/bulk/orders${end}`][method].requestBody
    );
    const deposits = document.paths["/api/v2/backend/account/deposits"].get;
    const state = deposits.parameters.find((one: { name: string }) => one.name === "state");
    const schemas = bodies.map((body) => body.content["application/json"].schema);
    for (const schema of [...schemas, state.schema]) assertEquals(schema.minItems, 1);
    assertEquals(schemas.at(-1).items, { type: "integer", format: "int64", minimum: 1 });
  });

  it("is served, as is the reference page, with nothing external", () =>
    withVenue(async (venue) => {
      const contract = await venue.get(null, "/api/v2/openapi.json");
      assertEquals([contract.status, contract.body.openapi], [200, "3.1.0"]);
      assertEquals(contract.body.info.version, "1.2.3");
      const page = await venue.get(null, "/docs");
      assertEquals(page.status, 200);
      assert(page.headers.get("content-type")?.startsWith("text/html"));
      assertEquals(/(src|href)="(https?:)?\/\//.test(page.text), false);
    }));
});

describe("the reference page", () => {
  const page = createDocsPage(document);

  it("links only to what it holds", () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    assertEquals(links.filter((link) => !ids.has(link)), []);
    assert(links.length > createEndpoints().length);
  });

  it("has no empty code elements", () => {
    assertEquals(page.match(/.{60}<code><\/code>.{10}/g), null);
  });

  it("keeps the paragraphs of the introduction apart", () => {
    const { length } = document.info.description.split("\n\n");
    assert(length > 1);
    assertEquals(page.match(/<p class="lead">/g)?.length, length);
  });

  it("lists every path", () => {
    for (const path of Object.keys(document.paths)) assert(page.includes(path), path);
  });
});
