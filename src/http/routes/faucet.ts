/** Free coins for members of the demo. */
import { present } from "../../domain/assert.ts";
import { OutcomeUnknownError, UnavailableError } from "../../engine/engine.ts";
import type { BodyCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { depositJson } from "../../edge/wire/deposit_wire.ts";
import { created, ofAccount } from "../endpoint_parts.ts";
import { invalidField } from "../../edge/errors.ts";
import { checkSandboxAmount, payInSandbox } from "../sandbox_deposit.ts";
import { DEPOSIT_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import { DEPOSIT } from "../../edge/schemas/deposits.ts";
import { NEW_FAUCET_DEPOSIT } from "../../edge/schemas/sandbox.ts";
import { NO_CURRENCY, NO_NETWORK, wayOf } from "./account_currency.ts";

const PREFIX = "account.faucet";
/** A deposit is more than a read, but takes nothing out. */
const SCOPE = "trade";
const DEPOSIT_DISABLED = "account.currency.deposit_disabled";

async function openFaucet(call: BodyCall<typeof NEW_FAUCET_DEPOSIT>): Promise<Response> {
  const { engine, services, body, caller } = call;
  const { member } = caller;
  // Spends the nonce, because the sandbox's payment is not a command of the member.
  if (caller.signature !== null) await call.submit({ kind: "spend_nonce", member, scope: SCOPE });
  const { currency, way } = await wayOf(call, body.currency, body.network);
  if (currency.type !== "coin") throw invalidField(NO_CURRENCY, "currency", body.currency);
  if (!currency.depositEnabled) throw invalidField(DEPOSIT_DISABLED, "currency", body.currency);
  const { uid } = engine.venue.holder(member).member;
  const sandbox = present(services.sandbox, "the faucet is served in the sandbox alone");
  const { amount } = body;
  checkSandboxAmount(currency, amount, PREFIX);
  const { txid } = await payInSandbox(services, sandbox, { uid, way, amount });
  const deposit = await services.wallet.receive(way, txid).catch(throwUnknown);
  return call.json(
    201,
    depositJson(engine.venue, present(deposit, "the payment is the member's"), call.fraction),
  );
}

/** Rethrows. The payment is made: if it cannot be recorded now, the wallet finds it later. */
function throwUnknown(error: unknown): never {
  throw error instanceof UnavailableError ? new OutcomeUnknownError([]) : error;
}

/** Endpoints of the faucet. */
export const FAUCET_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "openFaucet",
    method: "POST",
    paths: ["/api/v2/backend/account/faucet"],
    ...ofAccount(SCOPE),
    summary: "Deposit worthless coins",
    description:
      "Demo only. The deposit takes its usual course and is collected within two seconds, " +
      "unless it is below the currency's minimum.",
    levels: ["deposit"],
    body: { schema: NEW_FAUCET_DEPOSIT, example: { currency: "btc", amount: "0.5" } },
    answer: created("The deposit, as first seen.", DEPOSIT, DEPOSIT_EXAMPLE),
    errors: { 422: [NO_CURRENCY, NO_NETWORK, DEPOSIT_DISABLED] },
    isServed: ({ sandbox, isFaucetOpen }) => sandbox !== null && isFaucetOpen,
    handle: openFaucet,
  }),
];
