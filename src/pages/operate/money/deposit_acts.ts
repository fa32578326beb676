/** What operators do with deposits, as far as their states allow. */
import { plain, typedUnits } from "../../shared/amounts.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Records } from "../../../client/client.ts";
import { type Act, type ActField, filledFields, type Values } from "../acting/act.ts";
import {
  currencyField,
  type FieldCurrency,
  isNetworkChosen,
  networkFields,
} from "../acting/network_field.ts";
import type { Deposit } from "./deposit_columns.tsx";

/** Returns what can be done with a deposit now. */
export function depositActs(deposit: Deposit): readonly Act[] {
  const { state, reverses } = deposit;
  if (state === "submitted") return [acceptAct(deposit), rejectAct(deposit)];
  const isCredited = ["accepted", "processing", "collected"].includes(state);
  return isCredited && reverses === null ? [reverseAct(deposit)] : [];
}

function acceptAct(deposit: Deposit): Act {
  return {
    ...base(deposit, "accept"),
    operation: "acceptDeposit",
    send: async ({ reason, key }) => {
      const body = { reason, idempotency_key: key };
      await venue.post("/api/v2/admin/deposits/{id}/accept", { path: { id: deposit.id }, body });
    },
  };
}

function rejectAct(deposit: Deposit): Act {
  return {
    ...base(deposit, "reject"),
    operation: "rejectDeposit",
    isDanger: true,
    send: async ({ reason, key }) => {
      const body = { reason, idempotency_key: key };
      await venue.post("/api/v2/admin/deposits/{id}/reject", { path: { id: deposit.id }, body });
    },
  };
}

function reverseAct(deposit: Deposit): Act {
  return {
    ...base(deposit, "reverse"),
    operation: "reverseDeposit",
    isDanger: true,
    send: async ({ reason, key }) => {
      const body = { reason, idempotency_key: key };
      await venue.post("/api/v2/admin/deposits/{id}/reverse", { path: { id: deposit.id }, body });
    },
  };
}

/** What all of them have: their words, with the figures of the deposit. */
function base(deposit: Deposit, name: "accept" | "reject" | "reverse") {
  const words = o.money.depositActs[name];
  const what = `${plain(deposit.amount)} ${deposit.currency.toUpperCase()}`;
  return {
    word: words.word,
    title: words.title(String(deposit.id)),
    isReasonNeeded: true,
    says: () => words.says(deposit.uid, what),
  };
}

/** Enters a deposit by hand. */
export function enterDepositAct(currencies: readonly FieldCurrency[]): Act {
  const { money, members } = o;
  const fields = (values: Values): readonly ActField[] => [
    { name: "uid", label: members.uid, kind: "text" },
    currencyField(currencies),
    ...networkFields(currencies, values),
    { name: "amount", label: money.received, kind: "decimal" },
    { name: "txid", label: money.txid, hint: money.enterTxidHint, kind: "text" },
    { name: "output", label: money.output, hint: money.outputHint, kind: "whole" },
  ];
  return {
    operation: "enterDeposit",
    word: money.enterDeposit,
    title: money.enterDeposit,
    fields,
    begin: { currency: currencies[0]?.id ?? "" },
    isReasonNeeded: true,
    says: (values) => {
      const { uid = "", currency = "", amount = "" } = values;
      const isWhole = uid.trim() !== "" && typedUnits(amount) !== null &&
        isNetworkChosen(currencies, values);
      const what = `${plain(amount.trim())} ${currency.toUpperCase()}`;
      return isWhole ? money.enterSays(uid.trim(), what) : "";
    },
    send: async ({ values, reason, key }) => {
      const body = { ...filledFields(fields(values), values), reason, idempotency_key: key };
      await venue.post("/api/v2/admin/deposits", { body: body as Records["DepositInput"] });
    },
  };
}
