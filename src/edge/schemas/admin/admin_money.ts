/** Schemas of operators' calls about deposits and withdrawals. */
import * as z from "zod";
import { BENEFICIARY_STATES } from "../../../domain/people/beneficiary.ts";
import { ANY_OUTPUT, DEPOSIT_STATES } from "../../../domain/money/deposit.ts";
import { CHAIN_NAME_LENGTH_MAX } from "../../../domain/limits.ts";
import { MEMBER_STATES } from "../../../domain/people/member.ts";
import { WITHDRAW_STATES } from "../../../domain/money/withdraw.ts";
import { WAITING_FOR } from "../../../wallet/waiting_withdraws.ts";
import { decimalText, isoTime } from "../answers.ts";
import { DEPOSIT_EXAMPLE, WITHDRAW_EXAMPLE } from "../account_examples.ts";
import { DEPOSIT, networkField, REVERSED } from "../deposits.ts";
import {
  decimal,
  filled,
  flag,
  integer,
  OBJECT,
  optional,
  someWords,
  stateWords,
  text,
} from "../fields.ts";
import { directionField, idPageFields, timeFields } from "../lists.ts";
import { WITHDRAW } from "../withdraws.ts";

const VISIBLE_ASCII = /^[!-~]+$/;

function recordFilters(prefix: string) {
  return {
    uid: optional(filled({ prefix, name: "uid" }, {
      description: "Only records of this member.",
      example: "ID0A1B2C3D4E",
    })),
    currency: optional(filled({ prefix, name: "currency" }, {
      description: "Currency code.",
      example: "btc",
    })),
    txid: optional(filled({ prefix, name: "txid", lengthMax: CHAIN_NAME_LENGTH_MAX }, {
      description: "Only records with this transaction.",
    })),
    ...timeFields(prefix),
    ...idPageFields(prefix),
    order_by: directionField(prefix),
  };
}

/** Prefix of the error identifiers of deposits. */
export const ADMIN_DEPOSIT_WORDS = "admin.deposit";
/** Prefix of the error identifiers of withdrawals. */
export const ADMIN_WITHDRAW_WORDS = "admin.withdraw";

/** Query of all deposits. */
export const ADMIN_DEPOSITS_QUERY = z.object({
  ...recordFilters(ADMIN_DEPOSIT_WORDS),
  state: optional(stateWords(`${ADMIN_DEPOSIT_WORDS}.invalid_state`, DEPOSIT_STATES)),
});

/** Query of all withdrawals. */
export const ADMIN_WITHDRAWS_QUERY = z.object({
  ...recordFilters(ADMIN_WITHDRAW_WORDS),
  state: optional(stateWords(`${ADMIN_WITHDRAW_WORDS}.invalid_state`, WITHDRAW_STATES)),
  waiting_for: optional(someWords(ADMIN_WITHDRAW_WORDS, "waiting_for", WAITING_FOR, {
    description: "Only those that wait for one of these; name them all for all that wait.",
  })),
  is_approved: optional(flag(ADMIN_WITHDRAW_WORDS, "is_approved", {
    description: "With `false` and the state `accepted`: those that wait for you.",
  })),
});

/** A deposit that an operator enters. */
export const NEW_DEPOSIT = z.object({
  uid: text({ prefix: ADMIN_DEPOSIT_WORDS, name: "uid" }, { example: "ID0A1B2C3D4E" }),
  currency: text({ prefix: ADMIN_DEPOSIT_WORDS, name: "currency" }, {
    description: "Currency code.",
    example: "usd",
  }),
  network: networkField(
    ADMIN_DEPOSIT_WORDS,
    "One of the currency's networks; its first by default. Required with a `txid` where there are " +
      "several, as each has its own transactions.",
  ),
  amount: decimal({ prefix: ADMIN_DEPOSIT_WORDS, name: "amount", sign: "positive" }, {
    description: "Amount received, including the fee.",
    example: "100.0",
  }),
  txid: optional(text({
    prefix: ADMIN_DEPOSIT_WORDS,
    name: "txid",
    lengthMax: CHAIN_NAME_LENGTH_MAX,
    pattern: VISIBLE_ASCII,
  }, { description: "Transaction id; a transfer with the same id cannot be entered twice." })),
  output: optional(integer({
    prefix: ADMIN_DEPOSIT_WORDS,
    name: "output",
    min: 0,
    max: ANY_OUTPUT - 1,
  }, {
    description:
      "Index of the output in its transaction, if several of its outputs are deposits; requires " +
      "`txid`. If absent, the transaction is one deposit.",
  })),
}, OBJECT).meta({ id: "DepositInput", description: "A deposit to enter." });

/** How a payment came back. */
export const WITHDRAW_RETURN = z.object({
  txid: optional(text({
    prefix: ADMIN_WITHDRAW_WORDS,
    name: "txid",
    lengthMax: CHAIN_NAME_LENGTH_MAX,
    pattern: VISIBLE_ASCII,
  }, { description: "Transfer by which the payment came back." })),
}, OBJECT)
  .meta({ id: "WithdrawReturn", description: "How the payment of a withdrawal came back." });

