/** What a venue with a sandbox for a chain can be made to meet. */
import type { Records } from "../../../client/client.ts";
import { plain, typedUnits } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { venue } from "../../shared/session.ts";
import { type Act, type ActField, filledFields, reasonPart, type Values } from "../acting/act.ts";
import {
  currencyField,
  type FieldCurrency,
  isNetworkChosen,
  networkFields,
} from "../acting/network_field.ts";
import { o } from "../acting/operate_texts.ts";

type Outcome = Records["PayoutRule"]["outcome"];
const OUTCOMES: readonly Outcome[] = [
  "confirm",
  "refuse",
  "fail",
  "lose_answer",
  "lose_request",
  "hide",
];

/** Returns what can be done with the sandbox. */
export function sandboxActs(currencies: readonly FieldCurrency[]): readonly Act[] {
  return [payAct(currencies), dropAct(currencies), payoutsAct(currencies)].map((act) => ({
    ...act,
    begin: { ...act.begin, currency: currencies[0]?.id ?? "" },
  }));
}

function payAct(currencies: readonly FieldCurrency[]): Act {
  const { sandbox, members } = o;
  const fields = (values: Values): readonly ActField[] => [
    { name: "uid", label: members.uid, kind: "text" },
    currencyField(currencies),
    ...networkFields(currencies, values),
    { name: "amount", label: t.trade.amount, kind: "decimal" },
  ];
  return {
    operation: "paySandboxDeposit",
    word: sandbox.pay,
    title: sandbox.pay,
    fields,
    says: (values) => {
      const { uid = "", currency = "", amount = "" } = values;
      const isWhole = uid.trim() !== "" && typedUnits(amount) !== null &&
        isNetworkChosen(currencies, values);
      const what = `${plain(amount.trim())} ${currency.toUpperCase()}`;
      return isWhole ? sandbox.paySays(uid.trim(), what) : "";
    },
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields(values), values), ...reasonPart(reason) };
      const { txid } = await venue.post("/api/v2/admin/sandbox/deposits", {
        body: body as Records["SandboxDepositInput"],
      });
      return sandbox.paid(txid);
    },
  };
}

function dropAct(currencies: readonly FieldCurrency[]): Act {
  const { sandbox } = o;
  const fields = (values: Values): readonly ActField[] => [
    currencyField(currencies),
    ...networkFields(currencies, values),
    { name: "blocks", label: sandbox.blocks, kind: "whole" },
    {
      name: "transactions",
      label: sandbox.transactions,
      kind: "choice",
      choices: [["drop", sandbox.dropped], ["replay", sandbox.replayed]],
    },
  ];
  return {
    operation: "reorganiseSandbox",
    word: sandbox.reorganise,
    title: sandbox.reorganise,
    isDanger: true,
    fields,
    begin: { blocks: "120", transactions: "drop" },
    says: (values) => {
      const { currency = "", blocks = "", transactions } = values;
      const how = transactions === "replay" ? sandbox.replayed : sandbox.dropped;
      return isNetworkChosen(currencies, values)
        ? sandbox.reorganiseSays(currency.toUpperCase(), blocks, how)
        : "";
    },
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields(values), values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/sandbox/reorganise", {
        body: body as Records["ReorganisationInput"],
      });
    },
  };
}

function payoutsAct(currencies: readonly FieldCurrency[]): Act {
  const { sandbox } = o;
  const fields: readonly ActField[] = [
    currencyField(currencies),
    {
      name: "outcome",
      label: sandbox.outcome,
      kind: "choice",
      choices: OUTCOMES.map((one) => [one, sandbox.outcomes[one]]),
    },
    { name: "address", label: sandbox.address, hint: sandbox.addressHint, kind: "text" },
    { name: "times", label: sandbox.times, hint: sandbox.timesHint, kind: "whole" },
  ];
  return {
    operation: "setSandboxPayouts",
    word: sandbox.payouts,
    title: sandbox.payouts,
    fields,
    begin: { outcome: "confirm", address: "*", times: "0" },
    says: ({ currency: code = "", outcome = "" }) =>
      sandbox.payoutsSays(
        code.toUpperCase(),
        sandbox.outcomes[OUTCOMES.find((one) => one === outcome) ?? "confirm"],
      ),
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/sandbox/payouts", { body: body as Records["PayoutRule"] });
    },
  };
}
