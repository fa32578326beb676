/** Deposits and deposit addresses. */
import type * as z from "zod";
import { nameFormOf } from "../../domain/money/chain_name.ts";
import type { Currency } from "../../domain/money/currency.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { DepositFilter } from "../../engine/engine.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../../edge/answer.ts";
import { depositJson, idOfTid } from "../../edge/wire/deposit_wire.ts";
import { backendPaths, NOT_FOUND, ofAccount, ok, okPage } from "../endpoint_parts.ts";
import { ApiError, invalidField } from "../../edge/errors.ts";
import { DEPOSIT_ADDRESS_EXAMPLE, DEPOSIT_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import {
  DEPOSIT,
  DEPOSIT_ADDRESS,
  DEPOSIT_ADDRESS_QUERY,
  DEPOSITS_QUERY,
} from "../../edge/schemas/deposits.ts";
import { pageRequest, SCAN_LIMITED } from "../../edge/schemas/lists.ts";
import { amountText, shownNetwork } from "../../edge/wire/wire.ts";
import { msOf } from "../../edge/filters.ts";
import { currencyIndex, NO_CURRENCY, NO_NETWORK, wayOf } from "./account_currency.ts";

const PREFIX = "account.deposit";
const DEPOSIT_DISABLED = "account.currency.deposit_disabled";
const NO_WALLET = "account.wallet.not_found";
const NO_CASH_FORMAT = "account.deposit_address.doesnt_support_cash_address_format";

async function readDepositAddress(
  call: QueryCall<typeof DEPOSIT_ADDRESS_QUERY>,
): Promise<Response> {
  const { engine, query, fraction } = call;
  const given = call.param("currency");
  const { currency, way } = await wayOf(call, given, query.network);
  if (currency.type !== "coin") throw invalidField(NO_CURRENCY, "currency", given);
  if (!currency.depositEnabled) throw invalidField(DEPOSIT_DISABLED, "currency", given);
  const { uid } = engine.venue.holder(call.caller.member).member;
  const isCash = query.address_format === "cash";
  if (isCash && nameFormOf(currency) !== "cash") throw noCashFormat(currency);
  const found = await call.services.wallet.addressOf(uid, way);
  if (found === null) throw invalidField(NO_WALLET, "currency", given);
  const address = isCash && found.address !== null ? found.cashAddress : found.address;
  if (address === undefined) throw noCashFormat(currency);
  const zero = amountText(0n, fraction);
  const answer: z.infer<typeof DEPOSIT_ADDRESS> = {
    id: null,
    currency: currency.id,
    ...shownNetwork(engine.venue, currency.index, way.network),
    amount: zero,
    fee: zero,
    txid: null,
    confirmations: 0,
    transfer_type: "crypto",
    created_at: null,
    completed_at: null,
    tid: null,
    currencies: [currency.id],
    address,
    ...(currency.tag === undefined ? {} : { tag: found.tag ?? null }),
    state: found.state,
  };
  return call.json(200, answer);
}

function noCashFormat({ id }: Currency): ApiError {
  const field = { field: "address_format", value: "cash", rule: "known", limit: "legacy" } as const;
  return new ApiError(422, NO_CASH_FORMAT, { details: { ...field, currency: id } });
}

async function readDeposit(call: Call): Promise<Response> {
  const { engine, fraction } = call;
  const newest = { offset: 0, limit: 1, direction: "desc" } as const;
  const txid = call.param("txid");
  const named = await depositOfTid(call, txid);
  if (named !== null) return call.json(200, depositJson(engine.venue, named, fraction));
  const page = await engine.deposits(call.caller.member, { txid }, newest);
  call.chargeRecords(page.scanned);
  const [deposit] = page.items;
  if (deposit === undefined) {
    const headers = page.isScanLimited ? SCAN_LIMITED : {};
    throw new ApiError(404, "record.not_found", { headers });
  }
  return call.json(200, depositJson(engine.venue, deposit, fraction));
}

/** Returns the caller's deposit with a public id; null if it has none, or the text is no such id. */
async function depositOfTid({ engine, caller }: Call, tid: string): Promise<Deposit | null> {
  const id = idOfTid(tid);
  const deposit = id === null ? null : await engine.deposit(id);
  return deposit?.member === caller.member ? deposit : null;
}

async function listDeposits(call: QueryCall<typeof DEPOSITS_QUERY>): Promise<Response> {
  const { engine, query, fraction } = call;
  const filter = definedFields<DepositFilter>({
    currency: await currencyIndex(call, query.currency),
    states: query.state,
    txid: query.txid,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const request = pageRequest(query, query.order_by, PREFIX);
  const page = await engine.deposits(call.caller.member, filter, request);
  const deposits = page.items.map((deposit) => depositJson(engine.venue, deposit, fraction));
  return call.page(deposits, query, page);
}

/** Endpoints of deposits. */
export const DEPOSIT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readDepositAddress",
    method: "GET",
    paths: backendPaths("account/deposit_address/{currency}"),
    ...ofAccount("read"),
    summary: "Get a deposit address",
    description:
      "The first request creates the address. Until it exists, `address` is null and `state` " +
      "is `pending`: try again. The address of a coin with the `name_form` `cash`, such as " +
      "Bitcoin Cash, has two forms: in either, a payment is yours. Where the currency has a `tag`, " +
      "the address is everybody's, and only a payment with your `tag` is yours.",
    levels: ["deposit"],
    query: DEPOSIT_ADDRESS_QUERY,
    answer: ok("The address, in the shape of a deposit.", DEPOSIT_ADDRESS, DEPOSIT_ADDRESS_EXAMPLE),
    errors: { 422: [NO_CURRENCY, NO_NETWORK, DEPOSIT_DISABLED, NO_WALLET, NO_CASH_FORMAT] },
    handle: readDepositAddress,
  }),
  endpoint({
    id: "readDeposit",
    method: "GET",
    paths: backendPaths("account/deposits/{txid}"),
    ...ofAccount("read"),
    summary: "Get a deposit by transaction",
    description: "Takes the `tid` of a deposit too, which every deposit has, also those of fiat. " +
      "Returns the newest one if the transaction has paid you several times. A 404 with " +
      "the header `X-Scan-Limited` tells only that none of your latest deposits has it.",
    levels: ["deposit"],
    answer: ok("The deposit.", DEPOSIT, DEPOSIT_EXAMPLE),
    errors: NOT_FOUND,
    handle: readDeposit,
  }),
  endpoint({
    id: "listDeposits",
    method: "GET",
    paths: backendPaths("account/deposits"),
    ...ofAccount("read"),
    summary: "List your deposits",
    levels: ["deposit"],
    query: DEPOSITS_QUERY,
    answer: okPage("Deposits by id, newest first by default.", DEPOSIT, DEPOSIT_EXAMPLE),
    errors: { 422: [NO_CURRENCY] },
    handle: listDeposits,
  }),
];
