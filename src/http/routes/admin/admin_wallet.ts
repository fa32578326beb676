/** Wallet notices and the controls of the sandbox, for operators. */
import * as z from "zod";
import { present } from "../../../domain/assert.ts";
import type { Currency, Way } from "../../../domain/money/currency.ts";
import type { Venue } from "../../../domain/venue.ts";
import type { SandboxRail } from "../../../wallet/rails/sandbox_rail.ts";
import type { WalletNotice } from "../../../wallet/wallet_notices.ts";
import type { BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { created, ofOperators, ok } from "../../endpoint_parts.ts";
import { invalidField } from "../../../edge/errors.ts";
import { checkSandboxAmount, payInSandbox } from "../../sandbox_deposit.ts";
import {
  NEW_REORGANISATION,
  NEW_SANDBOX_DEPOSIT,
  PAYOUT_RULE,
  PAYOUT_RULE_SET,
  REORGANISED,
  SANDBOX_DEPOSIT,
  WALLET_NOTICE,
} from "../../../edge/schemas/sandbox.ts";
import { amountText, isoSeconds, shownNetwork } from "../../../edge/wire/wire.ts";
import {
  namedCurrency,
  namedHolder,
  namedNetwork,
  NO_CURRENCY,
  NO_NETWORK,
  UNKNOWN_WAY_ERRORS,
} from "../named_records.ts";
import type { Services } from "../../route_needs.ts";

const SANDBOX_ONLY = "Only if the wallet's rail is the sandbox.";
const TXID = "7be0e4c1a5d94f20b3c6d8a1e2f3045566778899aabbccddeeff0019c0ffee00";
const ADDRESS = "btc1qx5dt4n0ywr8u2k7m6f3zj9s0e4c2vtapq8gl";

/** Begins every control: the call is in the audit trail before anything happens. */
async function openControl(
  call: Call<unknown, NamedCoin>,
): Promise<Coin & { readonly sandbox: SandboxRail }> {
  const { services } = call;
  const coin = coinOf(call);
  await call.submit({ kind: "note_act" });
  return { sandbox: present(services.sandbox, "the sandbox has its controls alone"), ...coin };
}

/** What a control names. */
interface NamedCoin {
  readonly currency: string;
  readonly network?: string | undefined;
}

interface Coin {
  readonly currency: Currency;
  readonly way: Way;
}

function coinOf({ engine, body }: Call<unknown, NamedCoin>): Coin {
  const currency = namedCurrency(engine.venue, body.currency);
  if (currency.type !== "coin") throw invalidField(NO_CURRENCY, "currency", body.currency);
  return { currency, way: { currency: currency.id, ...namedNetwork(currency, body.network) } };
}

async function payMember(call: BodyCall<typeof NEW_SANDBOX_DEPOSIT>): Promise<Response> {
  const { uid, amount } = call.body;
  const { venue } = call.engine;
  namedHolder(venue, uid);
  checkSandboxAmount(coinOf(call).currency, amount, "admin.sandbox");
  const { sandbox, currency, way } = await openControl(call);
  const paid = await payInSandbox(call.services, sandbox, { uid, way, amount });
  return call.json(201, {
    uid,
    currency: currency.id,
    ...shownNetwork(venue, currency.index, way.network),
    amount: amountText(amount, call.fraction),
    ...paid,
  });
}

async function reorganise(call: BodyCall<typeof NEW_REORGANISATION>): Promise<Response> {
  const { blocks, transactions } = call.body;
  const { sandbox, currency, way } = await openControl(call);
  const txids = await sandbox.reorganise(way, blocks, transactions);
  const on = shownNetwork(call.engine.venue, currency.index, way.network);
  return call.json(200, { currency: currency.id, ...on, blocks, txids });
}

async function setPayoutRule(call: BodyCall<typeof PAYOUT_RULE>): Promise<Response> {
  const { address, outcome, times } = call.body;
  const { sandbox, currency } = await openControl(call);
  await sandbox.setRule(currency.id, address, { outcome, times });
  return call.json(200, { currency: currency.id, address, outcome, times });
}

async function listNotices(call: Call): Promise<Response> {
  const notices = await call.services.wallet.notices.list();
  return call.json(200, notices.map((notice) => noticeJson(call.engine.venue, notice)));
}

function noticeJson(venue: Venue, notice: WalletNotice): z.infer<typeof WALLET_NOTICE> {
  const { kind, currency, network, id, txid, reason, at } = notice;
  const index = venue.currencyById.get(currency)?.index;
  const shown = index === undefined ? network : shownNetwork(venue, index, network).network;
  return {
    kind,
    currency: currency === "" ? null : currency,
    network: shown ?? null,
    id: id === 0 ? null : id,
    txid: txid === "" ? null : txid,
    reason,
    created_at: isoSeconds(at),
  };
}

const CONTROL = {
  method: "POST",
  ...ofOperators("finance", { needsCode: true }),
  isServed: ({ sandbox }: Services) => sandbox !== null,
} as const;

const SANDBOX_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...CONTROL,
    id: "paySandboxDeposit",
    paths: ["/api/v2/admin/sandbox/deposits"],
    summary: "Pay to a member's address in the sandbox",
    description: `${SANDBOX_ONLY} The deposit appears once the wallet sees the payment.`,
    body: {
      schema: NEW_SANDBOX_DEPOSIT,
      example: { uid: "IDA11CE00001", currency: "btc", amount: "0.5" },
    },
    answer: created("The payment.", SANDBOX_DEPOSIT, {
      uid: "IDA11CE00001",
      currency: "btc",
      amount: "0.5",
      address: ADDRESS,
      txid: TXID,
    }),
    errors: { 422: UNKNOWN_WAY_ERRORS },
    handle: payMember,
  }),
  endpoint({
    ...CONTROL,
    id: "reorganiseSandbox",
    paths: ["/api/v2/admin/sandbox/reorganise"],
    summary: "Drop the last blocks of a sandbox chain",
    description: `${SANDBOX_ONLY} Transactions waiting for a block are dropped too.`,
    body: {
      schema: NEW_REORGANISATION,
      example: { currency: "btc", blocks: 3, transactions: "drop" },
    },
    answer: ok("The blocks that were dropped.", REORGANISED, {
      currency: "btc",
      blocks: 3,
      txids: [TXID],
    }),
    errors: { 422: [NO_CURRENCY, NO_NETWORK] },
    handle: reorganise,
  }),
  endpoint({
    ...CONTROL,
    id: "setSandboxPayouts",
    paths: ["/api/v2/admin/sandbox/payouts"],
    summary: "Set how payouts in the sandbox end",
    description: SANDBOX_ONLY,
    body: {
      schema: PAYOUT_RULE,
      example: { currency: "btc", address: "*", outcome: "lose_answer", times: 1 },
    },
    answer: ok("The rule now in force.", PAYOUT_RULE_SET, {
      currency: "btc",
      address: "*",
      outcome: "lose_answer",
      times: 1,
    }),
    errors: { 422: [NO_CURRENCY] },
    handle: setPayoutRule,
  }),
];

/** Endpoints of the wallet and its sandbox. */
export const ADMIN_WALLET_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listWalletNotices",
    method: "GET",
    paths: ["/api/v2/admin/wallet/notices"],
    ...ofOperators("viewer"),
    summary: "List wallet notices",
    description:
      "Deposits, payouts and networks that need the operator's attention. Each notice is written " +
      "once and stays; that of a network once a day. That of a payout that waits is written anew, " +
      "in its place, when the reason changes; each kind of reason once an hour at most.",
    answer: ok("Notices, latest first.", z.array(WALLET_NOTICE), [{
      kind: "payout_parked",
      currency: "btc",
      network: null,
      id: 17,
      txid: null,
      reason: "the rail does not respond",
      created_at: "2030-01-01T00:00:00Z",
    }]),
    handle: listNotices,
  }),
  ...SANDBOX_ENDPOINTS,
];
