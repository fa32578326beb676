/** Tells the operator when a network can't be relied on, and when it can again. */
import { DAY_MS } from "../../domain/calendar.ts";
import type { Engine } from "../../engine/engine.ts";
import type { NetworkState } from "../../wallet/network_rails.ts";
import { nodeText } from "../../wallet/rails/payout_waits.ts";
import type { NetworkFault } from "../../wallet/rails/network_rail.ts";
import type { WalletNoticeKind, WalletNotices } from "../../wallet/wallet_notices.ts";
import type { Logger } from "../logger.ts";

/** How often the networks are looked at, in ms. */
const LOOK_MS = 1_000;
/** So many hexadecimal digits tell blocks apart. */
const HASH_DIGITS = 12;

/** What a person has to do something about; of all else the network recovers by itself. */
const NOTICED: Partial<Record<NetworkFault, WalletNoticeKind>> = {
  reorganised: "network_reorganised",
  other_network: "network_mistaken",
};

/** What it works with. */
export interface NetworkLogParts {
  readonly states: () => readonly NetworkState[];
  readonly engine: Pick<Engine, "now">;
  readonly notices: Pick<WalletNotices, "add">;
  readonly logger: Pick<Logger, "info" | "warn" | "error">;
}

/** Watches the networks that a process has a node of. */
export class NetworkLog {
  readonly #parts: NetworkLogParts;
  #seen = new Map<string, NetworkFault | null>();
  /** What the log says last. */
  readonly #told = new Map<string, NetworkFault | null>();
  /** What each network had when its notice was written, if there is one of that. */
  readonly #noticed = new Map<string, string | null>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(parts: NetworkLogParts) {
    this.#parts = parts;
  }

  /** Watches from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Tells what has lasted since the last look: one answer that came too late is no news. */
  async look(): Promise<void> {
    const states = this.#parts.states();
    const lasting = states.filter(({ network, fault }) => this.#seen.get(network) === fault);
    this.#seen = new Map(states.map(({ network, fault }) => [network, fault]));
    for (const state of lasting) {
      this.#tell(state);
      await this.#notify(state);
    }
  }

  #tell({ network, height, fault }: NetworkState): void {
    if ((this.#told.get(network) ?? null) === fault) return;
    const { logger } = this.#parts;
    this.#told.set(network, fault);
    if (fault === null) logger.info("network_recovered", { network, height });
    else logger.warn("network_unreliable", { network, height, fault });
  }

  /** Leaves a notice of a fault; one that can't be written is tried again while the fault lasts. */
  async #notify(state: NetworkState): Promise<void> {
    const { engine, logger, notices } = this.#parts;
    const { network, fault, replaced } = state;
    const what = replaced?.hash ?? fault;
    if (this.#noticed.get(network) === what) return;
    this.#noticed.set(network, what);
    if (fault === null) return;
    const kind = NOTICED[fault];
    if (kind === undefined) return;
    const notice = { kind, currency: "", network, id: 0, txid: "", reason: reasonOf(state, fault) };
    // Several processes see it, some of them again after a start.
    try {
      await notices.add(notice, roundOf(state, engine.now()));
    } catch (error) {
      this.#noticed.delete(network);
      logger.error("wallet_fault", { error });
    }
  }
}

/** Returns what an operator has to know and to do. */
function reasonOf({ network, replaced }: NetworkState, fault: NetworkFault): string {
  if (replaced === undefined) return nodeText(network, fault);
  const { height, hash, depth, kept } = replaced;
  const there = kept === null
    ? "a block before the first that was replaced"
    : `${kept}, the last block that is known to be still there, or one before it`;
  return `Block ${height} (${hash}) counted as final and is not on the chain any more: ` +
    `at least ${depth} blocks were replaced. Stop all withdrawals, since credited deposits may be ` +
    "gone; then go on by Resume on the operators' page, or by POST " +
    `/api/v2/admin/wallets/networks/${network}/resume with a reason, and as from_height ${there}. ` +
    "Which deposits are gone is told once it is certain: reverse these then";
}

/** Returns what tells one fault from a later one of its kind: the block that is gone, else the day. */
function roundOf({ replaced }: NetworkState, now: number): number {
  return replaced === undefined
    ? Math.floor(now / DAY_MS)
    : Number.parseInt(replaced.hash.slice(-HASH_DIGITS), 16);
}
