/** The query of a call's address. */
import { formValue } from "./body.ts";
import { SECRET_FIELDS } from "./secret_fields.ts";

/** Its pairs. The host is what the client has sent, so that an address need not be a whole URL. */
export function queryPairs(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

/**
 * The value of a body with the query's fields that it lacks, where it is an object or there is
 * none; a field that is `null` is lacking. What is secret counts in bodies alone.
 */
export function withQueryFields(body: unknown, url: string): unknown {
  if (!url.includes("?")) return body;
  if (Array.isArray(body) || typeof (body ?? {}) !== "object") return body;
  const fields: Record<string, unknown> = formValue(queryPairs(url));
  for (const name of SECRET_FIELDS) delete fields[name];
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== null) fields[name] = value;
  }
  return fields;
}
