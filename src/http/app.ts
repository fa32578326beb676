/** The HTTP application: what comes before its routes, and the mounting of them. */
import { type Context, Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath } from "hono/utils/url";
import { OPERATOR_KEY_ACT, RESTORE_ACT } from "../secrets/acts.ts";
import { isActEndpoint } from "./act_note.ts";
import { answerBody, type AnswerHeaders } from "../edge/answer.ts";
import { ArrivingBodies, type ArrivingLimits } from "../edge/reading/arriving_bodies.ts";
import { beforeRoutes } from "../edge/before_routes.ts";
import type { Endpoint } from "./contract.ts";
import { type CcxtFiles, type ClientFiles, mountCcxt, mountClient } from "./client_files.ts";
import { crossOrigin } from "./cross_origin.ts";
import { createDocsPage, DOCS_HEADERS } from "./docs/docs_page.ts";
import type { ShownVenue } from "./docs/docs_signing.ts";
import { createEndpoints } from "./endpoints.ts";
import type { Env } from "../edge/env.ts";
import { createErrorHandler, createNotFound } from "../edge/errors.ts";
import type { Guards } from "../edge/callers/guard.ts";
import { mountEndpoints } from "./mount.ts";
import { createOpenApi } from "./docs/openapi.ts";
import type { JsonObject } from "./docs/openapi_schema.ts";
import {
  UNDERWAY_BYTES,
  UnsentAnswers,
  type UnsentLimits,
} from "../edge/reading/unsent_answers.ts";
import type { Services } from "./route_needs.ts";

/** Path at which the OpenAPI document is served. */
const OPENAPI_PATH = "/api/v2/openapi.json";
/** Path at which the reference page is served. */
const DOCS_PATH = "/docs";

/** Matches a trailing `/{parameter}` of a declared path. */
const LAST_ID = /\/\{\w+\}$/;

/** Matches what clients send that end the name of a group, and begin the rest, with a slash. */
const JOINED_SLASHES = /^(\/api\/v2\/\w+)\/{2,}/;

/** Options of the application. */
export interface AppOptions extends Omit<Services, "actions" | "unsent"> {
  readonly auth: Guards;
  /** Called before anything else on each call of an endpoint, with the path as declared. */
  readonly onCall?: (path: string) => void;
  /** Origins whose pages may make members' calls by key; none by default. */
  readonly corsOrigins?: ReadonlySet<string>;
  readonly arrivingLimits?: ArrivingLimits;
  readonly unsentLimits?: UnsentLimits;
  /** The built client, which is served; none by default. */
  readonly client?: ClientFiles | null;
  /** The classes for ccxt, which are served; none by default. */
  readonly ccxt?: CcxtFiles | null;
  /** Mounts the venue's pages; none by default. */
  readonly mountPages?: (app: Hono<Env>, unsent: Pick<UnsentAnswers, "body">) => void;
  /** The venue that the reference page's examples call; by default a fictitious one. */
  readonly shownVenue?: ShownVenue;
}

/**
 * Creates the application as two routers, one falling through to the other. Paths without
 * parameters are looked up in a map; the others need a router that tells `orders/cancel` from
 * `orders/{id}`, which takes ten times as long.
 */
export function createApp(options: AppOptions): Hono<Env> {
  const { auth, onCall = () => {} } = options;
  const bodies = new ArrivingBodies(auth.clientAddress, options.arrivingLimits);
  const unsent = new UnsentAnswers(auth.clientAddress, options.unsentLimits);
  const all = createEndpoints();
  const ofEndpoints = all.filter(isActEndpoint).map(({ id }) => id);
  const actions = new Set([...ofEndpoints, OPERATOR_KEY_ACT, RESTORE_ACT]);
  const services: Services = { ...options, actions, unsent };
  const endpoints = all.filter(({ isServed }) => isServed?.(services) ?? true);
  const onError = createErrorHandler(options);
  const mounting = { guards: auth, services, bodies, onCall, onError };
  const routing = { getPath: createRoutedPath(endpoints) };
  const app = new Hono<Env>({ ...routing, router: new RegExpRouter() });
  const behind = new Hono<Env>({ ...routing, router: new TrieRouter() });
  mountEndpoints(app, endpoints, { ...mounting, isMeant: (path) => !hasParameters(path) });
  mountEndpoints(behind, endpoints, { ...mounting, isMeant: hasParameters });
  const document = createOpenApi(endpoints, options.build.version);
  mountDocuments(app, document, createDocsPage(document, options.shownVenue), services);
  mountClient(app, options.client ?? null, unsent);
  mountCcxt(app, options.ccxt ?? null, unsent);
  options.mountPages?.(app, unsent);
  app.onError(onError);
  app.notFound((c) => behind.fetch(c.req.raw, c.env));
  behind.onError(onError);
  behind.notFound(createNotFound([app, behind]));
  app.fetch = beforeRoutes(crossOrigin(app.fetch, options.corsOrigins ?? new Set()));
  return app;
}

/**
 * Creates the function that reads a request's path. A trailing slash is ignored, except in a write
 * that lacks its id: without the slash the path could be another write's, such as a cancel of all
 * orders.
 */
function createRoutedPath(endpoints: readonly Endpoint[]): (request: Request) => string {
  const idless = endpoints.flatMap(({ method, paths }) =>
    paths.filter((path) => LAST_ID.test(path)).map((path) => method + path.replace(LAST_ID, "/"))
  ).filter((write) => !write.startsWith("GET"));
  const constant = new Set(idless);
  const named = idless.filter(hasParameters).map((write) =>
    new RegExp(`^${write.replace(/\{\w+\}/g, "[^/]+")}$`)
  );
  return function routedPath(request) {
    const { method } = request;
    const given = getPath(request);
    const path = given.includes("//") ? given.replace(JOINED_SLASHES, "$1/") : given;
    if (path === "/" || !path.endsWith("/")) return path;
    if (method === "GET") return path.slice(0, -1);
    const write = method + path;
    const isKept = path.endsWith("/cancel/") || constant.has(write) ||
      named.some((pattern) => pattern.test(write));
    return isKept ? path : path.slice(0, -1);
  };
}

function hasParameters(path: string): boolean {
  return path.includes("{");
}

function mountDocuments(
  app: Hono<Env>,
  document: JsonObject,
  page: string,
  { unsent }: Services,
): void {
  const contract = JSON.stringify(document);
  app.get(OPENAPI_PATH, constantDocument(contract, "application/json", unsent));
  app.get(DOCS_PATH, constantDocument(page, "text/html; charset=UTF-8", unsent, DOCS_HEADERS));
}

/** Creates the handler that answers with a document. */
export function constantDocument(
  text: string,
  type: string,
  unsent: Pick<UnsentAnswers, "body">,
  headers: AnswerHeaders = {},
): (c: Context<Env>) => Response {
  const bytes = new TextEncoder().encode(text);
  const own = { "Content-Length": String(bytes.length), ...headers };
  return function answerDocument(c) {
    const body = unsent.body(c, bytes, UNDERWAY_BYTES);
    return answerBody(c, 200, body, type, own);
  };
}
