/** Reads path and query of a call's URL. */
import { formValue } from "./body.ts";
import { SECRET_FIELDS } from "../secret_fields.ts";

/** Returns the path with its query, as the caller sent them. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Returns the query's pairs. The URL may be malformed, since the client's `Host` is part of it. */
export function queryPairs(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

/**
 * Returns a body with the fields that it lacks taken from the query, if it is an object or absent.
 * A field that is `null` is lacking. Secrets count in bodies only.
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
