/** The HTTP application: order of middleware and mounting, nothing else. */
import { Hono } from "hono";
import { answerText, httpDate } from "./answer.ts";
import type { Services } from "./contract.ts";
import { createDocsPage } from "./docs_page.ts";
import { createEndpoints } from "./endpoints.ts";
import type { Env } from "./env.ts";
import { answerNotFound, createErrorHandler, type ErrorHandlerOptions } from "./errors.ts";
import { type Guards, mountEndpoints } from "./mount.ts";
import { createOpenApi } from "./openapi.ts";

/** Where the contract is served. */
export const OPENAPI_PATH = "/api/v2/openapi.json";
/** Where the reference page is served. */
export const DOCS_PATH = "/docs";

/** What the application stands on. */
export interface AppOptions extends Services, Omit<ErrorHandlerOptions, "engine"> {
  readonly auth: Guards;
}

/** Builds the application. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.onError(createErrorHandler(options));
  app.notFound(answerNotFound);
  const endpoints = createEndpoints();
  mountEndpoints(app, endpoints, options.auth, options);

  const document = createOpenApi(endpoints, options.version);
  const contract = JSON.stringify(document, null, 2);
  app.get(OPENAPI_PATH, (c) => answerText(c, 200, contract));
  const page = createDocsPage(document);
  app.get(DOCS_PATH, (c) => c.html(page, 200, { "Date": httpDate() }));
  return app;
}
