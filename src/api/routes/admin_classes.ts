/** The groups and levels that members may have, for operators. */
import type * as z from "zod";
import type { BodyCall, Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { ok, OPERATOR } from "../endpoint_parts.ts";
import { ApiError } from "../errors.ts";
import {
  classesInUse,
  type MemberClasses,
  memberClasses,
  memberClassesRow,
} from "../member_classes.ts";
import { MEMBER_CLASSES, NEW_MEMBER_CLASSES } from "../schemas/admin_classes.ts";

const PATH = "/api/v2/admin/member_classes";
const IN_USE = "admin.member_classes.in_use";

function classesJson({ groups, levelMax }: MemberClasses): z.infer<typeof MEMBER_CLASSES> {
  return { groups: [...groups], level_max: levelMax };
}

async function read(call: Call): Promise<Response> {
  return call.json(200, classesJson(await memberClasses(call.engine)));
}

async function set(call: BodyCall<typeof NEW_MEMBER_CLASSES>): Promise<Response> {
  const classes = call.body;
  await call.engine.fresh();
  const inUse = classesInUse(call.engine.venue);
  const missing = inUse.groups.find((group) => !classes.groups.includes(group));
  if (missing !== undefined) throw stillUsed("groups", missing);
  if (classes.levelMax < inUse.levelMax) throw stillUsed("level_max", String(inUse.levelMax));
  const before = classesJson(await memberClasses(call.engine));
  const after = classesJson(classes);
  const sidecar = () => [memberClassesRow(classes)];
  await call.submit({ kind: "note_act" }, { sidecar, beside: { before, after } });
  return call.json(200, after);
}

/** Returns the error for a group or level that a member, a fee or a limit has. */
function stillUsed(field: string, value: string): ApiError {
  return new ApiError(422, IN_USE, { details: { field, value } });
}

const EXAMPLE = { groups: ["vip", "maker"], level_max: 3 };
const ANSWER = ok("The groups and levels.", MEMBER_CLASSES, EXAMPLE);

/** Endpoints of groups and levels. */
export const ADMIN_CLASS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMemberClasses",
    method: "GET",
    paths: [PATH],
    ...OPERATOR,
    summary: "Get the groups and levels that members may have",
    answer: ANSWER,
    handle: read,
  }),
  endpoint({
    id: "setMemberClasses",
    method: "PUT",
    paths: [PATH],
    ...OPERATOR,
    summary: "Define the groups and levels that members may have",
    description:
      "Members, trading fees and withdrawal limits take no other ones. A venue that has defined " +
      "none has those in use, and the levels 0 to 3. One that is in use can't be left out.",
    body: { schema: NEW_MEMBER_CLASSES, example: EXAMPLE },
    answer: ANSWER,
    errors: { 422: [IN_USE] },
    handle: set,
  }),
];
