/** What a second operator does with what a first one has asked for. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Act } from "../acting/act.ts";
import { wordOf } from "../acting/record_views.tsx";
import { detailsText } from "./act_details.ts";

type Pending = Records["PendingAct"];

/** Approves it: then it happens. */
export function approvePendingAct(pending: Pending): Act {
  const { approvals } = o;
  return {
    operation: "approvePendingAct",
    word: approvals.approve,
    title: approvals.approveTitle(String(pending.id)),
    isReasonNeeded: true,
    says: () => approvals.approveSays(askedText(pending)),
    send: async ({ reason, key }) => {
      await venue.post("/api/v2/admin/approvals/{id}/approve", {
        path: { id: pending.id },
        body: { reason, idempotency_key: key },
      });
    },
  };
}

/** Refuses it: then it never happens. */
export function refusePendingAct(pending: Pending): Act {
  const { approvals } = o;
  return {
    operation: "refusePendingAct",
    word: approvals.refuse,
    title: approvals.refuseTitle(String(pending.id)),
    isDanger: true,
    isReasonNeeded: true,
    says: () => approvals.refuseSays(askedText(pending)),
    send: async ({ reason }) => {
      const path = { id: pending.id };
      await venue.post("/api/v2/admin/approvals/{id}/refuse", { path, body: { reason } });
    },
  };
}

/** Returns what was asked for, with its figures. */
function askedText({ action, target, changes, member }: Pending): string {
  const what = wordOf(o.approvals.actions, action);
  return `${what} (${[member, ...detailsText({ ...target, ...changes })].join(", ")})`;
}
