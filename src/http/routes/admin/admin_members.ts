/** Members, for operators. */
import type * as z from "zod";
import { expectedReceipt, type Receipt } from "../../../domain/command.ts";
import type { Member, MemberState } from "../../../domain/people/member.ts";
import type { Holder } from "../../../domain/venue.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { msOf } from "../../../edge/filters.ts";
import { requireClass } from "../../member_classes.ts";
import { memberFields } from "../../../edge/wire/member_wire.ts";
import {
  MEMBER,
  MEMBER_CHANGES,
  MEMBERS_QUERY,
  NEW_MEMBER,
} from "../../../edge/schemas/admin/admin_members.ts";
import { MEMBER_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { pageOf } from "../../../edge/schemas/lists.ts";
import { disabledKeysIn } from "../../../identity/notices.ts";
import { createUid } from "../../../identity/random_names.ts";

/**
 * Returns the member that the path names.
 *
 * @throws {ApiError} 404 if there is none
 */
export function holderOf(call: AnyCall): Holder {
  const holder = call.engine.venue.holderByUid.get(call.param("uid"));
  if (holder === undefined) throw new ApiError(404, "record.not_found");
  return holder;
}

/** Returns a member as operators see it. */
export async function memberJson(
  call: AnyCall,
  member: Member,
): Promise<z.infer<typeof MEMBER>> {
  const contact = await call.services.contacts.contact(member.uid);
  return memberWithEmail(member, contact?.email ?? null);
}

function memberWithEmail(member: Member, email: string | null): z.infer<typeof MEMBER> {
  const { uid, ...fields } = memberFields(member);
  return { uid, email, ...fields };
}

async function createMember(call: BodyCall<typeof NEW_MEMBER>): Promise<Response> {
  const { email, level, group } = call.body;
  const { contacts } = call.services;
  await requireClass(call.engine, "admin.member", { level, group });
  const uid = createUid(call.engine.venue);
  const [emailDigest, row] = await Promise.all([
    contacts.emailDigest(email),
    contacts.contactRow(uid, { email }),
  ]);
  const receipt = await call.submit(
    { kind: "create_member", uid, emailDigest, level, group },
    { sidecar: () => [row] },
  );
  return call.json(201, memberWithEmail(memberOf(receipt), email));
}

async function changeMember(call: BodyCall<typeof MEMBER_CHANGES>): Promise<Response> {
  const { uid, hasTwoFactor: hadTwoFactor, state } = holderOf(call).member;
  const { sessions } = call.services.identity;
  await requireClass(call.engine, "admin.member", call.body);
  const isShutOut = state === "pending" || shutsOut(call.body);
  const rows = () =>
    isLock(call.body.state) ? sessions.shutOutRows(uid) : sessions.endingRows(uid, null);
  const ended = isShutOut ? await rows() : [];
  const receipt = await call.submit(
    { kind: "change_member", uid, changes: call.body },
    { sidecar: () => ended },
  );
  if (isShutOut) await sessions.endOthers(uid, null);
  const member = memberOf(receipt);
  const { notices } = call.services;
  if (hadTwoFactor && !member.hasTwoFactor) {
    await notices.send(uid, { kind: "two_factor_changed", isOn: false });
  }
  await notices.tellOfDisabledKeys(uid, disabledKeysIn(receipt));
  if (member.state !== state) {
    await notices.send(uid, {
      kind: `account_${member.state}`,
      reason: call.act?.reason ?? "",
    });
  }
  return await answerChanged(call, member);
}

/** Answers with a member that has changed, without its mailbox if this process can't open that. */
export async function answerChanged(call: AnyCall, member: Member): Promise<Response> {
  const contact = await call.shown(call.services.contacts.contact(member.uid), null);
  return call.json(200, memberWithEmail(member, contact?.email ?? null));
}

/**
 * Returns whether a change ends the member's sessions: somebody else may be signed in as it, who
 * must not go on once the member is let in again. Those of a `pending` one, as older versions began
 * them for whoever had signed up, end with any change.
 */
function shutsOut({ state, hasTwoFactor }: z.infer<typeof MEMBER_CHANGES>): boolean {
  return (state !== undefined && state !== "active") || hasTwoFactor === false;
}

/** Returns whether a member in this state has no access. */
function isLock(state: MemberState | undefined): boolean {
  return state === "locked" || state === "banned";
}

function memberOf(receipt: Receipt): Member {
  return expectedReceipt(receipt, "member_set").member;
}

async function listMembers(call: QueryCall<typeof MEMBERS_QUERY>): Promise<Response> {
  const { email, state, level, group, time_from, time_to, ...query } = call.query;
  await requireClass(call.engine, "admin.member", { level, group });
  const [from = -Infinity, to = Infinity] = [msOf(time_from), msOf(time_to)];
  const named = email === undefined ? call.engine.venue.members() : await membersOf(call, email);
  const found = named.filter(({ member }) =>
    (state === undefined || state.has(member.state)) &&
    (level === undefined || member.level === level) &&
    (group === undefined || member.group === group) &&
    member.createdAt >= from && member.createdAt < to
  );
  const page = pageOf(found, query, "pagination");
  return call.page(await membersJson(call, page.items), query, page);
}

/** Returns members as operators see them. */
export async function membersJson(
  call: AnyCall,
  holders: readonly Holder[],
): Promise<z.infer<typeof MEMBER>[]> {
  const uids = holders.map(({ member }) => member.uid);
  const contacts = await call.services.contacts.contactsOf(uids);
  return holders.map(({ member }, place) =>
    memberWithEmail(member, contacts[place]?.email ?? null)
  );
}

/** Returns the member with this address, if there is one. */
async function membersOf(call: AnyCall, email: string): Promise<readonly Holder[]> {
  const { venue } = call.engine;
  const index = venue.emailDigests.get(await call.services.contacts.emailDigest(email));
  return index === undefined ? [] : [venue.holder(index)];
}

async function readMember(call: Call): Promise<Response> {
  return call.json(200, await memberJson(call, holderOf(call).member));
}

/** Endpoints of members. */
export const ADMIN_MEMBER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createMember",
    method: "POST",
    paths: ["/api/v2/admin/members"],
    ...ofOperators("support", { needsCode: true }),
    summary: "Create a member",
    body: {
      schema: NEW_MEMBER,
      example: { email: "alice@example.org", level: 3, group: "any" },
    },
    answer: created("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: { 422: ["admin.member.duplicate_email"] },
    handle: createMember,
  }),
  endpoint({
    id: "listMembers",
    method: "GET",
    paths: ["/api/v2/admin/members"],
    ...ofOperators("viewer"),
    summary: "List members",
    query: MEMBERS_QUERY,
    answer: okPage("Members, oldest first.", MEMBER, MEMBER_EXAMPLE),
    handle: listMembers,
  }),
  endpoint({
    id: "readMember",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}"],
    ...ofOperators("viewer"),
    summary: "Get a member",
    answer: ok("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: NOT_FOUND,
    handle: readMember,
  }),
  endpoint({
    id: "changeMember",
    method: "PATCH",
    paths: ["/api/v2/admin/members/{uid}"],
    ...ofOperators("support", { needsCode: true }),
    needsReason: true,
    summary: "Change a member",
    description:
      "Any state but `active`, and turning its second factor off, ends a member's sessions. The " +
      "latter also disables the API keys that it made for good.",
    body: { schema: MEMBER_CHANGES, example: { level: 2, bulk_orders_max: 200 } },
    answer: ok("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: { ...NOT_FOUND, 422: ["admin.api_key.last_operator"] },
    handle: changeMember,
  }),
];
