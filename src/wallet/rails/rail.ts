/**
 * The interface to a chain, through which the venue learns all that it knows of one. A new chain
 * needs a new rail, its word for the setting (`config.ts`) and its creation (`venue_wallet.ts`).
 */

import type { Way } from "../../domain/money/currency.ts";
import type { Payee } from "../../domain/money/tag.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import type { Restores } from "../../engine/start/restores.ts";

/** An output that pays to one of the venue's addresses. */
export interface SeenOutput {
  readonly address: string;
  /** The tag that it was sent with, as the chain has it; absent without one. */
  readonly tag?: string;
  readonly txid: string;
  /** Index of the output in its transaction, below `ANY_OUTPUT`. */
  readonly output: number;
  /** In ledger units. */
  readonly amount: bigint;
  /** 0 until a block holds it, and again after a reorganisation removes that block. */
  readonly confirmations: number;
  /** The transaction is gone for good: it was replaced, or no node knows it any more. */
  readonly isDropped: boolean;
  /** The venue itself has sent it, and may yet send another in its place: it is credited later. */
  readonly isReplaceable?: true;
}

/** A credited output for good: in a final block, or gone. */
export interface SettledPayment {
  readonly way: Way;
  readonly seen: SeenOutput;
  /** Called once the venue has taken it. */
  readonly forget: () => Promise<void>;
}

/** What a rail has seen. */
export interface WatchedOutputs {
  readonly outputs: readonly SeenOutput[];
  /** Where to continue, after all final outputs; those that may still change are returned again. */
  readonly cursor: string | null;
}

/** A payment to make; its tag has to be on the chain beside its address. */
export interface Payout extends Payee {
  /** One per withdrawal, however often it is sent. */
  readonly id: string;
  /** Currency code. */
  readonly currency: string;
  /** Name of the network; absent for the currency's first, and if it has none. */
  readonly network?: string;
  /** In ledger units. */
  readonly amount: bigint;
}

/** Where a member is paid; for a currency with tags, an address of all members with one of its own. */
export interface MemberAddress {
  readonly address: string;
  readonly tag?: string;
}

/** The answer to a payout; when a rail throws, it may or may not have been sent. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly txid: string }
  /** It was not sent and never will be, because of a wrong address for example. */
  | { readonly kind: "refused"; readonly reason: string };

/** What has become of a payout; when a rail throws, it does not know. */
export type FindOutcome =
  | {
    readonly kind: "sent";
    readonly txid: string;
    readonly confirmations: number;
    /** The payout will never arrive, and its funds are the venue's again. */
    readonly isFailed: boolean;
    /** Why a failed one is left to the operator; absent where its amount is given back by itself. */
    readonly failure?: string;
  }
  /** Certainly nothing was sent under this id. */
  | { readonly kind: "absent" };

/**
 * A way to one or more chains, used by any number of processes at a time. It throws when it can't
 * tell; its errors are logged, so they hold no addresses or secrets.
 */
export interface Rail {
  readonly name: string;
  /**
   * Whether its chains are outside of the store: a restored store may have forgotten payouts that were
   * sent, and a chain may not answer for hours.
   */
  readonly isOutside: boolean;
  /**
   * Names of the networks that it leads to; absent where it has nothing of the kind. Each is worked
   * on by itself, so that one whose node is silent keeps no other waiting.
   */
  readonly networks?: readonly string[];
  /** Returns whether the rail leads this way. */
  serves(way: Way): boolean;
  /** Returns whether an address is the venue's, of no member: nobody is paid there. */
  isOwn(way: Way, address: string): boolean;
  /** Returns the member's address, in any of its forms, the same one at every call. */
  createAddress(way: Way, uid: string): Promise<MemberAddress>;
  /** Returns the outputs since the cursor, or all if it is null; earlier ones may come again. */
  watch(way: Way, since: string | null): Promise<WatchedOutputs>;
  /**
   * Brings further what no call waits for on a network; absent where there is nothing such. However
   * long it takes, nothing else waits for it.
   */
  tend?(network: string): Promise<void>;
  /** Returns one output as it is now; null only when the rail has certainly never seen it. */
  look(way: Way, txid: string, output: number): Promise<SeenOutput | null>;
  /**
   * Yields credited outputs on a network whose blocks may have been replaced, once it is certain what
   * became of them; absent where no block is ever replaced unseen. Each comes again until it is
   * forgotten.
   */
  settled?(network: string): AsyncIterable<SettledPayment>;
  /** Returns whether this process can pay that way: others may only watch. */
  pays(way: Way): boolean;
  /**
   * Pays. A second call with the same id pays nothing and returns the first answer.
   *
   * @throws {PayoutWaitsError} it has to wait
   */
  send(payout: Payout): Promise<SendOutcome>;
  /**
   * Looks up a payout by its id, and by the way that it goes.
   *
   * @throws {PayoutWaitsError} nobody can tell now
   */
  find(payoutId: string, way: Way): Promise<FindOutcome>;
}

/**
 * Returns the payout id of a withdrawal. After a restore the ids of withdrawals come again, for
 * which the rail may have paid, so their time is a part of it from then on.
 *
 * @param restores of the store; null if it never was restored
 */
export function payoutId(
  { id, createdAt }: Pick<Withdraw, "id" | "createdAt">,
  restores: Restores | null,
): string {
  const isRepeated = restores !== null && createdAt > restores.first;
  return isRepeated ? `withdraw-${id}-${createdAt}` : `withdraw-${id}`;
}
