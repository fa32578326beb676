/** What operators do with a member's keys, sessions and addresses. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { type Act, wordsIn } from "../acting/act.ts";
import { nameOf } from "./member_acts.ts";

type Member = Records["Member"];
type Key = Records["ApiKey"];

/** Makes a key, whose secret is shown once. */
export function createKeyAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "createApiKey",
    word: members.createKey,
    title: members.createKeyFor(nameOf(member)),
    fields: [
      { name: "read", label: members.scopes.read, kind: "box" },
      { name: "trade", label: members.scopes.trade, kind: "box" },
      { name: "withdraw", label: members.scopes.withdraw, kind: "box" },
      { name: "ip_allow_list", label: members.ipList, hint: members.ipListHint, kind: "list" },
    ],
    begin: { read: "true", trade: "false", withdraw: "false", ip_allow_list: "" },
    isReasonNeeded: true,
    says: (values) => {
      const scopes = scopesIn(values);
      return scopes.length === 0 ? "" : members.createKeySays(
        nameOf(member),
        scopes.map((scope) => members.scopes[scope]).join(", "),
      );
    },
    send: async ({ values, reason }) => {
      const key = await venue.post("/api/v2/admin/members/{uid}/api_keys", {
        path: { uid: member.uid },
        body: {
          scopes: scopesIn(values),
          ip_allow_list: wordsIn(values["ip_allow_list"] ?? ""),
          reason,
        },
      });
      return members.keyMade(key.kid, key.secret);
    },
  };
}

function scopesIn(values: Readonly<Record<string, string>>): ("read" | "trade" | "withdraw")[] {
  return (["read", "trade", "withdraw"] as const).filter((scope) => values[scope] === "true");
}

/** Disables a key for good, as far as its member can tell; an admin may enable it again. */
export function disableKeyAct(uid: string, { kid }: Key): Act {
  const { members } = o;
  return {
    operation: "changeApiKey",
    word: members.disable,
    title: members.disableKey(kid),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.disableKeySays,
    send: async ({ reason }) => {
      const body = { state: "disabled", reason } as const;
      await venue.patch("/api/v2/admin/members/{uid}/api_keys/{kid}", {
        path: { uid, kid },
        body,
      });
    },
  };
}

/** Deletes a key. */
export function deleteKeyAct(uid: string, { kid }: Key): Act {
  const { members } = o;
  return {
    operation: "deleteApiKey",
    word: members.deleteWord,
    title: members.deleteKey(kid),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.deleteKeySays,
    send: async ({ reason }) => {
      const path = { uid, kid };
      await venue.delete("/api/v2/admin/members/{uid}/api_keys/{kid}", { path, body: { reason } });
    },
  };
}

/** Ends all sessions of a member. */
export function endSessionsAct(member: Member): Act {
  const { members } = o;
  return {
    operation: "endMemberSessions",
    word: members.endSessions,
    title: members.endSessionsOf(nameOf(member)),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.endSessionsSays,
    send: async ({ reason }) => {
      const path = { uid: member.uid };
      await venue.delete("/api/v2/admin/members/{uid}/sessions", { path, body: { reason } });
    },
  };
}

/** Ends one session. */
export function endSessionAct(uid: string, { id, user_ip }: Records["Session"]): Act {
  const { members } = o;
  return {
    operation: "endMemberSession",
    word: members.end,
    title: members.endSession(user_ip),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.endSessionSays(user_ip),
    send: async ({ reason }) => {
      const path = { uid, id };
      await venue.delete("/api/v2/admin/members/{uid}/sessions/{id}", { path, body: { reason } });
    },
  };
}

/** Disables an address to which the member withdraws. */
export function disableBeneficiaryAct(uid: string, beneficiary: Records["Beneficiary"]): Act {
  const { members } = o;
  const { id, name, currency } = beneficiary;
  return {
    operation: "disableBeneficiary",
    word: members.disable,
    title: members.disableBeneficiary(name),
    isDanger: true,
    isReasonNeeded: true,
    says: () => members.disableBeneficiarySays(name, currency.toUpperCase()),
    send: async ({ reason }) => {
      const path = { uid, id };
      const body = { reason };
      await venue.delete("/api/v2/admin/members/{uid}/beneficiaries/{id}", { path, body });
    },
  };
}
