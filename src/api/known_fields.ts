/**
 * The fields of operators' calls. Others are refused: a brake or a filter that is misspelt would
 * otherwise be ignored, and its caller believe that trading is halted, or see another member.
 * Members' calls ignore them, since clients of this family send more than they need.
 */
import * as z from "zod";
import { ApiError, VALUE_LENGTH_MAX } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";

/** Error identifier for a field that an operator's call does not have. */
export const UNKNOWN_FIELD = "server.unknown_field";

interface FieldSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Returns the names of the fields of a body or query. */
export function fieldNames(schema: z.ZodType): ReadonlySet<string> {
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

/** Returns the error for a field that a call does not have, with the known one nearest to it. */
export function unknownField(given: string, known: Iterable<string>, index?: number): ApiError {
  const field = given.slice(0, VALUE_LENGTH_MAX);
  const nearest = nearestName(field, known);
  return new ApiError(422, UNKNOWN_FIELD, {
    details: { field, ...(nearest === undefined ? {} : { nearest }) },
    ...(index === undefined ? {} : { index }),
  });
}
