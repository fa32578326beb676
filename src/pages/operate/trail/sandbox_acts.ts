/** What a venue with a sandbox for a chain can be made to meet. */
import type { Records } from "../../../client/client.ts";
import { plain, typedUnits } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { venue } from "../../shared/session.ts";
import { type Act, type ActField, filledFields, reasonPart } from "../acting/act.ts";
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
export function sandboxActs(currencies: readonly string[]): readonly Act[] {
  const currency: ActField = {
    name: "currency",
    label: t.trade.currency,
    kind: "choice",
    choices: currencies.map((id) => [id, id.toUpperCase()]),
  };
  return [payAct(currency), dropAct(currency), payoutsAct(currency)].map((act) => ({
    ...act,
    begin: { ...act.begin, currency: currencies[0] ?? "" },
  }));
}

function payAct(currency: ActField): Act {
  const { sandbox, members } = o;
  const fields: readonly ActField[] = [
    { name: "uid", label: members.uid, kind: "text" },
    currency,
    { name: "amount", label: t.trade.amount, kind: "decimal" },
  ];
  return {
    operation: "paySandboxDeposit",
    word: sandbox.pay,
    title: sandbox.pay,
    fields,
    says: ({ uid = "", currency: code = "", amount = "" }) =>
      uid.trim() === "" || typedUnits(amount) === null
        ? ""
        : sandbox.paySays(uid.trim(), `${plain(amount.trim())} ${code.toUpperCase()}`),
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      const { txid } = await venue.post("/api/v2/admin/sandbox/deposits", {
        body: body as Records["SandboxDepositInput"],
      });
      return sandbox.paid(txid);
    },
  };
}

function dropAct(currency: ActField): Act {
  const { sandbox } = o;
  const fields: readonly ActField[] = [
    currency,
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
    says: ({ currency: code = "", blocks = "", transactions = "" }) =>
      sandbox.reorganiseSays(
        code.toUpperCase(),
        blocks,
        transactions === "replay" ? sandbox.replayed : sandbox.dropped,
      ),
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      await venue.post("/api/v2/admin/sandbox/reorganise", {
        body: body as Records["ReorganisationInput"],
      });
    },
  };
}

function payoutsAct(currency: ActField): Act {
  const { sandbox } = o;
  const fields: readonly ActField[] = [
    currency,
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