/** How a withdrawal was paid. */
export const WITHDRAW_SUCCESS = z.object({
  txid: optional(text({
    prefix: ADMIN_WITHDRAW_WORDS,
    name: "txid",
    lengthMax: CHAIN_NAME_LENGTH_MAX,
    pattern: VISIBLE_ASCII,
  }, { description: "Transaction that paid the withdrawal, if the rail did not report it." })),
}, OBJECT)
  .meta({ id: "WithdrawSuccess", description: "How a withdrawal was paid." });

/** A deposit as operators see it. */
export const ADMIN_DEPOSIT = DEPOSIT.extend({
  uid: z.string().meta({ description: "Uid of the member.", examples: ["ID0A1B2C3D4E"] }),
  received: decimalText("Amount received, including the fee.", "0.5"),
  output: z.int().nullable().meta({
    description: "Index of the output in its transaction; null if the operator gave none.",
    examples: [0],
  }),
  reverses: REVERSED.nullable().meta({
    description: "What this deposit takes back; null for all others.",
    examples: [null],
  }),
  updated_at: isoTime("Time of the last change."),
}).meta({ id: "AdminDeposit", description: "A deposit of any member." });

/** Example of a deposit as operators see it. */
export const ADMIN_DEPOSIT_EXAMPLE = {
  ...DEPOSIT_EXAMPLE,
  uid: "ID0A1B2C3D4E",
  received: "0.5",
  output: 0,
  reverses: null,
  updated_at: "2020-03-02T10:52:10Z",
};

/** The state of the beneficiary of a withdrawal. */
export const PAYEE_STATE = z.enum([...BENEFICIARY_STATES, "disabled"]).meta({
  description: "`archived` if the member has deleted it, `disabled` if an operator has.",
  examples: ["active"],
});

/** A withdrawal as operators see it. */
export const ADMIN_WITHDRAW = WITHDRAW.extend({
  uid: z.string().meta({ description: "Uid of the member.", examples: ["ID0A1B2C3D4E"] }),
  member_state: z.enum(MEMBER_STATES).meta({
    description: "State of the member: look before you pay one that is `locked` or `banned`.",
    examples: ["active"],
  }),
  beneficiary_id: z.int().meta({ examples: [7] }),
  beneficiary_state: PAYEE_STATE,
  is_approved: z.boolean().meta({
    description: "Whether the withdrawal is within the limits or approved by an operator.",
  }),
  waiting_for: z.enum(WAITING_FOR).nullable().meta({
    description:
      "What it waits for: `approval`, `payment_by_hand`, which an operator makes and then reports " +
      "as succeeded, its `rail`, a `decision` of an operator since its payout is parked or its " +
      "beneficiary disabled, or the end " +
      "of a `hold`: its member is locked, or withdrawals, or those of its currency, are stopped. " +
      "Null if it has ended.",
    examples: ["approval"],
  }),
  is_by_hand: z.boolean().meta({
    description:
      "Whether the coin is paid by hand, since the venue had no rail for it, if only for a while, " +
      "after it was requested: none pays it unless an operator hands it over.",
  }),
  claims: z.int().meta({ description: "Number of times a process has claimed the payout." }),
}).meta({ id: "AdminWithdraw", description: "A withdrawal of any member." });

/** Example of a withdrawal as operators see it. */
export const ADMIN_WITHDRAW_EXAMPLE = {
  ...WITHDRAW_EXAMPLE,
  uid: "ID0A1B2C3D4E",
  member_state: "active" as const,
  beneficiary_id: 7,
  beneficiary_state: "active" as const,
  is_approved: false,
  waiting_for: "approval",
  is_by_hand: false,
  claims: 0,
};

/** A beneficiary as an operator reads it, who may have to pay to it by hand. */
export const ADMIN_BENEFICIARY = z.object({
  id: z.int().meta({ examples: [7] }),
  name: z.string().meta({ description: "The member's name for it.", examples: ["My cold wallet"] }),
  state: PAYEE_STATE,
  data: z.record(z.string(), z.unknown()).meta({
    description: "What the member entered, with the whole account number.",
    examples: [{ address: "sandbox-btc-4be1d0" }],
  }),
}).meta({ id: "AdminBeneficiary", description: "A destination of withdrawals, unmasked." });

/** A withdrawal with its destination. */
export const ADMIN_WITHDRAW_DETAIL = ADMIN_WITHDRAW.extend({
  beneficiary: ADMIN_BENEFICIARY.nullable().meta({
    description:
      "Where it goes; null, with an empty `rid`, if the store does not have that as it was entered.",
  }),
}).meta({
  id: "AdminWithdrawDetail",
  description: "A withdrawal of any member, with where it goes.",
});

/** Example of a withdrawal with its destination. */
export const ADMIN_WITHDRAW_DETAIL_EXAMPLE = {
  ...ADMIN_WITHDRAW_EXAMPLE,
  beneficiary: {
    id: 7,
    name: "My cold wallet",
    state: "active",
    data: { address: ADMIN_WITHDRAW_EXAMPLE.rid },
  },
};
