/** The reference page: the contract as one self-contained HTML page without scripts. */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { AnswerHeaders } from "../../edge/answer.ts";
import { fieldsTable, meaning, type NamedSchemas, typeText } from "./docs_fields.ts";
import { escapeHtml, exampleHtml, markedText, tableHtml, textHtml } from "./docs_html.ts";
import { RPC_ANCHOR, RPC_HTML } from "./docs_rpc.ts";
import { SHOWN_VENUE, type ShownVenue, signingHtml } from "./docs_signing.ts";
import { STREAMS_ANCHOR, streamsHtml } from "./docs_streams.ts";
import { tasksHtml, tasksMenu } from "./docs_tasks.ts";
import { DOCS_STYLE } from "./docs_style.ts";
import type { JsonObject } from "./openapi_schema.ts";

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly whole: JsonObject;
}

interface Media {
  readonly schema: JsonObject;
  readonly example?: unknown;
}

const STYLE_DIGEST = btoa(String.fromCharCode(...sha256(utf8ToBytes(DOCS_STYLE))));

/** Headers of the page: no scripts, one style, one empty icon, and no framing. */
export const DOCS_HEADERS: AnswerHeaders = {
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

/** Creates the page from the OpenAPI document. */
export function createDocsPage(document: JsonObject, shown: ShownVenue = SHOWN_VENUE): string {
  const info = document["info"] as { title: string; version: string; description: string };
  const tags = document["tags"] as { name: string; description: string }[];
  const { schemas } = document["components"] as { schemas: NamedSchemas };
  const operations = operationsOf(document);
  const ofTag = (name: string) =>
    operations.filter(({ whole }) => (whole["tags"] as string[]).includes(name));
  const groups = tags.map(({ name, description }) =>
    `<h2 class="tag" id="${anchor(name)}">${escapeHtml(name)}</h2>` +
    `<p class="note">${escapeHtml(description)}</p>` +
    ofTag(name).map((operation) => operationHtml(operation, schemas)).join("")
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)} reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><style>${DOCS_STYLE}</style></head>
<body><a class="skip" href="#top">Skip to the text</a>
<div class="layout">${navigation(info.title, tags.map(({ name }) => [name, ofTag(name)]))}
<main><h1 id="top">${escapeHtml(info.title)} reference</h1>
${paragraphs(info.description)}
<p>Version ${escapeHtml(info.version)}. Machine-readable:
<a href="/api/v2/openapi.json">openapi.json</a>. A client for TypeScript and JavaScript:
<a href="/client.js">client.js</a>, <a href="/client.d.ts">its types</a>. For ccxt:
<a href="/client/ccxt/kvenue.js">kvenue.js</a>, <a href="/client/ccxt/kvenue.py">kvenue.py</a>.</p>
<h2 class="tag" id="start">Getting started</h2>
${signingHtml(shown)}${streamsHtml(shown)}${RPC_HTML}${tasksHtml()}${
    groups.join("")
  }</main></div></body></html>`;
}

function paragraphs(text: string): string {
  return text.split("\n\n").map((part) => `<p class="lead">${markedText(part)}</p>`).join("");
}

function operationsOf(document: JsonObject): Operation[] {
  const paths = document["paths"] as Record<string, Record<string, JsonObject>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, whole]) => ({
      path,
      method: method.toUpperCase(),
      whole,
    }))
  );
}

function navigation(
  title: string,
  groups: readonly (readonly [tag: string, operations: readonly Operation[]])[],
): string {
  const lists = groups.map(([tag, operations]) => {
    const items = operations.map(({ whole }) =>
      `<li><a href="#${anchor(String(whole["operationId"]))}">` +
      `${escapeHtml(String(whole["summary"]))}</a></li>`
    );
    return `<h2><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></h2><ul>${items.join("")}</ul>`;
  });
  return `<nav id="menu" aria-label="Endpoints"><a class="up" href="#menu">Contents</a>
<a class="brand" href="#top">${escapeHtml(title)}</a><br>
<label><input type="checkbox" id="flip">Switch between light and dark</label>
<label class="narrow"><input type="checkbox" id="contents">Show contents</label>
<div class="lists"><h2><a href="#start">Getting started</a></h2><ul>
<li><a href="#signing">Sign a request</a></li>
<li><a href="#sessions">Call in a session</a></li>
<li><a href="#${STREAMS_ANCHOR}">Streams</a></li>
<li><a href="#${RPC_ANCHOR}">Orders over a websocket</a></li></ul>
${tasksMenu()}${lists.join("")}</div></nav>`;
}

function operationHtml({ path, method, whole }: Operation, schemas: NamedSchemas): string {
  const id = anchor(String(whole["operationId"]));
  return `<section class="operation" id="${id}"><h3>` +
    `<a href="#${id}">${escapeHtml(String(whole["summary"]))}</a></h3>` +
    `<div class="route"><span class="method ${method}">${method}</span>` +
    `<code>${escapeHtml(path)}</code></div>` +
    `<p class="note">${markedText(String(whole["description"]))}</p>` +
    parametersHtml(whole, schemas) + requestHtml(whole, schemas) + responsesHtml(whole, schemas) +
    "</section>";
}

function parametersHtml(whole: JsonObject, schemas: NamedSchemas): string {
  const parameters = whole["parameters"] as
    | { name: string; in: string; description?: string; schema: JsonObject }[]
    | undefined;
  if (parameters === undefined) return "";
  const rows = parameters.map((parameter) => [
    `<code>${escapeHtml(parameter.name)}</code>`,
    escapeHtml(parameter.in),
    typeText(parameter.schema, schemas),
    meaning({ ...parameter.schema, description: parameter.description ?? "" }, schemas),
  ]);
  return `<h4>Parameters</h4>${tableHtml(["Name", "In", "Type", "Description"], rows)}`;
}

function requestHtml(whole: JsonObject, schemas: NamedSchemas): string {
  const body = whole["requestBody"] as { content: Record<string, Media> } | undefined;
  const media = body?.content["application/json"];
  if (media === undefined) return "";
  return `<h4>Request body</h4>${exampleHtml(media.example)}` +
    folded("Request fields", fieldsTable(media.schema, schemas));
}

function responsesHtml(whole: JsonObject, schemas: NamedSchemas): string {
  const responses = whole["responses"] as Record<
    string,
    { description: string; content?: Record<string, Media> }
  >;
  const parts: string[] = [];
  const errors: string[] = [];
  for (const [status, response] of Object.entries(responses)) {
    const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
    if (Number(status) >= 400) {
      errors.push(`<li><b>${status}</b> ${markedText(response.description)}</li>`);
      continue;
    }
    parts.push(
      `<h4>Response ${status}</h4><p>${markedText(response.description)}</p>` +
        (media === undefined ? "" : mediaHtml(type, media) +
          folded("Response fields", fieldsTable(media.schema, schemas))),
    );
  }
  return `${parts.join("")}<h4>Errors</h4><ul class="errors">${errors.join("")}</ul>`;
}

function mediaHtml(type: string | undefined, { example }: Media): string {
  return type === "application/json" ? exampleHtml(example) : textHtml(String(example));
}

function folded(title: string, html: string): string {
  return html === "" ? "" : `<details><summary>${title}</summary>${html}</details>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
