/** Decides what goes into a batch: first the log's unfinished work, then commands. */
import { present } from "../../domain/assert.ts";
import { ClientOrdersAhead, type PackedClientOrders } from "../../domain/trading/client_orders.ts";
import { isRejection } from "../../domain/command.ts";
import { namesClientOrders } from "../../domain/command_rules.ts";
import { decide } from "../../domain/decide.ts";
import { runTimers } from "../../domain/trading/decide_timers.ts";
import { runMarket } from "../../domain/trading/matching.ts";
import type { UndoLog } from "../../domain/undo_log.ts";
import type { Venue } from "../../domain/venue.ts";
import { ByteWriter } from "../../store/byte_writer.ts";
import { Batch } from "./batch.ts";
import type { CommandQueue } from "./command_queue.ts";
import type { PublishedState } from "../published_state.ts";
import type { QueuedCommand } from "./queued_command.ts";

/** What the decider works on. */
export interface DeciderDeps {
  readonly matching: Venue;
  readonly undo: UndoLog;
  readonly published: PublishedState;
}

/** Fills batches on the matching state. */
export class BatchDecider {
  readonly #deps: DeciderDeps;
  readonly #writer = new ByteWriter(256 * 1024);

  constructor(deps: DeciderDeps) {
    this.#deps = deps;
  }

  /** Decides a batch stamped `at` (ms); `taken` are the commands that it took from the queue. */
  decide(at: number, queue: CommandQueue): { batch: Batch; taken: QueuedCommand[] } {
    const { matching, undo } = this.#deps;
    const batch = new Batch(matching, undo, at, this.#writer);
    let isRoom = true;
    for (const book of matching.books) isRoom = runMarket(matching, book, batch) && isRoom;
    if (isRoom) runTimers(matching, batch);
    const taken: QueuedCommand[] = [];
    while (isRoom && !batch.isFull()) {
      const command = queue.next();
      if (command === undefined) break;
      if (batch.rewrites(command.held)) {
        // The next commit finds that out, unless this one fails.
        queue.putBack([command]);
        break;
      }
      taken.push(command);
      if (!command.isAbandoned) isRoom = this.#decideCommand(command, batch);
      if (command.decided?.complete === false) queue.keepWaiting(command);
    }
    return { batch, taken };
  }

  /** Decides a command, and returns whether the batch may take another one. */
  #decideCommand(command: QueuedCommand, batch: Batch): boolean {
    const { matching } = this.#deps;
    this.#seeClientOrders(command);
    const mark = batch.mark();
    const author = command.isNonceSpent ? null : command.author;
    command.decided = decide(matching, author, command.command, batch);
    const { complete, outcome } = command.decided;
    if (isRejection(outcome) && outcome.rejected === "nonce_expired") {
      // It was judged when the call came: since then the call has waited for too long.
      command.decided = null;
      command.drop("timed_out");
      return true;
    }
    if (command.sidecar !== null && !isRejection(outcome)) {
      try {
        batch.addSidecar(command.sidecar(outcome));
      } catch (error) {
        // Invalid rows of one command must not fail the others.
        batch.rollback(mark);
        command.decided = null;
        command.failWith(error);
        return true;
      }
    }
    if (!isRejection(outcome)) { for (const row of command.held) batch.hold(row); }
    if (!complete || command.command.kind !== "place_orders") return true;
    let isRoom = true;
    for (const { market } of command.command.orders) {
      const book = matching.books[market];
      // A market that an earlier order has run has nothing left to do.
      if (book !== undefined) isRoom = runMarket(matching, book, batch) && isRoom;
    }
    return isRoom;
  }

  /** Lets the batch see the member's durable ids, which are kept only once. */
  #seeClientOrders({ command }: QueuedCommand): void {
    if (!("member" in command) || !namesClientOrders(command)) return;
    const { matching, published } = this.#deps;
    const { member } = command;
    const holder = matching.holders[member];
    const durable = published.venue.holders[member];
    // A member that this very batch creates, or that the decision refuses.
    if (holder === undefined || durable === undefined) return;
    const known = present(durable.clientOrders, "ids are read before");
    if (holder.clientOrders instanceof ClientOrdersAhead && holder.clientOrders.isAheadOf(known)) {
      return;
    }
    holder.clientOrders = new ClientOrdersAhead(known as PackedClientOrders);
  }
}
