/** Finds what blocks pay to the venue's members. */
import { present } from "../../domain/assert.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import { canonicalEvmAddress } from "./evm_address.ts";
import { ledgerAmount } from "./evm_amounts.ts";
import {
  type BalanceOf,
  type EvmBlock,
  type EvmLog,
  type EvmReceipt,
  type EvmTransaction,
  mayHaveLog,
  TRANSFER_TOPIC,
} from "./evm_chain.ts";
import { addressOfWord, readQuantity } from "./evm_hex.ts";
import { EvmNodeError, isTokensFault, refusalOf } from "./evm_node_error.ts";
import { type OldPaymentParts, OldPayments } from "./old_payments.ts";
import { takingFees } from "./token_checks.ts";
import { TokenFailures } from "./token_failures.ts";

/** Output of a transaction that moves the network's own coin; there is one of it. */
export const NATIVE_OUTPUT = 0;
/** Balances that are asked for at once, each by itself, where a token's contract fails. */
const SINGLES_AT_ONCE = 10;

/** A payment to a member's address in a block. */
export interface FoundOutput {
  readonly currency: string;
  readonly txid: string;
  /**
   * {@linkcode NATIVE_OUTPUT}, or the place of a token's log among its transaction's. Its place in
   * the block would be another one after a reorganisation, and the deposit would come twice.
   */
  readonly output: number;
  /** In its canonical spelling. */
  readonly address: string;
  readonly units: bigint;
  readonly height: number;
  readonly hash: string;
  /** Who sent the transaction, and as which one: tells whether it can still come again. */
  readonly from: string;
  readonly nonce: number;
}

/** Returns the name of an output, which stays the same in whatever block it is. */
export function nameOf(
  { currency, txid, output }: Pick<FoundOutput, "currency" | "txid" | "output">,
): string {
  return `${currency}:${txid}:${output}`;
}

/** What finding needs. */
export interface FinderParts extends OldPaymentParts {
  /** Where sweeps go. */
  readonly walletAddress: string;
  readonly coins: () => readonly NetworkCoin[];
  /** Returns whose addresses these are, by their canonical spelling; null if nobody's. */
  readonly ownersOf: (addresses: readonly string[]) => Promise<readonly (string | null)[]>;
  readonly onFault: (error: unknown) => void;
}

/** A payment is not credited: it tells of more than arrived, or than can be paid or be booked. */
export class RefusedDepositError extends Error {
  override name = "RefusedDepositError";
}

/** A token's transfer as its log tells it; addresses are in lower case. */
interface Transfer {
  readonly log: EvmLog;
  readonly coin: NetworkCoin;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

/** A block with what it may pay to members. */
interface Candidates {
  readonly block: EvmBlock;
  readonly payments: readonly EvmTransaction[];
  readonly transfers: readonly Transfer[];
}

/** Finds outputs to members in blocks. */
export class OutputFinder {
  readonly #old: OldPayments;
  readonly #failures = new TokenFailures();

  constructor(private readonly parts: FinderParts) {
    this.#old = new OldPayments(parts);
  }

  /**
   * Returns the outputs of blocks to members' addresses, by block.
   *
   * @throws {EvmNodeError} the node can't say, or contradicts itself
   */
  async find(blocks: readonly EvmBlock[]): Promise<readonly (readonly FoundOutput[])[]> {
    const coins = this.parts.coins();
    const candidates = await this.#candidates(blocks, coins);
    const own = await this.#own(candidates);
    const touching = candidates.flatMap(({ payments, transfers }) => [
      ...payments.filter(({ to }) => own.has(to ?? "")).map(({ txid }) => txid),
      ...touchingOf(transfers, own).map(({ log }) => log.txid),
    ]);
    const receipts = await this.#receipts([...new Set(touching)], blocks.length === 1);
    const native = coins.find(({ contract }) => contract === null);
    return await Promise.all(candidates.map(async (one) =>
      [
        ...native === undefined ? [] : nativeOutputs(one, native, own, receipts),
        ...await this.#tokenOutputs(one, own, receipts, blocks.length === 1),
      ].filter((output) => this.#isBookable(output, coins))
    ));
  }

  async #candidates(
    blocks: readonly EvmBlock[],
    coins: readonly NetworkCoin[],
  ): Promise<readonly Candidates[]> {
    const byContract = new Map(
      coins.flatMap((coin) =>
        coin.contract === null ? [] : [[coin.contract.toLowerCase(), coin] as const]
      ),
    );
    const full = blocks.filter(({ transactions }) => transactions.length > 0);
    const logs = await this.parts.chain.transfers(full, [...byContract.keys()]);
    const logsOf = new Map(full.map(({ hash }, i) => [hash, logs[i] ?? []]));
    for (const block of full) {
      const told = logsOf.get(block.hash) ?? [];
      const silent = [...byContract.keys()].filter((one) =>
        mayHaveLog(block.bloom, [one, TRANSFER_TOPIC]) &&
        !told.some(({ contract }) => contract === one)
      );
      if (silent.length > 0) await this.parts.chain.checkTransfers(block, silent, told);
    }
    const hasNative = coins.some(({ contract }) => contract === null);
    return blocks.map((block) => ({
      block,
      payments: hasNative ? block.transactions.filter(({ value }) => value > 0n) : [],
      transfers: (logsOf.get(block.hash) ?? []).flatMap((log) => transferOf(log, byContract)),
    }));
  }

