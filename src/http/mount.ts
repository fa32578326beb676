/** Mounts endpoint declarations as routes. */
import type { Context, ErrorHandler, Handler, Hono } from "hono";
import type { ActName } from "../domain/people/act_names.ts";
import { beforehand } from "../engine/engine.ts";
import { findOnce } from "./act_once.ts";
import { type ActReader, createActReader, isActEndpoint } from "./act_note.ts";
import { addHeaders } from "../edge/answer.ts";
import {
  BODY_BYTES_MAX,
  type BodyParsing,
  BULK_BODY_BYTES_MAX,
  formValue,
  isMultipart,
  OPERATOR_BODY_BYTES_MAX,
  parseBody,
  readBody,
} from "../edge/reading/body.ts";
import { type ActNote, Call } from "./call.ts";
import { BODY_SIGNATURE_HEADER } from "../edge/callers/body_signature.ts";
import type { Endpoint } from "./contract.ts";
import type { ArrivingBodies } from "../edge/reading/arriving_bodies.ts";
import type { Env } from "../edge/env.ts";
import { ApiError, INVALID_BODY } from "../edge/errors.ts";
import type { Guard, Guards } from "../edge/callers/guard.ts";
import { countItems } from "../edge/reading/item_count.ts";
import { brokenStatusOf, isClosed } from "./access_errors.ts";
import {
  fieldNames,
  refuseUnknown,
  refuseUnmeant,
  unknownParameters,
} from "../edge/reading/known_fields.ts";
import { checkLevels } from "../edge/callers/money_levels.ts";
import { olderQueryFields } from "./older_paths.ts";
import { checkItemCount } from "../edge/orders/order_entry.ts";
import { AGE_HEADER, caughtUp } from "./public_age.ts";
import { queryPairs, withQueryFields } from "../edge/reading/query.ts";
import { costOf } from "../edge/callers/rate_limit.ts";
import { ANY_OBJECT } from "../edge/schemas/fields.ts";
import { parseWith } from "../edge/reading/validation.ts";
import type { Services } from "./route_needs.ts";

/** Selects the paths of an endpoint that an application serves. */
export type PathFilter = (path: string) => boolean;

/** An endpoint at one of its paths. */
interface Route {
  readonly endpoint: Endpoint;
  readonly services: Services;
  readonly path: string;
  readonly parsing: BodyParsing;
  /** Null unless calls are acts of an operator. */
  readonly readAct: ActReader | null;
  /** Names of the query's fields, if it is read as a query. */
  readonly queryFields: ReadonlySet<string> | null;
  /** Names of the body's fields if the routes refuse others; null if they do not, or handlers do. */
  readonly bodyFields: ReadonlySet<string> | null;
}

/** What calls pass on the way to their handler. */
interface Mounting {
  readonly guards: Guards;
  readonly services: Services;
  /** Counts bodies that are on their way. */
  readonly bodies: ArrivingBodies;
  readonly onCall: (path: string) => void;
  readonly onError: ErrorHandler<Env>;
}

/** Mounts the endpoints at those of their paths that are selected. */
export function mountEndpoints(
  app: Hono<Env>,
  endpoints: readonly Endpoint[],
  { isMeant, ...mounting }: Mounting & { readonly isMeant: PathFilter },
): void {
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths.filter(isMeant)) {
      const route = routeOf(endpoint, mounting.services, path);
      app.on(endpoint.method, [honoPath(path)], handlerOf(route, mounting));
    }
  }
}

