/**
 * The nonces of the wallet's address. A payout gets its nonce and its signed bytes in one change of
 * one row, so that no process can stop between the two: there is no nonce without a transaction,
 * and no payout with two.
 */
import { present } from "../../../domain/assert.ts";
import { sidecarRows } from "../../../engine/sidecar_rows.ts";
import { PayoutWaitsError } from "../../rails/payout_waits.ts";
import { costOf, type GasFee, type Payment, type SignedPayment } from "../evm_payments.ts";
import type { EvmEngine, EvmRows } from "../evm_rows.ts";

/** Payouts that may wait for their block at once: a node keeps only so many of one address. */
const WAITING_MAX = 48;
/** Payouts that are not final: all of them fit into one row. */
const OPEN_MAX = 300;
/** How often a payout tries to be the next one. */
const TRIES_MAX = 50;

/** A transaction that pays a payout. */
export interface Attempt extends SignedPayment, GasFee {
  /** Of the chain when it was signed, or when its block was replaced that had been final. */
  readonly height: number;
  /** It pays nothing: it only takes the nonce of a payout that has failed. */
  readonly isEmpty?: true;
}

/** A payout with all transactions that may pay it. They have one nonce: a block can hold one. */
export interface KnownPayout extends Payment {
  /** Null for gas where the network's own coin is no currency of the venue. */
  readonly currency: string | null;
  readonly nonce: number;
  readonly gas: bigint;
  /** It pays a withdrawal: what a member receives by it is a deposit. */
  readonly isInside?: true;
  /** It had failed for good, so it may be paid otherwise: nothing that pays is sent for it again. */
  readonly isFailed?: true;
  /** The newest last, which is the one to be sent. */
  readonly attempts: readonly Attempt[];
}

/** A payout that is not final: it waits for its block, or that may still be replaced. */
export interface OpenPayout extends Pick<Payment, "contract" | "units"> {
  readonly id: string;
  readonly nonce: number;
  /** What it takes at most of the network's own coin, in wei. */
  readonly cost: bigint;
  /** Null once it has a row of its own. */
  readonly payout: KnownPayout | null;
}

/** A payout with its id. */
export type NamedPayout = KnownPayout & { readonly id: string };

/** Which nonce comes next, and which payouts are not final. */
export interface Nonces {
  readonly next: number;
  readonly open: readonly OpenPayout[];
  /** There are others that are to be reopened: they did not fit. */
  readonly isPartial?: true;
}

/** What is to be reopened. */
export interface Reopening extends Pick<Reservation, "sent" | "finallySent"> {
  /** The first nonce: those from it on may be in other blocks than they were, or in none. */
  readonly from: number;
  /** Of the chain now. */
  readonly height: number;
}

/** Another payout came first. */
class OvertakenError extends Error {
  override name = "OvertakenError";
}

const NONE: Nonces = { next: 0, open: [] };

/** What a payout wants to have reserved. */
export interface Reservation {
  readonly id: string;
  readonly cost: bigint;
  /** How many transactions the address has sent, as of the last block and of the last final one. */
  readonly sent: number;
  readonly finallySent: number;
  /** Height of that last block. */
  readonly height: number;
  /** Throws {@linkcode PayoutWaitsError} if there is too little money beside those that wait. */
  readonly checkMoney: (waiting: readonly OpenPayout[]) => void;
  /** Returns the payout with this nonce, signed. */
  readonly sign: (nonce: number) => KnownPayout;
}

/** The nonces of one address. */
export class EvmNonces {
  /** The last reservation: those of one process don't have to race each other. */
  #last: Promise<unknown> = Promise.resolve();
  /** At which height the chain was first ahead of the rows, and by which count; null if it is not. */
  #ahead: { readonly sent: number; readonly height: number } | null = null;

  constructor(
    private readonly engine: EvmEngine,
    private readonly rows: EvmRows,
    private readonly address: string,
  ) {}

