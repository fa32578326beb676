/** Creates requests from the contract: fitting, nearly fitting and wild ones. */
import type { Prng } from "../support/prng.ts";
import type { DocumentedOperation } from "./documented_operation.ts";
import { fittingValue, own, type ValueSource } from "./fitting_values.ts";
import { collectionOf } from "./known_values.ts";
import { formText, jsonOf, ODD_TEXTS, oddValue, RawJson } from "./odd_values.ts";

/** How well a request fits. */
export const KINDS = ["fitting", "near", "wild"] as const;
export type Kind = typeof KINDS[number];

/** An unsigned request. */
export interface FuzzRequest {
  readonly operation: DocumentedOperation;
  readonly kind: Kind;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const JSON_TYPE = "application/json";
const TYPES = [
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/json; charset=utf-16",
  "",
] as const;
const ODD_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "a[b]"] as const;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

/** Creates a request of a kind. */
export function makeRequest(
  source: ValueSource,
  operation: DocumentedOperation,
  kind: Kind,
): FuzzRequest {
  const { prng } = source;
  const path = fittingPath(source, operation);
  const query = fittingQuery(source, operation);
  const body = operation.body === null
    ? undefined
    : fittingValue(source, "", operation.body.schema);
  const draft = { path, query, body };
  if (kind === "fitting") return written(operation, kind, draft, prng);
  if (kind === "near") return written(operation, kind, nearly(source, operation, draft), prng);
  return wild(source, operation, draft);
}

/** A request before serialization. */
interface Draft {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: unknown;
}

function fittingPath(source: ValueSource, operation: DocumentedOperation): string {
  if (operation.path.endsWith("/{uid}/api_keys/{kid}")) {
    const key = source.known.pick(source.prng, "key of a member");
    if (key !== null) return operation.path.replace("{uid}/api_keys/{kid}", key);
  }
  return operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(pathValue(source, operation, name)),
  );
}

function pathValue(source: ValueSource, { path }: DocumentedOperation, name: string): string {
  const { prng, known } = source;
  const collection = collectionOf(path);
  if (name === "market") return known.pick(prng, "markets.id") ?? "btcusdt";
  if (name === "currency") return known.pick(prng, "currencies.id") ?? "btc";
  if (name === "topic") return prng.pick(["all", "account", "session", "password", "otp"]);
  if (name === "kid") return own(source, "kid");
  if (name !== "id") return known.pick(prng, name) ?? "x";
  if (collection !== "orders") return own(source, `${collection}.id`);
  const client = known.pick(prng, "client_order_id");
  const names = [known.pick(prng, "orders.id"), known.pick(prng, "uuid"), `client:${client}`];
  return prng.pick(names) ?? "1";
}

function fittingQuery(source: ValueSource, { query }: DocumentedOperation): [string, string][] {
  return query.filter(() => source.prng.chance(0.3)).map(({ name, schema }) => [
    name,
    formText(fittingValue(source, name, schema)),
  ]);
}

/** Returns the draft with one fault. */
function nearly(source: ValueSource, operation: DocumentedOperation, draft: Draft): Draft {
  const { prng } = source;
  const ways: (() => Draft)[] = [];
  if (operation.query.length > 0) {
    const { name } = prng.pick(operation.query);
    const odd = formText(oddValue(prng));
    ways.push(() => ({ ...draft, query: [...draft.query, [name, odd]] }));
    ways.push(() => ({ ...draft, query: [...draft.query, [name, "1"], [name, "2"]] }));
  }
  if (operation.pathParameters.length > 0) {
    const odd = encodeURIComponent(wellFormed(prng.pick(ODD_TEXTS)) || "0");
    ways.push(() => ({ ...draft, path: operation.path.replace(/\{\w+\}/g, odd) }));
  }
  const { body } = draft;
  if (Array.isArray(body)) ways.push(() => ({ ...draft, body: nearArray(source, body) }));
  else if (isRecord(body)) {
    for (let i = 0; i < 4; i++) ways.push(() => ({ ...draft, body: nearObject(prng, body) }));
  }
  return ways.length === 0 ? draft : prng.pick(ways)();
}

