/** Credits a member or takes something away, by hand and with a reason. */
import { plain, toldUnits } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Act, ActField } from "../acting/act.ts";

/** Adjusts a member's balance; with null for its uid, that is asked too. */
export function adjustAct(uid: string | null, name: string, currencies: readonly string[]): Act {
  const { members } = o;
  const fields: readonly ActField[] = [
    ...(uid === null ? [{ name: "uid", label: members.uid, kind: "text" } as const] : []),
    {
      name: "currency",
      label: t.trade.currency,
      kind: "choice",
      choices: currencies.map((id) => [id, id.toUpperCase()]),
    },
    { name: "amount", label: t.trade.amount, hint: members.amountHint, kind: "decimal" },
  ];
  return {
    operation: "createAdjustment",
    word: members.adjust,
    title: uid === null ? members.adjust : members.adjustOf(name),
    fields,
    begin: { uid: "", currency: currencies[0] ?? "", amount: "" },
    isReasonNeeded: true,
    says: ({ uid: typed = "", currency = "", amount = "" }) => {
      const who = uid === null ? typed.trim() : name;
      if (who === "" || !/^[-+]?\d+(\.\d{0,16})?$/.test(amount.trim())) return "";
      const size = amount.trim().replace(/^[-+]/, "");
      if (toldUnits(size) === 0n) return "";
      const what = `${plain(size)} ${currency.toUpperCase()}`;
      return amount.trim().startsWith("-")
        ? members.debitSays(who, what)
        : members.creditSays(who, what);
    },
    send: async ({ values, reason, key }) => {
      const { currency = "", amount = "" } = values;
      const answer = await venue.post("/api/v2/admin/adjustments", {
        body: {
          uid: uid ?? (values["uid"] ?? "").trim(),
          currency,
          amount: amount.trim().replace(/^\+/, ""),
          reason,
          idempotency_key: key,
        },
      });
      if ("state" in answer) return members.askedSecond;
      return members.adjusted(`${plain(answer.balance)} ${currency.toUpperCase()}`);
    },
  };
}
