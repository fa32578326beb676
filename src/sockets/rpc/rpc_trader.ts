/** The caller on a socket, whose commands reach the venue in their turn. */
import { type Command, isRejection, type Receipt } from "../../domain/command.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Caller } from "../../edge/env.ts";
import type { Trader } from "../../edge/orders/order_entry.ts";
import { refusedRequest } from "../caller_access.ts";
import { RequestPlace } from "./request_line.ts";

/** The caller of an open connection. Its commands are not signed, since the handshake was. */
export class RpcTrader implements Trader {
  constructor(
    readonly engine: Engine,
    readonly caller: Caller,
    /** When its commands may reach the venue; it makes one of them at most. */
    readonly turn = new RequestPlace(null),
  ) {}

  /** Returns the caller for a request that has its turn among others. */
  inTurn(turn: RequestPlace): RpcTrader {
    return new RpcTrader(this.engine, this.caller, turn);
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
    throw refusedRequest(outcome);
  }
}
