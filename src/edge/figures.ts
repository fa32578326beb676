/** Figures that a process measures about its engine, its sockets and its callers. */
import type { SmtpFigures } from "../messages/smtp_messenger.ts";
import type { NetworkState } from "../wallet/network_rails.ts";
import type { WaitingFor } from "../wallet/waiting_withdraws.ts";
import type { Metrics, NotReadyReason } from "../engine/engine.ts";

/** Figures of the sockets of a process. */
export interface SocketFigures {
  /** Sockets that are open or being opened. */
  readonly sockets: number;
  /** Readers that were disconnected because they had fallen behind. */
  readonly dropped_readers: number;
  /** Sockets that the venue or its platform has closed. */
  readonly closed_sockets: readonly ClosedSockets[];
}

/** Sockets that were closed with one code and reason. */
export interface ClosedSockets {
  readonly code: number;
  readonly reason: string;
  readonly count: number;
}

/** Figures of failed authentication. */
export interface AuthFigures {
  /** Refused signed calls and failed sign-ins. */
  readonly auth_failures: number;
}

/** What waits, and how long the oldest has waited, in ms. */
export interface NotedWait {
  readonly count: number;
  readonly oldest_ms: number;
}

/** Figures of a process's mail. */
export type MailFigures = SmtpFigures;

/** The figures of a process that sends no mail. */
export const NO_MAIL: MailFigures = {
  count: 0,
  oldest_ms: 0,
  failures: 0,
  given_up: 0,
  failing_ms: 0,
};

/** What is left of the store's disk in bytes, and how old its last backup is; null if unknown. */
export interface StorageFigures {
  readonly disk_free: number | null;
  readonly disk_size: number | null;
  readonly backup_age_ms: number | null;
}

/** What an operator has to look at although the venue takes orders. */
export const DEGRADED_REASONS = [
  "mail_failing",
  "payouts_parked",
  "disk_nearly_full",
  "backup_old",
  "settings_differ",
  "price_far",
  "network_fault",
] as const;
/** What the reasons mean, for the contract. */
export const DEGRADED = "What an operator has to look at although orders are taken: the mail " +
  "server takes nothing, payouts wait for the operator's decision, the disk is nearly full, the last backup " +
  "is old, this process was started with settings that the venue does not have, a currency's " +
  "price is far from its market's, or a network can't be relied on: its coins neither come nor go.";
export type DegradedReason = typeof DEGRADED_REASONS[number];

/** Whether all is well, and what waits for somebody. */
export interface WatchFigures {
  readonly ready: boolean;
  /** Empty if it is ready. */
  readonly not_ready_reason: NotReadyReason | "";
  readonly degraded: readonly DegradedReason[];
  /** Open withdrawals by what they wait for, and open deposits. */
  readonly waiting: Readonly<Record<WaitingFor | "deposits", NotedWait>>;
  readonly mail: MailFigures;
  readonly storage: StorageFigures;
  /** The networks that this process has a node of. */
  readonly networks: readonly NetworkState[];
}

/** Which program a process runs. */
export interface BuildInfo {
  readonly version: string;
  /** The commit; null if unknown. */
  readonly build: string | null;
  /** The formats that it writes. */
  readonly formats: { readonly log: number; readonly rows: number };
}

/** All figures that a process measures. */
export type Figures = Metrics & SocketFigures & AuthFigures & WatchFigures;
