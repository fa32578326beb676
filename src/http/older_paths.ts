/**
 * The paths under which older members of this family of interfaces have the endpoints, and the
 * fields of new orders that have other names there.
 */
import type { Rejection } from "../domain/rejection.ts";

const TRADING = "/api/v2/trading/";
const FINEX = "/api/v2/finex/";
const AUTH = "/api/v2/auth/";
const BARONG = "/api/v2/barong/";

const PEATIO = "/api/v2/peatio/";
const TRADE = "/api/v2/trade/";

const OLDER_NAMES = [[TRADING, FINEX], [AUTH, BARONG], [PEATIO, TRADE]] as const;

/** Returns whether a path belongs to trading, under either name. */
export function isTradingPath(path: string): boolean {
  return path.startsWith(TRADING) || path.startsWith(FINEX);
}

type Paths = readonly [string, ...string[]];

/** Returns an endpoint's paths, and behind them those with older names. */
export function withOlderPaths(paths: Paths): Paths {
  const older = paths.flatMap((path) =>
    OLDER_NAMES.filter(([name]) => path.startsWith(name))
      .map(([name, olderName]) => olderName + path.slice(name.length))
  );
  return [...paths, ...older];
}

/** Set in the query, it makes the name in a path a client order id. */
const CLIENT_ID_PARAMETER = "client_id";

/** A call whose path names an order. */
interface NamingCall {
  readonly isPeatio: boolean;
  readonly c: { readonly req: { query(name: string): string | undefined } };
  param(name: "id"): string;
}

/** Returns the name in the path; under `/api/v2/peatio` the query can make it a client order id. */
export function givenName(call: NamingCall): string {
  const name = call.param("id");
  return call.isPeatio && call.c.req.query(CLIENT_ID_PARAMETER) === "true"
    ? `client:${name}`
    : name;
}

/** Returns whether a path is of the oldest members, where fields and records may be older ones. */
export function isPeatioPath(path: string): boolean {
  return path.startsWith(PEATIO) || path.startsWith(TRADE);
}

/** Returns the parameters that a path takes in its query as older members of the family do. */
export function olderQueryFields(path: string): readonly string[] {
  return isPeatioPath(path) && path.includes("/orders/{id}") ? [CLIENT_ID_PARAMETER] : [];
}

/** Older names of the fields that the venue may refuse in a new order. */
const OLDER_FIELDS: Readonly<Record<string, string>> = {
  amount: "volume",
  type: "ord_type",
  client_order_id: "client_id",
};

/**
 * Returns a refusal of new orders with the older name of its field, which the caller used.
 *
 * @param body an order or a list of orders, as it was sent
 */
export function inOlderNames(rejection: Rejection, body: unknown): Rejection {
  const { field = "", index = 0 } = rejection;
  // An order may have its own id under either name.
  if (field === "client_order_id" && !hasOlderId(Array.isArray(body) ? body[index] : body)) {
    return rejection;
  }
  const older = OLDER_FIELDS[field];
  return older === undefined ? rejection : { ...rejection, field: older };
}

function hasOlderId(order: { readonly client_id?: unknown }): boolean {
  return order.client_id !== undefined && order.client_id !== null;
}
