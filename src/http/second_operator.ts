/** Acts that take two operators: the first call asks, and nothing happens until another approves. */
import type * as z from "zod";
import { present } from "../domain/assert.ts";
import type { Command } from "../domain/command.ts";
import { ApiError, rejectionError } from "../edge/errors.ts";
import type { PENDING_ACT } from "../edge/schemas/admin/admin_approvals.ts";
import { isoSeconds } from "../edge/wire/wire.ts";
import { refusalNow } from "../domain/trial.ts";
import { type HeldRow, RowChangedError } from "../engine/engine.ts";
import { askedWithdrawKey, pendingActKey } from "../engine/sidecar_rows.ts";
import type { ActAuthor } from "../secrets/acts.ts";
import {
  type AskedAct,
  type NumberedPendingAct,
  type PendingAct,
  readPendingAct,
} from "../secrets/pending_acts.ts";
import type { AnyCall } from "./call.ts";

/** Error identifier for a withdrawal whose approval another act has asked for already. */
export const ALREADY_ASKED = "admin.approval.already_requested";

/** What is asked for. */
export interface Asking {
  readonly asked: AskedAct;
  /** The command that it comes to; one that would be refused now is refused at once. */
  readonly command: Command;
  /** Uid of the member that it touches. */
  readonly member: string;
}

/** Whether a call only asks; one that is repeated does what it did the first time. */
export function asksSecond({ earlier, services }: AnyCall): boolean {
  return earlier === null ? services.takesTwoOperators : earlier.kind === "act_noted";
}

/** How often an act is asked for that others ask for at the same time. */
const TRIES_MAX = 3;

/** Asks a second operator, and answers with what was asked. */
export async function askSecond(call: AnyCall, asking: Asking): Promise<Response> {
  for (let tries = 1;; tries++) {
    try {
      return await answerPending(call, 202, await askOnce(call, asking));
    } catch (error) {
      // Another operator may just have asked for the same.
      if (!(error instanceof RowChangedError) || tries >= TRIES_MAX) throw error;
    }
  }
}

/** Asks, and returns the number of the act. */
async function askOnce(call: AnyCall, asking: Asking): Promise<number> {
  const { engine } = call;
  const held = call.earlier === null ? await holdAsking(call, asking) : null;
  const { asked, member } = asking;
  const { action, changes, reason, target } = present(call.act, "an operator's call is an act");
  const first = call.author;
  const what = { action, changes, reason, first, member };
  const pending: PendingAct = { asked, target, at: engine.now(), ...what };
  const receipt = await call.submit({ kind: "note_act" }, {
    approval: { state: "pending", ...what },
    held: held === null ? [] : [held],
    sidecar: ({ act = 0 }) => [
      { key: pendingActKey(act), value: pending },
      ...(held === null ? [] : [{ key: held.key, value: act }]),
    ],
  });
  return present(receipt.act, "an operator's call is numbered");
}

/** Returns the row that lets a withdrawal be asked for once at a time; null for other acts. */
async function holdAsking(
  { engine }: AnyCall,
  { asked, command }: Asking,
): Promise<HeldRow | null> {
  const refusal = refusalNow(engine.venue, command, engine.now());
  if (refusal !== null) throw rejectionError(refusal);
  if (asked.kind !== "withdraw") return null;
  const held = await engine.holdSidecar(askedWithdrawKey(asked.id));
  if (held.value === null) return held;
  throw new ApiError(422, ALREADY_ASKED, {
    details: { field: "id", value: String(held.value), rule: "unique" },
  });
}

/** Answers with an act that takes two operators. */
export async function answerPending(
  call: AnyCall,
  status: 200 | 202,
  id: number,
): Promise<Response> {
  const pending = present(await readPendingAct(call.engine, id), `act ${id} has asked`);
  const [json] = await pendingActsJson(call, [{ id, pending }]);
  return call.json(status, json);
}

/** Returns acts that take two operators as operators see them. */
export async function pendingActsJson(
  call: AnyCall,
  acts: readonly NumberedPendingAct[],
): Promise<z.infer<typeof PENDING_ACT>[]> {
  const emails = await operatorEmails(
    call,
    acts.flatMap(({ pending: { decision, first } }) => [
      first.uid,
      ...(decision === undefined ? [] : [decision.second.uid]),
    ]),
  );
  const authorJson = ({ uid, kid }: ActAuthor) => ({ uid, email: emails.get(uid) ?? null, kid });
  return acts.map(({ id, pending }) => {
    const { action, at, changes, decision, first, member, reason, target } = pending;
    return {
      id,
      state: decision === undefined ? "pending" : decision.isApproved ? "approved" : "refused",
      action,
      target: { ...target },
      changes: { ...changes },
      member,
      reason: reason === "" ? null : reason,
      first: authorJson(first),
      second: decision === undefined ? null : {
        ...authorJson(decision.second),
        act: decision.act,
        reason: decision.reason === "" ? null : decision.reason,
        at: isoSeconds(decision.at),
      },
      created_at: isoSeconds(at),
    };
  });
}

/** Returns the addresses of operators, by uid, without those that can't be opened. */
export async function operatorEmails(
  call: AnyCall,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(uids)];
  const contacts = await call.shown(call.services.contacts.contactsOf(asked), []);
  return new Map(asked.flatMap((uid, place) => {
    const email = contacts[place]?.email;
    return email === undefined ? [] : [[uid, email] as const];
  }));
}
