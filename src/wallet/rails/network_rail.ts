/** A rail to one network. What a wallet pays and receives goes over one of them for each coin. */
import type { Engine } from "../../engine/engine.ts";
import type { AccountKeys, MemberPlace } from "../keys/account_keys.ts";
import type { FindOutcome, Payout, SeenOutput, SendOutcome, WatchedOutputs } from "./rail.ts";

/** A coin on a network. */
export interface NetworkCoin {
  /** Currency code. */
  readonly currency: string;
  /** The contract of a token in its canonical spelling; null for the network's own coin. */
  readonly contract: string | null;
  /** Fractional digits of the network's smallest unit of it: 18 for ether, 8 for bitcoin. */
  readonly digits: number;
  /** Fractional digits that the venue gives its amounts, at most the ledger's. */
  readonly precision: number;
  /** The most that the wallet keeps ready for payouts, in its smallest units; null for any amount. */
  readonly hotLimit: bigint | null;
  /** Price of one coin in the platform's currency, in ledger units; 0 where nobody knows. */
  readonly price: bigint;
}

/** A payment of what a coin has beyond its limit to the cold address. */
export interface ColdMove {
  readonly coin: NetworkCoin;
  /** In the coin's smallest units. */
  readonly units: bigint;
  /** Of its first transaction, which one with a higher fee may replace. */
  readonly txid: string;
}

/** What else may have become of a payment than its withdrawal says. */
export type PaymentFate =
  /** It has moved nothing: its transaction was without effect, or another has taken its place. */
  | "without_effect"
  /** No block has it, and it is not sent for now: coins are missing for it. */
  | "held_back"
  /** No block has it, and the node does not take it, as where its fee is too low by now. */
  | "refused"
  /** Nothing is known of it but its place among others, which a payment of nothing has for good. */
  | "forgotten";

/** A payment that never arrives, or may not: what it is made of was spent otherwise, or is gone. */
export interface LostPayment {
  /** Null where the network's own coin is no currency of the venue. */
  readonly coin: NetworkCoin | null;
  /** Absent where it is for what it is made of. */
  readonly fate?: PaymentFate;
  /** Which or why, in words for the operator. */
  readonly detail?: string;
  /** See `payoutId`; a payment of the wallet's own has another. */
  readonly payoutId: string;
  /** All its transactions, of which its withdrawal may have any: the last one sent first. */
  readonly txids: readonly [string, ...string[]];
  /** Why it may never arrive, or what one that is refused is made of; absent where neither is so. */
  readonly doubt?: PaymentDoubt;
  /** How often it was there again after it had been told to be lost; absent if it never was. */
  readonly returns?: number;
}

/** Why nobody knows whether a payment arrives: names of the coins that it was made of. */
export interface PaymentDoubt {
  /** They have been in no block for long, and nothing tells why. */
  readonly missing: readonly string[];
  /** They are in blocks: if another transaction spends one of them, the payment never arrives. */
  readonly others: readonly string[];
}

/** A payment that is in a final block though it was told never to arrive: blocks were replaced. */
export interface ReturnedPayment extends Pick<LostPayment, "coin" | "payoutId" | "detail"> {
  readonly txid: string;
  readonly returns: number;
}

/** What a network's chain holds of a coin, in its smallest units, as of its last block. */
export interface NetworkBalances {
  /** Height of that block. */
  readonly height: number;
  /** What payouts can be made of. */
  readonly hot: bigint;
  /** What is at members' addresses and has to be moved before it pays anything. */
  readonly deposits: bigint;
  /** What is at the cold address; null if there is none. */
  readonly cold: bigint | null;
}

/** What a coin is on its network. */
export type CoinTerms = Pick<NetworkCoin, "currency" | "contract" | "digits">;

/** Why a network is not to be relied on. */
export const NETWORK_FAULTS = [
  /** The node does not answer, or too late. */
  "unreachable",
  /** The node is of another network than it was configured for. */
  "other_network",
  /** The node has not caught up with its network, or shows less than it did. */
  "behind",
  /** Blocks were replaced below what has been credited: an operator has to look. */
  "reorganised",
  /** The node contradicts itself, or says what can't be. */
  "contradicting",
] as const;
export type NetworkFault = typeof NETWORK_FAULTS[number];

/** A coin is not on its network what its currency says: all its amounts would be wrong. */
export class CoinTermsError extends Error {
  override name = "CoinTermsError";
  constructor(message: string, readonly field: "contract" | "network_digits") {
    super(message);
  }
}

/** A block that counted as final and is not on the chain any more. */
export interface ReplacedBlock {
  readonly height: number;
  readonly hash: string;
  /** How many blocks were replaced at least: it, and those that had come after it. */
  readonly depth: number;
  /** Height of the last block that is known to be still there; null if none is. */
  readonly kept: number | null;
}

/** What is known of a network. */
export interface NetworkHealth {
  /** Height of the last block that was read; null before the first. */
  readonly height: number | null;
  readonly fault: NetworkFault | null;
  /** Absent unless the network is `reorganised`. */
  readonly replaced?: ReplacedBlock;
}

/** What the ledger has of a payment that a rail has shown. */
export type Booking =
  /** Nothing, so far. */
  | "none"
  /** A deposit that is not credited yet. */
  | "open"
  /** A deposit that was credited. */
  | "standing"
  /** A deposit that was turned down, was given up or has been reversed. */
  | "taken_back";

