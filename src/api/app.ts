/** The HTTP application: order of middleware and mounting, nothing else. */
import { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath, getPathNoStrict } from "hono/utils/url";
import { answerHeaders, answerText } from "./answer.ts";
import type { Services } from "./contract.ts";
import { beforeRoutes } from "./before_routes.ts";
import { createDocsPage, DOCS_HEADERS } from "./docs_page.ts";
import { createEndpoints } from "./endpoints.ts";
import type { Env } from "./env.ts";
import { createErrorHandler, createNotFound } from "./errors.ts";
import type { Guards } from "./guard.ts";
import { mountEndpoints } from "./mount.ts";
import { createOpenApi, type JsonObject } from "./openapi.ts";

/** Where the contract is served. */
export const OPENAPI_PATH = "/api/v2/openapi.json";
/** Where the reference page is served. */
export const DOCS_PATH = "/docs";

/** What the application stands on. */
export interface AppOptions extends Services {
  readonly auth: Guards;
}

/**
 * Builds the application: two, one behind the other. Paths without parameters
 * are looked up in a map; the others need a router that tells `orders/cancel`
 * from `orders/{id}`, which takes ten times as long.
 */
export function createApp(options: AppOptions): Hono<Env> {
  const endpoints = createEndpoints().filter(({ isServed }) => isServed?.(options) ?? true);
  const onError = createErrorHandler(options);
  const mounting = { guards: options.auth, services: options, onError };
  const app = new Hono<Env>({ getPath: routedPath, router: new RegExpRouter() });
  const behind = new Hono<Env>({ getPath: routedPath, router: new TrieRouter() });
  mountEndpoints(app, endpoints, { ...mounting, isMeant: (path) => !hasParameters(path) });
  mountEndpoints(behind, endpoints, { ...mounting, isMeant: hasParameters });
  mountDocuments(app, createOpenApi(endpoints, options.version));
  app.onError(onError);
  app.notFound((c) => behind.fetch(c.req.raw, c.env));
  behind.onError(onError);
  behind.notFound(createNotFound([app, behind]));
  app.fetch = beforeRoutes(app.fetch);
  return app;
}

/**
 * A read may end in a slash. A call that changes something may not: behind the slash an id is
 * missing, and without it the path may be that of another call, of a cancel of all the orders.
 */
function routedPath(request: Request): string {
  return request.method === "GET" ? getPathNoStrict(request) : getPath(request);
}

function hasParameters(path: string): boolean {
  return path.includes("{");
}

function mountDocuments(app: Hono<Env>, document: JsonObject): void {
  const contract = JSON.stringify(document, null, 2);
  const page = createDocsPage(document);
  app.get(OPENAPI_PATH, (c) => answerText(c, 200, contract));
  app.get(DOCS_PATH, (c) => {
    return c.body(page, 200, { ...answerHeaders(c, "text/html; charset=UTF-8"), ...DOCS_HEADERS });
  });
}
