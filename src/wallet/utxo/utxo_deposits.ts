/** Deposits: what the venue is shown of payments to its members, in memory and in rows. */
import { present } from "../../domain/assert.ts";
import { canonicalName } from "../../domain/money/chain_name.ts";
import type { InsidePayments } from "../rails/inside_payments.ts";
import type {
  CoinOutput,
  NetworkCoin,
  NetworkRailParts,
  SettledOutput,
} from "../rails/network_rail.ts";
import type { SeenOutput } from "../rails/rail.ts";
import { type LastLook, LastLooks } from "../rails/last_looks.ts";
import { outpoint } from "./node_chain.ts";
import type { ChainWalk, WalkedOutput } from "./chain_walk.ts";
import { isCredited, seenLoose, seenOf } from "./seen_outputs.ts";
import type { UtxoCoins, UtxoEngine } from "./utxo_coins.ts";
import type { UtxoNetwork } from "./utxo_networks.ts";
import type { CoinRow, UtxoRows } from "./utxo_rows.ts";

const TXID = /^[0-9a-f]{64}$/;

/** What deposits work with. */
export interface UtxoDepositParts extends Pick<NetworkRailParts, "onFault"> {
  readonly engine: UtxoEngine;
  readonly rows: UtxoRows;
  readonly network: UtxoNetwork;
  readonly coins: UtxoCoins;
  readonly walk: ChainWalk;
  /** The wallet's payments of withdrawals. */
  readonly inside: InsidePayments;
  /** Returns the network's own coin; null if it is not served. */
  readonly coin: () => NetworkCoin | null;
  /** Has the walk be at the chain's end, and what is final be rows. */
  readonly looked: () => Promise<void>;
}

/** The payments to members of a network. */
export class UtxoDeposits {
  readonly #parts: UtxoDepositParts;
  readonly #lastLooks: LastLooks;
  /** Those outputs in memory at which a last look is expected, each by its block and its name. */
  #expected = new Set<string>();

