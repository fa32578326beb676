/** What operators do with members. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import {
  type Act,
  type ActField,
  beginOf,
  changedBody,
  changesText,
  filledFields,
  reasonPart,
} from "../acting/act.ts";
import { ROLES } from "../acting/roles.ts";

type Member = Records["Member"];

/** Returns a member's name for sentences: its address, else its uid. */
export function nameOf({ email, uid }: Pick<Member, "email" | "uid">): string {
  return email ?? uid;
}

/** Makes a member. */
export function createMemberAct(): Act {
  const { members } = o;
  const fields: readonly ActField[] = [
    { name: "email", label: members.email, kind: "text" },
    { name: "level", label: members.level, kind: "whole" },
    { name: "group", label: members.group, kind: "text" },
  ];
  return {
    operation: "createMember",
    word: members.create,
    title: members.create,
    fields,
    begin: { email: "", level: "0", group: "any" },
    says: ({ email = "", level = "", group = "" }) =>
      email.trim() === "" ? "" : members.createSays(email.trim(), level, group),
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/members", { body: body as Records["MemberInput"] });
    },
  };
}

/** Changes level, group, state and limits of a member, or turns its second factor off. */
export function changeMemberAct(member: Member): Act {
  const { members } = o;
  const { uid } = member;
  const fields: readonly ActField[] = [
    { name: "level", label: members.level, kind: "whole" },
    { name: "group", label: members.group, kind: "text" },
    {
      name: "state",
      label: members.state,
      hint: members.stateHint,
      kind: "choice",
      choices: (["active", "pending", "locked", "banned"] as const)
        .map((state) => [state, members.states[state]]),
    },
    {
      name: "open_orders_max",
      label: members.openOrdersMax,
      hint: members.zeroHint,
      kind: "whole",
    },
    {
      name: "bulk_orders_max",
      label: members.bulkOrdersMax,
      hint: members.zeroHint,
      kind: "whole",
    },
    {
      name: "untraded_orders_max",
      label: members.untradedOrdersMax,
      hint: members.zeroHint,
      kind: "whole",
    },
    { name: "market_orders_enabled", label: members.marketOrders, kind: "box" },
    ...(member.otp
      ? [{ name: "otp", label: members.otp, hint: members.otpHint, kind: "box" } as const]
      : []),
  ];
  const begin = beginOf(fields, member);
  return {
    operation: "changeMember",
    word: members.change,
    title: members.changeOf(nameOf(member)),
    fields,
    begin,
    isReasonNeeded: true,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const body = { ...changedBody(fields, begin, values), reason };
      await venue.patch("/api/v2/admin/members/{uid}", { path: { uid }, body });
    },
  };
}

/** Lifts locks for wrong passwords, codes and pins. */
export function unlockAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "unlockMember",
    word: members.unlock,
    title: members.unlockOf(nameOf(member)),
    isReasonNeeded: true,
    says: () => members.unlockSays,
    send: async ({ reason }) => {
      const path = { uid: member.uid };
      await venue.post("/api/v2/admin/members/{uid}/unlock", { path, body: { reason } });
    },
  };
}

/** Gives a member another address. */
export function changeEmailAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "changeMemberEmail",
    word: members.changeEmail,
    title: members.changeEmailOf(nameOf(member)),
    isDanger: true,
    fields: [{ name: "email", label: members.newEmail, kind: "text" }],
    isReasonNeeded: true,
    says: ({ email = "" }) =>
      email.trim() === "" ? "" : members.changeEmailSays(nameOf(member), email.trim()),
    send: async ({ values, reason }) => {
      const body = { email: (values["email"] ?? "").trim(), reason };
      await venue.put("/api/v2/admin/members/{uid}/email", { path: { uid: member.uid }, body });
    },
  };
}

/** Cancels a member's open orders, of one market or side if given. */
export function cancelOrdersAct(member: Member, markets: readonly string[]): Act {
  const { members } = o;
  return {
    operation: "cancelMemberOrders",
    word: members.cancelOrders,
    title: members.cancelOrdersOf(nameOf(member)),
    isDanger: true,
    fields: [
      {
        name: "market",
        label: t.trade.market,
        kind: "choice",
        choices: [["", t.trade.allOfMarkets], ...markets.map((id) => [id, id] as const)],
      },
      {
        name: "side",
        label: t.trade.side,
        kind: "choice",
        choices: [["", members.bothSides], ["buy", t.trade.sides.buy], [
          "sell",
          t.trade.sides.sell,
        ]],
      },
    ],
    begin: { market: "", side: "" },
    isReasonNeeded: true,
    says: ({ market = "", side = "" }) =>
      members.cancelOrdersSays(
        nameOf(member),
        market === "" ? t.trade.allOfMarkets : market,
        side === "buy" || side === "sell" ? t.trade.sides[side] : members.bothSides,
      ),
    send: async ({ values, reason }) => {
      const { market = "", side = "" } = values;
      const answer = await venue.post("/api/v2/admin/members/{uid}/orders/cancel", {
        path: { uid: member.uid },
        body: {
          reason,
          ...(market === "" ? {} : { market }),
          ...(side === "buy" || side === "sell" ? { side } : {}),
        },
      });
      return t.trade.cancelled(String(answer.cancelled));
    },
  };
}

/** Makes a member an operator, or gives it another role. */
export function giveRoleAct(member: Member): Act {
  const { members, roles } = o;
  return {
    operation: "setOperatorRole",
    word: members.giveRole,
    title: members.giveRoleTo(nameOf(member)),
    fields: [{
      name: "role",
      label: members.role,
      kind: "choice",
      choices: ROLES.map((role) => [role, `${roles[role]}: ${members.roleMay[role]}`]),
    }],
    begin: { role: "viewer" },
    isReasonNeeded: true,
    says: ({ role = "" }) => {
      const given = ROLES.find((one) => one === role) ?? "viewer";
      return members.giveRoleSays(nameOf(member), roles[given], members.roleMay[given]);
    },
    send: async ({ values, reason }) => {
      const role = ROLES.find((one) => one === values["role"]) ?? "viewer";
      const path = { uid: member.uid };
      await venue.put("/api/v2/admin/members/{uid}/operator_role", {
        path,
        body: { role, reason },
      });
    },
  };
}

/** Takes an operator's role back. */
export function takeRoleAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "removeOperatorRole",
    word: members.takeRole,
    title: members.takeRoleFrom(nameOf(member)),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.takeRoleSays(nameOf(member)),
    send: async ({ reason }) => {
      const path = { uid: member.uid };
      await venue.delete("/api/v2/admin/members/{uid}/operator_role", { path, body: { reason } });
    },
  };
}

/** Writes a note that other operators read. */
export function addNoteAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "addMemberNote",
    word: members.addNote,
    title: members.noteAbout(nameOf(member)),
    fields: [{ name: "text", label: members.note, kind: "long" }],
    hasNoReason: true,
    says: ({ text = "" }) => text.trim() === "" ? "" : members.addNoteSays,
    send: async ({ values }) => {
      const body = { text: values["text"] ?? "" };
      await venue.post("/api/v2/admin/members/{uid}/notes", { path: { uid: member.uid }, body });
    },
  };
}
