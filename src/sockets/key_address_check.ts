/** Checks whether the key of an open connection may still be used from the connection's address. */
import { isFromAllowed } from "../edge/callers/caller_check.ts";
import { addressRefused } from "../edge/errors.ts";
import { type CheckEngine, LateCheck } from "./late_check.ts";
import type { RegistryCredentials } from "./socket_registry.ts";

/** The check of one connection's key and address; it rejects with a 403. */
export class KeyAddressCheck extends LateCheck {
  readonly #credentials: RegistryCredentials;
  readonly #kid: string;
  readonly #address: string;

  constructor(engine: CheckEngine, credentials: RegistryCredentials, kid: string, address: string) {
    super(engine);
    this.#credentials = credentials;
    this.#kid = kid;
    this.#address = address;
  }

  protected override async verify(): Promise<void> {
    const credential = await this.#credentials.get(this.#kid);
    if (credential !== null && !isFromAllowed(credential, this.#address)) {
      throw addressRefused(this.#address);
    }
  }
}
