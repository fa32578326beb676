/** Calls and sign-ins that did not prove who makes them: counted, and told to the operator. */
import type { AuthFigures } from "./figures.ts";
import { networkOf } from "./rate_limit.ts";

/** Pause between what is told of one address, in ms. */
export const AUTH_FAILURE_MS = 60_000;
/** Addresses that something is told of in that time; what others do is counted alone. */
export const AUTH_FAILURE_ADDRESSES_MAX = 1_000;
/** Characters of an access key that are told. */
const KID_LENGTH_MAX = 8;

/** One of them. */
export interface AuthFailure {
  readonly address: string;
  /** What the caller was told. */
  readonly reason: string;
  /** The access key that the call names, whosever it is; none of a sign-in. */
  readonly kid?: string;
}

/** What the operator is told: of the first failure of an address, or only of those after it. */
export interface AuthFailureNotice extends Partial<AuthFailure> {
  readonly address: string;
  /** Failures of the address that were not told since the last notice of it. */
  readonly leftOut?: number;
  /** Failures of addresses that there was no room for. */
  readonly others?: number;
}

interface Told {
  readonly address: string;
  readonly at: number;
  leftOut: number;
}

/** Counts all, and tells of each address once a minute at most. */
export class AuthFailures {
  readonly #now: () => number;
  readonly #onNotice: (notice: AuthFailureNotice) => void;
  /** By network, the one told longest ago first. */
  readonly #told = new Map<string, Told>();
  #count = 0;
  #others = 0;

  /** @param now the venue's clock, in ms */
  constructor(now: () => number, onNotice: (notice: AuthFailureNotice) => void) {
    this.#now = now;
    this.#onNotice = onNotice;
  }

  /** Takes one in. */
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

  /** How many there were since the start. */
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

  /** An address that has fallen silent is told of once more, with what it has done meanwhile. */
  #tellLeftOut(now: number): void {
    for (const [network, told] of this.#told) {
      if (isRecent(told, now)) return;
      const { address, leftOut } = told;
      this.#told.delete(network);
      if (leftOut > 0) this.#tell(network, now, { address }, leftOut);
    }
  }
}

/** Not where the clock was set back since: nobody knows how long ago it was. */
function isRecent({ at }: Told, now: number): boolean {
  return at <= now && now - at < AUTH_FAILURE_MS;
}
