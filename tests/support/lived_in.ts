/** A demo venue in which something has happened: trades, and texts wherever there can be some. */
import type { Authenticator } from "./authenticator.ts";
import type { SignedClient } from "./http_clients.ts";
import { Prng } from "./prng.ts";
import { RandomTrading } from "./random_trading.ts";
import type { ServedPages } from "./with_pages.ts";

/** Uid of alice. */
export const ALICE = "IDA11CE00001";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const CALLS = 60;

/**
 * Has members trade, and a member and an operator enter a text wherever they can.
 *
 * @param app alice's authenticator
 */
export async function liveIn({ as }: ServedPages, app: Authenticator, text: string): Promise<void> {
  const [alice, operator] = [as("alice"), as("operator")];
  await new RandomTrading([alice, as("bob")], new Prng(7)).calls(CALLS);
  const texts = { name: text, description: text };
  await operator.must(200, "PATCH", "/admin/currencies/btc", texts);
  await operator.must(201, "POST", `/admin/members/${ALICE}/notes`, { text });
  await operator.must(201, "POST", "/admin/adjustments", {
    uid: ALICE,
    currency: "btc",
    amount: "1",
    reason: text,
    idempotency_key: "one",
  });
  await alice.must(201, "POST", "/backend/account/faucet", { currency: "eth", amount: "2" });
  await askForMuch(alice, operator, app, text);
}

/** Has alice ask for more than needs no approval; returns its id. */
export async function askForMuch(
  alice: SignedClient,
  operator: SignedClient,
  app: Authenticator,
  text: string,
): Promise<number> {
  const { id: beneficiary } = await alice.must(201, "POST", "/backend/account/beneficiaries", {
    currency: "btc",
    name: text,
    description: text,
    data: { address: ADDRESS },
  });
  const messages = await operator.must(200, "GET", "/admin/outbox");
  const { code: pin } = messages.find(({ kind }: { kind: string }) => kind === "beneficiary_pin");
  await alice.must(200, "PATCH", `/backend/account/beneficiaries/${beneficiary}/activate`, { pin });
  const { id } = await alice.must(201, "POST", "/backend/account/withdraws", {
    currency: "btc",
    // Worth 120,000, of which 100,000 need no approval.
    amount: "6",
    beneficiary_id: beneficiary,
    note: text,
    otp: await app.code(),
  });
  return id;
}
