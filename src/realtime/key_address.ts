/** Checks whether the key of an open connection may still be used from the connection's address. */
import { isFromAllowed } from "../api/auth.ts";
import { ApiError } from "../api/errors.ts";
import { type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import { LateCheck } from "./late_check.ts";
import type { RegistryCredentials } from "./socket_registry.ts";

/** The key of one connection and the address it is used from; checks reject with a 403. */
export class KeyAddress extends LateCheck {
  constructor(
    engine: Pick<Engine, "fresh" | "lagMs">,
    credentials: RegistryCredentials,
    kid: string,
    address: string,
  ) {
    super({
      isLate: () => engine.lagMs > LATE_MS_MAX,
      catchUp: () => engine.fresh(),
      async verify() {
        const credential = await credentials.get(kid);
        if (credential !== null && !isFromAllowed(credential, address)) {
          throw new ApiError(403, "authz.ip_not_permitted");
        }
      },
    });
  }
}
