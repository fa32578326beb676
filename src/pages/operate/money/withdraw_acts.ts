/** What operators do with withdrawals, as far as their states allow. */
import { plain, toldUnits, unitsText } from "../../shared/amounts.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Act, Given } from "../acting/act.ts";
import type { Withdraw } from "./withdraw_columns.tsx";
import { type WithdrawActName, withdrawActNames } from "./withdraw_states.ts";

/** Returns what can be done with a withdrawal now. */
export function withdrawActs(withdraw: Withdraw): readonly Act[] {
  return withdrawActNames(withdraw).map((name) => ACTS[name](withdraw));
}

/** Returns what is most often done with one that waits for approval; nothing with others. */
export function quickActs(withdraw: Withdraw): readonly Act[] {
  return withdraw.waiting_for === "approval" ? [ACTS.approve(withdraw), ACTS.reject(withdraw)] : [];
}

const ACTS: Readonly<Record<WithdrawActName, (withdraw: Withdraw) => Act>> = {
  approve: (withdraw) => ({
    ...base(withdraw, "approve"),
    operation: "approveWithdraw",
    send: async ({ reason, key }) => {
      const path = "/api/v2/admin/withdraws/{id}/approve";
      const answer = await venue.post(path, parts(withdraw, { reason, key }));
      // What takes two operators has only been asked for.
      return "first" in answer ? o.members.askedSecond : undefined;
    },
  }),
  reject: (withdraw) => ({
    ...base(withdraw, "reject"),
    operation: "rejectWithdraw",
    isDanger: true,
    send: async ({ reason, key }) => {
      await venue.post("/api/v2/admin/withdraws/{id}/reject", parts(withdraw, { reason, key }));
    },
  }),
  handOver: (withdraw) => ({
    ...base(withdraw, "handOver"),
    operation: "handOverWithdraw",
    send: async ({ reason, key }) => {
      await venue.post("/api/v2/admin/withdraws/{id}/hand_over", parts(withdraw, { reason, key }));
    },
  }),
  retry: (withdraw) => ({
    ...base(withdraw, "retry"),
    operation: "retryWithdraw",
    send: async ({ reason, key }) => {
      await venue.post("/api/v2/admin/withdraws/{id}/retry", parts(withdraw, { reason, key }));
    },
  }),
  succeed: (withdraw) => ({
    ...base(withdraw, "succeed"),
    ...transaction(o.money.paidBy),
    operation: "succeedWithdraw",
    send: async ({ values, reason, key }) => {
      const { path, body } = parts(withdraw, { reason, key });
      await venue.post("/api/v2/admin/withdraws/{id}/succeed", {
        path,
        body: { ...body, ...txidPart(values) },
      });
    },
  }),
  fail: (withdraw) => ({
    ...base(withdraw, "fail"),
    operation: "failWithdraw",
    isDanger: true,
    send: async ({ reason, key }) => {
      await venue.post("/api/v2/admin/withdraws/{id}/fail", parts(withdraw, { reason, key }));
    },
  }),
  giveBack: (withdraw) => ({
    ...base(withdraw, "giveBack"),
    ...transaction(o.money.cameBackBy),
    operation: "returnWithdraw",
    send: async ({ values, reason, key }) => {
      const { path, body } = parts(withdraw, { reason, key });
      await venue.post("/api/v2/admin/withdraws/{id}/return", {
        path,
        body: { ...body, ...txidPart(values) },
      });
    },
  }),
};

/** What all of them have: their words, with the figures of the withdrawal. */
function base(withdraw: Withdraw, name: WithdrawActName) {
  const { acts } = o.money;
  const { id, currency, amount, fee, rid, uid } = withdraw;
  const code = currency.toUpperCase();
  const whole = `${plain(amount)} ${code}`;
  const sent = `${plain(unitsText(toldUnits(amount) - toldUnits(fee)))} ${code}`;
  return {
    word: acts[name].word,
    title: acts[name].title(String(id)),
    isReasonNeeded: true,
    says: () => acts[name].says(uid, whole, sent, rid),
  };
}

function transaction(label: string) {
  return {
    fields: [{ name: "txid", label, hint: o.money.txidHint, kind: "text" }] as const,
    begin: { txid: "" },
  };
}

function txidPart(values: Given["values"]): { readonly txid?: string } {
  const txid = (values["txid"] ?? "").trim();
  return txid === "" ? {} : { txid };
}

function parts({ id }: Withdraw, { reason, key }: Pick<Given, "reason" | "key">) {
  return { path: { id }, body: { reason, idempotency_key: key } };
}