  /** Returns those addresses that are members', by their spelling in lower case. */
  async #own(candidates: readonly Candidates[]): Promise<ReadonlyMap<string, string>> {
    const paid = new Set(candidates.flatMap(({ payments, transfers }) => [
      ...payments.map(({ to }) => to ?? ""),
      ...transfers.map(({ to }) => to),
    ]));
    const spelled = [...paid].flatMap((address) => {
      const canonical = canonicalEvmAddress(address);
      return canonical === null ? [] : [[address, canonical] as const];
    });
    if (spelled.length === 0) return new Map();
    const owners = await this.parts.ownersOf(spelled.map(([, canonical]) => canonical));
    return new Map(spelled.filter((_, i) => (owners[i] ?? null) !== null));
  }

  /** Of several blocks whose receipts are too long together, fewer are read first. */
  async #receipts(
    txids: readonly string[],
    isAlone: boolean,
  ): Promise<ReadonlyMap<string, EvmReceipt>> {
    const { chain } = this.parts;
    const found = await (isAlone ? chain.receiptsInParts(txids) : chain.receipts(txids));
    return new Map(found.flatMap((one) => one === null ? [] : [[one.txid, one]]));
  }

  async #tokenOutputs(
    { block, transfers }: Candidates,
    own: ReadonlyMap<string, string>,
    receipts: ReadonlyMap<string, EvmReceipt>,
    isAlone: boolean,
  ): Promise<readonly FoundOutput[]> {
    // First, so that a log of no transaction does not count as its token's lie.
    const places = new Map(
      touchingOf(transfers, own).map((one) => [one, placeOf(block, one, receipts)]),
    );
    // What an address sends to itself has not arrived.
    const paid = transfers.filter(({ from, to, units }) =>
      own.has(to) && units > 0n && from !== to
    );
    const refused = await this.#notArrived(block, paid, transfers, isAlone);
    return paid.filter(({ coin, to }) => !refused.has(pairOf(coin, to))).map((one) => {
      const { log: { txid }, coin: { currency }, to, units } = one;
      const { height, hash } = block;
      const address = own.get(to) ?? to;
      const place = present(places.get(one), "what is paid to a member touches one");
      return { currency, txid, address, units, height, hash, ...place };
    });
  }

  /**
   * Returns whose balances of which tokens a block changed by other than what its logs tell, or can't
   * be paid in full.
   */
  async #notArrived(
    block: EvmBlock,
    paid: readonly Transfer[],
    transfers: readonly Transfer[],
    isAlone: boolean,
  ): Promise<ReadonlySet<string>> {
    const { chain, onFault } = this.parts;
    const { height, hash } = block;
    const pairs = [...new Map(paid.map((one) => [pairOf(one.coin, one.to), one])).values()];
    const told = pairs.map(({ coin, to }) => {
      const of = transfers.filter((one) => one.coin === coin);
      return sumOf(of.filter((one) => one.to === to)) - sumOf(of.filter((one) => one.from === to));
    });
    const wrong = await this.#wrong(block, pairs, told, isAlone);
    const right = pairs.filter((one) => !wrong.includes(one));
    const taxed = await this.#taxed(block, right);
    for (const { currency } of new Set(taxed.map(({ coin }) => coin))) {
      const what =
        `${currency} takes a fee of each transfer: its deposit in block ${height} is not`;
      onFault(new RefusedDepositError(`${what} credited`));
    }
    const refused = new Set(taxed.map(({ coin, to }) => pairOf(coin, to)));
    if (wrong.length === 0) return refused;
    // Of a block that has been replaced meanwhile, some nodes know no balances.
    const [now] = await chain.headers([height]);
    if (now?.hash !== hash) {
      throw new EvmNodeError("contradicting", "a block was replaced while it was read");
    }
    const contracts = new Set(wrong.map(({ log }) => log.contract));
    await chain.checkTransfers(block, [...contracts], transfers.map(({ log }) => log));
    for (const { currency } of new Set(wrong.map(({ coin }) => coin))) {
      const what = `Transfers of ${currency} in block ${height} moved another amount`;
      onFault(new RefusedDepositError(what));
    }
    return refused.union(new Set(wrong.map(({ coin, to }) => pairOf(coin, to))));
  }

  /**
   * Returns those of the pairs that can't be swept without a loss, which would be the other members':
   * what their tokens take on the way to the wallet has been credited by then.
   */
  async #taxed({ hash }: EvmBlock, pairs: readonly Transfer[]): Promise<readonly Transfer[]> {
    const { chain, walletAddress } = this.parts;
    const trials = pairs.map((one) => ({ one, address: one.to, contract: one.log.contract }));
    const found = async (at: string) => {
      const to = { to: walletAddress, hash: at };
      // One of each token's tells, which spares a full block hundreds of calls.
      const some = [...new Map(trials.map((one) => [one.contract, one])).values()];
      const taxed = new Set((await takingFees(this.parts, some, to)).map((one) => one.contract));
      const doubted = trials.filter(({ contract }) => taxed.has(contract));
      return (await takingFees(this.parts, doubted, to)).map(({ one }) => one);
    };
    try {
      return await found(hash);
    } catch (error) {
      if (refusalOf(error) !== "no_state") throw error;
    }
    return await found((await chain.head()).hash);
  }

  /** Returns those of the pairs whose balances a block changed by other than what its logs tell. */
  async #wrong(
    block: EvmBlock,
    pairs: readonly Transfer[],
    told: readonly bigint[],
    isAlone: boolean,
  ): Promise<readonly Transfer[]> {
    if (pairs.length === 0) return [];
    const asked = [block.parent, block.hash].flatMap((hash) => balancesOf(pairs, hash));
    try {
      const balances = await this.#balances(asked, isAlone);
      this.#old.clear();
      return pairs.filter((_, i) => {
        const [before = null, after = null] = [balances[i], balances[pairs.length + i]];
        return before === null || after === null || after - before !== told[i];
      });
    } catch (error) {
      if (refusalOf(error) !== "no_state") throw error;
      return await this.#lacking(block, pairs, told, isAlone, error);
    }
  }

  /**
   * Returns those of the pairs that lack what an old block tells. Where nobody knows what has left an
   * address since, it may have been paid: the node's refusal stands, until one answers that has the
   * block's balances.
   */
  async #lacking(
    block: EvmBlock,
    pairs: readonly Transfer[],
    told: readonly bigint[],
    isAlone: boolean,
    refusal: unknown,
  ): Promise<readonly Transfer[]> {
    const head = await this.parts.chain.head();
    const balances = await this.#balances(balancesOf(pairs, head.hash), isAlone);
    const paid = pairs.map(({ coin, to }) => {
      const address = present(canonicalEvmAddress(to), "a member's address has a spelling");
      return { coin, address };
    });
    paid.forEach((one, i) => this.#old.note(block, one, told[i] ?? 0n));
    const arrivals = await Promise.all(paid.map(async (one, i) => {
      const balance = balances[i] ?? null;
      return balance === null ? "lacking" : await this.#old.arrival(block, one, balance, head);
    }));
    if (arrivals.includes("untold")) throw refusal;
    return pairs.filter((_, i) => arrivals[i] === "lacking");
  }

  /** Returns balances; null where a token's contract tells none, which must not stop all others. */
  async #balances(
    asked: readonly BalanceOf[],
    isAlone: boolean,
  ): Promise<readonly (bigint | null)[]> {
    const found = new Map<BalanceOf, bigint | null>();
    for (const of of Map.groupBy(asked, ({ contract }) => contract).values()) {
      const balances = await this.#ofToken(of, isAlone);
      of.forEach((one, i) => found.set(one, balances[i] ?? null));
    }
    return asked.map((one) => found.get(one) ?? null);
  }

  /**
   * Returns balances of one token. What is not the token's fault by its words is still, if it fails for
   * long while the node answers other calls; of several blocks, fewer are read first, which may be too
   * many.
   */
  async #ofToken(
    asked: readonly BalanceOf[],
    isAlone: boolean,
  ): Promise<readonly (bigint | null)[]> {
    const { chain } = this.parts;
    const contract = asked[0]?.contract ?? null;
    const mayBeTokens = async (error: unknown) => {
      if (isTokensFault(error)) return true;
      if (!isAlone || refusalOf(error) === "no_state") return false;
      const hashes = new Set(asked.map(({ hash }) => hash));
      for (const hash of hashes) if (!await chain.answersCalls(hash)) return false;
      return true;
    };
    try {
      const balances = await chain.balances(asked);
      this.#failures.end(contract);
      return balances;
    } catch (error) {
      if (!await mayBeTokens(error)) throw error;
    }
    const single = async (one: BalanceOf) => {
      try {
        return (await chain.balances([one]))[0] ?? null;
      } catch (error) {
        if (isTokensFault(error)) return null;
        throw error;
      }
    };
    const balances: (bigint | null)[] = [];
    try {
      for (let i = 0; i < asked.length; i += SINGLES_AT_ONCE) {
        balances.push(...await Promise.all(asked.slice(i, i + SINGLES_AT_ONCE).map(single)));
      }
      this.#failures.end(contract);
      return balances;
    } catch (error) {
      if (!await mayBeTokens(error) || !this.#failures.note(contract)) throw error;
      // All others might take as long.
      return asked.map(() => null);
    }
  }

  #isBookable({ currency, units, height }: FoundOutput, coins: readonly NetworkCoin[]): boolean {
    const coin = coins.find((one) => one.currency === currency);
    if (coin !== undefined && ledgerAmount(units, coin) !== null) return true;
    const where = `${currency} in block ${height}`;
    this.parts.onFault(new RefusedDepositError(`A payment of ${where} is too much for the ledger`));
    return false;
  }
}

