/** Deposits and withdrawals that can still change, by member. */
import { type Deposit, isDepositOpen } from "../../domain/money/deposit.ts";
import type { VenueEvent } from "../../domain/event.ts";
import type { Venue } from "../../domain/venue.ts";
import { isWithdrawOpen, type Withdraw } from "../../domain/money/withdraw.ts";

/** Open deposits and withdrawals, as a member's reads need them. */
export class OpenMoney {
  readonly #venue: Venue;
  readonly #deposits = new Map<number, Map<number, Deposit>>();
  readonly #withdraws = new Map<number, Map<number, Withdraw>>();

  constructor(venue: Venue) {
    this.#venue = venue;
    for (const deposit of venue.deposits.values()) put(this.#deposits, deposit);
    for (const withdraw of venue.withdraws.values()) put(this.#withdraws, withdraw);
  }

  /** Takes an event that the venue has already taken. */
  take(event: VenueEvent): void {
    if (event.kind === "deposit_set") {
      const { deposit } = event;
      const isOpen = isDepositOpen(deposit, this.#venue.isCoin(deposit.currency));
      (isOpen ? put : remove)(this.#deposits, deposit);
    } else if (event.kind === "withdraw_set") {
      const { withdraw } = event;
      (isWithdrawOpen(withdraw) ? put : remove)(this.#withdraws, withdraw);
    }
  }

  /** Returns the open deposits of a member, or of all. */
  deposits(member?: number): Deposit[] {
    const deposits = member === undefined ? this.#venue.deposits : this.#deposits.get(member);
    return [...deposits?.values() ?? []];
  }

  /** Returns the open withdrawals of a member, or of all. */
  withdraws(member?: number): Withdraw[] {
    const withdraws = member === undefined ? this.#venue.withdraws : this.#withdraws.get(member);
    return [...withdraws?.values() ?? []];
  }
}

interface Owned {
  readonly id: number;
  readonly member: number;
}

function put<T extends Owned>(records: Map<number, Map<number, T>>, record: T): void {
  const own = records.get(record.member);
  if (own === undefined) records.set(record.member, new Map([[record.id, record]]));
  else own.set(record.id, record);
}

function remove<T extends Owned>(records: Map<number, Map<number, T>>, record: T): void {
  const own = records.get(record.member);
  own?.delete(record.id);
  if (own?.size === 0) records.delete(record.member);
}