/** An output of a coin, by its name. */
export interface CoinOutput {
  /** Currency code. */
  readonly currency: string;
  readonly txid: string;
  readonly output: number;
}

/** A credited output of which it is certain what became of it. */
export interface SettledOutput {
  /** Currency code. */
  readonly currency: string;
  readonly seen: SeenOutput;
  /** Ends looking at it. Called once the venue has taken it. */
  readonly forget: () => Promise<void>;
}

/** What a rail to a network is built from, besides its node. */
export interface NetworkRailParts {
  readonly engine: Pick<
    Engine,
    | "readSidecar"
    | "readSidecars"
    | "createSidecar"
    | "holdSidecars"
    | "replaceSidecars"
    | "changeSidecar"
    | "listSidecar"
    | "now"
  >;
  readonly keys: AccountKeys;
  /** Where goes what is beyond the coins' limits, in its canonical spelling; null for nowhere. */
  readonly cold: string | null;
  /** Returns the coins that are served now. */
  readonly coins: () => readonly NetworkCoin[];
  /** Returns the cursors of its coins as they are stored: up to where the venue has taken all. */
  readonly cursors: () => Promise<readonly string[]>;
  /** Returns where the key of a member is, by its uid. */
  readonly placeOf: (uid: string) => MemberPlace;
  /** Returns the uids of members by the addresses that they were given; null for others'. */
  readonly ownersOf: (addresses: readonly string[]) => Promise<readonly (string | null)[]>;
  /** Returns what the ledger has of an output, by its names. */
  readonly bookingOf: (currency: string, txid: string, output: number) => Promise<Booking>;
  /** Returns what approved withdrawals of a coin still take, in its smallest units. */
  readonly owedOf: (coin: NetworkCoin) => bigint;
  /** Told of each payment to the cold address once it is decided on, perhaps several times. */
  readonly onMoved: (moved: ColdMove) => Promise<void>;
  /** Told of each payment that is not what its withdrawal says, or may not be, perhaps several times. */
  readonly onLost: (lost: LostPayment) => Promise<void>;
  /** Told of each payment that has arrived after all, perhaps several times. */
  readonly onReturned: (returned: ReturnedPayment) => Promise<void>;
  /** Called with faults that the rail survives; they hold no address and no secret. */
  readonly onFault: (error: unknown) => void;
}

/** The node does not have any more what it had after an old block. */
export class NoStateError extends Error {
  override name = "NoStateError";
}

/**
 * A rail to one network, as `Rail` has it for one way: its coins are named by their currencies' codes.
 * While it has a fault it throws, and so credits and sends nothing.
 */
export interface NetworkRail {
  /** Whether it has what signs payments. */
  readonly canPay: boolean;
  /** The network's name: `ethereum`. */
  readonly network: string;
  /** Returns the canonical spelling of an address of the network; null if it is none. */
  canonicalAddress(address: string): string | null;
  /** Returns whether an address is the wallet's: its own or the cold one; in its canonical spelling. */
  isOwn(address: string): boolean;
  /**
   * Checks a coin by what its network says of it; absent where that says nothing.
   *
   * @throws {CoinTermsError} it is another
   */
  checkCoin?(coin: CoinTerms): Promise<void>;
  createAddress(currency: string, uid: string): Promise<{ readonly address: string }>;
  /** Brings further what no call waits for, see `Rail.tend`. */
  tend?(): Promise<void>;
  watch(currency: string, since: string | null): Promise<WatchedOutputs>;
  look(currency: string, txid: string, output: number): Promise<SeenOutput | null>;
  /** Yields what has become of credited outputs whose blocks may be gone, see `Rail.settled`. */
  settled(): AsyncIterable<SettledOutput>;
  send(payout: Payout): Promise<SendOutcome>;
  find(payoutId: string, currency: string): Promise<FindOutcome>;
  /** Returns what the network's chain holds of a coin. */
  balances(currency: string): Promise<NetworkBalances>;
  /** Returns what one payout of a coin costs now, in smallest units of the network's own coin. */
  feeOf(currency: string): Promise<bigint>;
  /** Returns what is known of the network as of the last call that reached it. */
  health(): NetworkHealth;
  /** The wallet's own address: payouts or their change come from it, and who fills it up pays there. */
  readonly ownAddress: string;
  /** Where what is over a limit goes; null if there is none. */
  readonly coldAddress: string | null;
  /**
   * Goes on behind a block of the present chain, by its height, after blocks were replaced that
   * counted as final. What those above it had made of the wallet's coins is forgotten and read anew.
   *
   * @returns the cursor from which all of its coins continue, at an earlier block where it has gone
   *   back to that before; null if the chain has no such block
   * @throws {NoStateError} the node can't tell what was there after that block
   */
  goBack(height: number): Promise<string | null>;
  /**
   * Returns the height of the last block up to which none that was read is known to be gone: a little
   * before the first that was replaced. Null if nothing is known of any.
   */
  resumableHeight(): Promise<number | null>;
  /** Returns the height of the block that a cursor stands at. */
  heightOf(cursor: string): number;
  /**
   * Returns what members have paid of a coin, in final blocks, that the ledger has nothing of: it is
   * below the ledger's precision, or all of a payment that is below the coin's. In its smallest units.
   */
  rests(currency: string): Promise<bigint>;
}
