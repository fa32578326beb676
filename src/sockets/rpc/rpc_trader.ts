/** The caller on a socket: what it may ask for now, and how that reaches the venue. */
import { type Command, isRejection, type Receipt } from "../../domain/command.ts";
import { refuseKey } from "../../domain/people/decide_key.ts";
import { isMemberUsable, type Scope } from "../../domain/people/member.ts";
import { reject, type Rejection } from "../../domain/rejection.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Caller } from "../../edge/env.ts";
import { rejectionError } from "../../edge/errors.ts";
import type { Trader } from "../../edge/orders/order_entry.ts";
import { RequestTurn } from "./request_turn.ts";

/** Refusals after which the connection may not stay. */
const ENDING: ReadonlySet<Rejection["rejected"]> = new Set([
  "member_not_active",
  "key_not_active",
  "key_two_factor_off",
]);

/** The caller has lost its access, so its connection ends. */
export class AccessEndedError extends Error {
  override name = "AccessEndedError";
  constructor(readonly rejection: Rejection) {
    super(`The connection has lost its access: ${rejection.rejected}`);
  }
}

/** The caller of an open connection. Its commands are not signed, since the handshake was. */
export class RpcTrader implements Trader {
  constructor(
    readonly engine: Engine,
    readonly caller: Caller,
    /** When its commands may reach the venue; it makes one of them at most. */
    readonly turn = new RequestTurn(null),
  ) {}

  /** Returns the caller for a request that has its turn among others. */
  inTurn(turn: RequestTurn): RpcTrader {
    return new RpcTrader(this.engine, this.caller, turn);
  }

  /**
   * Checks that the caller may make a call with this scope; its key or member may have changed
   * since the connection opened.
   *
   * @throws {AccessEndedError} the connection may not stay
   * @throws {ApiError} 403 if the key lacks the scope
   */
  check(scope: Scope): void {
    const { venue } = this.engine;
    const { member, key } = this.caller;
    if (key === null) {
      if (isMemberUsable(venue.holder(member).member)) return;
      throw new AccessEndedError(reject("member_not_active"));
    }
    const current = venue.keys[key.index]?.key;
    const refusal = refuseKey(venue, current);
    if (refusal !== null) throw new AccessEndedError(refusal);
    if (!current?.scopes.includes(scope)) {
      throw rejectionError(reject("scope_not_permitted"));
    }
  }

  async submit(command: Command): Promise<Receipt> {
    const { key } = this.caller;
    // Another process may have changed the key a moment ago, which the log knows.
    const opener = key === null ? null : { key: key.index, nonce: null };
    if (this.turn.before !== null) await this.turn.before;
    const submitted = this.engine.submit(command, opener);
    this.turn.pass();
    const outcome = await submitted;
    if (!isRejection(outcome)) return outcome;
    if (ENDING.has(outcome.rejected)) throw new AccessEndedError(outcome);
    throw rejectionError(outcome);
  }
}
