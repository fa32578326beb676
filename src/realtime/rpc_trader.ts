/** Who asks over a socket: what it may ask at this moment, and how that reaches the venue. */
import { type Command, isRejection, type Receipt } from "../domain/command.ts";
import { refuseKey } from "../domain/decide_key.ts";
import { isMemberUsable, type Scope } from "../domain/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import type { Engine } from "../engine/engine.ts";
import type { Caller } from "../api/env.ts";
import { rejectionError } from "../api/errors.ts";
import type { Trader } from "../api/order_entry.ts";

/** What tells that a connection may not stay. */
const ENDING: ReadonlySet<Rejection["rejected"]> = new Set([
  "member_not_active",
  "key_not_active",
  "key_two_factor_off",
]);

/** The caller does not count any more: its connection ends. */
export class AccessEndedError extends Error {
  override name = "AccessEndedError";
  constructor(readonly rejection: Rejection) {
    super(`The connection has lost its access: ${rejection.rejected}`);
  }
}

/** A caller with an open connection. Nobody signs its commands: the connection was signed for. */
export class RpcTrader implements Trader {
  constructor(
    readonly engine: Engine,
    readonly caller: Caller,
    readonly services: Trader["services"],
  ) {}

  /**
   * Lets a call through that needs a scope; keys and members may have changed since the connection
   * was opened.
   *
   * @throws {AccessEndedError} where the connection may not stay
   * @throws {ApiError} 403 where the key has not the scope
   */
  check(scope: Scope): void {
    const { venue } = this.engine;
    const { member, key } = this.caller;
    const present = key === null ? null : venue.keys[key.index]?.key;
    if (present === null && !isMemberUsable(venue.holder(member).member)) {
      throw new AccessEndedError(reject("member_not_active"));
    }
    const refusal = present === null ? null : refuseKey(venue, present);
    if (refusal !== null) throw new AccessEndedError(refusal);
    if (present?.scopes.includes(scope) === false) {
      throw rejectionError(reject("scope_not_permitted"), "single");
    }
  }

  async submit(command: Command): Promise<Receipt> {
    const { key } = this.caller;
    // Another process may have changed the key a moment ago: the log knows.
    const opener = key === null ? null : { key: key.index, nonce: null };
    const outcome = await this.engine.submit(command, opener);
    if (!isRejection(outcome)) return outcome;
    if (ENDING.has(outcome.rejected)) throw new AccessEndedError(outcome);
    throw rejectionError(outcome, "single");
  }
}