/** Converts `{id}` of a declared path to `:id` of a route. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function routeOf(endpoint: Endpoint, services: Services, path: string): Route {
  const readAct = isActEndpoint(endpoint) ? createActReader(endpoint) : null;
  const queryFields = isQueryRead(endpoint) ? null : queryFieldsOf(endpoint, path);
  const parsing = { asGiven: endpoint.body?.asGiven, brokenStatus: brokenStatusOf(endpoint) };
  const bodyFields = bodyFieldsOf(endpoint);
  return { endpoint, services, path, parsing, readAct, queryFields, bodyFields };
}

function queryFieldsOf({ query }: Endpoint, path: string): ReadonlySet<string> {
  const own = query === undefined ? [] : fieldNames(query);
  return new Set([...own, ...olderQueryFields(path)]);
}

function bodyFieldsOf(endpoint: Endpoint): ReadonlySet<string> | null {
  const { access, body } = endpoint;
  if (access.kind === "operator" || !isClosed(endpoint)) return null;
  if (body === undefined) return new Set();
  return body.isReadByHandler ? null : fieldNames(body.schema);
}

/**
 * Creates one handler for body, guard and answer: Hono has a faster path for routes with a single
 * handler, which matters for orders.
 */
function handlerOf(route: Route, mounting: Mounting): Handler<Env> {
  const { endpoint, services, path } = route;
  const { bodies, guards, onCall, onError } = mounting;
  const { levels } = endpoint;
  const guard = guardOf(endpoint, guards);
  const isRead = endpoint.method === "GET";
  const reading = { bodies, isEnding: () => services.health().reason === "closing" };
  const bytesMax = bodyBytesMax(endpoint);
  const isOperators = endpoint.access.kind === "operator";

  async function answer(c: Context<Env>, unread: Error | null): Promise<Response> {
    try {
      if (unread !== null) throw unread;
      // Another process may just have created what an operator names; reads catch up by themselves.
      if (isOperators && !isRead) await beforehand(services.engine.fresh());
      if (levels !== undefined) {
        await beforehand(checkLevels(services.engine, c.get("caller").member, levels));
      }
      return await (isRead ? answerRead(route, c) : answerWrite(route, c));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return await onError(error, c);
    }
  }

  return async function endpointHandler(c) {
    onCall(path);
    let unread: Error | null = null;
    if (!isRead) {
      try {
        c.set("rawBody", await readBody(c, bytesMax, reading));
      } catch (error) {
        unread = noteUnread(c, error);
      }
    }
    if (guard === null) return await answer(c, unread);
    if (unread !== null) await admitUnread(guard, c, unread);
    else {
      const admitting = guard.admit(c);
      if (admitting !== null) await beforehand(admitting);
    }
    const answered = await answer(c, unread);
    const settling = guard.settle(c, answered.status);
    if (settling !== null) await settling;
    return answered;
  };
}

/**
 * Notes that a body can't be read, and returns why. Its call is still authenticated, so that its
 * nonce is spent.
 */
function noteUnread(c: Context<Env>, error: unknown): Error {
  if (!(error instanceof Error)) throw error;
  c.set("isBodyUnread", true);
  return error;
}

/** Spends the nonce of a call whose body can't be read; throws why if it is nobody's. */
async function admitUnread(guard: Guard, c: Context<Env>, unread: Error): Promise<void> {
  try {
    await guard.admit(c);
  } catch {
    throw unread;
  }
}

