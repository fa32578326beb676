import type { Command, Signature } from "../../src/domain/command.ts";
import type { ApiKey, Scope } from "../../src/domain/people/member.ts";
import type { Prng } from "../support/prng.ts";
import type { OracleState } from "./oracle/state.ts";

/** How far a key's nonces may run ahead of the clock, in ms. */
const AHEAD_MS_MAX = 3000;
/** Outside every nonce window, in ms. */
const FAR_MS = 40_000;

/** Signs calls with nonces that the key has not used. */
export class WorkloadSigner {
  readonly #random: Prng;
  readonly #state: OracleState;
  /** Last nonce by key. */
  readonly #nonces: number[] = [];
  /** Key indexes by member. */
  readonly #keys: number[][] = [];
  #known = 0;
  #digest = 0;

  constructor(random: Prng, state: OracleState) {
    this.#random = random;
    this.#state = state;
  }

  /** Signs as a member, usually with a key that has the scope. */
  sign(member: number, scope: Scope, now: number): Signature {
    return this.signBy(this.keyOf(member, scope), now);
  }

  /** Signs with a key. */
  signBy(index: number, now: number): Signature {
    const key = this.#state.keys[index];
    const nonce = Math.max((this.#nonces[index] ?? 0) + 1, now);
    if (key?.nonceMode === "request" || nonce > now + AHEAD_MS_MAX) {
      return { key: index, nonce: now, digest: ++this.#digest };
    }
    this.#nonces[index] = nonce;
    return { key: index, nonce, digest: 0 };
  }

  /** Returns a signature that is refused: too old, too new, or by a key that does not exist. */
  signWrongly(member: number, now: number): Signature {
    const key = this.keyOf(member, "trade");
    switch (this.#random.below(3)) {
      case 0:
        return { key, nonce: now - FAR_MS, digest: ++this.#digest };
      case 1:
        return { key, nonce: now + FAR_MS, digest: ++this.#digest };
      default:
        return { key: this.#state.keys.length + 1000, nonce: now, digest: ++this.#digest };
    }
  }

  /** Returns one of the member's keys, usually one with the scope. */
  keyOf(member: number, scope: Scope): number {
    this.#learn();
    const own = this.#keys[member] ?? [];
    for (let tries = 0; tries < 4; tries++) {
      const index = own[this.#random.below(own.length)] ?? 0;
      if (isGood(this.#state.keys[index], scope)) return index;
      if (this.#random.chance(0.02)) return index;
    }
    return own.find((index) => isGood(this.#state.keys[index], scope)) ?? own[0] ?? 0;
  }

  #learn(): void {
    const { keys } = this.#state;
    for (; this.#known < keys.length; this.#known++) {
      const { member, index } = keys[this.#known] as ApiKey;
      (this.#keys[member] ??= []).push(index);
    }
  }
}

function isGood(key: ApiKey | undefined, scope: Scope): boolean {
  return key?.state === "active" && key.scopes.includes(scope);
}

/** Returns the scope that a member needs for a command; null for operators' commands. */
export function scopeOf(kind: Command["kind"]): Scope | null {
  switch (kind) {
    case "place_orders":
    case "cancel_orders":
    case "cancel_all_orders":
    case "set_cancel_timer":
      return "trade";
    case "spend_nonce":
      return "read";
    case "create_beneficiary":
    case "try_pin":
    case "resend_pin":
    case "archive_beneficiary":
    case "request_withdraw":
    case "cancel_withdraw":
      return "withdraw";
    default:
      return null;
  }
}
