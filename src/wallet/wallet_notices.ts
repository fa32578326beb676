/** Notices for the operator: sidecar rows, each written once, or anew where its reason changes. */
import type { Engine, SidecarKey, SidecarRow } from "../engine/engine.ts";
import {
  type NoticedMatter,
  sidecarRows,
  WALLET_NOTICE_ROWS,
  walletNoticeKey,
} from "../engine/sidecar_rows.ts";
import type { WaitReason } from "./rails/payout_waits.ts";

/** Why the operator is notified. */
export const WALLET_NOTICE_KINDS = [
  /** A credited deposit's transaction is gone. */
  "deposit_lost",
  /** A deposit that was given up, reversed, or told to be lost is on the chain after all. */
  "deposit_returned",
  /** Funds arrived that the venue refuses to note as a deposit. */
  "deposit_refused",
  /** Funds arrived at the address that all members share, without the tag of one of them. */
  "deposit_untagged",
  /** The chain shows another amount, another member or more outputs than was entered or credited. */
  "deposit_mismatched",
  /** A payout can't be made yet: its reason says why now, and what to do. */
  "payout_waits",
  /** Nobody knows whether a payout was sent, or it has failed on the chain. */
  "payout_parked",
  /** A payout that was sent can't be found any more. */
  "payout_missing",
  /** A payout that was told to be missing is in a final block after all. */
  "payout_returned",
  /** A payout was sent for a withdrawal that ended otherwise: its amount was spent twice. */
  "payout_unbooked",
  /** Blocks of a network were replaced below what has been credited: nothing is read any more. */
  "network_reorganised",
  /** A node is of another network than it was configured for. */
  "network_mistaken",
  /** What the wallet had beyond a coin's limit goes to the cold address: nobody has to do anything. */
  "moved_to_cold",
] as const;
export type WalletNoticeKind = typeof WALLET_NOTICE_KINDS[number];

/** One notice for the operator. */
export interface WalletNotice {
  readonly kind: WalletNoticeKind;
  /** Currency code; empty if it is about a network. */
  readonly currency: string;
  /**
   * Name of the network that it is about; absent for that of a currency's first network, and if the
   * currency has none.
   */
  readonly network?: string;
  /** Id of the deposit or withdrawal; 0 if there is none. */
  readonly id: number;
  readonly txid: string;
  readonly reason: string;
  /** Time of the notice, in ms. */
  readonly at: number;
}

/** A notice before it is written. */
export type NewNotice = Omit<WalletNotice, "at">;

/** The log of a process. */
export interface WalletLog {
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  error(event: string, fields: Readonly<Record<string, unknown>>): void;
}

/** What notices need of the engine. */
export type NoticeEngine = Pick<
  Engine,
  "createSidecar" | "readSidecar" | "changeSidecar" | "listSidecar" | "now" | "venue"
>;

/** A notice whose reason changes, and when each kind of reason was last logged, in ms. */
interface ChangingNotice extends WalletNotice {
  readonly toldAt?: Readonly<Partial<Record<WaitReason, number>>>;
}

/** How long a kind of reason is not logged again, in ms: reasons may take turns for hours. */
const AGAIN_MS = 3_600_000;
/** Most notices in one list. */
const LISTED_MAX = 1000;
/** How many are deleted by one list, and how long after they were written at the earliest, in ms. */
const DELETED_MAX = 100;
const DELETED_AFTER_MS = AGAIN_MS;

/** Notifies the operator of each thing once, whichever process sees it first. */
export class WalletNotices {
  readonly #engine: NoticeEngine;
  readonly #log: Pick<WalletLog, "info" | "error">;

  constructor(engine: NoticeEngine, log: Pick<WalletLog, "info" | "error">) {
    this.#engine = engine;
    this.#log = log;
  }

  /** Writes a notice and logs it if it is new; `round` tells repetitions for one record apart. */
  async add(notice: NewNotice, round: number = 0): Promise<void> {
    if (await this.#engine.createSidecar(this.row(notice, round))) this.tell(notice);
  }

  /** Returns a notice; null if there is none. */
  async read(matter: NoticedMatter, round: number = 0): Promise<WalletNotice | null> {
    return await this.#engine.readSidecar(walletNoticeKey(matter, round)) as WalletNotice | null;
  }

  /** Removes a notice that is true no more. */
  async withdraw(matter: NoticedMatter, round: number = 0): Promise<void> {
    await this.#engine.changeSidecar(walletNoticeKey(matter, round), () => null);
  }

  /**
   * Writes why a payout waits, in the place of what was written before; logs it if that is another
   * reason, and its kind was not logged in the last hour.
   */
  async addWaiting(notice: NewNotice, kind: WaitReason): Promise<void> {
    const engine = this.#engine;
    const { key, value } = this.row(notice, 0);
    const now = engine.now();
    const known = await engine.readSidecar(key) as ChangingNotice | null;
    if (known?.reason === notice.reason) return;
    let isTold = false;
    await engine.changeSidecar(key, (old) => {
      const { toldAt = {} } = old as ChangingNotice | null ?? {};
      isTold = now - (toldAt[kind] ?? -Infinity) >= AGAIN_MS;
      return {
        ...value as WalletNotice,
        toldAt: isTold ? { ...toldAt, [kind]: now } : toldAt,
      };
    });
    if (isTold) this.tell(notice);
  }

  /** Returns a notice's row, to be committed with what it is about and logged afterwards. */
  row(notice: NewNotice, round: number): SidecarRow {
    const value: WalletNotice = { ...notice, at: this.#engine.now() };
    return { key: walletNoticeKey(notice, round), value };
  }

  /** Logs a notice, always with its network if its currency has any. */
  tell(notice: NewNotice): void {
    const { kind, currency } = notice;
    const known = this.#engine.venue.currencyById.get(currency);
    const network = notice.network ?? known?.networks?.[0]?.name;
    const fields = network === undefined ? { ...notice } : { ...notice, network };
    if (kind === "moved_to_cold") this.#log.info(kind, fields);
    else this.#log.error(kind, fields);
  }

  /**
   * Lists the latest notices, newest first, without those of payouts that don't wait any more, which
   * it deletes. Their rows are in no order, so it reads them all.
   */
  async list(): Promise<readonly WalletNotice[]> {
    let notices: WalletNotice[] = [];
    const over: SidecarKey[] = [];
    // A process that is a little behind may not know yet of what waits.
    const since = this.#engine.now() - DELETED_AFTER_MS;
    for await (const { key, value } of sidecarRows(this.#engine, { prefix: WALLET_NOTICE_ROWS })) {
      const notice = value as WalletNotice;
      if (!this.#isOver(notice)) notices.push(notice);
      else if (notice.at < since && over.length < DELETED_MAX) over.push(key);
      if (notices.length === 2 * LISTED_MAX) notices = latest(notices);
    }
    await Promise.all(over.map((key) =>
      this.#engine.changeSidecar(key, (old) => {
        const notice = old as WalletNotice | null;
        return notice !== null && notice.at < since ? null : notice;
      })
    ));
    return latest(notices);
  }

  /** Whoever ends a withdrawal, by a rail, by hand or by taking it back, its payout waits no more. */
  #isOver({ kind, id }: WalletNotice): boolean {
    const state = this.#engine.venue.withdraws.get(id)?.state;
    return kind === "payout_waits" && state !== "accepted" && state !== "processing";
  }
}

function latest(notices: readonly WalletNotice[]): WalletNotice[] {
  return notices.toSorted((a, b) => b.at - a.at).slice(0, LISTED_MAX);
}
