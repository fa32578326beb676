/** What operators see and do when a member needs help: sessions, activity, beneficiaries, notes. */
import * as z from "zod";
import { memberNoteKey, memberNoteRowsOf, sidecarRows } from "../../../engine/sidecar_rows.ts";
import { disabledKeysIn } from "../../../identity/notices.ts";
import type { BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, noContent, NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import { expectedReceipt } from "../../../domain/command.ts";
import { BENEFICIARY_EXAMPLE } from "../../../edge/schemas/account_examples.ts";
import { MEMBER_NOTE, NEW_MEMBER_EMAIL, NEW_NOTE } from "../../../edge/schemas/admin/admin_care.ts";
import { MEMBER } from "../../../edge/schemas/admin/admin_members.ts";
import { BENEFICIARIES_QUERY, BENEFICIARY } from "../../../edge/schemas/beneficiaries.ts";
import { MEMBER_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { ACTIVITY, SESSION_ANSWER, SESSIONS_ENDED } from "../../../edge/schemas/identity.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { NO_CURRENCY } from "../account_currency.ts";
import { answerChanged, holderOf } from "./admin_members.ts";
import { ACTIVITY_EXAMPLE, answerActivity } from "../auth/auth_account.ts";
import { SESSION_EXAMPLE, sessionJson } from "../auth/auth_sessions.ts";
import { answerBeneficiaries } from "../beneficiaries.ts";

const MEMBER_PATH = "/api/v2/admin/members/{uid}";

interface NoteRow {
  readonly text: string;
  readonly uid: string;
  readonly kid: string | null;
  readonly at: number;
}

async function listSessions(call: Call): Promise<Response> {
  const { uid } = holderOf(call).member;
  const sessions = await call.services.identity.sessions.list(uid);
  return call.json(200, sessions.map((info) => sessionJson(info, "")));
}

async function endSessions(call: Call): Promise<Response> {
  const { uid } = holderOf(call).member;
  const { sessions } = call.services.identity;
  const rows = await sessions.endingRows(uid, null);
  await call.submit({ kind: "note_act" }, { sidecar: () => rows });
  await sessions.endOthers(uid, null);
  if (rows.length > 0) await tell(call, uid, "sessions_ended");
  return call.json(200, { ended: rows.length });
}

async function endSession(call: Call): Promise<Response> {
  const { uid } = holderOf(call).member;
  const { sessions } = call.services.identity;
  const id = call.param("id");
  if (!(await sessions.list(uid)).some((session) => session.id === id)) {
    throw new ApiError(404, "resource.session.not_found");
  }
  await call.submit({ kind: "note_act" });
  await sessions.end(uid, id);
  await tell(call, uid, "sessions_ended");
  return call.json(200, { ended: 1 });
}

async function tell(call: Call, uid: string, kind: "sessions_ended"): Promise<void> {
  await call.services.notices.send(uid, { kind, reason: call.act?.reason ?? "" });
}

async function listMemberActivity(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  return await answerActivity(call, holderOf(call).member.uid);
}

async function listMemberBeneficiaries(
  call: QueryCall<typeof BENEFICIARIES_QUERY>,
): Promise<Response> {
  return await answerBeneficiaries(call, holderOf(call));
}

async function disableBeneficiary(call: Call): Promise<Response> {
  const { uid } = holderOf(call).member;
  const given = call.param("id");
  const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  await call.submit({ kind: "disable_beneficiary", uid, id }, {
    sidecar: () => [call.services.pins.erase(id)],
  });
  return call.empty();
}

async function addNote(call: BodyCall<typeof NEW_NOTE>): Promise<Response> {
  const { uid } = holderOf(call).member;
  const { engine, caller, body: { text } } = call;
  const operator = engine.venue.holder(caller.member).member.uid;
  const note: NoteRow = { text, uid: operator, kid: caller.key?.kid ?? null, at: engine.now() };
  const receipt = await call.submit({ kind: "note_act" }, {
    sidecar: ({ act = 0 }) => [{ key: memberNoteKey(uid, act), value: note }],
  });
  const { act = 0 } = expectedReceipt(receipt, "act_noted");
  return call.json(201, noteJson(act, note));
}

async function listNotes(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  const { uid } = holderOf(call).member;
  const notes: z.infer<typeof MEMBER_NOTE>[] = [];
  for await (const { key, value } of sidecarRows(call.engine, { prefix: memberNoteRowsOf(uid) })) {
    notes.push(noteJson(Number(key.at(-1)), value as NoteRow));
  }
  const page = pageOf(notes.reverse(), call.query, "pagination");
  return call.page(page.items, call.query, page);
}

function noteJson(id: number, { text, uid, kid, at }: NoteRow): z.infer<typeof MEMBER_NOTE> {
  return { id, text, uid, kid, created_at: isoSeconds(at) };
}

/** Moves a member to another mailbox: all that the old one could prove ends, as with a reset. */
async function changeEmail(call: BodyCall<typeof NEW_MEMBER_EMAIL>): Promise<Response> {
  const { uid, emailDigest: before } = holderOf(call).member;
  const { contacts, identity, notices } = call.services;
  const { email } = call.body;
  const [emailDigest, row, old, ended] = await Promise.all([
    contacts.emailDigest(email),
    contacts.contactRow(uid, { email }),
    contacts.contact(uid),
    identity.moveRows(uid),
  ]);
  if (emailDigest === before) {
    const details = { field: "email", rule: "unique" } as const;
    throw new ApiError(422, "admin.member.duplicate_email", { details });
  }
  const beside = {
    before: { email: old === null ? null : maskedEmail(old.email) },
    after: { email: maskedEmail(email) },
  };
  const receipt = await call.submit(
    { kind: "change_member", uid, changes: { emailDigest } },
    { sidecar: () => [row, ...ended], beside },
  );
  await identity.hasMoved(uid);
  const content = { kind: "email_changed", reason: call.act?.reason ?? "" } as const;
  if (old !== null) await notices.sendTo({ uid, to: old.email }, content);
  await notices.send(uid, content);
  await notices.tellOfDisabledKeys(uid, disabledKeysIn(receipt));
  return await answerChanged(call, expectedReceipt(receipt, "member_set").member);
}

/** Returns what the audit trail keeps of a mailbox: enough to tell two apart, not to write to it. */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}

const NOTE_EXAMPLE = {
  id: 32,
  text: "called on 2 March, will send papers",
  uid: "ID0000000001",
  kid: "operator",
  created_at: "2020-03-02T10:51:00Z",
};

const SESSION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listMemberSessions",
    method: "GET",
    paths: [`${MEMBER_PATH}/sessions`],
    ...ofOperators("viewer"),
    summary: "List a member's sessions",
    answer: ok("Open sessions, newest first.", z.array(SESSION_ANSWER), [
      { ...SESSION_EXAMPLE, current: false },
    ]),
    errors: NOT_FOUND,
    handle: listSessions,
  }),
  endpoint({
    id: "endMemberSessions",
    method: "DELETE",
    paths: [`${MEMBER_PATH}/sessions`],
    ...ofOperators("support"),
    needsReason: true,
    summary: "End a member's sessions",
    description: "The member is told by mail. To keep it out as well, lock it.",
    answer: ok("The number of sessions ended.", SESSIONS_ENDED, { ended: 2 }),
    errors: NOT_FOUND,
    handle: endSessions,
  }),
  endpoint({
    id: "endMemberSession",
    method: "DELETE",
    paths: [`${MEMBER_PATH}/sessions/{id}`],
    ...ofOperators("support"),
    needsReason: true,
    summary: "End one of a member's sessions",
    answer: ok("The number of sessions ended.", SESSIONS_ENDED, { ended: 1 }),
    errors: { 404: ["record.not_found", "resource.session.not_found"] },
    handle: endSession,
  }),
  endpoint({
    id: "listMemberActivity",
    method: "GET",
    paths: [`${MEMBER_PATH}/activity/{topic}`],
    ...ofOperators("viewer"),
    summary: "List a member's account activity",
    description: "Topics as in the member's own list; `all` for all.",
    query: PAGE_QUERY,
    answer: okPage("Events, newest first.", ACTIVITY, ACTIVITY_EXAMPLE),
    errors: { ...NOT_FOUND, 422: ["resource.user.wrong_topic"] },
    handle: listMemberActivity,
  }),
];

