/** Endpoint declarations to routes. */
import type { Hono, MiddlewareHandler } from "hono";
import { answerJson } from "./answer.ts";
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, formValue, parseBody, readBody } from "./body.ts";
import { type Access, Call, type Endpoint, type Services } from "./contract.ts";
import type { Env } from "./env.ts";
import { parseWith } from "./validation.ts";

/** What guards routes; made by the authentication. */
export interface Guards {
  member(scope: "read" | "trade" | "withdraw"): MiddlewareHandler<Env>;
  operator(): MiddlewareHandler<Env>;
}

/** Mounts endpoints under all their paths, and answers other methods on them with 405. */
export function mountEndpoints(
  app: Hono<Env>,
  endpoints: readonly Endpoint[],
  guards: Guards,
  services: Services,
): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const route = honoPath(path);
      app.on(endpoint.method, [route], ...chain(endpoint, guards, services, path));
      const methods = methodsByPath.get(route) ?? new Set();
      methodsByPath.set(route, methods.add(endpoint.method));
    }
  }
  for (const [route, methods] of methodsByPath) {
    const allowed = [...methods, ...(methods.has("GET") ? ["HEAD"] : [])].join(", ");
    app.all(route, function methodNotAllowed(c) {
      return answerJson(c, 405, { errors: ["server.method_not_allowed"] }, { Allow: allowed });
    });
  }
}

/** `{id}` of a declaration as `:id` of a route. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

type Chain = [MiddlewareHandler<Env>, ...MiddlewareHandler<Env>[]];

function chain(
  endpoint: Endpoint,
  guards: Guards,
  services: Services,
  path: string,
): Chain {
  const handlers: MiddlewareHandler<Env>[] = [];
  const isRead = endpoint.method === "GET";
  if (!isRead) {
    handlers.push(readBody(endpoint.body?.isBulk ? BULK_BODY_BYTES_MAX : BODY_BYTES_MAX));
  } else if (endpoint.access.kind !== "public") {
    handlers.push(function emptyBody(c, next) {
      c.set("rawBody", "");
      return next();
    });
  }
  const guard = guardOf(endpoint.access, guards);
  if (guard !== null) handlers.push(guard);
  handlers.push(function endpointHandler(c) {
    return isRead
      ? answerRead(endpoint, services, path, c)
      : answerWrite(endpoint, services, path, c);
  });
  return handlers as Chain;
}

function guardOf(access: Access, guards: Guards): MiddlewareHandler<Env> | null {
  switch (access.kind) {
    case "public":
      return null;
    case "member":
      return guards.member(access.scope);
    case "operator":
      return guards.operator();
  }
}

type HandlerContext = Parameters<MiddlewareHandler<Env>>[0];

async function answerRead(
  endpoint: Endpoint,
  services: Services,
  path: string,
  c: HandlerContext,
): Promise<Response> {
  const query = readQuery(endpoint, c);
  // A member's own reads speak of everything that is durable.
  if (endpoint.access.kind !== "public") await services.engine.fresh();
  return await endpoint.handle(new Call(c, services, query, undefined, path));
}

async function answerWrite(
  endpoint: Endpoint,
  services: Services,
  path: string,
  c: HandlerContext,
): Promise<Response> {
  const query = readQuery(endpoint, c);
  const body = await bodyOf(endpoint, c);
  return await endpoint.handle(new Call(c, services, query, body, path));
}

function readQuery(endpoint: Endpoint, c: HandlerContext): unknown {
  if (endpoint.query === undefined) return undefined;
  const { url } = c.req;
  const start = url.indexOf("?");
  const pairs = new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
  return parseWith(endpoint.query, formValue(pairs));
}

async function bodyOf(endpoint: Endpoint, c: HandlerContext): Promise<unknown> {
  const { body } = endpoint;
  if (body === undefined) return undefined;
  const value = await parseBody(c.req.header("content-type"), c.get("rawBody"));
  return body.isReadByHandler ? value : parseWith(body.schema, value ?? {});
}
