/** Deposits and withdrawals in one list. */
import type * as z from "zod";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Transaction, TransactionFilter, TransactionPosition } from "../../engine/engine.ts";
import type { WithdrawText } from "../../wallet/withdraw_texts.ts";
import type { AnyCall, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { definedFields } from "../../edge/answer.ts";
import { depositJson } from "../../edge/wire/deposit_wire.ts";
import { backendPaths, ofAccount, okPage } from "../endpoint_parts.ts";
import { TRANSACTION_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import { invalidField } from "../../edge/errors.ts";
import { NEXT_CURSOR, pageForbidden, pageRequest } from "../../edge/schemas/lists.ts";
import { TRANSACTION, TRANSACTIONS_QUERY } from "../../edge/schemas/transactions.ts";
import { amountText, isoSeconds } from "../../edge/wire/wire.ts";
import { withdrawJson } from "../../edge/wire/withdraw_wire.ts";
import { currencyIndex } from "./account_currency.ts";
import { msOf } from "../../edge/filters.ts";

const PREFIX = "account.transactions";
const NO_CURRENCY = `${PREFIX}.currency_doesnt_exist`;
const INVALID_CURSOR = `${PREFIX}.invalid_after`;
/** Matches where a list continues: the ids of the last deposit and of the last withdrawal. */
const CURSOR = /^(\d{1,15})-(\d{1,15})$/;

type TransactionJson = z.infer<typeof TRANSACTION>;

async function listTransactions(call: QueryCall<typeof TRANSACTIONS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const filter = definedFields<TransactionFilter>({
    currency: await currencyIndex(call, query.currency, NO_CURRENCY),
    depositStates: query.deposit_state,
    withdrawStates: query.withdraw_state,
    txid: query.txid,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const request = pageRequest(query, query.order_by, PREFIX);
  const position = positionOf(query);
  const page = await engine.transactions(call.caller.member, filter, request, position);
  const { items, end, isScanLimited } = page;
  const hasMore = items.length === query.limit || isScanLimited;
  const headers = hasMore ? { [NEXT_CURSOR]: `${end.deposit}-${end.withdraw}` } : {};
  return call.page(await transactionsJson(call, items), query, page, headers);
}

/** Returns where a call continues; undefined if it begins anew. */
function positionOf(
  { after, page }: z.infer<typeof TRANSACTIONS_QUERY>,
): TransactionPosition | undefined {
  if (after === undefined) return undefined;
  if (page > 1) throw pageForbidden(PREFIX, page);
  const [, deposit, withdraw] = CURSOR.exec(after) ?? [];
  if (deposit === undefined) throw invalidField(INVALID_CURSOR, "after", after);
  return { deposit: Number(deposit), withdraw: Number(withdraw) };
}

/** Returns transactions, of whichever members, as JSON, in the same order. */
export async function transactionsJson(
  call: AnyCall,
  transactions: readonly Transaction[],
): Promise<TransactionJson[]> {
  const withdraws = transactions.flatMap((one) => "withdraw" in one ? [one.withdraw] : []);
  const deposits = transactions.flatMap((one) => "deposit" in one ? [one.deposit] : []);
  const [texts, addresses] = await Promise.all([
    call.services.withdrawTexts.of(withdraws),
    addressesOf(call, deposits),
  ]);
  const textById = new Map(withdraws.map(({ id }, index) => [id, texts[index]]));
  return transactions.flatMap((one) => {
    if ("deposit" in one) {
      const address = addresses.get(ownerOf(one.deposit)) ?? null;
      return [depositTransaction(call, one.deposit, address)];
    }
    const text = textById.get(one.withdraw.id);
    return text === undefined ? [] : [withdrawTransaction(call, one.withdraw, text)];
  });
}

/** Names the address that a deposit went to: that of its member for its way. */
function ownerOf({ member, currency, network = "" }: Deposit): string {
  return `${member} ${currency} ${network}`;
}

/** Returns the addresses of on-chain deposits, by owner; creates no address. */
async function addressesOf(
  call: AnyCall,
  deposits: readonly Deposit[],
): Promise<Map<string, string | null>> {
  const { venue } = call.engine;
  const onChain = deposits.filter(({ txid, currency }) => txid !== "" && venue.isCoin(currency));
  const owners = new Map(onChain.map((deposit) => [ownerOf(deposit), deposit]));
  return new Map(
    await Promise.all([...owners].map(async ([owner, { member, currency, network }]) => {
      const { uid } = venue.holder(member).member;
      const way = { currency: venue.currency(currency).id, network };
      const address = await call.services.wallet.givenAddress(uid, way);
      return [owner, address] as const;
    })),
  );
}

function depositTransaction(
  { engine, fraction }: AnyCall,
  deposit: Deposit,
  address: string | null,
): TransactionJson {
  const whole = depositJson(engine.venue, deposit, fraction);
  return {
    id: whole.id,
    address: deposit.txid === "" ? null : address,
    currency: whole.currency,
    ...definedFields<{ network: string }>({ network: whole.network }),
    amount: whole.amount,
    fee: whole.fee,
    txid: whole.txid,
    state: whole.state,
    note: null,
    ...(whole.confirmations === undefined ? {} : { confirmations: whole.confirmations }),
    created_at: whole.created_at,
    updated_at: isoSeconds(deposit.updatedAt),
    type: "Deposit",
    ...(whole.reverses === undefined ? {} : { reverses: whole.reverses }),
  };
}

function withdrawTransaction(
  { engine, fraction }: AnyCall,
  withdraw: Withdraw,
  text: WithdrawText,
): TransactionJson {
  const whole = withdrawJson(engine.venue, withdraw, text, fraction);
  return {
    id: whole.id,
    address: whole.rid,
    currency: whole.currency,
    ...definedFields<{ network: string }>({ network: whole.network }),
    amount: amountText(withdraw.amount - withdraw.fee, fraction),
    fee: whole.fee,
    txid: whole.blockchain_txid,
    state: whole.state,
    note: whole.note,
    ...(whole.confirmations === undefined ? {} : { confirmations: whole.confirmations }),
    created_at: whole.created_at,
    updated_at: whole.updated_at,
    type: "Withdraw",
  };
}

/** Endpoints of transactions. */
export const TRANSACTION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listTransactions",
    method: "GET",
    paths: backendPaths("account/transactions"),
    ...ofAccount("read"),
    summary: "List your deposits and withdrawals",
    description:
      "Sorted by time of creation. Filtering one kind by state does not affect the other. Since " +
      "each kind has ids of its own, a walk goes by `after`: it has each record once, whatever " +
      "is added meanwhile. " +
      "Balance adjustments by an operator have a list of their own.",
    levels: ["deposit", "withdraw"],
    query: TRANSACTIONS_QUERY,
    answer: {
      ...okPage("Deposits and withdrawals.", TRANSACTION, TRANSACTION_EXAMPLE),
      headers: { [NEXT_CURSOR]: "Where to continue; absent in the last answer." },
    },
    errors: { 422: [NO_CURRENCY, `${PREFIX}.order_by_invalid`] },
    handle: listTransactions,
  }),
];
