/**
 * Leaves to payment by hand what no rail will pay. The log says of each withdrawal who pays it, so
 * that processes which were started with different rails never both have it paid; what was its
 * rail's when the venue gave up that rail has to be marked first.
 */
import { type Currency, networkIn, type Way } from "../domain/money/currency.ts";
import type { WalletRail } from "../domain/settings.ts";
import type { ChangeWithdraw } from "../domain/money_command.ts";
import { isClaimed, wasApproved, type Withdraw } from "../domain/money/withdraw.ts";
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Engine } from "../engine/engine.ts";
import type { Rail } from "./rails/rail.ts";
import { NO_RAIL, parkPayout } from "./park_payout.ts";
import type { WalletLog, WalletNotices } from "./wallet_notices.ts";

/** What this work needs. */
export interface HandPaymentParts {
  readonly engine: Pick<Engine, "submit" | "venue" | "now">;
  /** The rail of this process; null if it has none. */
  readonly rail: Pick<Rail, "name" | "serves"> | null;
  readonly notices: Pick<WalletNotices, "row" | "tell">;
  readonly log: Pick<WalletLog, "warn">;
  /** Called with each fault; the work is tried again. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Whether the venue has no rail that pays this currency this way. The stored setting decides, and on
 * which networks the currency lives: what a process was started with, and of which networks it has
 * a node, says nothing of the others.
 */
export function isPaidByHand(
  { venue }: Pick<Engine, "venue">,
  currency: Currency,
  way: Way,
): boolean {
  const { walletRail } = venue.settings;
  if (currency.type === "fiat" || walletRail === "none") return true;
  return walletRail === "networks" && networkIn(currency, way.network) === undefined;
}

/** Marks approved withdrawals as left to payment by hand, and parks what a rail has begun. */
export class HandPayments {
  readonly #parts: HandPaymentParts;
  /** The venue's rail that this process does not have, as far as it has said so. */
  #missing: WalletRail | null = null;

  constructor(parts: HandPaymentParts) {
    this.#parts = parts;
  }

  /** Runs one round over all open withdrawals. */
  async tick(signal: AbortSignal): Promise<void> {
    this.#warnOfRail();
    for (const withdraw of [...this.#parts.engine.venue.withdraws.values()]) {
      if (signal.aborted) return;
      try {
        await this.#leave(withdraw);
      } catch (error) {
        this.#parts.onFault(error);
      }
    }
  }

  /** Says once that this process was started with another rail than the venue has now. */
  #warnOfRail(): void {
    const { engine, rail, log } = this.#parts;
    const store = engine.venue.settings.walletRail;
    const process = rail?.name ?? "none";
    const missing = process === store ? null : store;
    if (missing !== null && missing !== this.#missing) {
      log.warn("wallet_rail_differs", { process, store });
    }
    this.#missing = missing;
  }

  async #leave(withdraw: Withdraw): Promise<void> {
    const { engine, rail } = this.#parts;
    const currency = engine.venue.currency(withdraw.currency);
    if (currency.type === "fiat") return;
    const way = withdrawWay(engine.venue, withdraw);
    const isUnpaid = isPaidByHand(engine, currency, way);
    if (withdraw.state === "accepted" && wasApproved(withdraw) && withdraw.isByHand !== true) {
      // Somebody may have paid one of an older version, which did not say who does.
      if (!isUnpaid && withdraw.isByHand === false) return;
      const { id } = withdraw;
      const leave: ChangeWithdraw = { kind: "change_withdraw", id, action: "leave_to_hand" };
      // It is refused if the rail was faster, and pays it.
      await engine.submit(leave, null);
    }
    // A process that still has the rail looks up first what that has sent.
    const isLooked = rail?.serves(way) ?? false;
    if (withdraw.state !== "processing" || !isUnpaid || isLooked) return;
    if (!isClaimed(withdraw, engine.now())) await parkPayout(this.#parts, withdraw, NO_RAIL);
  }
}
