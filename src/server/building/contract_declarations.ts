/** Makes the client's types of the contract, by openapi-typescript. */
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { JsonObject } from "../../http/docs/openapi_schema.ts";
import { createEndpoints } from "../../http/endpoints.ts";
import { createOpenApi } from "../../http/docs/openapi.ts";

const HEADING = `/**
 * The venue's contract as types, made of it by \`deno task contract\`: not to be changed by hand.
 */
`;

/** Returns the text of the types of all calls, whatever the settings of a venue. */
export async function contractDeclarations(): Promise<string> {
  const document = JSON.stringify(createOpenApi(createEndpoints(), ""), withoutExamples);
  const nodes = await openapiTS(withoutErrors(JSON.parse(document)) as unknown as OpenAPI3, {
    immutable: true,
  });
  return HEADING + astToString(nodes);
}

/** Types don't hold examples, but their texts would. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === "example" || name === "examples" ? undefined : value;
}

/** All errors have one shape, so that naming it at each call would only make the file longer. */
function withoutErrors(document: JsonObject): JsonObject {
  const paths = document["paths"] as Record<string, Record<string, JsonObject>>;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const answers = operation["responses"] as Record<string, JsonObject>;
    operation["responses"] = Object.fromEntries(
      Object.entries(answers)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, { headers: _, ...answer }]) => [status, answer]),
    );
    keepJson(operation["requestBody"] as { content?: Record<string, unknown> } | undefined);
  }
  return document;
}

/** The client sends no forms. */
function keepJson(body: { content?: Record<string, unknown> } | undefined): void {
  const json = body?.content?.["application/json"];
  if (body !== undefined && json !== undefined) body.content = { "application/json": json };
}
