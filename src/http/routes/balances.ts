/** Balances of one currency and of all. */
import { emptyAccount, isEmptyAccount } from "../../domain/money/account.ts";
import type { Holder } from "../../domain/venue.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, ofAccount, ok, okPage } from "../endpoint_parts.ts";
import { invalidField } from "../../edge/errors.ts";
import { byPosition } from "../../edge/wire/listed_markets.ts";
import { ACCOUNT_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import { ACCOUNT } from "../../edge/schemas/answers.ts";
import { pageOf } from "../../edge/schemas/lists.ts";
import { BALANCES_QUERY } from "../../edge/schemas/market_data.ts";
import { accountJson } from "../../edge/wire/wire.ts";
import { NO_CURRENCY } from "./account_currency.ts";
import { createSearch } from "./search.ts";

function readBalance(call: Call): Response {
  const { venue } = call.engine;
  const given = call.param("currency");
  const currency = venue.currencyById.get(given);
  const { accounts } = venue.holder(call.caller.member);
  const account = accounts[currency?.index ?? -1] ?? emptyAccount();
  // As in the list, whoever has some of a currency still sees it when it is no longer listed.
  if (currency === undefined || (!currency.visible && isEmptyAccount(account))) {
    throw invalidField(NO_CURRENCY, "currency", given);
  }
  return call.json(200, accountJson(currency.id, account, call.fraction));
}

function listBalances(call: QueryCall<typeof BALANCES_QUERY>): Response {
  return answerBalances(call, call.engine.venue.holder(call.caller.member));
}

/** Answers with a page of a member's balances. */
export function answerBalances(
  call: QueryCall<typeof BALANCES_QUERY>,
  { accounts }: Pick<Holder, "accounts">,
): Response {
  const { query, fraction } = call;
  const { venue } = call.engine;
  const isFound = createSearch(query, ["currency_code", "currency_name"]);
  const rows = [...venue.currencies].sort(byPosition).flatMap((currency) => {
    const account = accounts[currency.index] ?? emptyAccount();
    // Whoever has some of a currency still sees it when it is no longer listed.
    if (isEmptyAccount(account) && (query.nonzero || !currency.visible)) return [];
    const words = { currency_code: currency.id, currency_name: currency.name };
    return isFound(words) ? [{ currency, account }] : [];
  });
  // Of many currencies, the first page has to show what the member owns.
  const [held = [], empty = []] = [false, true].map((isEmpty) =>
    rows.filter(({ account }) => isEmptyAccount(account) === isEmpty)
  );
  const page = pageOf([...held, ...empty], query, "pagination");
  const items = page.items.map(({ currency, account }) =>
    accountJson(currency.id, account, fraction)
  );
  return call.page(items, query, page);
}

/** Endpoints of balances. */
export const BALANCE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readBalance",
    method: "GET",
    paths: backendPaths("account/balances/{currency}"),
    ...ofAccount("read"),
    summary: "Get your balance of a currency",
    answer: ok("The balance; zeros if you never had any.", ACCOUNT, ACCOUNT_EXAMPLE),
    errors: { 422: [NO_CURRENCY] },
    handle: readBalance,
  }),
  endpoint({
    id: "listBalances",
    method: "GET",
    paths: backendPaths("account/balances"),
    ...ofAccount("read"),
    summary: "List your balances",
    query: BALANCES_QUERY,
    answer: okPage(
      "Balances: first those that are not zero, then the others, each by position of the currency.",
      ACCOUNT,
      ACCOUNT_EXAMPLE,
    ),
    handle: listBalances,
  }),
];
