/**
 * The fields that calls have. Where a misspelt one would widen the call, others are refused: a
 * cancel of one market would cancel all orders, a key be good from anywhere, and an operator believe
 * that trading is halted. Elsewhere they are ignored, since clients of this family send more than
 * they need; in a query they are then named by a header.
 */
import * as z from "zod";
import type { AnswerHeaders } from "../answer.ts";
import { ApiError, VALUE_LENGTH_MAX } from "../errors.ts";
import { nearestName } from "../nearest_name.ts";
import { parseWith } from "./validation.ts";

/** Error identifier for a field that a call does not have. */
export const UNKNOWN_FIELD = "server.unknown_field";
/** Header that names the parameters of a query that a read does not have. */
export const UNKNOWN_PARAMETERS_HEADER = "X-Unknown-Parameters";
/** How many of them it names. */
const NAMED_PARAMETERS_MAX = 16;
/** Names under which clients of the family repeat in the body what the path says. */
const REPEATING_NAMES: ReadonlySet<string> = new Set(["id", "uuid", "kid"]);

interface FieldSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The names of schemas' fields: many endpoints share some. */
const FIELD_NAMES = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** Returns the names of the fields of a body or query. */
export function fieldNames(schema: z.ZodType): ReadonlySet<string> {
  const names = FIELD_NAMES.get(schema) ?? readFieldNames(schema);
  FIELD_NAMES.set(schema, names);
  return names;
}

function readFieldNames(schema: z.ZodType): ReadonlySet<string> {
  const whole = z.toJSONSchema(z.object({ body: schema }), {
    io: "input",
    unrepresentable: "any",
  }) as unknown as { properties: { body: FieldSchema }; $defs?: Record<string, FieldSchema> };
  const { body } = whole.properties;
  const name = body.$ref?.split("/").pop() ?? "";
  const { properties = {} } = whole.$defs?.[name] ?? body;
  return new Set(Object.keys(properties));
}

/**
 * @param index position of the item in a bulk request
 * @throws {ApiError} 422 one of the given fields is not known
 */
export function refuseUnknown(given: object, known: ReadonlySet<string>, index?: number): void {
  for (const field of Object.keys(given)) {
    if (!known.has(field)) throw unknownField(field, known, index);
  }
}

/**
 * Refuses fields that a body does not have, except those that repeat a parameter of the path.
 *
 * @throws {ApiError} 422
 */
export function refuseUnmeant(
  body: object,
  known: ReadonlySet<string>,
  path: Readonly<Record<string, string>>,
): void {
  for (const [field, value] of Object.entries(body)) {
    if (known.has(field)) continue;
    const isRepeated = REPEATING_NAMES.has(field) && Object.values(path).includes(String(value));
    if (!isRepeated) throw unknownField(field, known);
  }
}

/**
 * Returns a function that parses a value by a schema of an object, and refuses other fields.
 *
 * @param schemaOf returns one with fewer fields for values that have none of the others
 */
export function closedParser<T>(
  schema: z.ZodType<T>,
  schemaOf: (value: unknown) => z.ZodType<T> = () => schema,
): (value: unknown, index?: number) => T {
  const known = fieldNames(schema);
  return (value, index) => {
    if (isPlainObject(value)) refuseUnknown(value, known, index);
    return parseWith(schemaOf(value), value, index);
  };
}

/** Returns whether a value has fields, which lists do not. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the header that names the parameters of a query that are not known; null if all are. */
export function unknownParameters(
  given: object,
  known: ReadonlySet<string>,
): AnswerHeaders | null {
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  if (unknown.length === 0) return null;
  const named = unknown.slice(0, NAMED_PARAMETERS_MAX).map(headerText);
  return { [UNKNOWN_PARAMETERS_HEADER]: named.join(", ") };
}

function headerText(name: string): string {
  return encodeURIComponent(name.slice(0, VALUE_LENGTH_MAX).toWellFormed());
}

/** Returns the error for a field that a call does not have, with the known one nearest to it. */
export function unknownField(given: string, known: Iterable<string>, index?: number): ApiError {
  const field = given.slice(0, VALUE_LENGTH_MAX);
  const nearest = nearestName(field, known);
  return new ApiError(422, UNKNOWN_FIELD, {
    details: { field, ...(nearest === undefined ? {} : { nearest }) },
    ...(index === undefined ? {} : { index }),
  });
}
