/** Turns JSON Schema into the field tables of the reference page. */
import { escapeHtml, markedText, tableHtml } from "./docs_html.ts";
import { defaultText, type JsonObject } from "./openapi_schema.ts";

const DEPTH_MAX = 3;

/** Schemas by name, for resolving references. */
export type NamedSchemas = Readonly<Record<string, JsonObject>>;

/** Returns a table of the fields of an object, or of a list's objects; empty if it has none. */
export function fieldsTable(schema: JsonObject, named: NamedSchemas): string {
  const rows = fieldRows(schema, named, "", 0);
  return rows.length === 0 ? "" : tableHtml(["Field", "Type", "Description"], rows);
}

function fieldRows(
  schema: JsonObject,
  named: NamedSchemas,
  prefix: string,
  depth: number,
): string[][] {
  const whole = itemOf(schema, named);
  const properties = whole["properties"] as Record<string, JsonObject> | undefined;
  if (properties === undefined || depth === DEPTH_MAX) return [];
  const required = new Set(whole["required"] as string[] | undefined);
  return Object.entries(properties).flatMap(([name, property]) => {
    const mark = depth === 0 && !required.has(name) ? OPTIONAL : "";
    return [
      [
        `<code>${escapeHtml(prefix + name)}</code>${mark}`,
        typeText(property, named),
        meaning(property, named),
      ],
      ...fieldRows(property, named, `${prefix}${name}.`, depth + 1),
    ];
  });
}

const OPTIONAL = ' <span class="note">optional</span>';

/** Returns what a field means: its description, bounds and default. */
export function meaning(property: JsonObject, named: NamedSchemas): string {
  const schema = resolved(property, named);
  const parts = [markedText(String(property["description"] ?? schema["description"] ?? ""))];
  const { enum: values, const: only } = itemOf(schema, named);
  if (Array.isArray(values)) {
    const shown = values.filter((value) => value !== "")
      .map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ");
    parts.push(values.includes("") ? `Empty, or one of ${shown}.` : `One of ${shown}.`);
  }
  if (only !== undefined) parts.push(`Always <code>${escapeHtml(String(only))}</code>.`);
  const { minimum, maximum } = schema;
  if (typeof minimum === "number") parts.push(`Minimum ${minimum}.`);
  if (typeof maximum === "number") parts.push(`Maximum ${maximum}.`);
  const { default: usual } = property;
  if (usual !== undefined) parts.push(markedText(defaultText(usual)));
  return parts.filter((part) => part !== "").join(" ");
}

/** Returns the type of a field in words. */
export function typeText(property: JsonObject, named: NamedSchemas): string {
  const schema = resolved(property, named);
  const choices = schema["anyOf"] as JsonObject[] | undefined;
  if (choices !== undefined) {
    return choices.map((choice) => typeText(choice, named)).join(" or ");
  }
  const type = schema["type"];
  if (isList(schema)) {
    return `list of ${typeText((schema["items"] ?? {}) as JsonObject, named)}`;
  }
  const { format } = schema;
  const words = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  // The size of integers matters to generators of clients only.
  const isShown = format !== undefined && format !== "int64";
  return escapeHtml(isShown ? `${words} (${format})` : words);
}

/** Returns whether values are lists; those of a body may be null, too. */
function isList({ type }: JsonObject): boolean {
  return [type].flat().includes("array");
}

function resolved(schema: JsonObject, named: NamedSchemas): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  return named[reference.slice(reference.lastIndexOf("/") + 1)] ?? schema;
}

function itemOf(schema: JsonObject, named: NamedSchemas): JsonObject {
  const whole = resolved(schema, named);
  return isList(whole) ? itemOf((whole["items"] ?? {}) as JsonObject, named) : whole;
}