function nativeOutputs(
  { block, payments }: Candidates,
  { currency }: NetworkCoin,
  own: ReadonlyMap<string, string>,
  receipts: ReadonlyMap<string, EvmReceipt>,
): readonly FoundOutput[] {
  const { height, hash } = block;
  return payments.flatMap(({ txid, to, value, from, nonce }) => {
    const address = own.get(to ?? "");
    if (address === undefined || !receiptIn(block, receipts.get(txid)).isSuccess) return [];
    const place = { output: NATIVE_OUTPUT, height, hash };
    return [{ currency, txid, address, units: value, from, nonce, ...place }];
  });
}

/** Returns the transfer that a log tells of; none if it is of another shape or token. */
function transferOf(log: EvmLog, coins: ReadonlyMap<string, NetworkCoin>): readonly Transfer[] {
  const { contract, topics: [topic, sender, recipient, ...more], data } = log;
  const coin = coins.get(contract);
  const from = sender === undefined ? null : addressOfWord(sender);
  const to = recipient === undefined ? null : addressOfWord(recipient);
  if (coin === undefined || topic !== TRANSFER_TOPIC || more.length > 0) return [];
  if (from === null || to === null || data.length !== "0x".length + 64) return [];
  return [{ log, coin, from, to, units: readQuantity(data, "a transfer") }];
}

