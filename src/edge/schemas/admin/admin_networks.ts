/** Schemas of operators' calls about the networks that a currency lives on. */
import * as z from "zod";
import type { CurrencyNetwork, NetworkTerms } from "../../../domain/money/currency.ts";
import { NETWORK_NAMES, networkNamed } from "../../../wallet/networks.ts";
import { definedFields } from "../../answer.ts";
import { decimalText } from "../answers.ts";
import { changed, decimal, flag, integer, keptOrNone, OBJECT, text, word } from "../fields.ts";
import { NETWORK } from "../market_answers.ts";

/** Prefix of the error identifiers of currencies. */
export const CURRENCY_WORDS = "admin.currency";

/** Most tokens have 18. */
const NETWORK_DIGITS_MAX = 36;
const CONFIRMATIONS_MAX = 1_000_000;

/** Returns the schema of an amount that may be zero. */
export function amount(
  prefix: string,
  name: string,
  description: string,
): z.ZodType<bigint, string> {
  const rules = { prefix, name, sign: "not_negative" } as const;
  return decimal(rules, { description, example: "0.0" });
}

const name = word(CURRENCY_WORDS, "network", NETWORK_NAMES, {
  description:
    "Network that a coin lives on, for wallets with rails to networks (`WALLET_RAIL`). What it is " +
    "there can't be changed. `min_confirmations` is there at most what makes a block final.",
});

const COIN_THERE = changed(CURRENCY_WORDS, {
  contract: text({ prefix: CURRENCY_WORDS, name: "contract" }, {
    description: "Address of a token's contract; absent for the network's own coin.",
    example: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  }),
  network_digits: integer({
    prefix: CURRENCY_WORDS,
    name: "network_digits",
    min: 0,
    max: NETWORK_DIGITS_MAX,
  }, {
    description:
      "Decimal places of a token's smallest unit, as its contract says: 6 for most dollars. " +
      "The network's own coin has those of the network.",
    example: 6,
  }),
});

/** Fields of a new currency about the first network that it lives on. */
export const FIRST_NETWORK = { ...changed(CURRENCY_WORDS, { network: name }), ...COIN_THERE };

const TERMS = {
  hot_limit: keptOrNone(amount(
    CURRENCY_WORDS,
    "hot_limit",
    "The most that the wallet keeps ready for payouts on the network: what is beyond it goes to " +
      "the network's cold address (`WALLET_COLD`). Null, the default, is any amount.",
  )),
  ...changed(CURRENCY_WORDS, {
    deposit_enabled: flag(CURRENCY_WORDS, "deposit_enabled", {
      description: "Whether deposits are open on the network while they are for the currency.",
    }),
    withdrawal_enabled: flag(CURRENCY_WORDS, "withdrawal_enabled", {
      description: "Whether withdrawals are open on the network while they are for the currency.",
    }),
  }),
  withdraw_fee: keptOrNone(amount(
    CURRENCY_WORDS,
    "withdraw_fee",
    "Withdrawal fee on the network; null, the default, for the currency's own.",
  )),
  min_confirmations: keptOrNone(integer({
    prefix: CURRENCY_WORDS,
    name: "min_confirmations",
    min: 0,
    max: CONFIRMATIONS_MAX,
  }, {
    description:
      "Confirmations that a deposit needs there; null, the default, for as many as the currency " +
      "says.",
  })),
};

const TERMS_FIELDS = z.object(TERMS, OBJECT).meta({
  id: "CurrencyNetworkChanges",
  description: "Terms to change; all others stay as they are.",
});

/** Changes of a currency's terms on a network. */
export const NETWORK_CHANGES: z.ZodType<Partial<NetworkTerms>> = TERMS_FIELDS.transform(terms);

/** A network to add to those that a currency lives on. */
export const NEW_NETWORK: z.ZodType<CurrencyNetwork> = z.object({
  network: name,
  ...COIN_THERE,
  ...TERMS,
}, OBJECT).meta({
  id: "CurrencyNetworkInput",
  description: "A network to add to those that a currency lives on.",
}).transform((given, context) => ({ ...coinThere(given, context), ...terms(given) }));

/** A currency on a network, as operators see it. */
export const ADMIN_NETWORK = NETWORK.extend({
  network_digits: z.int().meta({
    description: "Decimal places of its smallest unit on the network.",
    examples: [18],
  }),
  hot_limit: decimalText("The most that the wallet keeps ready there; null for any amount.", "5.0")
    .nullable(),
}).meta({ id: "AdminCurrencyNetwork", description: "A currency on a network, for operators." });

function terms(given: z.infer<typeof TERMS_FIELDS>): Partial<NetworkTerms> {
  return definedFields<Partial<NetworkTerms>>({
    hotLimit: given.hot_limit,
    depositEnabled: given.deposit_enabled,
    withdrawalEnabled: given.withdrawal_enabled,
    withdrawFee: given.withdraw_fee,
    minConfirmations: given.min_confirmations,
  });
}

/** What fields say of a coin on a network. */
interface GivenCoin {
  readonly network?: string | undefined;
  readonly contract?: string | undefined;
  readonly network_digits?: number | undefined;
}

/** Returns the networks of a new currency, if it lives on one; says what is wrong with that. */
export function firstNetwork(
  given: GivenCoin,
  context: z.RefinementCtx,
): { readonly networks?: readonly CurrencyNetwork[] } {
  if (given.network !== undefined) return { networks: [coinThere(given, context)] };
  if (given.contract !== undefined || given.network_digits !== undefined) {
    refuse(context, "network", "missing_network");
  }
  return {};
}

/** Returns what a coin is on its network; says what is wrong with that. */
function coinThere(
  { network: given = "", contract, network_digits: digits }: GivenCoin,
  context: z.RefinementCtx,
): CurrencyNetwork {
  const network = networkNamed(given);
  // Another name is refused as a word already.
  const own = { name: given, digits: network?.digits ?? 0 };
  if (network === undefined) return own;
  if (contract === undefined) {
    if (digits !== undefined && digits !== network.digits) {
      refuse(context, "network_digits", "invalid_network_digits");
    }
    return own;
  }
  const canonical = network.hasContracts ? network.canonicalAddress(contract) : null;
  if (canonical === null) refuse(context, "contract", "invalid_contract");
  else if (digits === undefined) refuse(context, "network_digits", "missing_network_digits");
  return { ...own, contract: canonical ?? "", digits: digits ?? 0 };
}

function refuse(context: z.RefinementCtx, field: string, fault: string): void {
  context.addIssue({ code: "custom", path: [field], message: `${CURRENCY_WORDS}.${fault}` });
}
