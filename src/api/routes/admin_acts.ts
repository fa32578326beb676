/** The audit trail as operators read it; it is written by the acts themselves only. */
import type * as z from "zod";
import { type ActFilter, type NumberedAct, readActs } from "../../engine/acts.ts";
import type { QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../defined_fields.ts";
import { okPage, OPERATOR } from "../endpoint_parts.ts";
import { ACT, ACT_EXAMPLE, ACTS_QUERY } from "../schemas/admin_bounds.ts";
import { pageRequest } from "../schemas/lists.ts";
import { isoSeconds } from "../wire.ts";

async function listActs(call: QueryCall<typeof ACTS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const filter = definedFields<ActFilter>({ uid: query.uid, action: query.action });
  const page = await readActs(engine, filter, pageRequest(query, "desc", "admin.act"));
  return call.page(page.items.map(actJson), query, page);
}

function actJson({ id, act }: NumberedAct): z.infer<typeof ACT> {
  if (act === null) {
    return {
      id,
      uid: null,
      kid: null,
      action: null,
      target: {},
      changes: {},
      reason: null,
      at: null,
    };
  }
  const { uid, kid, action, target, changes, reason, at } = act;
  return {
    id,
    uid,
    kid,
    action,
    target: { ...target },
    changes: { ...changes },
    reason: reason === "" ? null : reason,
    at: isoSeconds(at),
  };
}

/** Endpoints of the audit trail. */
export const ADMIN_ACT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listActs",
    method: "GET",
    paths: ["/api/v2/admin/acts"],
    ...OPERATOR,
    summary: "List acts",
    description:
      "The audit trail: every accepted operator request that changes something, with who, " +
      "when, what and why. Each act is written in the same commit as its effect and never " +
      "changes.",
    query: ACTS_QUERY,
    answer: okPage("Acts, newest first.", ACT, ACT_EXAMPLE),
    handle: listActs,
  }),
];
