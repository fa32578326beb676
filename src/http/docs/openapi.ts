/** Generates the OpenAPI 3.1 document from the endpoint table. */
import * as z from "zod";
import { ACT_REASON, isActEndpoint, MEMBER_ACT_REASON, reasonSchema } from "../act_note.ts";
import { ACT_KEY } from "../act_once.ts";
import { BODY_SIGNATURE_HEADER } from "../../edge/callers/body_signature.ts";
import type { Access, BodyContract, Endpoint, ErrorContract } from "../contract.ts";
import {
  bodySchema,
  type JsonObject,
  jsonSchema,
  listedSchema,
  namedSchema,
  type ObjectSchema,
} from "./openapi_schema.ts";
import { UNKNOWN_FIELD, UNKNOWN_PARAMETERS_HEADER } from "../../edge/reading/known_fields.ts";
import { security, securitySchemes } from "./openapi_security.ts";
import { RATE_LIMITED } from "../../edge/errors.ts";
import { accessErrors, isClosed } from "../access_errors.ts";
import { AGE_HEADER } from "../public_age.ts";
import { PENDING_ACT, PENDING_ACT_EXAMPLE } from "../../edge/schemas/admin/admin_approvals.ts";
import { ERROR } from "../../edge/schemas/answers.ts";
import { fieldErrors } from "../../edge/schemas/field_errors.ts";
import { SCANNED_ID } from "../../edge/schemas/lists.ts";

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "Trading", description: "Orders and trades of the member." },
  {
    name: "Account",
    description: "Balances, deposits, withdrawals, beneficiaries, and profit and loss.",
  },
  {
    name: "Identity",
    description: "For people: sign-up, sign-in, passwords, the second factor and API keys.",
  },
  { name: "Market data", description: "No authentication." },
  { name: "Service", description: "Server time, version and health. No authentication." },
  {
    name: "Operator",
    description: "Management of the venue; requires an operator's key, or a role in a session.",
  },
];

/** Separated by empty lines, as Markdown and the reference page expect. */
const INTRODUCTION = [
  "REST interface of the venue. Private requests carry three headers: the access key, a " +
  "nonce (the current time in milliseconds, used once) and a signature, the hex " +
  "HMAC-SHA256 of nonce + access key with the secret as the key. People can instead call in " +
  "a session, with the cookie set by signing in and, except for GET, the header " +
  "`X-CSRF-Token` with the `csrf_token` that the sign-in returned.",
  `\`${BODY_SIGNATURE_HEADER}\` beside these three also covers what is requested: it is the ` +
  "hex HMAC-SHA256 of nonce + access key + method + path from `/api/v2` on with its " +
  "query + lower-case hex SHA-256 of the body, as they are sent. A `HEAD` is signed as a `GET`, " +
  "and the body of either, which is not read, as an empty one. The signature is verified " +
  "whenever it is sent, and a body under it is no multipart form, whose fields depend on its type; " +
  "a venue may require it of all keys, or of operators' and those with the " +
  "scope `withdraw`.",
  "Rate limits apply per member, whichever of its keys and sessions make the requests. Each member " +
  "has a bucket of what it may spend in a second, 100 by default, which is refilled evenly. A " +
  "request costs 1, and a bulk as many as it has items, or one for each 2,048 characters of its " +
  "body if those are more; what else costs more says so. A request is accepted while anything is " +
  "left, and what it costs beyond that has to be refilled before the next. " +
  "`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds until the bucket is " +
  "full) tell what is left; beyond it, the response is 429 with `Retry-After`. Cancels " +
  "have a separate limit, so that they remain possible when other requests are refused. The only " +
  "429 without `Retry-After` is `identity.otp.locked`, which only an operator can lift.",
  "The nonce of a signed request is spent whatever the response, also when it is refused for its " +
  "rate, for its body or since the venue is not available: sign the request anew to repeat it.",
  "Bodies are JSON, in UTF-8; one in which an object has a key twice is refused. One that is an " +
  "object may instead be a form, `application/x-www-form-urlencoded` or `multipart/form-data`, with the same fields.",
  "A field that a write of a member or an operator does not have is refused with " +
  `\`${UNKNOWN_FIELD}\`, and \`details\` name the known one that is \`nearest\` to it: a cancel ` +
  "whose filter is misspelt would otherwise cancel everything. For the same reason `null` is " +
  "refused where an absent field means all. A read names parameters that its query does not have " +
  `in \`${UNKNOWN_PARAMETERS_HEADER}\`; an operator's refuses them.`,
  "People operate the venue in a session if they have a role and a second factor. `viewer` reads, " +
  "`support` also cares for members, `finance` also moves money, and `admin` may do everything; " +
  "what touches the account of an operator takes `admin`. Where an operation requires a fresh code, " +
  "the session must have been given a one-time code in the last 10 minutes, by " +
  "`POST /api/v2/auth/resource/users/sessions/confirm`; else it answers 403 `authz.code_required`.",
  "A page of any origin may read market data and this document. Members' requests by key may come " +
  "from pages of the origins that the venue names. Across origins no cookie is of use.",
  "Decimals are strings in plain notation, with as many digits as they need; a request may have " +
  'JSON numbers in their place, of which no digit is lost. `"25000"` in the response to a new ' +
  'order is `"25000.0"` in lists and streams. Compare them as numbers, not as texts.',
  "A write without a response, or with 504 `server.outcome_unknown`, may still have happened. A " +
  "new order with a `client_order_id` can simply be sent again, with a new nonce, until there is a " +
  "response: it is placed once. So can an operator's request that moves money, with an " +
  "`idempotency_key`.",
  'Errors are `{"errors": ["dotted.identifier"]}`, with `details` of the ' +
  "field at fault if there is one. The response to a request that failed unexpectedly carries " +
  "`X-Request-Id`, by which the venue's operator finds it in the log.",
].join("\n\n");