  /** Returns a payout if it was ever reserved. */
  async known(id: string): Promise<KnownPayout | null> {
    return (await this.#look(id)).known;
  }

  /** Returns the payout that was given a nonce; null if none was. */
  async at(nonce: number): Promise<NamedPayout | null> {
    const { next, open } = await this.#read();
    const one = open.find((one) => one.nonce === nonce);
    if (one !== undefined) {
      const known = one.payout ?? await this.#row(one.id);
      return known === null ? null : { ...known, id: one.id };
    }
    if (nonce >= next) return null;
    // It is final, and nobody had asked yet.
    const rows = sidecarRows(this.engine, { prefix: this.rows.allPayouts() });
    for await (const { key, value } of rows) {
      const known = value as KnownPayout;
      if (known.nonce === nonce) return { ...known, id: String(key.at(-1)) };
    }
    return null;
  }

  /** Returns the payouts that have a nonce from this one on and are not final, by nonce. */
  async openFrom(nonce: number): Promise<readonly NamedPayout[]> {
    const waiting = await this.waiting(nonce);
    const found = await Promise.all(waiting.map(async ({ id, payout }) => {
      const known = payout ?? await this.#row(id);
      return known === null ? [] : [{ ...known, id }];
    }));
    return found.flat();
  }

  /** Returns what was reserved from this nonce on and is not final. */
  async waiting(nonce: number): Promise<readonly OpenPayout[]> {
    return (await this.#read()).open.filter((one) => one.nonce >= nonce);
  }

  /** Reserves the next nonce for a payout, or returns what was reserved for it before. */
  async reserve(reservation: Reservation): Promise<KnownPayout> {
    const reserved = this.#last.then(() => this.#reserve(reservation));
    this.#last = reserved.catch(() => {});
    return await reserved;
  }

  async #reserve(reservation: Reservation): Promise<KnownPayout> {
    const { id, sent, finallySent, height, checkMoney } = reservation;
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const { nonces, known } = await this.#look(id);
      if (known !== null) return known;
      const waiting = nonces.open.filter(({ nonce }) => nonce >= sent);
      const open = notFinal(nonces.open, finallySent);
      if (waiting.length >= WAITING_MAX || open.length >= OPEN_MAX || nonces.isPartial) {
        const what = "Too many payouts wait for their blocks: it goes after them";
        throw new PayoutWaitsError("crowded", what);
      }
      this.#checkSent(sent, nonces.next, height);
      checkMoney(waiting);
      try {
        const changed = await this.#change((now) => withNext(now, nonces.next, reservation));
        const own = changed.open.find((one) => one.id === id);
        return present(own?.payout ?? await this.#row(id), "a reserved payout is known");
      } catch (error) {
        if (!(error instanceof OvertakenError)) throw error;
      }
    }
    throw new PayoutWaitsError("crowded", "Too many payouts at once: it is tried again");
  }

  /**
   * Takes more transactions than the rows know of, as after a restore, only if an earlier block had
   * them as well: a nonce too high, by one wrong answer of a node, would keep all payouts for good.
   *
   * @throws {PayoutWaitsError} nothing shows that yet
   */
  #checkSent(sent: number, next: number, height: number): void {
    const before = this.#ahead;
    if (sent <= next) {
      this.#ahead = null;
      return;
    }
    const isAhead = before !== null && before.sent > next && before.sent <= sent;
    if (isAhead && before.height < height) return;
    if (!isAhead) this.#ahead = { sent, height };
    const what = "The wallet's address has sent more than the venue knows of";
    const advice = "if it stays so, see whether anything else has the seed";
    throw new PayoutWaitsError(
      "overtaken",
      `${what}: the next block has to show it too; ${advice}`,
    );
  }

