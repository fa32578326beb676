/** Watches for an operator what the engine does not: what waits, mail, disk, backups, prices. */
import fs from "node:fs";
import { dirname } from "node:path";
import type {
  DegradedReason,
  MailFigures,
  NotedWait,
  StorageFigures,
  WatchFigures,
} from "../../edge/figures.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { farPrices } from "../../domain/money/far_price.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Engine, Health } from "../../engine/engine.ts";
import type { NetworkState } from "../../wallet/network_rails.ts";
import {
  type WaitingCount,
  waitingCounts,
  type WaitingFor,
  waitingFor,
} from "../../wallet/waiting_withdraws.ts";

/** How often the disk, the mark of the backups and the prices are looked at, in ms. */
const LOOK_MS = 10_000;
/** A disk with less than both of these left is nearly full: bytes, and a part of it. */
const DISK_FREE_BYTES_MIN = 1024 ** 3;
const DISK_FREE_SHARE_MIN = 0.1;
/** A disk with less than this left is nearly full, however small it is, in bytes. */
const DISK_FREE_BYTES_LEAST = 64 * 1024 ** 2;
/** A last backup that is older than this is told, in ms. */
const BACKUP_AGE_MS_MAX = 36 * HOUR_MS;
/** Mail that has failed for so long is told, in ms: one attempt fails now and then. */
const MAIL_FAILING_MS_MAX = MINUTE_MS;

/** What is watched. */
export interface WatchedVenue {
  readonly engine: Pick<Engine, "venue" | "now">;
  readonly health: () => Health;
  readonly mail: () => MailFigures;
  /** Returns what is known of the networks that the process has a node of. */
  readonly networks: () => readonly NetworkState[];
  /** The file of the store; null if it is not on a disk of this machine. */
  readonly path: string | null;
  /** The file that a backup touches when it is done; null if none was named. */
  readonly backupMark: string | null;
  /** Whether the process was started with settings that the store does not have. */
  readonly hasDifferingSettings: () => boolean;
  /** Returns the free and all bytes of a file system; null where the platform does not tell. */
  readonly diskOf?: (path: string) => Promise<DiskSpace | null>;
}

/** The room on a file system, in bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly size: number;
}

/** Watches a venue. */
export class VenueWatch {
  readonly #watched: WatchedVenue;
  #disk: DiskSpace | null = null;
  #backupAt: number | null = null;
  #isPriceFar = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(watched: WatchedVenue) {
    this.#watched = watched;
  }

  /** Watches from now on. */
  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks at the prices, the disk and the mark of the backups. */
  async look(): Promise<void> {
    const { engine, path, backupMark, diskOf = diskSpace } = this.#watched;
    this.#isPriceFar = farPrices(engine.venue).length > 0;
    this.#disk = path === null ? null : await diskOf(dirname(path));
    this.#backupAt = backupMark === null ? null : await changedAt(backupMark);
  }

  /** Returns what waits, what is left, and whether all is well. */
  figures(): WatchFigures {
    const { isReady, reason } = this.#watched.health();
    return {
      ready: isReady,
      not_ready_reason: reason,
      degraded: this.degraded(),
      waiting: this.#waiting(),
      mail: this.#watched.mail(),
      storage: this.#storage(),
      networks: this.#watched.networks(),
    };
  }

  /** Returns what an operator has to look at although the venue takes orders. */
  degraded(): readonly DegradedReason[] {
    const { failing_ms: mailMs } = this.#watched.mail();
    const { backup_age_ms: backupMs } = this.#storage();
    const { decision } = waitingCounts(this.#watched.engine.venue);
    const found: readonly (readonly [DegradedReason, boolean])[] = [
      ["mail_failing", mailMs > MAIL_FAILING_MS_MAX],
      ["payouts_parked", decision.count > 0],
      ["disk_nearly_full", this.#disk !== null && isNearlyFull(this.#disk)],
      ["backup_old", backupMs !== null && backupMs > BACKUP_AGE_MS_MAX],
      ["settings_differ", this.#watched.hasDifferingSettings()],
      ["price_far", this.#isPriceFar],
      ["network_fault", this.#watched.networks().some(({ fault }) => fault !== null)],
    ];
    return found.flatMap(([reason, isSo]) => isSo ? [reason] : []);
  }

  #waiting(): WatchFigures["waiting"] {
    const { engine } = this.#watched;
    const now = engine.now();
    const counts = waitingCounts(engine.venue);
    const of = (wait: WaitingFor) => noted(now, counts[wait]);
    return {
      approval: of("approval"),
      payment_by_hand: of("payment_by_hand"),
      rail: { ...of("rail"), oldest_ms: railWait(now, engine.venue) },
      decision: of("decision"),
      hold: of("hold"),
      deposits: noted(now, openDeposits(engine.venue)),
    };
  }

  #storage(): StorageFigures {
    const { engine } = this.#watched;
    return {
      disk_free: this.#disk?.free ?? null,
      disk_size: this.#disk?.size ?? null,
      backup_age_ms: this.#backupAt === null ? null : Math.max(0, engine.now() - this.#backupAt),
    };
  }
}

/** Returns how long its rail's oldest was asked for, in ms: each try changes a withdrawal anew. */
function railWait(now: number, venue: Venue): number {
  const all = [...venue.withdraws.values()].filter((one) => waitingFor(venue, one) === "rail");
  return all.reduce((most, { createdAt }) => Math.max(most, now - createdAt), 0);
}

function openDeposits({ deposits }: Venue): WaitingCount {
  const first = [...deposits.values()].reduce((at, one) => Math.min(at, one.createdAt), Infinity);
  return { count: deposits.size, oldestAt: first };
}

function noted(now: number, { count, oldestAt }: WaitingCount): NotedWait {
  return { count, oldest_ms: count === 0 ? 0 : Math.max(0, now - oldestAt) };
}

function isNearlyFull({ free, size }: DiskSpace): boolean {
  const isLittle = free < DISK_FREE_BYTES_MIN && free < size * DISK_FREE_SHARE_MIN;
  return isLittle || free < DISK_FREE_BYTES_LEAST;
}

/** Returns the room for unprivileged users; null where the platform does not tell, or may not. */
function diskSpace(path: string): Promise<DiskSpace | null> {
  return new Promise((resolve) => {
    try {
      fs.statfs(path, (error, found) => {
        if (error !== null) return resolve(null);
        const { bavail, blocks, bsize } = found;
        resolve({ free: bavail * bsize, size: blocks * bsize });
      });
    } catch {
      resolve(null);
    }
  });
}

/** Returns when a file was last written, in ms; null if it can't be told. */
async function changedAt(path: string): Promise<number | null> {
  try {
    return (await Deno.stat(path)).mtime?.getTime() ?? null;
  } catch {
    return null;
  }
}
