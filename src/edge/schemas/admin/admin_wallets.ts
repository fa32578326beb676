/** Schemas of what chains hold beside what the ledger owes. */
import * as z from "zod";
import { NETWORK_FAULTS } from "../../../wallet/rails/network_rail.ts";
import { decimalText } from "../answers.ts";
import { integer, OBJECT } from "../fields.ts";

/** Far beyond all blocks. */
const HEIGHT_MAX = 1_000_000_000_000;

const OF_CHAIN = untold("As of that block; null if it can't be told.", "12.5");

/** Returns the schema of a decimal that may be null; its description stands where both are told. */
function untold(description: string, example: string): z.ZodNullable<z.ZodString> {
  return decimalText(description, example).nullable().meta({ description });
}

const HOLDING = z.object({
  network: z.string().meta({ examples: ["sepolia"] }),
  address: z.string().nullable().meta({
    description:
      "The wallet's own address, to which coins for payouts and their fees are paid; null " +
      "without a node.",
    examples: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  }),
  cold_address: z.string().nullable().meta({
    description: "Where what is over the hot limit goes, as this process has it; null without one.",
  }),
  height: z.int().nullable().meta({ description: "Height of the block as of which it is told." }),
  fault: z.enum([...NETWORK_FAULTS, "no_node", "other_coin"]).nullable().meta({
    description:
      "Why the network tells nothing now. `no_node`: this process has no node of it, or " +
      "no process with `WALLET_SEED` has begun it yet. " +
      "`other_coin`: its contract is none, or has other digits than the currency says.",
  }),
  hot: OF_CHAIN.meta({ description: "What payouts can be made of." }),
  deposits: OF_CHAIN.meta({
    description: "What is at members' addresses and was not moved yet; on networks of Bitcoin's " +
      "family, where that pays as soon as it is final and then is `hot`, what is not final yet.",
  }),
  cold: OF_CHAIN.meta({ description: "What is at the cold address; null also if there is none." }),
  fee: untold(
    "What one payout costs now, in the network's own coin; null while the network has a `fault`, " +
      "or its node does not tell.",
    "0.00042",
  ),
  rests: untold(
    "What members have paid that is too small for the ledger, a part of the `difference`; null " +
      "while the network has a `fault`, or it can't be told.",
    "0.000000000000000042",
  ),
});

/** A currency's chains beside its ledger. */
export const WALLET = z.object({
  currency: z.string().meta({ description: "Currency code.", examples: ["ether"] }),
  networks: z.array(HOLDING),
  chain: untold("What all of them hold; null while one of them has a `fault`.", "12.5"),
  in_flight: z.object({
    deposits: decimalText("In a block, and not credited yet.", "0.5"),
    paid: decimalText("Withdrawals that a block has paid, locked in the ledger yet.", "0.2"),
    sent: decimalText("Payouts that no block holds yet.", "0.1"),
  }).nullable().meta({ description: "What is on its way; null if it can't be told." }),
  free: decimalText("What members can use.", "11.0"),
  locked: decimalText("What orders, deposits and withdrawals of members hold.", "0.7"),
  fees: decimalText("What the venue has earned; it owes that to nobody.", "0.02"),
  difference: untold(
    "`chain` without `in_flight.deposits`, with `in_flight.paid`, and without `free` and `locked`: " +
      "below zero the venue owes more than it has. Null while `chain` or `in_flight` is.",
    "0.5",
  ),
}).meta({ id: "Wallet", description: "What chains hold of a currency, and what members have." });

const RESUMING = "admin.network";

/** Where a network is to be read from. */
export const NETWORK_RESUMPTION = z.object({
  from_height: integer({ prefix: RESUMING, name: "from_height", min: 0, max: HEIGHT_MAX }, {
    description: "Height of a block of the present chain: those above it are read again.",
    example: 7199900,
  }),
}, OBJECT).meta({ id: "NetworkResumption", description: "Where a network is to be read from." });

/** A network that is read again. */
export const RESUMED_NETWORK = z.object({
  network: z.string().meta({ examples: ["sepolia"] }),
  from_height: z.int(),
}).meta({ id: "ResumedNetwork", description: "Where a network is read from now." });

/** An example of it. */
export const WALLET_EXAMPLE = {
  currency: "ether",
  networks: [{
    network: "sepolia",
    address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    cold_address: null,
    height: 7200000,
    fault: null,
    hot: "10.0",
    deposits: "2.5",
    cold: null,
    fee: "0.00042",
    rests: "0.0",
  }],
  chain: "12.5",
  in_flight: { deposits: "0.5", paid: "0.2", sent: "0.1" },
  free: "11.0",
  locked: "0.7",
  fees: "0.02",
  difference: "0.5",
};
