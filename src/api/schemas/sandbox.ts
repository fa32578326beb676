/** What calls about the sandbox carry and answer. */
import * as z from "zod";
import { REORGANISATIONS, SANDBOX_FINAL_BLOCKS } from "../../wallet/sandbox_chain.ts";
import { ANY_ADDRESS, PAYOUT_OUTCOMES } from "../../wallet/sandbox_rail.ts";
import { WALLET_NOTICE_KINDS } from "../../wallet/wallet_notices.ts";
import { decimalText, isoTime } from "./answers.ts";
import { decimal, filled, integer, OBJECT, text, withDefault, word } from "./fields.ts";

const FAUCET = "account.faucet";
const SANDBOX = "admin.sandbox";
const ADDRESS_LENGTH_MAX = 256;
const TIMES_MAX = 1_000_000;

function currencyField(prefix: string) {
  return filled({ prefix, name: "currency" }, {
    description: "Currency code, in any case.",
    example: "btc",
  });
}

function amountField(prefix: string) {
  return decimal({ prefix, name: "amount", sign: "positive" }, {
    description: "In coins.",
    example: "0.5",
  });
}

/** A member's wish for coins. */
export const NEW_FAUCET_DEPOSIT = z.object({
  currency: currencyField(FAUCET),
  amount: amountField(FAUCET),
}, OBJECT).meta({ id: "NewFaucetDeposit", description: "Coins to come out of the faucet." });

/** A payment to a member from outside. */
export const NEW_SANDBOX_DEPOSIT = z.object({
  uid: filled({ prefix: SANDBOX, name: "uid" }, {
    description: "Member whose address is paid to.",
    example: "IDA11CE00001",
  }),
  currency: currencyField(SANDBOX),
  amount: amountField(SANDBOX),
}, OBJECT).meta({ id: "NewSandboxDeposit", description: "A payment on the sandbox's chain." });

/** The payment. */
export const SANDBOX_DEPOSIT = z.object({
  uid: z.string(),
  currency: z.string(),
  amount: decimalText("As paid.", "0.5"),
  address: z.string().meta({ description: "Where it was paid to." }),
  txid: z.string().meta({ description: "Its transaction." }),
}).meta({ id: "SandboxDeposit", description: "A payment on the sandbox's chain." });

/** Blocks to throw out. */
export const NEW_REORGANISATION = z.object({
  currency: currencyField(SANDBOX),
  blocks: withDefault(
    integer({ prefix: SANDBOX, name: "blocks", min: 1, max: SANDBOX_FINAL_BLOCKS }, {
      description: "How many of the last blocks.",
    }),
    SANDBOX_FINAL_BLOCKS,
  ),
  transactions: withDefault(
    word(SANDBOX, "transactions", REORGANISATIONS, {
      description: "`drop`: they are gone for good. `replay`: the next block holds them.",
    }),
    "drop",
  ),
}, OBJECT).meta({ id: "NewReorganisation", description: "Blocks to be thrown out." });

/** What was thrown out. */
export const REORGANISED = z.object({
  currency: z.string(),
  blocks: z.int(),
  txids: z.array(z.string()).meta({ description: "Transactions that the blocks held." }),
}).meta({ id: "Reorganised", description: "What was thrown out." });

/** How payouts are to end. */
export const PAYOUT_RULE = z.object({
  currency: currencyField(SANDBOX),
  address: withDefault(
    text({ prefix: SANDBOX, name: "address", lengthMin: 1, lengthMax: ADDRESS_LENGTH_MAX }, {
      description: "Payouts to this address; `*` for every other.",
    }),
    ANY_ADDRESS,
  ),
  outcome: word(SANDBOX, "outcome", PAYOUT_OUTCOMES, {
    description: "`confirm`: they arrive. `refuse`: they are not sent. `fail`: they are sent " +
      "without effect. `lose_answer`: they are sent and the answer is lost. `lose_request`: they " +
      "are lost on the way. `hide`: they are sent, the answer is lost, and no look-up finds them " +
      "until the rule is another.",
  }),
  times: withDefault(
    integer({ prefix: SANDBOX, name: "times", min: 0, max: TIMES_MAX }, {
      description: "For how many payouts; 0 for all that come. `hide` is always for all.",
    }),
    0,
  ),
}, OBJECT).meta({ id: "PayoutRule", description: "How payouts in the sandbox end." });

/** How payouts end. */
export const PAYOUT_RULE_SET = z.object({
  currency: z.string(),
  address: z.string(),
  outcome: z.enum(PAYOUT_OUTCOMES),
  times: z.int(),
}).meta({ id: "PayoutRuleSet", description: "How payouts in the sandbox end from here on." });

/** A call for the operator. */
export const WALLET_NOTICE = z.object({
  kind: z.enum(WALLET_NOTICE_KINDS).meta({
    description: "`deposit_lost`: a credited deposit's transaction is gone. `deposit_returned`: " +
      "one that was given up is there after all. `deposit_refused`: the venue can't take note of " +
      "it. `deposit_mismatched`: it was entered with another amount or member than the chain " +
      "shows, or as a whole where several outputs pay. `payout_parked`: nobody knows whether it " +
      "was sent. `payout_missing`: it was sent and is not to be found. `payout_unbooked`: it was " +
      "sent, and its withdrawal has ended otherwise.",
  }),
  currency: z.string(),
  id: z.int().nullable().meta({ description: "Of the deposit or withdrawal." }),
  txid: z.string().nullable(),
  reason: z.string(),
  created_at: isoTime("When it was seen."),
}).meta({ id: "WalletNotice", description: "Something that the operator has to look at." });
