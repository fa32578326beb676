/** Looks whether the key of an open connection may still be used from the connection's address. */
import { ADDRESSES_LATE_MS_MAX, isFromAllowed } from "../api/auth.ts";
import { ApiError } from "../api/errors.ts";
import { beforehand, type Engine } from "../engine/engine.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { RegistryCredentials } from "./socket_registry.ts";

/** The key of one connection, and the address that it is used from. */
export class KeyAddress {
  readonly #engine: Pick<Engine, "fresh" | "lagMs">;
  readonly #credentials: RegistryCredentials;
  readonly #kid: string;
  readonly #address: string;
  /** The check that was begun last, until it has ended. */
  #checking: Promise<void> | null = null;

  constructor(
    engine: Pick<Engine, "fresh" | "lagMs">,
    credentials: RegistryCredentials,
    kid: string,
    address: string,
  ) {
    this.#engine = engine;
    this.#credentials = credentials;
    this.#kid = kid;
    this.#address = address;
  }

  /**
   * Checks it where the process may have missed that the key was confined to other addresses; null
   * where it can't have: who hears of that closes the connection. Requests go on in their order.
   *
   * @throws {ApiError} 403, by way of the promise
   */
  check(): Promise<void> | null {
    if (this.#checking === null && !this.#isLate) return null;
    const checking = beforehand(this.#checkBehind(this.#checking));
    this.#checking = checking;
    // The first to hear of it: between this and who waits nobody can come.
    const forget = () => {
      if (this.#checking === checking) this.#checking = null;
    };
    checking.then(forget, forget);
    return checking;
  }

  async #checkBehind(before: Promise<void> | null): Promise<void> {
    const [, caughtUp] = await Promise.allSettled([
      before,
      this.#isLate ? this.#engine.fresh() : null,
    ]);
    // The request before has reached the venue then.
    await yieldToOthers();
    if (caughtUp.status === "rejected") throw caughtUp.reason;
    const credential = await this.#credentials.get(this.#kid);
    if (credential !== null && !isFromAllowed(credential, this.#address)) {
      throw new ApiError(403, "authz.ip_not_permitted");
    }
  }

  get #isLate(): boolean {
    return this.#engine.lagMs > ADDRESSES_LATE_MS_MAX;
  }
}
