/** Roles of people who operate the venue in their sessions. */
import { expectedReceipt } from "../../../domain/command.ts";
import type { OperatorRole } from "../../../domain/people/member.ts";
import { MEMBER, OPERATOR_ROLE } from "../../../edge/schemas/admin/admin_members.ts";
import { MEMBER_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import type { AnyCall, BodyCall, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { answerChanged, holderOf, membersJson } from "./admin_members.ts";

const PATH = "/api/v2/admin/members/{uid}/operator_role";
const OPERATOR_EXAMPLE = {
  ...MEMBER_EXAMPLE,
  operator_role: "support",
  operator_role_active: true,
};

async function setRole(call: AnyCall, role: OperatorRole | null): Promise<Response> {
  const { operator, uid } = holderOf(call).member;
  const receipt = await call.submit({ kind: "set_operator_role", uid, role });
  if (role !== null || operator !== undefined) {
    const kind = role === null ? "operator_role_taken" : "operator_role_given";
    await call.services.notices.send(uid, { kind, reason: call.act?.reason ?? "" });
  }
  return await answerChanged(call, expectedReceipt(receipt, "member_set").member);
}

async function listOperators(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const found = engine.venue.members().filter(({ member }) => member.operator !== undefined);
  const page = pageOf(found, query, "pagination");
  return call.page(await membersJson(call, page.items), query, page);
}

/** Endpoints of operators' roles. */
export const ADMIN_OPERATOR_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listOperators",
    method: "GET",
    paths: ["/api/v2/admin/operators"],
    ...ofOperators("viewer"),
    summary: "List the members who operate the venue",
    description: "Those who were given a role, also where it is not in force.",
    query: PAGE_QUERY,
    answer: okPage("Members, oldest first.", MEMBER, OPERATOR_EXAMPLE),
    handle: listOperators,
  }),
  endpoint({
    id: "setOperatorRole",
    method: "PUT",
    paths: [PATH],
    ...ofOperators("admin", { needsCode: true }),
    needsReason: true,
    summary: "Give a member a role as an operator",
    description:
      "In place of another one. The member must be active and have a second factor. The role ends when " +
      "its password is reset or its second factor changes: then give it again.",
    body: { schema: OPERATOR_ROLE, example: { role: "support", reason: "joins the help desk" } },
    answer: ok("The member.", MEMBER, OPERATOR_EXAMPLE),
    errors: { ...NOT_FOUND, 422: ["admin.member.invalid_state", "admin.member.otp_required"] },
    handle: (call: BodyCall<typeof OPERATOR_ROLE>) => setRole(call, call.body.role),
  }),
  endpoint({
    id: "removeOperatorRole",
    method: "DELETE",
    paths: [PATH],
    ...ofOperators("admin", { needsCode: true }),
    needsReason: true,
    summary: "Take a member's role as an operator away",
    answer: ok("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: NOT_FOUND,
    handle: (call: AnyCall) => setRole(call, null),
  }),
];