const BENEFICIARY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listMemberBeneficiaries",
    method: "GET",
    paths: [`${MEMBER_PATH}/beneficiaries`],
    ...ofOperators("viewer"),
    summary: "List a member's beneficiaries",
    query: BENEFICIARIES_QUERY,
    answer: okPage("Beneficiaries, oldest first.", BENEFICIARY, BENEFICIARY_EXAMPLE),
    errors: { ...NOT_FOUND, 422: [NO_CURRENCY] },
    handle: listMemberBeneficiaries,
  }),
  endpoint({
    id: "disableBeneficiary",
    method: "DELETE",
    paths: [`${MEMBER_PATH}/beneficiaries/{id}`],
    ...ofOperators("support", { needsCode: true }),
    needsReason: true,
    summary: "Delete a member's beneficiary",
    description:
      "Also one that whoever made it has deleted. Nothing goes to it any more but what the rail has " +
      "sent: withdrawals that were requested before lose their approval and get none again. Reject " +
      "them, or report what was paid by hand just before.",
    answer: noContent("It is deleted for good."),
    errors: NOT_FOUND,
    handle: disableBeneficiary,
  }),
];

/** Endpoints that help a member. */
export const ADMIN_MEMBER_CARE_ENDPOINTS: readonly Endpoint[] = [
  ...SESSION_ENDPOINTS,
  ...BENEFICIARY_ENDPOINTS,
  endpoint({
    id: "addMemberNote",
    method: "POST",
    paths: [`${MEMBER_PATH}/notes`],
    ...ofOperators("support"),
    summary: "Write a note about a member",
    description: "For other operators: the member is not told. Notes are never changed.",
    body: { schema: NEW_NOTE, example: { text: "called on 2 March, will send papers" } },
    answer: created("The note.", MEMBER_NOTE, NOTE_EXAMPLE),
    errors: NOT_FOUND,
    handle: addNote,
  }),
  endpoint({
    id: "listMemberNotes",
    method: "GET",
    paths: [`${MEMBER_PATH}/notes`],
    ...ofOperators("viewer"),
    summary: "List the notes about a member",
    query: PAGE_QUERY,
    answer: okPage("Notes, newest first.", MEMBER_NOTE, NOTE_EXAMPLE),
    errors: NOT_FOUND,
    handle: listNotes,
  }),
  endpoint({
    id: "changeMemberEmail",
    method: "PUT",
    paths: [`${MEMBER_PATH}/email`],
    ...ofOperators("admin", { needsCode: true }),
    needsReason: true,
    summary: "Change a member's email address",
    description:
      "For a member that has lost its mailbox; make sure who asks. Its password no longer signs in: " +
      "a code for a new one is sent to the new address, where the member may ask for another. As " +
      "with a reset, sessions end, the API keys that the member made are disabled for good, and " +
      "withdrawals are on hold. Both addresses are told.",
    body: {
      schema: NEW_MEMBER_EMAIL,
      example: { email: "carol.new@example.org", reason: "lost her mailbox, passport seen" },
    },
    answer: ok("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: { ...NOT_FOUND, 422: ["admin.member.duplicate_email"] },
    handle: changeEmail,
  }),
];
