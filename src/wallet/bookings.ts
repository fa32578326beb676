/** What the ledger has of a payment that a rail has shown. */
import { present } from "../domain/assert.ts";
import { recordedNetwork, type Way } from "../domain/money/currency.ts";
import { reversalName } from "../domain/money/decide_reversal.ts";
import { ANY_OUTPUT, type Deposit, isDepositOpen, soughtDeposit } from "../domain/money/deposit.ts";
import type { Engine } from "../engine/engine.ts";
import type { Booking } from "./rails/network_rail.ts";

/** What looking needs of the engine. */
export type BookingEngine = Pick<Engine, "venue" | "fresh" | "findDeposit" | "deposit">;

/** States of deposits of which nothing is the member's, nor will be. */
const TURNED_DOWN: ReadonlySet<Deposit["state"]> = new Set([
  "canceled",
  "rejected",
  "errored",
  "refunding",
]);

/** Returns what the ledger has of an output, as of what is durable now. */
export async function bookingOf(
  engine: BookingEngine,
  { currency: code, network: name }: Way,
  txid: string,
  output: number,
): Promise<Booking> {
  await engine.fresh();
  const currency = present(engine.venue.currencyById.get(code), "a coin is a currency");
  const { network } = recordedNetwork(currency, name);
  // The rows first: they have what the state may have forgotten.
  const { knownId } = await engine.findDeposit(currency.index, txid, output, network);
  const sought = soughtDeposit(currency, txid, output, network);
  const id = knownId === 0 ? engine.venue.depositNames.get(sought) : knownId;
  if (id === undefined) return "none";
  const deposit = engine.venue.deposits.get(id) ?? await engine.deposit(id);
  if (deposit === null) return "none";
  if (isDepositOpen(deposit, true)) return "open";
  const isBack = TURNED_DOWN.has(deposit.state) || await isReversed(engine, deposit);
  return isBack ? "taken_back" : "standing";
}

/** Returns whether a deposit has been taken back. */
export async function isReversed(
  engine: Pick<Engine, "venue" | "findDeposit">,
  { id, currency }: Pick<Deposit, "id" | "currency">,
): Promise<boolean> {
  const name = reversalName({ type: "deposit", id });
  // The rows first: they have what the state may have forgotten.
  const { knownId } = await engine.findDeposit(currency, name, ANY_OUTPUT);
  const sought = { currency, transactions: [name], output: ANY_OUTPUT };
  return knownId !== 0 || engine.venue.depositNames.get(sought) !== undefined;
}
