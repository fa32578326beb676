/**
 * The rows of a rail. `coin`, by txid and output: an output that pays to the wallet, or to its cold
 * address, written as it is first seen and as it becomes final, is taken for a payout, or is spent by
 * others; never deleted. `free`, by amount, txid and output: an index of the wallet's coins that
 * nothing has taken, the largest first. `cold`, by txid and output: one of those at the cold address,
 * which pay for nothing. `rest`, by txid and output: one of a member that is too small to be
 * credited; never deleted. `inside`, by txid: one that pays a withdrawal to a member's address. `inside_payout`,
 * by id of the payout: all such transactions of it. `last_look`, by height, currency, txid and
 * output: one to a member that is looked at from that height on, until it is certain what became of it. `journal`: the
 * payouts that are decided on and not yet written into rows of their own. `payout`, by id: written
 * out of the journal, and as it is replaced or ends; never deleted. `open`, by id: the payouts
 * without an end. `failed`, by id: those that have failed by blocks which were replaced, so that they
 * may arrive. `short`: when one last found too few coins. `start`: where the walk over the chain
 * began. `walked`: up to where its blocks are final and their coins are rows. `final`: the last block
 * by which anything was concluded as final, written before that is.
 */
import type { SidecarKey } from "../../engine/engine.ts";
import { networkKey } from "../../engine/sidecar_rows.ts";
import type { KeyPlace } from "../keys/account_keys.ts";
import type { CoinOutput } from "../rails/network_rail.ts";

/** An output by its name. */
export interface OutputName {
  readonly txid: string;
  readonly index: number;
}

/** What an output pays to: one of the wallet's keys, or its cold address, whose key is elsewhere. */
export type CoinPlace = KeyPlace | { readonly cold: true };

/** An output that pays to the wallet. */
export interface PlacedOutput extends OutputName {
  readonly amount: bigint;
  readonly address: string;
  readonly place: CoinPlace;
}

/** An output to the wallet as far as it is known who has sent it. */
export interface SentOutput extends PlacedOutput {
  /** The wallet itself pays a member by it: a deposit if the withdrawal is known. Absent for others. */
  readonly isSent?: true;
}

/** One that the wallet can spend. */
export interface OwnOutput extends PlacedOutput {
  readonly place: KeyPlace;
}

/** An output to the wallet as stored. */
export interface CoinRow extends SentOutput {
  /** Some of the outputs that its transaction spends: if another spends them, it is gone. */
  readonly spends: readonly string[];
  /** Of its block, once that is final; else null. */
  readonly height: number | null;
  /** A block made it, so that it pays for nothing until it is mature. Absent for others. */
  readonly isCoinbase?: true;
  /**
   * The payout whose change it is, until it is final; one that was to be sent again is waited for by
   * what it pays to a member as well. Else null.
   */
  readonly changeOf: string | null;
  /** The payout that spends it; else null. */
  readonly takenBy: string | null;
  /**
   * Height of the final block in which somebody else has spent it, or, where it is in no final block
   * itself, of one that is against it: then it never will be. Absent until then.
   */
  readonly spentAt?: number;
}

/** A member's final output that is below the currency's precision, in the network's unit. */
export interface RestRow extends OutputName {
  readonly units: bigint;
}

/** One of the transactions of a payout: all spend the same coins, so that the chain takes one. */
export interface PayoutVersion {
  readonly txid: string;
  readonly bytes: Uint8Array;
  /** In the network's unit. */
  readonly fee: bigint;
  /** What each output pays by which change comes back; 0 without any. */
  readonly change: bigint;
  /** How many outputs those are, if they are several: absent else, and in rows of older programs. */
  readonly parts?: number;
  /** The last block as it was signed. */
  readonly height: number;
}

/** How a payout has ended. */
export interface PayoutEnd {
  readonly txid: string;
  readonly height: number;
  /** Another transaction has spent one of its coins, or one never will be: it never arrives. */
  readonly isFailed: boolean;
}

