/** @jsxImportSource hono/jsx/dom */
/** How the acts of operators are listed. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { changesText, detailsText } from "./act_details.ts";
import { MemberLink, timeText, wordOf } from "../acting/record_views.tsx";

/** An act, as the audit trail has it. */
export type AuditAct = Records["Act"];

/** Returns the columns of the audit trail. */
export function actColumns(): readonly Column<AuditAct>[] {
  const { audit } = o;
  return [
    { title: audit.number, isFigure: true, show: ({ id }) => id },
    { title: audit.at, show: ({ at }) => timeText(at) },
    {
      title: audit.who,
      show: ({ uid, email, kid }) =>
        uid === null ? audit.command : (
          <span>
            <MemberLink uid={uid} name={email} />
            {kid === null ? null : <span class="line soft">{audit.key(kid)}</span>}
          </span>
        ),
    },
    {
      title: audit.what,
      show: ({ action, member, target, approval }) => (
        <span>
          <span title={action ?? undefined}>{actionText(action, approval)}</span>
          <span class="line">
            <span class="figures">{targetText(target, member)}</span>{" "}
            {member === null ? null : <MemberLink uid={member} />}
          </span>
        </span>
      ),
    },
    { title: audit.changes, show: (act) => <Changes act={act} /> },
    {
      title: o.reason,
      show: ({ reason }) => <span class="wrapped">{reason ?? "–"}</span>,
    },
  ];
}

/** Returns what was acted on, as a withdrawal's number; the member itself is named beside it. */
function targetText(target: AuditAct["target"], member: string | null): string {
  return Object.values(target).filter((name) => name !== member).join(" ");
}

/** Returns what was done; of what only asks for a second operator, that it was asked for. */
function actionText(action: string | null, approval: AuditAct["approval"]): string {
  if (action === null) return "–";
  return approval?.state === "pending"
    ? o.approvals.asked(wordOf(o.approvals.actions, action))
    : wordOf(o.audit.actions, action);
}

/** What was changed: from what, to what; or what was made of which fields. */
function Changes({ act }: { readonly act: AuditAct }): View {
  const { before, after, changes, made, approval } = act;
  const lines = before !== null && after !== null
    ? changesText(before, after)
    : detailsText(approval === null ? changes : { ...changes, ...approval.changes });
  const all = [
    ...(approval === null ? [] : [approvalText(approval)]),
    ...lines,
    ...(made === null ? [] : [o.audit.made(made)]),
  ];
  return (
    <span class="wrapped figures">
      {all.length === 0 ? "–" : all.map((line) => <span key={line} class="line">{line}</span>)}
    </span>
  );
}

/** Returns what an act that took two operators was: asked for, approved or refused, and what. */
function approvalText({ state, action, id }: NonNullable<AuditAct["approval"]>): string {
  const { states, actions } = o.approvals;
  return `${wordOf(actions, action)}: ${states[state]} (${id})`;
}
