/** Validates input against schemas, and turns issues into errors. */
import type * as z from "zod";
import { ApiError, type ErrorDetails, VALUE_LENGTH_MAX } from "../errors.ts";
import { ruleOf, unknownWord } from "./field_rules.ts";
import { SECRET_FIELDS } from "../secret_fields.ts";

/**
 * Parses a value by a schema whose messages are error identifiers.
 *
 * @param index position of the item in a bulk request
 * @throws {ApiError} 422 if the value does not fit
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, index?: number): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw validationError(result.error.issues, value, index);
}

function validationError(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  index: number | undefined,
): ApiError {
  const errors = [...new Set(issues.map((issue) => issue.message))];
  const details = detailsOf(issues[0], value);
  return new ApiError(422, errors, {
    ...(index === undefined ? {} : { index }),
    ...(details === undefined ? {} : { details }),
  });
}

function detailsOf(
  issue: z.core.$ZodIssue | undefined,
  value: unknown,
): ErrorDetails | undefined {
  if (issue === undefined || issue.path.length === 0) return undefined;
  // What an object has too much is no part of its own path.
  const path = issue.code === "unrecognized_keys"
    ? [...issue.path, ...issue.keys.slice(0, 1)]
    : issue.path;
  let given = value;
  for (const step of path) {
    given = typeof given === "object" && given !== null
      ? (given as Record<PropertyKey, unknown>)[step]
      : undefined;
  }
  const field = path.map(String).join(".").slice(0, VALUE_LENGTH_MAX);
  if (path.some((step) => SECRET_FIELDS.has(String(step)))) return { field };
  const text = typeof given === "string" ? given : given === undefined ? "" : JSON.stringify(given);
  const shown = text === "" ? {} : { value: text.slice(0, VALUE_LENGTH_MAX) };
  return { field, ...shown, ...brokenBy(issue, text) };
}

/** Returns what an issue says of the rule that a field breaks. */
function brokenBy(issue: z.core.$ZodIssue, given: string): ErrorDetails {
  const rule = ruleOf(issue.message);
  const usual = rule === undefined ? {} : { rule };
  switch (issue.code) {
    case "custom":
      return { ...usual, ...issue.params };
    case "invalid_value":
      return rule === "required" ? { rule } : unknownWord(given, issue.values.map(String));
    case "unrecognized_keys":
      return { rule: "known" };
    case "too_big":
      return { rule: "length", limit: String(issue.maximum) };
    default:
      return usual;
  }
}