  /**
   * Gives payouts that were just reserved rows of their own. A process may have been killed before
   * it did so, and before it sent them.
   *
   * @returns those payouts, by nonce
   */
  async settle(): Promise<readonly NamedPayout[]> {
    const { open } = await this.#read();
    const fresh = open.filter(({ payout }) => payout !== null);
    for (const { id, payout } of fresh) {
      await this.engine.createSidecar({ key: this.rows.payout(id), value: payout });
    }
    const ids = new Set(fresh.map(({ id }) => id));
    if (ids.size > 0) {
      await this.#change((now) => ({
        ...now,
        open: now.open.map((one) => ids.has(one.id) ? { ...one, payout: null } : one),
      }));
    }
    return fresh.flatMap(({ id, payout }) => payout === null ? [] : [{ ...payout, id }]);
  }

  /**
   * Has payouts wait again that no block holds any more, and be looked at again that another one may
   * hold: as many as fit, by nonce. Nothing is reserved before the others follow. Those that wait are
   * sent as they were, and for more if they have waited from this height on.
   */
  async reopen(terms: Reopening): Promise<void> {
    const { from, sent, finallySent, height } = terms;
    // What has no row yet stays open, and it may be behind others that do not fit.
    await this.settle();
    const now = await this.#read();
    const mined = notFinal(now.open, finallySent).filter(({ nonce }) => nonce < sent);
    if (now.isPartial && mined.length >= OPEN_MAX) return;
    const found = await this.#rowsFrom(from);
    const taken = new Set(withOpen(now, found, finallySent).open.map(({ id }) => id));
    for (const { id } of found.filter(({ id, nonce }) => nonce >= sent && taken.has(id))) {
      await this.engine.changeSidecar(this.rows.payout(id), (old) => {
        const payout = present(old as KnownPayout | null, "a payout's row stays");
        const last = present(payout.attempts.at(-1), "a payout has a transaction");
        return { ...payout, attempts: payout.attempts.with(-1, { ...last, height }) };
      });
    }
    await this.#change((now) => withOpen(now, found, finallySent));
  }

  /** Whether payouts have to be reopened yet, and those are in blocks that were before them. */
  async isToReopen(sent: number): Promise<boolean> {
    const { isPartial, open } = await this.#read();
    return isPartial === true && open.every(({ nonce }) => nonce < sent);
  }

  /** Notes that a payout has failed, before anybody is told so. */
  async fail(id: string): Promise<void> {
    await this.engine.changeSidecar(this.rows.payout(id), (old) => {
      const known = present(old as KnownPayout | null, "a payout that has failed has its row");
      return { ...known, isFailed: true };
    });
  }

  /** Leaves out those that are final when so many transactions are. */
  async close(finallySent: number): Promise<void> {
    await this.#change((now) => ({ ...now, open: notFinal(now.open, finallySent) }));
  }

  /**
   * Returns the nonces from this one on that were given, and of which nothing open tells: none behind
   * the last that is open while others are to follow it.
   */
  async missingFrom(nonce: number): Promise<readonly number[]> {
    const { next, open, isPartial } = await this.#read();
    const end = isPartial === true ? open.at(-1)?.nonce ?? nonce : next;
    const known = new Set(open.map((one) => one.nonce));
    const all = Array.from({ length: Math.max(0, end - nonce) }, (_, i) => nonce + i);
    return all.filter((one) => !known.has(one));
  }

  /** Has a payment take a nonce that was given and that nothing open has. */
  async fill(id: string, payout: KnownPayout, cost: bigint): Promise<void> {
    const { nonce, contract, units } = payout;
    await this.#change((now) => {
      if (nonce >= now.next || now.open.some((one) => one.nonce === nonce)) return now;
      return { ...now, ...withOpen(now, [{ id, nonce, contract, units, cost, payout }], 0) };
    });
  }

  /** Returns the payouts with rows that have a nonce from this one on. */
  async #rowsFrom(nonce: number): Promise<readonly OpenPayout[]> {
    const found: OpenPayout[] = [];
    for await (
      const { key, value } of sidecarRows(this.engine, { prefix: this.rows.allPayouts() })
    ) {
      const { contract, gas, attempts, isFailed, ...known } = value as KnownPayout;
      if (known.nonce < nonce) continue;
      const units = isFailed === true ? 0n : known.units;
      const { feeMax } = present(attempts.at(-1), "a payout has a transaction");
      const cost = costOf({ contract, units }, gas, feeMax);
      const id = String(key.at(-1));
      found.push({ id, nonce: known.nonce, contract, units, cost, payout: null });
    }
    return found;
  }

  /**
   * Notes a transaction that replaces a payout's last one, unless another process just did.
   *
   * @param cost what it takes at most of the network's own coin, in wei
   */
  async addAttempt(
    id: string,
    seen: KnownPayout,
    attempt: Attempt,
    cost: bigint,
  ): Promise<KnownPayout> {
    // First: others must never count on what it may take.
    await this.#change((now) => ({
      ...now,
      open: now.open.map((one) => one.id === id && one.cost < cost ? { ...one, cost } : one),
    }));
    return await this.engine.changeSidecar(this.rows.payout(id), (old) => {
      const known = present(old as KnownPayout | null, "a payout to be replaced has its row");
      return known.attempts.length === seen.attempts.length
        ? { ...known, attempts: [...known.attempts, attempt] }
        : known;
    });
  }

  /**
   * Looks for a payout, first among those just reserved: they get their row before they leave that
   * list. So if it is found in neither, it was not reserved as the nonces were read.
   */
  async #look(
    id: string,
  ): Promise<{ readonly nonces: Nonces; readonly known: KnownPayout | null }> {
    const nonces = await this.#read();
    const open = nonces.open.find((one) => one.id === id)?.payout ?? null;
    return { nonces, known: open ?? await this.#row(id) };
  }

  async #row(id: string): Promise<KnownPayout | null> {
    return await this.engine.readSidecar(this.rows.payout(id)) as KnownPayout | null;
  }

  async #read(): Promise<Nonces> {
    return await this.engine.readSidecar(this.rows.nonces(this.address)) as Nonces | null ?? NONE;
  }

  async #change(change: (now: Nonces) => Nonces): Promise<Nonces> {
    const key = this.rows.nonces(this.address);
    return await this.engine.changeSidecar(key, (old) => change(old as Nonces | null ?? NONE));
  }
}

