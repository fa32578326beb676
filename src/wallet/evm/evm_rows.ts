/** The rows of the rail: what it keeps of a network, apart from the cursors. */
import type { SidecarKey } from "../../engine/engine.ts";
import { networkKey } from "../../engine/sidecar_rows.ts";
import type { CoinOutput, NetworkRailParts } from "../rails/network_rail.ts";
import { EVM_ADDRESSES } from "./evm_networks.ts";

/** What the rail needs of the engine. */
export type EvmEngine = NetworkRailParts["engine"];

/** The network's own coin, among contracts. */
const OWN = "own";
/** Behind each txid, as keys are ordered. */
const LAST_TXID = "~";

/** The keys of a network's rows. */
export class EvmRows {
  constructor(private readonly network: string) {}

  /** The hash of the network's first block, where it is not known beforehand. Written once. */
  genesis(): SidecarKey {
    return networkKey(this.network, "genesis");
  }

  /** The last block by which anything was concluded as final: `FinalBlock`. Written before that is. */
  final(): SidecarKey {
    return networkKey(this.network, "final");
  }

  /** Where a coin's deposits began to be read: a cursor. Written once. */
  start(currency: string): SidecarKey {
    return networkKey(this.network, "start", currency);
  }

  /** A payment to a member: `NotedOutput`. Written as it is found, and as it changes its block. */
  output(currency: string, txid: string, output: number): SidecarKey {
    return networkKey(this.network, "output", currency, txid, output);
  }

  /** What the keys of all payments to members begin with. */
  allOutputs(): SidecarKey {
    return networkKey(this.network, "output");
  }

  /** One that is looked at one last time: `LastLook`. Removed once it is certain what became of it. */
  lastLook(due: number, { currency, txid, output }: CoinOutput): SidecarKey {
    return networkKey(this.network, "last_look", due, currency, txid, output);
  }

  get allLastLooks(): SidecarKey {
    return networkKey(this.network, "last_look");
  }

  /** A transaction that paid the network's own coin to an address: `DirectPayment`. Written once. */
  direct(address: string, height: number, txid: string): SidecarKey {
    return networkKey(this.network, "direct", address, height, txid);
  }

  /** What the keys of all such payments to an address begin with. */
  directs(address: string): SidecarKey {
    return networkKey(this.network, "direct", address);
  }

  /** The last key of such payments up to a height. */
  lastDirect(address: string, height: number): SidecarKey {
    return this.direct(address, height, LAST_TXID);
  }

  /** An address that was created, for whichever of the networks: `true`. Written once. */
  address(address: string): SidecarKey {
    return networkKey(EVM_ADDRESSES, "address", address);
  }

  /** What the keys of all addresses begin with. */
  addresses(): SidecarKey {
    return networkKey(EVM_ADDRESSES, "address");
  }

  /** What the keys of addresses begin with that an older version of the program has created. */
  oldAddresses(): SidecarKey {
    return networkKey(this.network, "address");
  }

  /**
   * An address that holds something of a coin: `HeldCoin`. Written before a payment to it is noted,
   * and removed when it is known to be empty.
   */
  held(currency: string, address: string): SidecarKey {
    return networkKey(this.network, "held", currency, address);
  }

  /** What the keys of all addresses that hold something of a coin begin with. */
  allHeld(currency: string): SidecarKey {
    return networkKey(this.network, "held", currency);
  }

  /**
   * What was too small for the ledger in a payment, unless nothing: `NotedRest`. Written with the row of
   * its output, and removed once it is a part of the sum.
   */
  rest(currency: string, txid: string, output: number): SidecarKey {
    return networkKey(this.network, "rest", currency, txid, output);
  }

  /** What the keys of all that was too small in a coin's payments begin with. */
  allRests(currency: string): SidecarKey {
    return networkKey(this.network, "rest", currency);
  }

  /** What was too small in a coin's payments that are final: `RestSum`. */
  restSum(currency: string): SidecarKey {
    return networkKey(this.network, "rest_sum", currency);
  }

  /** Up to where an address's balance is explained: `ComparedBalance`. Written as it changes. */
  balance(address: string): SidecarKey {
    return networkKey(this.network, "balance", address);
  }

  /** What the keys of all explained balances begin with. */
  allBalances(): SidecarKey {
    return networkKey(this.network, "balance");
  }

  /** A payment that a comparison found, by its number: `ComparedPayment`. Written once. */
  compared(number: number): SidecarKey {
    return networkKey(this.network, "compared", number);
  }

  /** What the keys of all such payments begin with. */
  allCompared(): SidecarKey {
    return networkKey(this.network, "compared");
  }

  /** The nonces of the wallet's address: `Nonces`. Written with each payout. */
  nonces(address: string): SidecarKey {
    return networkKey(this.network, "nonces", address);
  }

  /** A payout by its id: `KnownPayout`. Written before it is sent, and sent again for a higher fee. */
  payout(id: string): SidecarKey {
    return networkKey(this.network, "payout", id);
  }

  /** What the keys of all payouts begin with. */
  allPayouts(): SidecarKey {
    return networkKey(this.network, "payout");
  }

  /**
   * A transaction that pays a withdrawal, whoever receives it: the payout's id, or `true` by an older
   * version of the program. Written before it is sent.
   */
  inside(txid: string): SidecarKey {
    return networkKey(this.network, "inside", txid);
  }

  /** All such transactions of a payout, by its id: `InsidePayout`. */
  insidePayout(id: string): SidecarKey {
    return networkKey(this.network, "inside_payout", id);
  }

  /** Which sweeps are on their way, and how coins fared by them: `Sweeping`. */
  sweeping(): SidecarKey {
    return networkKey(this.network, "sweeping");
  }

  /** The sweep of an address with this nonce: `KnownPayout`. Written before it is sent. */
  sweep(address: string, nonce: number): SidecarKey {
    return networkKey(this.network, "sweep", address, nonce);
  }

  /** What payments of a coin last lacked, by its contract: `Shortage`. Written as they are tried. */
  short(contract: string | null): SidecarKey {
    return networkKey(this.network, "short", contract ?? OWN);
  }

  /** What the keys of all sweeps begin with. */
  allSweeps(): SidecarKey {
    return networkKey(this.network, "sweep");
  }

  /** How many payments to the cold address a coin has had: `ColdPayments`. */
  cold(currency: string): SidecarKey {
    return networkKey(this.network, "cold", currency);
  }
}
