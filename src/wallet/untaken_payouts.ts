/**
 * Tells the operator of payouts that no process takes up: perhaps none has a node of their network
 * and the seed. Who could pay them is not running, so whoever runs has to say so.
 */
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Engine } from "../engine/engine.ts";
import { waitingFor } from "./waiting_withdraws.ts";
import type { WalletNotices } from "./wallet_notices.ts";

/** How long a payout may be left, as a process sees it, in ms. */
const UNTAKEN_MS_MAX = 600_000;

const REASON = "no process has taken it up for ten minutes: " +
  "start one with the seed (WALLET_SEED) and a node of its network (WALLET_NODES)";

/** What this work needs. */
export interface UntakenPayoutParts {
  readonly engine: Pick<Engine, "venue" | "now">;
  readonly notices: Pick<WalletNotices, "addWaiting">;
}

/** Watches approved withdrawals that wait for their rail to begin. */
export class UntakenPayouts {
  readonly #parts: UntakenPayoutParts;
  /** When each is told of, in ms, by withdrawal; of what was stopped, its last change says nothing. */
  #dueAt = new Map<number, number>();

  constructor(parts: UntakenPayoutParts) {
    this.#parts = parts;
  }

  /** Runs one round over all open withdrawals. */
  async tick(signal: AbortSignal): Promise<void> {
    const { engine, notices } = this.#parts;
    const dueAt = new Map<number, number>();
    const untaken = [...engine.venue.withdraws.values()].filter((withdraw) =>
      withdraw.state === "accepted" && waitingFor(engine.venue, withdraw) === "rail"
    );
    for (const { id } of untaken) {
      dueAt.set(id, this.#dueAt.get(id) ?? engine.now() + UNTAKEN_MS_MAX);
    }
    this.#dueAt = dueAt;
    for (const withdraw of untaken) {
      const { id } = withdraw;
      if (signal.aborted || engine.now() < (dueAt.get(id) ?? Infinity)) continue;
      const way = withdrawWay(engine.venue, withdraw);
      const notice = { kind: "payout_waits", ...way, id, txid: "", reason: REASON } as const;
      await notices.addWaiting(notice, "untaken");
      dueAt.set(id, Infinity);
    }
  }
}
