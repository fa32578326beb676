/** Schemas of calls about the sandbox and the wallet. */
import * as z from "zod";
import { CHAIN_NAME_LENGTH_MAX } from "../../domain/limits.ts";
import { REORGANISATIONS, SANDBOX_FINAL_BLOCKS } from "../../wallet/rails/sandbox_chain.ts";
import { ANY_ADDRESS, PAYOUT_OUTCOMES } from "../../wallet/rails/sandbox_rail.ts";
import { WALLET_NOTICE_KINDS } from "../../wallet/wallet_notices.ts";
import { decimalText, isoTime } from "./answers.ts";
import { networkField, SHOWN_NETWORK } from "./deposits.ts";
import { decimal, filled, integer, OBJECT, text, withDefault, word } from "./fields.ts";

const FAUCET = "account.faucet";
const SANDBOX = "admin.sandbox";
const TIMES_MAX = 1_000_000;

function currencyField(prefix: string) {
  return filled({ prefix, name: "currency" }, {
    description: "Currency code, case-insensitive.",
    example: "btc",
  });
}

function amountField(prefix: string) {
  return decimal({ prefix, name: "amount", sign: "positive" }, {
    description: "Amount in coins.",
    example: "0.5",
  });
}

/** A deposit that a member makes from the faucet. */
export const NEW_FAUCET_DEPOSIT = z.object({
  currency: currencyField(FAUCET),
  network: networkField(FAUCET),
  amount: amountField(FAUCET),
}, OBJECT).meta({ id: "FaucetDepositInput", description: "A deposit from the faucet." });

/** A payment to make to a member. */
export const NEW_SANDBOX_DEPOSIT = z.object({
  uid: filled({ prefix: SANDBOX, name: "uid" }, {
    description: "Uid of the member to pay.",
    example: "IDA11CE00001",
  }),
  currency: currencyField(SANDBOX),
  network: networkField(SANDBOX),
  amount: amountField(SANDBOX),
}, OBJECT).meta({
  id: "SandboxDepositInput",
  description: "A payment to make on the sandbox chain.",
});

/** A payment that was made. */
export const SANDBOX_DEPOSIT = z.object({
  uid: z.string(),
  currency: z.string(),
  network: SHOWN_NETWORK,
  amount: decimalText("Amount paid.", "0.5"),
  address: z.string().meta({ description: "Address paid to." }),
  tag: z.string().optional().meta({
    description: "The member's tag at it; absent for a currency without a `tag`.",
  }),
  txid: z.string().meta({ description: "Transaction id." }),
}).meta({ id: "SandboxDeposit", description: "A payment on the sandbox chain." });

/** Blocks to drop. */
export const NEW_REORGANISATION = z.object({
  currency: currencyField(SANDBOX),
  network: networkField(SANDBOX),
  blocks: withDefault(
    integer({ prefix: SANDBOX, name: "blocks", min: 1, max: SANDBOX_FINAL_BLOCKS }, {
      description: "Number of blocks to drop from the end of the chain.",
    }),
    SANDBOX_FINAL_BLOCKS,
  ),
  transactions: withDefault(
    word(SANDBOX, "transactions", REORGANISATIONS, {
      description:
        "What happens to the transactions of these blocks. `drop`: they are gone for good. " +
        "`replay`: the next block contains them.",
    }),
    "drop",
  ),
}, OBJECT).meta({ id: "ReorganisationInput", description: "Blocks to drop." });

/** The blocks that were dropped. */
export const REORGANISED = z.object({
  currency: z.string(),
  network: SHOWN_NETWORK,
  blocks: z.int(),
  txids: z.array(z.string()).meta({ description: "Transactions of the dropped blocks." }),
}).meta({ id: "Reorganised", description: "The blocks that were dropped." });

/** A rule for how payouts end. */
export const PAYOUT_RULE = z.object({
  currency: currencyField(SANDBOX),
  address: withDefault(
    text({ prefix: SANDBOX, name: "address", lengthMin: 1, lengthMax: CHAIN_NAME_LENGTH_MAX }, {
      description: "Only payouts to this address; `*` for all without a rule of their own.",
    }),
    ANY_ADDRESS,
  ),
  outcome: word(SANDBOX, "outcome", PAYOUT_OUTCOMES, {
    description:
      "`confirm`: they arrive. `refuse`: they are not sent. `fail`: they are sent but have no " +
      "effect. `lose_answer`: they are sent, but the response is lost. `lose_request`: they " +
      "are lost on the way. `hide`: they are sent, the response is lost, and no look-up finds " +
      "them until the rule changes.",
  }),
  times: withDefault(
    integer({ prefix: SANDBOX, name: "times", min: 0, max: TIMES_MAX }, {
      description:
        "Number of payouts the rule applies to; 0 for all. `hide` always applies to all.",
    }),
    0,
  ),
}, OBJECT).meta({ id: "PayoutRule", description: "How payouts in the sandbox end." });

/** The rule in force. */
export const PAYOUT_RULE_SET = z.object({
  currency: z.string(),
  address: z.string(),
  outcome: z.enum(PAYOUT_OUTCOMES),
  times: z.int(),
}).meta({ id: "PayoutRuleSet", description: "How payouts in the sandbox end from now on." });

/** A notice to the operator. */
export const WALLET_NOTICE = z.object({
  kind: z.enum(WALLET_NOTICE_KINDS).meta({
    description:
      "`deposit_lost`: the transaction of a credited deposit is gone. `deposit_returned`: the " +
      "transaction of a deposit that was given up or `reversed` is there after all: enter it again " +
      "if its member is to be credited; or of one that was told to be `lost`, or of another amount, " +
      "and stands: don't reverse it. `deposit_refused`: the " +
      "venue cannot record the deposit. `deposit_untagged`: coins came to the address that all " +
      "members share, without a tag (`no_tag`) or with nobody's (`unknown_tag`): find out whose " +
      "they are, and enter the deposit. `deposit_mismatched`: the deposit was entered, or " +
      "credited by a block that is gone, with an amount or member that differs from the chain, or " +
      "entered as a whole although several outputs pay. `payout_waits`: the payout can't be made yet and is tried again; the `reason` says why " +
      "now, and what to do. `payout_parked`: it is unknown whether the payout was sent. `payout_missing`: the " +
      "payout was sent but cannot be found, never arrives or may not: the `reason` says what to do. " +
      "`payout_returned`: a payout that was told to be missing was mined after all: if its amount " +
      "was given back or paid by hand, take that back. `payout_unbooked`: the payout was sent, but its " +
      "withdrawal has ended otherwise. `network_reorganised`: blocks of the network were replaced " +
      "below what has been credited, and nothing of it is read or paid until an operator says " +
      "where to go on. `network_mistaken`: the node is of another network. `moved_to_cold`: what " +
      "the wallet had beyond a coin's limit goes to the cold address.",
  }),
  currency: z.string().nullable().meta({ description: "Null if it is about a network." }),
  network: z.string().nullable().meta({
    description: "The network that it is about; null where the currency lives on none.",
  }),
  id: z.int().nullable().meta({ description: "Id of the deposit or withdrawal." }),
  txid: z.string().nullable(),
  reason: z.string(),
  created_at: isoTime("Time when it was noticed."),
}).meta({
  id: "WalletNotice",
  description: "A deposit, payout or network that needs the operator's attention.",
});
