/** Deposits, for operators. */
import type * as z from "zod";
import { reversalName } from "../../../domain/money/decide_reversal.ts";
import { expectedReceipt, type Receipt } from "../../../domain/command.ts";
import type { Currency } from "../../../domain/money/currency.ts";
import {
  ANY_OUTPUT,
  type Deposit,
  type DepositAction,
  soughtDeposit,
} from "../../../domain/money/deposit.ts";
import type { Venue } from "../../../domain/venue.ts";
import type { DepositFilter, DepositLookup, Page } from "../../../engine/engine.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import { depositJson } from "../../../edge/wire/deposit_wire.ts";
import { created, NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { ApiError, invalidField, unavailable } from "../../../edge/errors.ts";
import {
  ADMIN_DEPOSIT,
  ADMIN_DEPOSIT_EXAMPLE,
  ADMIN_DEPOSIT_WORDS,
  ADMIN_DEPOSITS_QUERY,
  NEW_DEPOSIT,
} from "../../../edge/schemas/admin/admin_money.ts";
import { pageRequest } from "../../../edge/schemas/lists.ts";
import { msOf } from "../../../edge/filters.ts";
import { amountText, isoSeconds } from "../../../edge/wire/wire.ts";
import {
  namedCurrency,
  namedHolder,
  namedNetwork,
  recordId,
  UNKNOWN_ERRORS,
  UNKNOWN_WAY_ERRORS,
} from "../named_records.ts";

const MISSING_TXID = `${ADMIN_DEPOSIT_WORDS}.missing_txid`;
const MISSING_NETWORK = `${ADMIN_DEPOSIT_WORDS}.missing_network`;
const DUPLICATE_TXID = `${ADMIN_DEPOSIT_WORDS}.duplicate_txid`;

/** How many deposits of a transaction are read at a time. */
const OUTPUTS_AT_ONCE = 100;
/** How many lookups in the rows are tried before the call is given up. */
const LOOKUPS_MAX = 3;

/** Returns a deposit as operators read it. */
export function adminDepositJson(
  call: AnyCall,
  deposit: Deposit,
): z.infer<typeof ADMIN_DEPOSIT> {
  const { engine: { venue }, fraction } = call;
  return {
    ...depositJson(venue, deposit, fraction),
    uid: venue.holder(deposit.member).member.uid,
    received: amountText(deposit.amount, fraction),
    output: deposit.output === ANY_OUTPUT ? null : deposit.output,
    reverses: deposit.reverses ?? null,
    updated_at: isoSeconds(deposit.updatedAt),
  };
}

async function listDeposits(call: QueryCall<typeof ADMIN_DEPOSITS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const { uid, currency, state, txid } = query;
  const { venue } = engine;
  const filter = definedFields<DepositFilter>({
    currency: currency === undefined ? undefined : namedCurrency(venue, currency).index,
    states: state,
    txid,
    from: msOf(query.time_from),
    to: msOf(query.time_to),
  });
  const request = pageRequest(query, query.order_by, ADMIN_DEPOSIT_WORDS);
  const page: Page<Deposit> = uid === undefined
    ? await engine.allDeposits(filter, request)
    : await engine.deposits(namedHolder(venue, uid).member.index, filter, request);
  const deposits = page.items.map((deposit) => adminDepositJson(call, deposit));
  return call.page(deposits, query, page);
}

async function readDeposit(call: Call): Promise<Response> {
  const deposit = await call.engine.deposit(recordId(call));
  if (deposit === null) throw new ApiError(404, "record.not_found");
  return call.json(200, adminDepositJson(call, deposit));
}

async function enterDeposit(call: BodyCall<typeof NEW_DEPOSIT>): Promise<Response> {
  const { uid, amount, txid = "" } = call.body;
  const { engine } = call;
  const { venue } = engine;
  namedHolder(venue, uid);
  // Another process may just have added a network.
  await engine.fresh();
  const currency = namedCurrency(venue, call.body.currency);
  const named = namedNetwork(currency, call.body.network);
  const isUnsaid = call.body.network === undefined && (currency.networks?.length ?? 0) > 1;
  // Each network has its own transactions: taken for another's, one would be credited twice.
  if (txid !== "" && isUnsaid && call.earlier === null) {
    throw invalidField(MISSING_NETWORK, "network");
  }
  // Without it, the same output could be entered twice.
  if (txid === "" && call.body.output !== undefined) throw invalidField(MISSING_TXID, "txid");
  const output = call.body.output ?? await meantOutput(call, currency, txid, named.network);
  const sought = await lookUpFreed(call, { currency, txid, output, ...named });
  const isTaken = sought.knownId !== sought.freedId;
  if (isTaken && call.earlier === null) throw duplicateTxid(txid);
  const receipt = await call.submit({
    kind: "observe_deposit",
    uid,
    currency: currency.id,
    ...named,
    amount,
    txid,
    output,
    confirmations: 0,
    ...sought,
  });
  if (receipt.kind === "deposit_known") throw duplicateTxid(txid);
  return call.json(201, adminDepositJson(call, depositIn(receipt)));
}

/** An output, or with `ANY_OUTPUT` a whole transaction, to look for. */
export interface SoughtOutput {
  readonly currency: Currency;
  readonly txid: string;
  readonly output: number;
  /** As records name it. */
  readonly network?: string;
}

/**
 * Looks a transaction up as {@linkcode lookUp} does, for a call that would credit it: with the deposit
 * that had it and was turned down or reversed, if any.
 */
export async function lookUpFreed(
  call: AnyCall,
  sought: SoughtOutput,
): Promise<DepositLookup & { readonly freedId: number }> {
  const { engine } = call;
  const { currency: { index }, txid, output, network } = sought;
  await engine.fresh();
  let lookup = await lookUp(call, index, txid, output, network);
  let freedId = 0;
  if (lookup.knownId !== 0 || isRemembered(engine.venue, sought)) {
    // Whether its deposit has given the name up, only rows that hold all until now can tell.
    await engine.folded();
    lookup = await lookUp(call, index, txid, output, network);
    freedId = await freedName(call, lookup.knownId, output);
  }
  return { ...lookup, freedId };
}

function isRemembered(
  { depositNames }: Venue,
  { currency, txid, output, network }: SoughtOutput,
): boolean {
  if (txid === "") return false;
  return depositNames.get(soughtDeposit(currency, txid, output, network)) !== undefined;
}

/**
 * Returns the output of a transaction that a call means without naming one: that of its deposit, if it
 * is the only one there was, such as a rail's that was reversed; else all.
 *
 * @throws {ApiError} 422 if there are several, and which is meant can't be told
 */
async function meantOutput(
  call: AnyCall,
  currency: Currency,
  txid: string,
  network: string | undefined,
): Promise<number> {
  const { engine } = call;
  const { index } = currency;
  await engine.fresh();
  const { knownId } = await lookUp(call, index, txid, ANY_OUTPUT, network);
  const whole = { currency, txid, output: ANY_OUTPUT, ...network === undefined ? {} : { network } };
  if (knownId === 0 && !isRemembered(engine.venue, whole)) return ANY_OUTPUT;
  const outputs = new Set<number>();
  const filter = { currency: index, txid };
  let isMore = true;
  for (let offset = 0; isMore; offset += OUTPUTS_AT_ONCE) {
    const request = { offset, limit: OUTPUTS_AT_ONCE, direction: "desc" } as const;
    const { items } = await engine.allDeposits(filter, request);
    for (const one of items) {
      if (one.reverses === undefined && one.network === network) outputs.add(one.output);
    }
    isMore = items.length === OUTPUTS_AT_ONCE;
  }
  if (outputs.size > 1 && call.earlier === null) {
    const details = { field: "output", rule: "required" } as const;
    throw new ApiError(422, DUPLICATE_TXID, { details });
  }
  return [...outputs][0] ?? ANY_OUTPUT;
}

/** Returns the id of a deposit that has given up its name: turned down, or reversed; else 0. */
async function freedName({ engine }: AnyCall, id: number, output: number): Promise<number> {
  const deposit = id === 0 ? null : await engine.deposit(id);
  // Beside an output of the same transaction, the whole of it may still be another's.
  if (deposit === null || deposit.output !== output) return 0;
  if (deposit.state === "rejected") return id;
  const name = reversalName({ type: "deposit", id });
  const { knownId } = await engine.findDeposit(deposit.currency, name, ANY_OUTPUT);
  return knownId === 0 ? 0 : id;
}

function duplicateTxid(txid: string): ApiError {
  return invalidField(DUPLICATE_TXID, "txid", txid);
}

/**
 * Looks a transaction up in the rows. The answer must reach up to where the venue's own memory of
 * transactions begins. That is checked beforehand, because the nonce is good for one command only.
 *
 * @throws {ApiError} 503 if the rows stay behind
 */
export async function lookUp(
  call: AnyCall,
  currency: number,
  txid: string,
  output: number,
  network?: string,
): Promise<DepositLookup> {
  const { engine } = call;
  if (txid === "") return { knownId: 0, checkedAt: engine.venue.sequence };
  for (let tries = 0; tries < LOOKUPS_MAX; tries++) {
    const lookup = await engine.findDeposit(currency, txid, output, network);
    if (isCurrent(engine.venue, lookup)) return lookup;
    await engine.folded();
  }
  throw unavailable();
}

function isCurrent({ depositNames }: Venue, { knownId, checkedAt }: DepositLookup): boolean {
  return knownId !== 0 || checkedAt >= depositNames.knownSince;
}

function changeDeposit(action: DepositAction) {
  return async function change(call: Call): Promise<Response> {
    const receipt = await call.submit({ kind: "change_deposit", id: recordId(call), action });
    return call.json(200, adminDepositJson(call, depositIn(receipt)));
  };
}

function depositIn(receipt: Receipt): Deposit {
  return expectedReceipt(receipt, "deposit_set").deposit;
}

const DEPOSIT_ANSWER = ok("The deposit.", ADMIN_DEPOSIT, ADMIN_DEPOSIT_EXAMPLE);

function changeEndpoint(
  action: DepositAction,
  summary: string,
  description: string,
): Endpoint {
  return endpoint({
    id: `${action}Deposit`,
    method: "POST",
    paths: [`/api/v2/admin/deposits/{id}/${action}`],
    ...ofOperators("finance", { needsCode: true }),
    summary,
    description,
    needsReason: true,
    isOnce: true,
    answer: DEPOSIT_ANSWER,
    errors: { ...NOT_FOUND, 422: [`${ADMIN_DEPOSIT_WORDS}.invalid_state`] },
    handle: changeDeposit(action),
  });
}

/** Endpoints of deposits. */
export const ADMIN_DEPOSIT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listAllDeposits",
    method: "GET",
    paths: ["/api/v2/admin/deposits"],
    ...ofOperators("viewer"),
    summary: "List the deposits of all members",
    query: ADMIN_DEPOSITS_QUERY,
    answer: okPage(
      "Deposits by id, newest first by default.",
      ADMIN_DEPOSIT,
      ADMIN_DEPOSIT_EXAMPLE,
    ),
    errors: { 422: UNKNOWN_ERRORS },
    handle: listDeposits,
  }),
  endpoint({
    id: "readAnyDeposit",
    method: "GET",
    paths: ["/api/v2/admin/deposits/{id}"],
    ...ofOperators("viewer"),
    summary: "Get a deposit",
    answer: DEPOSIT_ANSWER,
    errors: NOT_FOUND,
    handle: readDeposit,
  }),
  endpoint({
    id: "enterDeposit",
    method: "POST",
    paths: ["/api/v2/admin/deposits"],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Enter a deposit",
    description: "The deposit is `submitted`; the funds become the member's once it is accepted. " +
      "Refused if any output of its transaction is already known or, with `output`, if that " +
      "output is. The wallet accepts the deposit when the chain confirms it with this amount " +
      "and member; if the chain shows otherwise, it writes a notice and leaves the decision " +
      "to you.",
    isOnce: true,
    needsReason: true,
    body: {
      schema: NEW_DEPOSIT,
      example: { uid: "ID0A1B2C3D4E", currency: "usd", amount: "100.0", reason: "bank transfer" },
    },
    answer: created("The deposit.", ADMIN_DEPOSIT, {
      ...ADMIN_DEPOSIT_EXAMPLE,
      state: "submitted",
      completed_at: null,
    }),
    errors: {
      422: [MISSING_TXID, MISSING_NETWORK, DUPLICATE_TXID, ...UNKNOWN_WAY_ERRORS],
    },
    handle: enterDeposit,
  }),
  changeEndpoint(
    "accept",
    "Accept a deposit",
    "Fiat is available at once; a coin stays locked until the rail has collected it.",
  ),
  changeEndpoint("reject", "Reject a deposit", "Only possible before the deposit is accepted."),
];
