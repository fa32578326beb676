/** JSON Schemas of the OpenAPI document, made of the schemas that calls are validated with. */
import * as z from "zod";

/** A JSON object of the document. */
export type JsonObject = { [key: string]: unknown };

/** What schemas were converted to: many endpoints share some, and all have the same errors. */
const CONVERTED = new WeakMap<z.ZodType, string>();

/** Converts a zod schema to JSON Schema; named schemas go into `schemas` and are referenced. */
export function jsonSchema(schema: z.ZodType, schemas: JsonObject): JsonObject {
  const text = CONVERTED.get(schema) ?? converted(schema);
  CONVERTED.set(schema, text);
  const whole = JSON.parse(text) as {
    properties: { value: JsonObject };
    $defs?: Record<string, JsonObject>;
  };
  for (const [name, definition] of Object.entries(whole.$defs ?? {})) {
    const { id: _id, ...named } = definition;
    schemas[name] ??= named;
  }
  return whole.properties.value;
}

function converted(schema: z.ZodType): string {
  // Wrapped, so that a named schema is referenced like any other.
  const whole = z.toJSONSchema(z.object({ value: schema }), {
    io: "input",
    unrepresentable: "any",
    override: adapt,
  });
  return JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
}

/**
 * The type of a list that a body may lack. Every such field may be null, but of a list it has to be
 * said: otherwise clients made for Java send an empty one if it isn't set, which in a change of a
 * key would empty the list of addresses that may use it.
 */
const LIST_OR_NULL = ["array", "null"];

/** Converts the schema of a body. */
export function bodySchema(schema: z.ZodType, schemas: JsonObject): JsonObject {
  const body = jsonSchema(schema, schemas);
  const { properties = {}, required = [] } = namedSchema(listedSchema(body), schemas);
  for (const [name, field] of Object.entries(properties)) {
    describeDefault(field);
    const isNullable = field["type"] === "array" && !required.includes(name);
    if (isNullable && field["isNeverNull"] !== true) field["type"] = LIST_OR_NULL;
    delete field["isNeverNull"];
  }
  return body;
}

/** A schema of an object. */
export interface ObjectSchema extends JsonObject {
  properties?: Record<string, JsonObject>;
  required?: string[];
}

/** Returns the schema that a reference names, or the schema itself. */
export function namedSchema(schema: JsonObject, schemas: JsonObject): ObjectSchema {
  const name = String(schema["$ref"] ?? "").split("/").pop() ?? "";
  return (schemas[name] ?? schema) as ObjectSchema;
}

/** Returns the schema of a list's items, or the schema itself. */
export function listedSchema(schema: JsonObject): JsonObject {
  return schema["type"] === "array" ? schema["items"] as JsonObject : schema;
}

/**
 * Tells the default of a body's field in words: clients take the keyword for a value that is always
 * there. Those made for TypeScript demand the field of their caller, others send the default.
 */
function describeDefault(field: JsonObject): void {
  const { default: usual, description } = field;
  if (usual === undefined) return;
  const note = defaultText(usual);
  field["description"] = description === undefined ? note : `${description} ${note}`;
  delete field["default"];
}

/** Returns the sentence that tells a field's default. */
export function defaultText(usual: unknown): string {
  return usual === "" ? "Empty by default." : `Default \`${usual}\`.`;
}

/** Adapts a schema to the document and those who read it. */
function adapt(context: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void {
  restoreNotes(context);
  if (context.jsonSchema["type"] === "integer") sizeInteger(context.jsonSchema);
}

/** Maximum of an integer of 32 bits. */
const INT32_MAX = 2 ** 31 - 1;

/** Says of an integer that 32 bits may not hold it, as they would in clients made for Java. */
function sizeInteger(target: JsonObject): void {
  // Every number of the interface is within these bounds.
  if (target["minimum"] === Number.MIN_SAFE_INTEGER) delete target["minimum"];
  if (target["maximum"] === Number.MAX_SAFE_INTEGER) delete target["maximum"];
  const { maximum = Infinity } = target;
  if (Number(maximum) > INT32_MAX) target["format"] = "int64";
}

/** Restores the examples and the default of a field that a transform reads. */
function restoreNotes(context: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void {
  const notes = z.globalRegistry.get(context.zodSchema) as JsonObject | undefined;
  const { jsonSchema: target } = context;
  delete target["isOptional"];
  if (notes === undefined) return;
  if (notes["examples"] !== undefined) target["examples"] = notes["examples"];
  if (notes["default"] !== undefined) target["default"] = notes["default"];
  // Documented as this type alone, although the field also accepts it as text or as a number:
  // many generators of clients know no field of two types.
  if (notes["type"] !== undefined) delete target["anyOf"];
}