function bodyBytesMax({ access, body }: Endpoint): number {
  if (body?.isBulk) return BULK_BODY_BYTES_MAX;
  return body?.bytesMax ??
    (access.kind === "operator" ? OPERATOR_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

/** Returns what a call of several items costs, before anything is parsed. */
function bulkCost(c: Context<Env>): number {
  return costOf(itemCount(c), (c.get("rawBody") ?? "").length);
}

/** Returns how many items the body has, which is counted once: it may be long. */
function itemCount(c: Context<Env>): number {
  const known = c.get("itemCount");
  if (known !== undefined) return known;
  const count = countItems(c.get("rawBody") ?? "");
  c.set("itemCount", count);
  return count;
}

function guardOf({ access, body, isCancel }: Endpoint, guards: Guards): Guard | null {
  switch (access.kind) {
    case "public":
    case "service":
      return null;
    case "visitor":
      return guards.visitor();
    case "member":
      return guards.member(access.scope, {
        kind: isCancel ? "cancel" : "other",
        costOf: body?.isBulk ? bulkCost : undefined,
      });
    case "session":
      return guards.session();
    case "operator":
      return guards.operator(access);
  }
}

/** Private reads see everything that is durable, public ones what was so a moment ago. */
async function answerRead(route: Route, c: Context<Env>): Promise<Response> {
  const { endpoint, path, services } = route;
  const query = readQuery(route, c);
  const { kind } = endpoint.access;
  const catchingUp = kind === "public" ? caughtUp(services.engine) : null;
  const age = catchingUp === null ? null : await catchingUp;
  if (kind !== "public" && kind !== "service") await services.engine.fresh();
  const response = await endpoint.handle(new Call(c, services, query, undefined, path));
  if (age !== null) response.headers.set(AGE_HEADER, age);
  return response;
}

async function answerWrite(route: Route, c: Context<Env>): Promise<Response> {
  const { endpoint, path, readAct, bodyFields, services } = route;
  const query = readQuery(route, c);
  const isBodyRead = endpoint.body !== undefined || readAct !== null || bodyFields !== null;
  if (endpoint.body?.isBulk) checkItems(route, c);
  const reading = isBodyRead ? bodyValue(route, c) : undefined;
  const given = reading instanceof Promise ? await reading : reading;
  const value = isQueryRead(endpoint) ? withQueryFields(given, c.req.url) : given;
  if (bodyFields !== null && value !== undefined) {
    refuseUnmeant(parseWith(ANY_OBJECT, value), bodyFields, c.req.param());
  }
  const body = checkedBody(endpoint, value);
  const act = readAct === null ? null : readAct(c, value);
  return act === null || act.once === null
    ? await endpoint.handle(new Call(c, services, query, body, path, act))
    : await answerOnce(route, c, query, body, act, act.once);
}

/** Answers an act that has a name; if it has been done before, as then. */
async function answerOnce(
  { endpoint, path, services }: Route,
  c: Context<Env>,
  query: unknown,
  body: unknown,
  act: ActNote,
  name: ActName,
): Promise<Response> {
  const once = await beforehand(findOnce(services.engine, name));
  return await endpoint.handle(new Call(c, services, query, body, path, act, once));
}

/**
 * Returns whether fields may also come in the query. Interfaces of this family read query and body
 * as one, and ignoring a filter in the query would turn a cancel of one market into a cancel of
 * all. Not so for people and operators: URLs are logged, and their fields may be secrets.
 */
function isQueryRead({ access, query, body }: Endpoint): boolean {
  return access.kind === "member" && query === undefined && body !== undefined && !body.isBulk;
}

function readQuery({ endpoint, queryFields }: Route, c: Context<Env>): unknown {
  if (queryFields === null) return undefined;
  const { url } = c.req;
  const given = url.includes("?") ? formValue(queryPairs(url)) : {};
  if (isClosed(endpoint)) refuseUnknown(given, queryFields);
  else if (endpoint.method === "GET") {
    const named = unknownParameters(given, queryFields);
    if (named !== null) addHeaders(c, named);
  }
  return endpoint.query === undefined ? undefined : parseWith(endpoint.query, given);
}

/** Refuses too many items before they are parsed, which takes a hundred times as long. */
function checkItems({ services }: Route, c: Context<Env>): void {
  const trader = { engine: services.engine, caller: c.get("caller") };
  checkItemCount(trader, itemCount(c));
}

/** @throws {ApiError} 400 a body that is signed has a form that depends on its type */
function bodyValue({ parsing }: Route, c: Context<Env>): unknown {
  const type = c.req.header("content-type");
  if (isMultipart(type) && c.req.header(BODY_SIGNATURE_HEADER) !== undefined) {
    // The signature does not cover the boundary, by which the same bytes hold other fields.
    throw new ApiError(parsing.brokenStatus ?? 400, INVALID_BODY, {
      details: { field: "Content-Type", value: "multipart/form-data" },
    });
  }
  return parseBody(type, c.get("rawBody"), parsing);
}

function checkedBody({ body }: Endpoint, value: unknown): unknown {
  if (body === undefined) return undefined;
  return body.isReadByHandler ? value : parseWith(body.schema, value ?? {});
}
