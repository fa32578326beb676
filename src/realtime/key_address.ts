/** Checks whether the key of an open connection may still be used from the connection's address. */
import { ADDRESSES_LATE_MS_MAX, isFromAllowed } from "../api/auth.ts";
import { ApiError } from "../api/errors.ts";
import { beforehand, type Engine } from "../engine/engine.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { RegistryCredentials } from "./socket_registry.ts";

/** The key of one connection and the address it is used from. */
export class KeyAddress {
  readonly #engine: Pick<Engine, "fresh" | "lagMs">;
  readonly #credentials: RegistryCredentials;
  readonly #kid: string;
  readonly #address: string;
  /** The latest check until it has ended. */
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
   * Checks the address if this process may have missed a change to the key's addresses; otherwise
   * null, since a change that it hears of closes the connection. Requests keep their order.
   *
   * @throws {ApiError} 403, as a rejection
   */
  check(): Promise<void> | null {
    if (this.#checking === null && !this.#isLate) return null;
    const checking = beforehand(this.#checkBehind(this.#checking));
    this.#checking = checking;
    // Registered first, so that it runs before anybody who waits for the check.
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
    // The request before has reached the venue by then.
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
