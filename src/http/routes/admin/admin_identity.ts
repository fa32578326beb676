/** Unlocking people who are locked out, and the demo's outbox, for operators. */
import * as z from "zod";
import { present } from "../../../domain/assert.ts";
import type { OutboxMessage } from "../../../messages/outbox.ts";
import type { Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";
import { MEMBER } from "../../../edge/schemas/admin/admin_members.ts";
import { MEMBER_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { OUTBOX_MESSAGE, OUTBOX_QUERY } from "../../../edge/schemas/identity.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { answerChanged, holderOf } from "./admin_members.ts";

async function unlock(call: Call): Promise<Response> {
  const { uid } = holderOf(call).member;
  await call.submit({ kind: "note_act" });
  await call.services.identity.unlock(uid);
  await call.services.pins.unlock(uid);
  return await answerChanged(call, holderOf(call).member);
}

function messageJson(message: OutboxMessage): z.infer<typeof OUTBOX_MESSAGE> {
  const { id, uid, to, kind, code, createdAt } = message;
  return { id, uid, to, kind, code, created_at: isoSeconds(createdAt) };
}

async function listOutbox(call: QueryCall<typeof OUTBOX_QUERY>): Promise<Response> {
  const outbox = present(call.services.outbox, "a venue with this endpoint has an outbox");
  const messages = await outbox.list(call.query.uid ?? null);
  return call.json(200, messages.map(messageJson));
}

/** Endpoints about people, for operators. */
export const ADMIN_IDENTITY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "unlockMember",
    method: "POST",
    paths: ["/api/v2/admin/members/{uid}/unlock"],
    ...ofOperators("support", { needsCode: true }),
    needsReason: true,
    summary: "Lift a member's locks",
    description:
      "Lifts locks for too many wrong passwords, one-time codes or pins, and for too many " +
      "codes or pins sent to its mailbox.",
    answer: ok("The member.", MEMBER, MEMBER_EXAMPLE),
    errors: NOT_FOUND,
    handle: unlock,
  }),
  endpoint({
    id: "listOutbox",
    method: "GET",
    paths: ["/api/v2/admin/outbox"],
    ...ofOperators("admin"),
    summary: "List sent messages",
    description: "Includes their codes. Demo only.",
    query: OUTBOX_QUERY,
    answer: ok("Messages, newest first.", z.array(OUTBOX_MESSAGE), [{
      id: 7,
      uid: "ID0A1B2C3D4E",
      to: "carol@example.org",
      kind: "email_confirmation",
      code: "k7fj29xq4m",
      created_at: "2020-03-02T10:51:00Z",
    }]),
    isServed: ({ outbox }) => outbox !== null,
    handle: listOutbox,
  }),
];