/** Returns the transfers that change what members have. */
function touchingOf(
  transfers: readonly Transfer[],
  own: ReadonlyMap<string, string>,
): readonly Transfer[] {
  return transfers.filter(({ from, to }) => own.has(from) || own.has(to));
}

/** Returns which output of whose transaction a transfer is. */
function placeOf(
  block: EvmBlock,
  { log }: Transfer,
  receipts: ReadonlyMap<string, EvmReceipt>,
): Pick<FoundOutput, "output" | "from" | "nonce"> {
  const receipt = receiptIn(block, receipts.get(log.txid));
  const output = receipt.logs.findIndex((one) => isSameLog(one, log));
  const sender = block.transactions.find(({ txid }) => txid === log.txid);
  if (!receipt.isSuccess || output < 0 || sender === undefined) {
    throw new EvmNodeError("contradicting", `it shows log ${log.index} of no transaction`);
  }
  return { output, from: sender.from, nonce: sender.nonce };
}

function receiptIn({ hash }: EvmBlock, receipt: EvmReceipt | undefined): EvmReceipt {
  if (receipt?.hash === hash) return receipt;
  throw new EvmNodeError("contradicting", "a block's transaction has no receipt of it");
}

function isSameLog(one: EvmLog, other: EvmLog): boolean {
  return one.index === other.index && one.contract === other.contract && one.data === other.data &&
    one.topics.join() === other.topics.join();
}

function sumOf(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { units }) => sum + units, 0n);
}

function balancesOf(pairs: readonly Transfer[], hash: string): readonly BalanceOf[] {
  return pairs.map(({ coin: { contract }, to }) => ({ address: to, contract, hash }));
}

function pairOf({ currency }: NetworkCoin, address: string): string {
  return `${currency}:${address}`;
}
