/** What the operator has to look at: rows beside the log, each written once. */
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { sidecarRows } from "../engine/sidecar_rows.ts";

/** Why the operator is called. */
export const WALLET_NOTICE_KINDS = [
  /** A credited deposit's transaction is gone. */
  "deposit_lost",
  /** A deposit that had been given up is on the chain after all. */
  "deposit_returned",
  /** Funds came that the venue can't take note of. */
  "deposit_refused",
  /** The chain shows another amount or member than the operator has entered, or more outputs. */
  "deposit_mismatched",
  /** Nobody knows whether a payout was sent. */
  "payout_parked",
  /** A payout that was sent is not to be found any more. */
  "payout_missing",
  /** A payout was sent of a withdrawal that has ended otherwise: its amount is gone twice. */
  "payout_unbooked",
] as const;
export type WalletNoticeKind = typeof WALLET_NOTICE_KINDS[number];

/** One call for the operator. */
export interface WalletNotice {
  readonly kind: WalletNoticeKind;
  /** Currency code. */
  readonly currency: string;
  /** Of the deposit or withdrawal; 0 where there is none. */
  readonly id: number;
  readonly txid: string;
  readonly reason: string;
  /** When, in ms. */
  readonly at: number;
}

/** One that nobody has been told of yet. */
export type NewNotice = Omit<WalletNotice, "at">;

/** What a process writes to its log. */
export interface WalletLog {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  error(event: string, fields: Readonly<Record<string, unknown>>): void;
}

/** What notices need of the engine. */
export type NoticeEngine = Pick<Engine, "createSidecar" | "listSidecar" | "now">;

/** Notices of one listing. */
const LISTED_MAX = 1000;

/** Calls the operator, once for each thing, whichever process sees it first. */
export class WalletNotices {
  readonly #engine: NoticeEngine;
  readonly #log: WalletLog;

  constructor(engine: NoticeEngine, log: WalletLog) {
    this.#engine = engine;
    this.#log = log;
  }

  /** Takes note of something; `round` tells things apart that happen more than once to one record. */
  async add(notice: NewNotice, round: number = 0): Promise<void> {
    if (await this.#engine.createSidecar(this.row(notice, round))) this.tell(notice);
  }

  /** Its row, for the commit of what it is about: whoever makes that tells of it afterwards. */
  row(notice: NewNotice, round: number = 0): SidecarRow {
    const { kind, currency, id, txid } = notice;
    const value: WalletNotice = { ...notice, at: this.#engine.now() };
    return { key: ["wallet_notices", kind, currency, id, txid, round], value };
  }

  /** Tells the process's log. */
  tell(notice: NewNotice): void {
    this.#log.error(notice.kind, { ...notice });
  }

  /** The latest first. Their rows are in no order of time: each is looked at. */
  async list(): Promise<readonly WalletNotice[]> {
    let notices: WalletNotice[] = [];
    for await (const { value } of sidecarRows(this.#engine, { prefix: ["wallet_notices"] })) {
      notices.push(value as WalletNotice);
      if (notices.length === 2 * LISTED_MAX) notices = latest(notices);
    }
    return latest(notices);
  }
}

function latest(notices: readonly WalletNotice[]): WalletNotice[] {
  return notices.toSorted((a, b) => b.at - a.at).slice(0, LISTED_MAX);
}
