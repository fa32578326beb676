/** The audit trail as operators read it; it is written by the acts themselves only. */
import type * as z from "zod";
import {
  type ActApproval,
  type ActFilter,
  type NumberedAct,
  readActs,
} from "../../../secrets/acts.ts";
import type { QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import { ofOperators, okPage } from "../../endpoint_parts.ts";
import { ApiError, VALUE_LENGTH_MAX } from "../../../edge/errors.ts";
import { msOf } from "../../../edge/filters.ts";
import { nearestName } from "../../../edge/nearest_name.ts";
import { ACT, ACT_EXAMPLE, ACTS_QUERY } from "../../../edge/schemas/admin/admin_bounds.ts";
import { pageRequest } from "../../../edge/schemas/lists.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { operatorEmails } from "../../second_operator.ts";

const UNKNOWN_ACTION = "admin.act.unknown_action";

async function listActs(call: QueryCall<typeof ACTS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  requireAction(query.action, call.services.actions);
  const filter = definedFields<ActFilter>({
    uid: query.uid,
    kid: query.kid,
    action: query.action,
    member: query.member,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const page = await readActs(engine, filter, pageRequest(query, "desc", "admin.act"));
  const uids = page.items.flatMap(({ act }) => act?.uid ?? []);
  const emails = await operatorEmails(call, uids);
  return call.page(page.items.map((one) => actJson(one, emails)), query, page);
}

/** Refuses a kind of act that there is none of, whose list would be empty without a word. */
function requireAction(action: string | undefined, known: ReadonlySet<string>): void {
  if (action === undefined || known.has(action)) return;
  const nearest = nearestName(action, known);
  throw new ApiError(422, UNKNOWN_ACTION, {
    details: {
      field: "action",
      value: action.slice(0, VALUE_LENGTH_MAX),
      rule: "known",
      ...(nearest === undefined ? {} : { nearest }),
    },
  });
}

function actJson(
  { id, act }: NumberedAct,
  emails: ReadonlyMap<string, string>,
): z.infer<typeof ACT> {
  if (act === null) {
    return {
      id,
      uid: null,
      email: null,
      kid: null,
      action: null,
      target: {},
      changes: {},
      member: null,
      made: null,
      before: null,
      after: null,
      reason: null,
      approval: null,
      at: null,
    };
  }
  const { uid, kid, action, target, changes, member, made, before, after, reason, at } = act;
  const { approval } = act;
  return {
    id,
    uid,
    email: uid === null ? null : emails.get(uid) ?? null,
    kid,
    action,
    target: { ...target },
    changes: { ...changes },
    member: member ?? null,
    made: made ?? null,
    before: before === undefined ? null : { ...before },
    after: after === undefined ? null : { ...after },
    reason: reason === "" ? null : reason,
    approval: approval === undefined ? null : approvalJson(approval),
    at: isoSeconds(at),
  };
}

function approvalJson(
  { id, state, action, changes, reason, first }: ActApproval,
): NonNullable<z.infer<typeof ACT>["approval"]> {
  const { uid, kid } = first;
  return {
    id,
    state,
    action,
    changes: { ...changes },
    reason: reason === "" ? null : reason,
    first: { uid, kid },
  };
}

/** Endpoints of the audit trail. */
export const ADMIN_ACT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listActs",
    method: "GET",
    paths: ["/api/v2/admin/acts"],
    ...ofOperators("viewer"),
    summary: "List acts",
    description:
      "The audit trail: every accepted operator request that changes something, with who, " +
      "when, what and why. Each act is written in the same commit as its effect and never " +
      "changes.",
    query: ACTS_QUERY,
    errors: { 422: [UNKNOWN_ACTION] },
    answer: okPage("Acts, newest first.", ACT, ACT_EXAMPLE),
    handle: listActs,
  }),
];
