/** The networks that a currency lives on, for operators. */
import { expectedReceipt, type Receipt } from "../../../domain/command.ts";
import { type Currency, networkIn } from "../../../domain/money/currency.ts";
import { farPrices } from "../../../domain/money/far_price.ts";
import { ApiError } from "../../../edge/errors.ts";
import { NETWORK_CHANGES, NEW_NETWORK } from "../../../edge/schemas/admin/admin_networks.ts";
import { NETWORK_EXAMPLE } from "../../../edge/schemas/examples.ts";
import type { AnyCall, BodyCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";
import {
  ADMIN_CURRENCY,
  ADMIN_CURRENCY_EXAMPLE,
  currencyAnswer,
  FEE_ABOVE,
  INVALID_AMOUNT,
} from "./admin_markets.ts";
import {
  NETWORK_ERRORS,
  refuseConfirmations,
  refuseNameForm,
  refuseOtherCoin,
  refuseOtherToken,
} from "./network_rules.ts";

async function addNetwork(call: BodyCall<typeof NEW_NETWORK>): Promise<Response> {
  const { networks = [], ...old } = namedCurrency(call);
  const currency = { ...old, networks: [...networks, call.body] };
  refuseConfirmations(currency);
  refuseNameForm(currency);
  refuseOtherCoin(networks, call.body);
  await refuseOtherToken(call.services, old.id, call.body);
  const command = { kind: "add_network", id: old.id, network: call.body } as const;
  return answerCurrency(call, 201, await call.submit(command));
}

async function changeNetwork(call: BodyCall<typeof NETWORK_CHANGES>): Promise<Response> {
  const old = namedCurrency(call);
  const network = call.param("network");
  if (networkIn(old, network) === undefined) throw new ApiError(404, "record.not_found");
  const { minConfirmations } = call.body;
  if (minConfirmations !== undefined) {
    refuseConfirmations({ ...old, networks: [{ name: network, minConfirmations }] });
  }
  const command = { kind: "change_network", id: old.id, network, changes: call.body } as const;
  return answerCurrency(call, 200, await call.submit(command));
}

function namedCurrency(call: AnyCall): Currency {
  const currency = call.engine.venue.currencyById.get(call.param("id"));
  if (currency === undefined) throw new ApiError(404, "record.not_found");
  return currency;
}

function answerCurrency(call: AnyCall, status: 200 | 201, receipt: Receipt): Response {
  const { currency } = expectedReceipt(receipt, "currency_set");
  return call.json(status, currencyAnswer(call, currency, farPrices(call.engine.venue, currency)));
}

const EXAMPLE = {
  ...ADMIN_CURRENCY_EXAMPLE,
  networks: [{ ...NETWORK_EXAMPLE, network_digits: 18, hot_limit: "5.0" }],
};
const PATH = "/api/v2/admin/currencies/{id}/networks";

/** Endpoints of currencies' networks. */
export const ADMIN_NETWORK_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "addCurrencyNetwork",
    method: "POST",
    paths: [PATH],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Add a network to a currency",
    description:
      "Members get addresses and make beneficiaries on any of a currency's networks, and have one " +
      "balance. The first stays the default of calls that name none. A network is never taken " +
      "away: stop its deposits and withdrawals instead.",
    body: { schema: NEW_NETWORK, example: { network: "sepolia", hot_limit: "5.0" } },
    answer: created("The currency.", ADMIN_CURRENCY, EXAMPLE),
    errors: { ...NOT_FOUND, 422: [INVALID_AMOUNT, FEE_ABOVE, ...NETWORK_ERRORS] },
    handle: addNetwork,
  }),
  endpoint({
    id: "changeCurrencyNetwork",
    method: "PATCH",
    paths: [`${PATH}/{network}`],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Change a currency's terms on a network",
    description: "They take effect at once. What the currency is there never changes.",
    body: { schema: NETWORK_CHANGES, example: { hot_limit: "5.0" } },
    answer: ok("The currency.", ADMIN_CURRENCY, EXAMPLE),
    errors: { ...NOT_FOUND, 422: [INVALID_AMOUNT, FEE_ABOVE] },
    handle: changeNetwork,
  }),
];
