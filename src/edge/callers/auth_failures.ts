/** Counts calls and sign-ins that failed to authenticate, and reports them to the operator. */
import { networkOf } from "../../secrets/ip_address.ts";
import type { AuthFigures } from "../figures.ts";

/** Minimum time between two notices about one address, in ms. */
export const AUTH_FAILURE_MS = 60_000;
/** Maximum number of addresses reported on in that time; failures of others are only counted. */
export const AUTH_FAILURE_ADDRESSES_MAX = 1_000;
/** Maximum number of characters of an access key in a notice. */
const KID_LENGTH_MAX = 8;

/** A failed authentication. */
export interface AuthFailure {
  readonly address: string;
  /** What the caller was told. */
  readonly reason: string;
  /** The access key that the call names, whoever owns it; absent for a sign-in. */
  readonly kid?: string;
}

/** What the operator is told: the first failure of an address, or the number of those after it. */
export interface AuthFailureNotice extends Partial<AuthFailure> {
  readonly address: string;
  /** Failures of the address since its last notice that were not reported. */
  readonly leftOut?: number;
  /** Failures of addresses beyond the maximum. */
  readonly others?: number;
}

interface Told {
  readonly address: string;
  readonly at: number;
  leftOut: number;
}

/** Counts all failures, and reports on each address at most once a minute. */
export class AuthFailures {
  readonly #now: () => number;
  readonly #onNotice: (notice: AuthFailureNotice) => void;
  /** By network, in the order of their last notices. */
  readonly #told = new Map<string, Told>();
  #count = 0;
  #others = 0;

  /** @param now the venue's clock, in ms */
  constructor(now: () => number, onNotice: (notice: AuthFailureNotice) => void) {
    this.#now = now;
    this.#onNotice = onNotice;
  }

  /** Counts a failure, and reports it if its address is due. */
  note({ address, reason, kid }: AuthFailure): void {
    this.#count += 1;
    const now = this.#now();
    const network = networkOf(address);
    const told = this.#told.get(network);
    if (told !== undefined && isRecent(told, now)) {
      told.leftOut += 1;
    } else {
      this.#told.delete(network);
      const named = kid === undefined ? {} : { kid: kid.slice(0, KID_LENGTH_MAX) };
      this.#tell(network, now, { address, reason, ...named }, told?.leftOut ?? 0);
    }
    this.#tellLeftOut(now);
  }

  /** Returns the number of failures since the start. */
  figures(): AuthFigures {
    return { auth_failures: this.#count };
  }

  #tell(network: string, now: number, notice: AuthFailureNotice, leftOut: number): void {
    if (this.#told.size >= AUTH_FAILURE_ADDRESSES_MAX) {
      this.#others += 1 + leftOut;
      return;
    }
    this.#told.set(network, { address: notice.address, at: now, leftOut: 0 });
    const others = this.#others;
    this.#others = 0;
    this.#onNotice({
      ...notice,
      ...(leftOut === 0 ? {} : { leftOut }),
      ...(others === 0 ? {} : { others }),
    });
  }

  /** Reports once more on addresses that have fallen silent, with what was left out. */
  #tellLeftOut(now: number): void {
    for (const [network, told] of this.#told) {
      if (isRecent(told, now)) return;
      const { address, leftOut } = told;
      this.#told.delete(network);
      if (leftOut > 0) this.#tell(network, now, { address }, leftOut);
    }
  }
}

/** Returns whether a notice is recent; false if the clock was set back since it was made. */
function isRecent({ at }: Told, now: number): boolean {
  return at <= now && now - at < AUTH_FAILURE_MS;
}
