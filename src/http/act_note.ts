/** Builds what the audit trail records of an operator's call, from the call alone. */
import type { Context } from "hono";
import * as z from "zod";
import { ACT_KEY, actName, IDEMPOTENCY_KEY } from "./act_once.ts";
import { assert } from "../domain/assert.ts";
import type { Endpoint, OperatorAccess } from "./contract.ts";
import type { Env } from "../edge/env.ts";
import { fieldNames, refuseUnknown } from "../edge/reading/known_fields.ts";
import { REASON_LENGTH_MAX } from "../edge/schemas/admin/admin_members.ts";
import { OBJECT, optional, text } from "../edge/schemas/fields.ts";
import { SECRET_FIELDS } from "../edge/secret_fields.ts";
import { parseWith } from "../edge/reading/validation.ts";
import type { ActNote } from "./call.ts";

const REASON = "reason";
const REASON_RULES = { prefix: "admin.act", name: REASON, lengthMax: REASON_LENGTH_MAX } as const;
const EXAMPLE = "requested by the member";

/** The field that every operator's write takes besides its own. */
export const ACT_REASON = z.object({
  [REASON]: optional(
    text(REASON_RULES, { description: "Reason, kept in the audit trail.", example: EXAMPLE }),
  ),
}, OBJECT).meta({ id: "ActReason", description: "Reason for an act." });

const givenReason = text({ ...REASON_RULES, lengthMin: 1, pattern: /\S/ }, {
  description: "Reason, kept in the audit trail, and shown to the member.",
  example: EXAMPLE,
});

/** The same field where an act touches a member. */
export const MEMBER_ACT_REASON = z.object({ [REASON]: givenReason }, OBJECT)
  .meta({ id: "MemberActReason", description: "Reason for an act that touches a member." });

/** Error identifiers for an invalid reason. */
export const ACT_REASON_ERRORS = ["admin.act.invalid_reason", "admin.act.too_long_reason"];

/** Error identifier for a reason that is not given where one is needed. */
export const MISSING_REASON = "admin.act.missing_reason";

/** Returns the schema of the reason that an operator's endpoint takes. */
export function reasonSchema(
  { needsReason }: Pick<Endpoint, "needsReason">,
): typeof ACT_REASON | typeof MEMBER_ACT_REASON {
  return needsReason === true ? MEMBER_ACT_REASON : ACT_REASON;
}

/** Secrets and personal data: the trail records that they were given, but not their values. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  ...SECRET_FIELDS,
  "email",
  "address",
  "ip_allow_list",
]);
const HIDDEN = "(not kept)";
/** Maximum length of a recorded text; no field accepts a longer one. */
const KEPT_TEXT_MAX = 1000;
const KEPT_ITEMS_MAX = 100;
/** Maximum characters of all recorded fields as JSON: the act is a row beside the log. */
const KEPT_LENGTH_MAX = 16_000;
const TOO_LONG = "(too long)";

/** Returns whether calls of an endpoint are acts of an operator. */
export function isActEndpoint({ access, method }: Pick<Endpoint, "access" | "method">): boolean {
  return access.kind === "operator" && method !== "GET";
}

/** Reads a call of one endpoint: its context, and its body before the endpoint's own schema. */
export type ActReader = (c: Context<Env>, body: unknown) => ActNote;

/** Creates the reader for an operator's endpoint; it refuses fields that the endpoint lacks. */
export function createActReader(endpoint: Endpoint): ActReader {
  const own = endpoint.body === undefined ? [] : [...fieldNames(endpoint.body.schema)];
  const fields = own.filter((field) => field !== REASON);
  const taken = endpoint.isOnce ? [IDEMPOTENCY_KEY] : [];
  const known = new Set([...fields, REASON, ...taken]);
  const terms = operatorTerms(endpoint);
  return (c, given) => {
    const body = given ?? {};
    const { reason } = parseWith(reasonSchema(endpoint), body);
    refuseUnknown(body, known);
    const { [IDEMPOTENCY_KEY]: key } = parseWith(ACT_KEY, body);
    const target = { ...c.req.param() };
    return {
      action: endpoint.id,
      target,
      changes: keptFields(body, [...fields, ...taken]),
      reason: reason ?? "",
      once: key === undefined ? null : actName(key, endpoint.id, target, body),
      role: terms.others?.isMeant(body as Fields) === true ? terms.others.role : terms.role,
      needsCode: terms.needsCode === true,
    };
  };
}

type Fields = Readonly<Record<string, unknown>>;

function operatorTerms({ access, id }: Pick<Endpoint, "access" | "id">): OperatorAccess {
  assert(access.kind === "operator", `${id} is an operator's call`);
  return access;
}

function keptFields(body: unknown, fields: readonly string[]): Record<string, unknown> {
  const given = typeof body === "object" ? body as Record<string, unknown> | null : null;
  const kept: Record<string, unknown> = {};
  let left = KEPT_LENGTH_MAX;
  for (const field of fields) {
    const value = given?.[field];
    if (value === undefined) continue;
    const shown = HIDDEN_FIELDS.has(field) ? HIDDEN : keptValue(value);
    const { length } = JSON.stringify(shown);
    kept[field] = length > left ? TOO_LONG : shown;
    left -= Math.min(length, left);
  }
  return kept;
}

function keptValue(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, KEPT_TEXT_MAX);
  if (Array.isArray(value)) return value.slice(0, KEPT_ITEMS_MAX).map(keptValue);
  if (typeof value !== "object" || value === null) return value;
  return JSON.stringify(value).slice(0, KEPT_TEXT_MAX);
}