function nearArray({ prng }: ValueSource, items: readonly unknown[]): unknown[] {
  const at = prng.below(items.length);
  const one = items[at];
  const odd = isRecord(one) && prng.chance(0.7) ? nearObject(prng, one) : oddValue(prng);
  if (prng.chance(0.1)) return Array.from({ length: prng.pick([0, 100, 101, 1001]) }, () => one);
  return items.map((item, index) => index === at ? odd : item);
}

function nearObject(prng: Prng, body: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(body);
  const name = names.length === 0 || prng.chance(0.1) ? prng.pick(ODD_NAMES) : prng.pick(names);
  if (prng.chance(0.2)) {
    return Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
  }
  return Object.fromEntries([...Object.entries(body), [name, oddValue(prng)]]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof RawJson);
}

function written(
  operation: DocumentedOperation,
  kind: Kind,
  { path, query, body }: Draft,
  prng: Prng,
): FuzzRequest {
  const { method } = operation;
  const search = query.map(([name, value]) =>
    `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(value))}`
  ).join("&");
  const target = search === "" ? path : `${path}?${search}`;
  if (body === undefined) return { operation, kind, method, target, headers: {}, body: null };
  if (operation.takesForms && isRecord(body) && prng.chance(0.1)) {
    const form = new URLSearchParams(
      Object.entries(body).map(([name, value]) => [name, formText(value)]),
    );
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return { operation, kind, method, target, headers, body: String(form) };
  }
  const headers = { "Content-Type": JSON_TYPE };
  return { operation, kind, method, target, headers, body: jsonOf(body) };
}

function wild(source: ValueSource, operation: DocumentedOperation, draft: Draft): FuzzRequest {
  const { prng } = source;
  const query = Array.from({ length: prng.below(4) }, () =>
    [
      operation.query.length > 0 && prng.chance(0.6)
        ? prng.pick(operation.query).name
        : prng.pick(ODD_TEXTS),
      formText(oddValue(prng)),
    ] as const);
  const path = operation.path.replace(
    /\{\w+\}/g,
    () => encodeURIComponent(wellFormed(prng.pick(ODD_TEXTS))) || "0",
  );
  const base = written(operation, "wild", {
    path: prng.chance(0.5) ? path : draft.path,
    query: query.map(([name, value]) => [wellFormed(name), value.slice(0, 2000)] as const),
    body: draft.body,
  }, prng);
  const isOther = prng.chance(0.1);
  const method = isOther ? prng.pick(METHODS) : operation.method;
  const takesBody = method !== "GET" && method !== "HEAD";
  return {
    ...base,
    method,
    headers: { ...base.headers, ...oddHeaders(prng, base.headers) },
    body: takesBody ? wildBody(prng, base.body) : null,
  };
}

function oddHeaders(prng: Prng, present: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  if ("Content-Type" in present && prng.chance(0.4)) headers["Content-Type"] = prng.pick(TYPES);
  if (prng.chance(0.1)) headers["X-HTTP-Method-Override"] = prng.pick(METHODS);
  if (prng.chance(0.1)) headers["User-Agent"] = "u".repeat(prng.pick([0, 256, 5000]));
  if (prng.chance(0.1)) headers["Origin"] = prng.pick(["null", "https://evil.example", "x"]);
  if (prng.chance(0.05)) headers["Cookie"] = prng.pick(["_kvenue_session=", "a=b", "__proto__=1"]);
  return headers;
}

function wildBody(prng: Prng, body: string | null): string | null {
  switch (prng.below(6)) {
    case 0:
      return body === null ? null : body.slice(0, prng.below(body.length + 1));
    case 1:
      return jsonOf(oddValue(prng));
    case 2:
      return Array.from({ length: prng.below(200) }, () => String.fromCharCode(prng.below(300)))
        .join("");
    case 3:
      return `{"a":"${"x".repeat(prng.pick([10, 65_500, 65_537, 300_000]))}"}`;
    case 4:
      return body === null ? null : body.replace(/"[^"]*"/, () => jsonOf(oddValue(prng)));
    default:
      return body;
  }
}

/** Removes lone surrogates, which URLs cannot contain. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
