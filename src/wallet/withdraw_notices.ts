/** Tells members what becomes of their withdrawals; each process tells of the changes it makes. */
import { formatDecimal } from "../domain/money/money.ts";
import { isWithdrawOpen, type Withdraw, type WithdrawState } from "../domain/money/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import type { Notices } from "../identity/notices.ts";

type EndKind = "withdraw_succeeded" | "withdraw_failed" | "withdraw_canceled";

const KINDS: Partial<Record<WithdrawState, EndKind>> = {
  succeed: "withdraw_succeeded",
  canceled: "withdraw_canceled",
};

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
    await this.#send(KINDS[withdraw.state] ?? "withdraw_failed", withdraw);
  }

  #send(
    kind: "withdraw_requested" | EndKind,
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
