/**
 * The way to a chain. All that the venue knows of one goes through this
 * interface; a new chain is a new rail, and nothing else changes.
 */

/** An output that pays to one of the venue's addresses. */
export interface SeenOutput {
  readonly address: string;
  readonly txid: string;
  /** Place of the output in its transaction, below `ANY_OUTPUT`. */
  readonly output: number;
  /** In ledger units. */
  readonly amount: bigint;
  /** 0 as long as no block holds it, and again after a reorganisation has thrown its block out. */
  readonly confirmations: number;
  /** Its transaction is gone for good: it has been replaced, or no node knows it any more. */
  readonly isDropped: boolean;
}

/** What a rail has seen. */
export interface WatchedOutputs {
  readonly outputs: readonly SeenOutput[];
  /** Where to go on: behind everything that is final. What may still change comes again. */
  readonly cursor: string | null;
}

/** What is to be paid. */
export interface Payout {
  /** One for each withdrawal, however often it is sent. */
  readonly id: string;
  /** Currency code. */
  readonly currency: string;
  readonly address: string;
  /** In ledger units. */
  readonly amount: bigint;
}

/** The answer to a payout; a rail that throws leaves open whether it was sent. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly txid: string }
  /** It was not sent, and never will be: a wrong address, say. */
  | { readonly kind: "refused"; readonly reason: string };

/** What has become of a payout; a rail that throws does not know. */
export type FindOutcome =
  | {
    readonly kind: "sent";
    readonly txid: string;
    readonly confirmations: number;
    /** It never will arrive, and the funds are the venue's again. */
    readonly isFailed: boolean;
  }
  /** It is certain that nothing was sent under this id. */
  | { readonly kind: "absent" };

/**
 * A way to one or more chains. Any number of processes use one at a time. Where it can't tell, it
 * throws; its errors name no addresses and no secrets, for they are logged.
 */
export interface Rail {
  readonly name: string;
  /** Whether it leads to this currency's chain. */
  serves(currency: string): boolean;
  /** The member's address: the same one whenever it is asked for. */
  createAddress(currency: string, uid: string): Promise<{ readonly address: string }>;
  /** Outputs since the cursor; null stands for the beginning. What was seen before may come again. */
  watch(currency: string, since: string | null): Promise<WatchedOutputs>;
  /** One output as it is now; null where it is certain that the rail has never seen it. */
  look(currency: string, txid: string, output: number): Promise<SeenOutput | null>;
  /** Pays. A second call with the same id pays nothing and answers as the first one did. */
  send(payout: Payout): Promise<SendOutcome>;
  /** Looks a payout up by its id. */
  find(payoutId: string): Promise<FindOutcome>;
}

/** The payout id of a withdrawal. */
export function payoutId(withdraw: number): string {
  return `withdraw-${withdraw}`;
}