  constructor(parts: UtxoDepositParts) {
    this.#parts = parts;
    this.#lastLooks = new LastLooks({
      ...parts,
      finalDepth: parts.network.finalDepth,
      look: (output, height) => this.#lookAgain(output, height),
      credited: (output) => parts.inside.credited(output),
    });
  }

  /**
   * Has all that blocks in memory have and is not final be looked at once it should be. Nobody is shown
   * it before. What no block has is not credited: whoever sends it without a fee has thousands wait.
   */
  async expect(): Promise<void> {
    const { walk, coin } = this.#parts;
    const currency = coin()?.currency;
    if (currency === undefined) return;
    const young = walk.blocks.filter((block) => !walk.isFinal(block));
    const names = new Set<string>();
    for (const { height, hash, outputs } of young) {
      // What was in another block may have been looked at since that is gone.
      const nameOf = ({ txid, index }: WalkedOutput) => `${hash} ${outpoint(txid, index)}`;
      const own = outputs.filter(({ place }) => "member" in place);
      const unknown = own.filter((one) => !this.#expected.has(nameOf(one)));
      const expected = unknown.map(({ txid, index }) => ({ currency, txid, output: index }));
      await this.#lastLooks.expect(expected, height);
      for (const one of own) names.add(nameOf(one));
    }
    this.#expected = names;
  }

  /** Returns what is in memory, as their deposits are called. */
  async watched(coin: NetworkCoin): Promise<SeenOutput[]> {
    const { inside } = this.#parts;
    const named = await Promise.all(
      (await this.#seen()).map(({ seen, isSent }) =>
        isSent ? inside.named(coin.currency, seen) : seen
      ),
    );
    return named.filter((seen) => isCredited(coin, seen));
  }

  /** Looks an output up, see `Rail.look`. */
  async look(coin: NetworkCoin, spelled: string, output: number): Promise<SeenOutput | null> {
    const seen = await this.#look(spelled, output);
    if (seen === null || !isCredited(coin, seen)) return null;
    return await this.#parts.inside.looked(
      coin.currency,
      seen,
      (other) => this.#look(other, output),
    );
  }

  /** Yields what has become of payments whose blocks may be gone, see `Rail.settled`. */
  settled(): AsyncIterable<SettledOutput> {
    const { walk, looked } = this.#parts;
    return this.#lastLooks.settled(async () => {
      await looked();
      return present(walk.last, "it was looked at");
    });
  }

  /** Has all payments looked at that may be in blocks above a height: they are gone. */
  async goBack(height: number, at: number): Promise<void> {
    await this.#lastLooks.expectNow(this.#above(height), at);
  }

  async *#above(height: number): AsyncGenerator<CoinOutput> {
    const { coin, coins } = this.#parts;
    const currency = coin()?.currency;
    if (currency === undefined) return;
    for await (const { txid, index } of coins.membersAbove(height)) {
      yield { currency, txid, output: index };
    }
  }

  /**
   * Returns how a payment is now; null as long as nobody can tell. It may have been credited though
   * nothing tells any more that the wallet has sent it to a member. One that had a block and waits for
   * another one is gone after twice as many as make one final, though nodes have it: while nobody mines
   * it, it may be spent otherwise.
   */
  async #lookAgain(
    { currency, txid, output, at }: LastLook,
    height: number,
  ): Promise<SeenOutput | null> {
    const { coins, inside, network: { finalDepth } } = this.#parts;
    const coin = await coins.coin({ txid, index: output });
    if (coin === null) return null;
    const seen = this.#seenNow(coin);
    const isLong = this.#heightOf(coin) === null && height - at >= 2 * finalDepth;
    return await inside.looked(
      currency,
      isLong ? { ...seen, isDropped: true } : seen,
      (other) => this.#look(other, output),
    );
  }

  async #look(spelled: string, output: number): Promise<SeenOutput | null> {
    const { looked, coins } = this.#parts;
    const txid = canonicalName("common", spelled);
    if (!TXID.test(txid)) return null;
    await looked();
    const isSame = (one: SeenOutput) => one.txid === txid && one.output === output;
    const seen = (await this.#seen()).map((one) => one.seen).find(isSame);
    if (seen !== undefined) return seen;
    const coin = await coins.coin({ txid, index: output });
    if (coin === null || !("member" in coin.place)) return null;
    if ((await coins.deposits([coin])).length === 0) {
      // It may have been shown before what it spends.
      return coin.height === null ? null : seenOf(coin, 0, true);
    }
    return this.#seenNow(coin);
  }

  #seenNow(coin: CoinRow): SeenOutput {
    const height = this.#heightOf(coin);
    if (height !== null) return this.#seenIn(height, coin);
    return seenLoose(this.#parts.walk.addLoose({ ...coin, isCoinbase: coin.isCoinbase ?? false }));
  }

  /** Returns the height of the block that has a coin; null if none has. */
  #heightOf({ txid, height }: CoinRow): number | null {
    return height ?? this.#parts.walk.blockOf(txid)?.height ?? null;
  }

  /** Returns the deposits that are in memory. */
  async #seen(): Promise<(Pick<WalkedOutput, "isSent"> & { readonly seen: SeenOutput })[]> {
    const { blocks, loose } = this.#parts.walk;
    const inBlocks = blocks.flatMap((block) =>
      block.outputs.map((output) => ({ ...output, seen: this.#seenIn(block.height, output) }))
    );
    const waiting = [...loose].map((one) => ({ ...one.output, seen: seenLoose(one) }));
    return await this.#parts.coins.deposits([...inBlocks, ...waiting]);
  }

  /** What a block made is confirmed once it is mature: before that it pays for nothing. */
  #seenIn(height: number, output: WalkedOutput | CoinRow): SeenOutput {
    const { walk } = this.#parts;
    const isMature = walk.isMature(output, height);
    const seen = seenOf(output, isMature ? walk.confirmationsOf(height) : 0, false);
    return output.isSent && !walk.isFinal({ height }) ? { ...seen, isReplaceable: true } : seen;
  }
}
