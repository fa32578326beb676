/** The reference page: the contract as HTML, whole in itself. */
import type { JsonObject } from "./openapi.ts";

/** Makes the page. */
export function createDocsPage(document: JsonObject): string {
  void document;
  return "";
}
