/** The groups and levels that members may have, for operators. */
import { memberClasses } from "../../../domain/people/member_classes.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { ofOperators, ok } from "../../endpoint_parts.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import { classesJson } from "../../../edge/wire/member_wire.ts";
import { MEMBER_CLASSES, NEW_MEMBER_CLASSES } from "../../../edge/schemas/admin/admin_classes.ts";

const PATH = "/api/v2/admin/member_classes";

async function read(call: Call): Promise<Response> {
  await call.engine.fresh();
  return call.json(200, classesJson(memberClasses(call.engine.venue)));
}

async function set(call: BodyCall<typeof NEW_MEMBER_CLASSES>): Promise<Response> {
  const receipt = await call.submit({ kind: "set_member_classes", classes: call.body });
  return call.json(200, classesJson(expectedReceipt(receipt, "member_classes_set").classes));
}

const EXAMPLE = { groups: ["vip", "maker"], level_max: 3 };
const ANSWER = ok("The groups and levels.", MEMBER_CLASSES, EXAMPLE);

/** Endpoints of groups and levels. */
export const ADMIN_CLASS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMemberClasses",
    method: "GET",
    paths: [PATH],
    ...ofOperators("viewer"),
    summary: "Get the groups and levels that members may have",
    answer: ANSWER,
    handle: read,
  }),
  endpoint({
    id: "setMemberClasses",
    method: "PUT",
    paths: [PATH],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Define the groups and levels that members may have",
    description:
      "Members, trading fees and withdrawal limits take no other ones. A venue that has defined " +
      "none has those in use, and the levels 0 to 3. One that is in use can't be left out.",
    body: { schema: NEW_MEMBER_CLASSES, example: EXAMPLE },
    answer: ANSWER,
    errors: { 422: ["admin.member_classes.in_use"] },
    handle: set,
  }),
];
