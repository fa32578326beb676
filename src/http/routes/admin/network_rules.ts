/** What a network asks of a currency that is to live on it, besides the rules of each field. */
import { nameFormOf } from "../../../domain/money/chain_name.ts";
import type { Currency, CurrencyNetwork } from "../../../domain/money/currency.ts";
import { invalidField } from "../../../edge/errors.ts";
import { within } from "../../../engine/within.ts";
import { networkNamed } from "../../../wallet/networks.ts";
import { CoinTermsError } from "../../../wallet/rails/network_rail.ts";
import type { Services } from "../../route_needs.ts";

/** What a currency asks for, itself and on its networks. */
interface AskingCurrency extends Pick<Currency, "minConfirmations"> {
  readonly networks?: readonly Pick<CurrencyNetwork, "name" | "minConfirmations">[];
}

/** How long a node may take to say what a coin is, in ms. */
const CHECK_MS_MAX = 3_000;
const OTHER_NAME_FORM = "admin.currency.other_name_form";
const OTHER_WORTH = "admin.currency.other_worth";
const OTHER_COIN = "admin.currency.other_coin";

/** Refusals of what a currency is to be on a network, besides those of each field. */
export const NETWORK_ERRORS: readonly string[] = [
  "admin.currency.missing_network_digits",
  "admin.currency.duplicate_network",
  OTHER_NAME_FORM,
  OTHER_WORTH,
  OTHER_COIN,
  "admin.currency.network_without_tags",
];

/**
 * Refuses more confirmations than a network's rail counts: no deposit would ever be credited there.
 *
 * @throws {ApiError} 422
 */
export function refuseConfirmations(
  { minConfirmations: own, networks = [] }: AskingCurrency,
): void {
  for (const { name, minConfirmations } of networks) {
    const asked = minConfirmations ?? own;
    if (asked <= (networkNamed(name)?.confirmationsMax ?? asked)) continue;
    const identifier = "admin.currency.invalid_min_confirmations";
    throw invalidField(identifier, "min_confirmations", String(asked));
  }
}

/**
 * Refuses a further network whose coins would be taken for others: those of a test for coins that are
 * worth something, or its own for those of another chain. What a contract's are worth nobody can tell.
 *
 * @throws {ApiError} 422
 */
export function refuseOtherCoin(
  old: readonly CurrencyNetwork[],
  added: CurrencyNetwork,
): void {
  const network = networkNamed(added.name);
  for (const { name, contract } of old) {
    const other = networkNamed(name);
    if (network === undefined || other === undefined) continue;
    if (network.isTest !== other.isTest) throw invalidField(OTHER_WORTH, "network", added.name);
    const isOwn = contract === undefined && added.contract === undefined;
    if (isOwn && network.coin !== other.coin) {
      throw invalidField(OTHER_COIN, "network", added.name);
    }
  }
}

/**
 * Refuses a token whose contract is none, or has other digits, where a node can tell: what a coin is on
 * a network never changes. Where none can, the coin's rail does it before anything is credited.
 *
 * @throws {ApiError} 422
 */
export async function refuseOtherToken(
  { checkCoin }: Pick<Services, "checkCoin">,
  currency: string,
  { name, contract, digits }: CurrencyNetwork,
): Promise<void> {
  if (contract === undefined) return;
  try {
    await within(CHECK_MS_MAX, checkCoin(name, { currency, contract, digits }));
  } catch (error) {
    if (!(error instanceof CoinTermsError)) return;
    const given = error.field === "contract" ? contract : String(digits);
    throw invalidField(`admin.currency.invalid_${error.field}`, error.field, given);
  }
}

/**
 * Refuses a network whose transactions and addresses are compared otherwise than the currency's: its
 * deposits would be missed, or taken twice.
 *
 * @throws {ApiError} 422
 */
export function refuseNameForm(
  { networks = [], ...currency }: Pick<Currency, "networks" | "nameForm" | "type">,
): void {
  for (const { name } of networks) {
    const form = networkNamed(name)?.nameForm;
    // Fiat lives on none, which is decided with the currency.
    if (currency.type !== "coin" || form === undefined || form === nameFormOf(currency)) continue;
    throw invalidField(OTHER_NAME_FORM, "network", name);
  }
}
