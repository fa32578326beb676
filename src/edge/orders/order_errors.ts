/** Completes errors about orders: each names the field, the rule that it breaks, and the type. */
import { ApiError, type ErrorDetails, VALUE_LENGTH_MAX } from "../errors.ts";
import { isPlainObject } from "../reading/known_fields.ts";
import { ruleOf } from "../reading/field_rules.ts";

/** The types that have a field, by those that lack it and are otherwise alike. */
const TYPES_WITH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  price: { market: "limit", stop: "stop_limit" },
  trigger_price: { market: "stop", limit: "stop_limit" },
};

/**
 * Returns an error about an order, or about a filter of orders, with the rule that its field breaks
 * and the type of the order; any other one unchanged.
 *
 * @param given the order as it was sent, or the list of a bulk
 * @param usualType the type of an order that has none
 */
export function orderError(error: unknown, given: unknown, usualType?: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 422) return error;
  const { details, index } = error.extras;
  if (details?.field === undefined) return error;
  const order = Array.isArray(given) ? given[index ?? 0] : given;
  const completed = completedDetails(details, error.errors[0] ?? "", order, usualType);
  return new ApiError(error.status, error.errors, { ...error.extras, details: completed });
}

function completedDetails(
  details: ErrorDetails,
  identifier: string,
  order: unknown,
  usualType: string | undefined,
): ErrorDetails {
  const rule = details.rule ?? ruleOf(identifier);
  const { type, ord_type } = isPlainObject(order) ? order : {};
  const named = ord_type ?? type ?? usualType;
  const isNamed = typeof named === "string";
  const use = rule === "forbidden" && isNamed
    ? TYPES_WITH[details.field ?? ""]?.[named]
    : undefined;
  return {
    ...details,
    ...(rule === undefined ? {} : { rule }),
    ...(isNamed ? { type: named.slice(0, VALUE_LENGTH_MAX) } : {}),
    ...(use === undefined ? {} : { use }),
  };
}