/** Creates the document. */
export function createOpenApi(endpoints: readonly Endpoint[], version: string): JsonObject {
  const schemas: JsonObject = {};
  const paths: { [path: string]: JsonObject } = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.paths[0]] ??= {};
    path[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "kvenue",
      version,
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: TAGS,
    paths,
    components: { schemas, securitySchemes: securitySchemes() },
  };
}

function accessNote({ access, method }: Endpoint): string {
  switch (access.kind) {
    case "public":
    case "service":
    case "visitor":
      return "";
    case "member": {
      const key = `Requires a key with the scope \`${access.scope}\``;
      return access.isForKeysOnly ? `${key}.` : `${key}, or a session.`;
    }
    case "session":
      return "Requires a session.";
    case "operator": {
      const scope = method === "GET" ? "read" : "trade";
      const { needsCode, others, role } = access;
      const code = needsCode ? " and a fresh code" : "";
      const more = others === undefined ? "" : `; ${others.calls}, \`${others.role}\``;
      return `Requires an operator's key with the scope \`${scope}\`, or a session with the role ` +
        `\`${role}\`${code}${more}.`;
    }
  }
}

function operation(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const { access } = endpoint;
  const aliases = endpoint.paths.slice(1);
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)];
  const notes = [
    endpoint.description ?? "",
    accessNote(endpoint),
    endpoint.isCancel ? "Rate limited separately from other requests." : "",
    aliases.length === 0
      ? ""
      : `Also available at ${aliases.map((path) => `\`${path}\``).join(", ")}.`,
  ];
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: notes.filter((note) => note !== "").join(" "),
    security: security(access, endpoint.method),
    ...operatorTerms(access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint, schemas),
    responses: {
      [endpoint.answer.status]: answerObject(endpoint, schemas),
      ...(endpoint.isForTwo === true ? { 202: askedObject(schemas) } : {}),
      ...errorObjects(endpoint, schemas),
    },
  };
}

/** Returns what pages go by when they offer an operator what it may do. */
function operatorTerms(access: Access): JsonObject {
  if (access.kind !== "operator") return {};
  return { "x-operator-role": access.role, "x-fresh-code": access.needsCode === true };
}

const ORDER_NAME = [
  "Order id, uuid, or `client:` followed by your own id.",
  "10440269",
] as const;
const MARKET_ID = ["Market id.", "btcusdt"] as const;
const CURRENCY_CODE = ["Currency code.", "btc"] as const;
const PATH_PARAMETERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  market: MARKET_ID,
  currency: CURRENCY_CODE,
  uid: ["Uid of the member.", "ID0A1B2C3D4E"],
  market_id: ["Market id, or `any`.", "btcusdt"],
  kyc_level: ["Member level, or `any`.", "3"],
  group: ["Member group, or `any`.", "vip"],
  kid: ["Access key.", "0123456789abcdef"],
  network: ["Name of a network.", "sepolia"],
  topic: ["Topic of the events, or `all`.", "all"],
  txid: ["Transaction id.", "5b1d6c8e"],
  pair: ["A market's currencies, with `_` between them.", "BTC_USDT"],
};
/** What `{id}` names, by the path segment before it; it is an integer if its example is. */
const ID_PARAMETERS: Readonly<
  Record<string, readonly [description: string, example: string | number]>
> = {
  orders: ORDER_NAME,
  cancel: ORDER_NAME,
  sessions: ["Session id.", "5f1c2a9be03d4c77"],
  beneficiaries: ["Beneficiary id.", 7],
  currencies: CURRENCY_CODE,
  markets: MARKET_ID,
  approvals: ["Number of the act that asked for it.", 31],
  deposits: ["Deposit id.", 2041],
  withdraws: ["Withdrawal id.", 815],
};

function pathParameters(endpoint: Endpoint): JsonObject[] {
  return [...endpoint.paths[0].matchAll(/([\w-]*)\/\{(\w+)\}/g)].map(
    ([, before = "", name = ""]) => {
      const known = name === "id" ? ID_PARAMETERS[before] : PATH_PARAMETERS[name];
      return {
        name,
        in: "path",
        required: true,
        description: known?.[0],
        schema: typeof known?.[1] === "number"
          ? { type: "integer", format: "int64", minimum: 1 }
          : { type: "string" },
        example: known?.[1],
      };
    },
  );
}

function queryParameters(endpoint: Endpoint, schemas: JsonObject): JsonObject[] {
  if (endpoint.query === undefined) return [];
  const query = jsonSchema(endpoint.query, schemas) as { properties?: Record<string, JsonObject> };
  return Object.entries(query.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property;
    return {
      name,
      in: "query",
      required: false,
      ...(description === undefined ? {} : { description }),
      ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
      schema,
    };
  });
}

function requestBody(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const body = endpoint.body ?? actBody(endpoint);
  if (body === undefined) return {};
  const example = endpoint.needsReason === true
    ? { ...ACT_EXAMPLE, ...body.example as JsonObject }
    : body.example;
  const content = { schema: bodySchema(body.schema, schemas), example };
  if (isActEndpoint(endpoint)) completeAct(content.schema, schemas, reasonSchema(endpoint));
  if (endpoint.isOnce) completeAct(content.schema, schemas, ACT_KEY);
  if (isClosed(endpoint)) close(namedSchema(listedSchema(content.schema), schemas));
  // Other forms are told of in the introduction alone: beside one body, generators of clients make
  // others of the same type that they can't tell apart.
  const form = endpoint.body?.isFormFirst
    ? { [FORM]: { ...content, ...formEncoding(content, schemas) } }
    : {};
  return {
    requestBody: {
      required: !isOptionalBody(endpoint),
      content: { ...form, "application/json": content },
    },
  };
}

const FORM = "application/x-www-form-urlencoded";

/** Says that fields of a form which are objects are JSON texts. */
function formEncoding({ schema }: { schema: JsonObject }, schemas: JsonObject): JsonObject {
  const { properties = {} } = namedSchema(schema, schemas);
  const objects = Object.entries(properties).filter(([, { type }]) => type === "object");
  if (objects.length === 0) return {};
  const asJson = { contentType: "application/json" };
  return { encoding: Object.fromEntries(objects.map(([name]) => [name, asJson])) };
}

/** The body of an operator's write that has no fields of its own. */
function actBody(
  endpoint: Endpoint,
): Pick<BodyContract<unknown>, "schema" | "example"> | undefined {
  if (!isActEndpoint(endpoint)) return undefined;
  const reason = reasonSchema(endpoint);
  return { schema: endpoint.isOnce ? onceBody(reason) : reason, example: ACT_EXAMPLE };
}

const ACT_EXAMPLE = { reason: "requested by the member" };
const ONCE_BODY = ACT_REASON.extend(ACT_KEY.shape)
  .meta({ id: "OnceInput", description: "Reason for an act, and your name for it." });
const MEMBER_ONCE_BODY = MEMBER_ACT_REASON.extend(ACT_KEY.shape).meta({
  id: "MemberOnceInput",
  description: "Reason for an act that touches a member, and your name for it.",
});

function onceBody(
  reason: ReturnType<typeof reasonSchema>,
): typeof ONCE_BODY | typeof MEMBER_ONCE_BODY {
  return reason === ACT_REASON ? ONCE_BODY : MEMBER_ONCE_BODY;
}

/** Adds fields that an operator's write takes besides its own. */
function completeAct(
  schema: JsonObject,
  schemas: JsonObject,
  added: ReturnType<typeof reasonSchema> | typeof ACT_KEY,
): void {
  const whole = namedSchema(schema, schemas);
  const { properties, required = [] } = jsonSchema(z.object(added.shape), {}) as ObjectSchema;
  whole.properties = { ...whole.properties, ...properties, ...whole.properties };
  const needed = new Set([...(whole.required ?? []), ...required]);
  if (needed.size > 0) whole.required = [...needed];
}

/** Says that an object has no other fields. */
function close(schema: ObjectSchema): void {
  if (schema["type"] === "object") schema["additionalProperties"] = false;
}

/** Returns whether a body may be left out, because none of its fields is mandatory. */
function isOptionalBody({ body, needsReason }: Endpoint): boolean {
  if (needsReason === true) return false;
  return body === undefined || body.schema.safeParse({}).success;
}

function answerObject(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const { answer } = endpoint;
  return {
    description: answer.description,
    ...headersObject(endpoint),
    ...(answer.status === 204 ? {} : {
      content: {
        [answer.mediaType ?? "application/json"]: {
          schema: jsonSchema(answer.schema, schemas),
          example: answer.example,
        },
      },
    }),
  };
}

/** What is answered where it takes two operators. */
function askedObject(schemas: JsonObject): JsonObject {
  const content = { schema: jsonSchema(PENDING_ACT, schemas), example: PENDING_ACT_EXAMPLE };
  return {
    description:
      "With `APPROVALS=2`: nothing has happened yet. A second operator has to approve it.",
    content: { "application/json": content },
  };
}

function headersObject(endpoint: Endpoint): JsonObject {
  const { isPaged, headers = {} } = endpoint.answer;
  const all: JsonObject = isPaged ? { ...PAGING_HEADERS } : {};
  if (endpoint.method === "GET" && !isClosed(endpoint)) {
    all[UNKNOWN_PARAMETERS_HEADER] = headerObject(
      "Parameters of the query that the request does not have, separated by commas.",
      "string",
    );
  }
  if (endpoint.access.kind === "public") Object.assign(all, AGE_HEADERS);
  for (const [name, text] of Object.entries(headers)) all[name] = headerObject(text, "string");
  return Object.keys(all).length === 0 ? {} : { headers: all };
}

function headerObject(description: string, type: "integer" | "string"): JsonObject {
  return { description, schema: { type } };
}

const AGE_HEADERS = {
  [AGE_HEADER]: headerObject(
    "How many seconds old the data may be; only where the process can't read its store now.",
    "integer",
  ),
};

const PAGING_HEADERS = {
  "Page": headerObject("Page number.", "integer"),
  "Per-Page": headerObject("Number of items per page.", "integer"),
  "Total": headerObject("Number of items on all pages, if known.", "integer"),
  "X-Scan-Limited": headerObject("`true` if the search stopped at its limit.", "string"),
  [SCANNED_ID]: headerObject(
    "In a list by id whose search stopped: the last id that it looked at. Walk on behind it.",
    "integer",
  ),
};

function errorObjects(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const common = accessErrors(endpoint);
  const { query, body } = endpoint;
  const ofFields = [...fieldErrors(query), ...fieldErrors(body?.schema)];
  const all: ErrorContract[] = [
    ofFields.length === 0 ? {} : { 422: ofFields },
    endpoint.errors ?? {},
    common,
  ];
  const statuses = new Set(all.flatMap((errors) => Object.keys(errors)).sort());
  const schema = jsonSchema(ERROR, schemas);
  const responses: JsonObject = {};
  for (const status of statuses) {
    const identifiers = [...new Set(all.flatMap((errors) => errors[Number(status)] ?? []))];
    responses[status] = {
      description: identifiers.map((identifier) => `\`${identifier}\``).join(", "),
      ...(RETRIED_STATUSES.has(status) ? { headers: retryHeaders(identifiers) } : {}),
      content: { "application/json": { schema, example: { errors: identifiers.slice(0, 1) } } },
    };
  }
  return responses;
}

/** Statuses of temporary errors. */
const RETRIED_STATUSES: ReadonlySet<string> = new Set(["429", "503"]);

/** Only a rate limit tells what is left of it. */
function retryHeaders(identifiers: readonly string[]): JsonObject {
  return identifiers.includes(RATE_LIMITED)
    ? { ...RETRY_HEADERS, ...LIMIT_HEADERS }
    : RETRY_HEADERS;
}

const RETRY_HEADERS = {
  "Retry-After": headerObject("Seconds to wait before retrying.", "integer"),
};

const LIMIT_HEADERS = {
  "RateLimit-Limit": headerObject("Requests per second, and at once.", "integer"),
  "RateLimit-Remaining": headerObject("Requests left at the moment.", "integer"),
  "RateLimit-Reset": headerObject("Seconds until all are left again.", "integer"),
};
