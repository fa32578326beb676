/** Tells members what becomes of their withdrawals; each process tells of the changes it makes. */
import { formatDecimal } from "../domain/money.ts";
import { isWithdrawOpen, type Withdraw } from "../domain/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import type { Notices } from "../identity/notices.ts";

/** Notices about withdrawals. */
export class WithdrawNotices {
  readonly #engine: Pick<Engine, "venue">;
  readonly #notices: Pick<Notices, "send">;

  constructor(engine: Pick<Engine, "venue">, notices: Pick<Notices, "send">) {
    this.#engine = engine;
    this.#notices = notices;
  }

  /** Tells the member that a withdrawal was requested. */
  requested(withdraw: Withdraw): Promise<void> {
    return this.#send("withdraw_requested", withdraw);
  }

  /** Tells the member how a withdrawal has ended; does nothing for an open one. */
  async ended(withdraw: Withdraw): Promise<void> {
    if (isWithdrawOpen(withdraw)) return;
    const kind = withdraw.state === "succeed" ? "withdraw_succeeded" : "withdraw_failed";
    await this.#send(kind, withdraw);
  }

  #send(
    kind: "withdraw_requested" | "withdraw_succeeded" | "withdraw_failed",
    withdraw: Withdraw,
  ): Promise<void> {
    const { venue } = this.#engine;
    return this.#notices.send(venue.holder(withdraw.member).member.uid, {
      kind,
      id: withdraw.id,
      amount: formatDecimal(withdraw.amount),
      currency: venue.currency(withdraw.currency).id,
    });
  }
}
