/** The steps of a deposit: each is a command, so any number of processes may attempt it. */
import { isRejection } from "../domain/command.ts";
import { type Currency, currencyOn } from "../domain/money/currency.ts";
import type { Deposit, DepositAction } from "../domain/money/deposit.ts";
import type { Engine } from "../engine/engine.ts";
import type { SeenOutput } from "./rails/rail.ts";

/** What the steps need of the engine. */
export type DepositEngine = Pick<Engine, "submit" | "venue">;

/** What the chain says about a deposit's output. */
export type ChainView = Pick<SeenOutput, "confirmations" | "isDropped" | "isReplaceable">;

/** Caps confirmations at the number required, as the log stores them: more say nothing new. */
export function countedConfirmations(currency: Currency, confirmations: number): number {
  return Math.min(confirmations, Math.max(1, currency.minConfirmations));
}

/** Returns how many confirmations a deposit needs: on a network no less than one, since before it may go. */
function neededConfirmations({ minConfirmations, networks }: Currency): number {
  return networks === undefined ? minConfirmations : Math.max(1, minConfirmations);
}

/** Returns whether a deposit's output has all confirmations that its currency asks for. */
export function isConfirmed(
  currency: Currency,
  { confirmations, isDropped, isReplaceable }: ChainView,
): boolean {
  return !isDropped && isReplaceable !== true && confirmations >= neededConfirmations(currency);
}

/** Returns what of a currency's terms decides on deposits, as a text to be compared. */
export function depositTerms(currency: Currency): string {
  const { depositEnabled, depositFee, minDepositAmount, precision } = currency;
  const needed = neededConfirmations(currency);
  return [depositEnabled, depositFee, minDepositAmount, needed, precision].join();
}

/**
 * Takes a deposit as far as it can go now and returns the result. Stops when another process takes
 * a step first; the next tick sees what it did.
 *
 * @param view null when only the operator vouches for the deposit
 */
export async function advanceDeposit(
  engine: DepositEngine,
  deposit: Deposit,
  view: ChainView | null,
): Promise<Deposit> {
  let current = deposit;
  while (true) {
    const currency = currencyOn(engine.venue.currency(current.currency), current.network);
    const step = nextStep(currency, current, view);
    if (step === null) return current;
    const outcome = await engine.submit({ kind: "change_deposit", id: current.id, ...step }, null);
    if (isRejection(outcome) || outcome.kind !== "deposit_set") return current;
    current = outcome.deposit;
  }
}

/** One step of a deposit. */
interface Step {
  readonly action: DepositAction;
  readonly confirmations?: number;
}

function nextStep(currency: Currency, deposit: Deposit, view: ChainView | null): Step | null {
  const isEnough = view === null || isConfirmed(currency, view);
  switch (deposit.state) {
    case "submitted":
      return view === null ? null : stepOfSubmitted(currency, deposit, view);
    case "accepted":
      if (view?.isDropped) return { action: "drop" };
      return isEnough ? { action: "process" } : null;
    case "processing":
      if (view?.isDropped) return { action: "drop" };
      return isEnough ? { action: "collect" } : null;
    default:
      return null;
  }
}

function stepOfSubmitted(currency: Currency, deposit: Deposit, view: ChainView): Step | null {
  if (view.isDropped) return { action: "cancel" };
  const confirmations = countedConfirmations(currency, view.confirmations);
  const isWanted = currency.depositEnabled && deposit.amount >= currency.minDepositAmount;
  if (isWanted && isConfirmed(currency, view)) {
    return { action: "accept", confirmations };
  }
  return confirmations === deposit.confirmations ? null : { action: "confirm", confirmations };
}
