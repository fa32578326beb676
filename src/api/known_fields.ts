/**
 * The fields of operators' calls. Others are refused: a brake or a filter that is misspelt would
 * otherwise be ignored, and its caller believe that trading is halted, or see another member.
 * Members' calls ignore them, since clients of this family send more than they need.
 */
import * as z from "zod";
import { ApiError, VALUE_LENGTH_MAX } from "./errors.ts";

/** Error identifier for a field that an operator's call does not have. */
export const UNKNOWN_FIELD = "server.unknown_field";

interface FieldSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Returns the names of the fields of a body or query. */
export function fieldNames(schema: z.ZodType): string[] {
  const whole = z.toJSONSchema(z.object({ body: schema }), {
    io: "input",
    unrepresentable: "any",
  }) as unknown as { properties: { body: FieldSchema }; $defs?: Record<string, FieldSchema> };
  const { body } = whole.properties;
  const name = body.$ref?.split("/").pop() ?? "";
  const { properties = {} } = whole.$defs?.[name] ?? body;
  return Object.keys(properties);
}

/** @throws {ApiError} 422 one of the given fields is not known */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const field = unknown.slice(0, VALUE_LENGTH_MAX);
  throw new ApiError(422, UNKNOWN_FIELD, { details: { field } });
}