/** Returns the nonces with a payout that takes the next one. */
function withNext(now: Nonces, seenNext: number, reservation: Reservation): Nonces {
  const { id, cost, sent, finallySent, sign } = reservation;
  // What was reserved since they were read may have been for this very payout, by a lost answer too.
  if (now.next !== seenNext) throw new OvertakenError();
  const nonce = Math.max(now.next, sent);
  const payout = sign(nonce);
  const { contract, units } = payout;
  const open = notFinal(now.open, finallySent);
  return { ...now, next: nonce + 1, open: [...open, { id, nonce, contract, units, cost, payout }] };
}

/** Returns the nonces with some payouts open as well: as many as fit, by nonce. */
function withOpen(
  { next, open: seen }: Nonces,
  found: readonly OpenPayout[],
  finallySent: number,
): Nonces {
  const all = new Map([...found, ...notFinal(seen, finallySent)].map((one) => [one.id, one]));
  const sorted = [...all.values()].toSorted((a, b) => a.nonce - b.nonce);
  // What has no row of its own yet can't be found again.
  const open = sorted.filter((one, i) => i < OPEN_MAX || one.payout !== null);
  return open.length < sorted.length ? { next, open, isPartial: true } : { next, open };
}

/** Returns what is not final when so many transactions are, or has no row of its own yet. */
function notFinal(open: readonly OpenPayout[], finallySent: number): readonly OpenPayout[] {
  return open.filter((one) => one.nonce >= finallySent || one.payout !== null);
}