/** A payout as stored. */
export interface PayoutRow {
  readonly id: string;
  /** What the payee's output says, in hex; empty where all goes back to the wallet. */
  readonly script: string;
  /** In the network's unit; 0 without a payee. */
  readonly amount: bigint;
  readonly inputs: readonly OwnOutput[];
  /** It pays a withdrawal: what a member receives by it is a deposit. */
  readonly isInside?: true;
  /** The last one is sent. */
  readonly versions: readonly PayoutVersion[];
  /** Its change is spent, so that it can't be replaced any more. */
  readonly isSealed: boolean;
  readonly end: PayoutEnd | null;
  /** How often it has arrived after it had failed; absent if it never has. */
  readonly returns?: number;
}

/** What is decided and not yet in rows of its own. */
export interface JournalRow {
  /** How many payouts have left the journal: who has chosen coins before that chooses anew. */
  readonly left: number;
  readonly payouts: readonly PayoutRow[];
}

/** Digits that hold every amount. */
const RANK_DIGITS = 21;
const RANK_MAX = 10n ** BigInt(RANK_DIGITS) - 1n;

/** The keys of a network's rows. */
export class UtxoRows {
  readonly #network: string;

  constructor(network: string) {
    this.#network = network;
  }

  coin({ txid, index }: OutputName): SidecarKey {
    return networkKey(this.#network, "coin", txid, index);
  }

  /** Larger amounts come first. */
  free({ txid, index, amount }: OutputName & { readonly amount: bigint }): SidecarKey {
    const rank = (RANK_MAX - amount).toString().padStart(RANK_DIGITS, "0");
    return networkKey(this.#network, "free", rank, txid, index);
  }

  get allFree(): SidecarKey {
    return networkKey(this.#network, "free");
  }

  rest({ txid, index }: OutputName): SidecarKey {
    return networkKey(this.#network, "rest", txid, index);
  }

  get allRests(): SidecarKey {
    return networkKey(this.#network, "rest");
  }

  cold({ txid, index }: OutputName): SidecarKey {
    return networkKey(this.#network, "cold", txid, index);
  }

  get allCold(): SidecarKey {
    return networkKey(this.#network, "cold");
  }

  /**
   * A transaction that pays a withdrawal, whoever receives it: the payout's id, or `true` by an older
   * version of the program. Written before it is sent.
   */
  inside(txid: string): SidecarKey {
    return networkKey(this.#network, "inside", txid);
  }

  /** All such transactions of a payout, by its id: `InsidePayout`. */
  insidePayout(id: string): SidecarKey {
    return networkKey(this.#network, "inside_payout", id);
  }

  /** Of an output: `LastLook`. */
  lastLook(due: number, { currency, txid, output }: CoinOutput): SidecarKey {
    return networkKey(this.#network, "last_look", due, currency, txid, output);
  }

  get allLastLooks(): SidecarKey {
    return networkKey(this.#network, "last_look");
  }

  get journal(): SidecarKey {
    return networkKey(this.#network, "journal");
  }

  payout(id: string): SidecarKey {
    return networkKey(this.#network, "payout", id);
  }

  open(id: string): SidecarKey {
    return networkKey(this.#network, "open", id);
  }

  failed(id: string): SidecarKey {
    return networkKey(this.#network, "failed", id);
  }

  get allFailed(): SidecarKey {
    return networkKey(this.#network, "failed");
  }

  get allCoins(): SidecarKey {
    return networkKey(this.#network, "coin");
  }

  get allPayouts(): SidecarKey {
    return networkKey(this.#network, "payout");
  }

  get allOpen(): SidecarKey {
    return networkKey(this.#network, "open");
  }

  get short(): SidecarKey {
    return networkKey(this.#network, "short");
  }

  get start(): SidecarKey {
    return networkKey(this.#network, "start");
  }

  get final(): SidecarKey {
    return networkKey(this.#network, "final");
  }

  get walked(): SidecarKey {
    return networkKey(this.#network, "walked");
  }
}
