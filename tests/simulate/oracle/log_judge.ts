/** Judges the log as it grows: what each entry must contain, event by event. */
import type {
  CancelAllOrders,
  CancelOrders,
  Command,
  Outcome,
  PlaceOrders,
} from "../../../src/domain/command.ts";
import { isRejection } from "../../../src/domain/command.ts";
import type { NonceSpent, VenueEvent } from "../../../src/domain/event.ts";
import { type Calls, tracelessText } from "./calls.ts";
import { cancelEach } from "./cancel_each.ts";
import type { SoughtAct } from "../../../src/domain/people/act_names.ts";
import { isActCommand, isOrderCommand, judge, type OrderCommand, refuseCaller } from "./judge.ts";
import { isKnownDeposit, repeatedAct, staleAct, staleDeposit } from "./known_names.ts";
import { isUsable } from "./judge_member.ts";
import type { OracleMarket, OracleOrder } from "./market.ts";
import { close, isMeant, openOrder, work, youngestNamed } from "./match.ts";
import { place } from "./place.ts";
import { difference, show } from "./same.ts";
import type { Landing, Slot } from "./slot.ts";
import type { OracleState } from "./state.ts";
import { sweep } from "./sweep.ts";
import { take } from "./take.ts";
import { dueKey, fireTimers } from "./timers.ts";
import type { Transcript } from "./transcript.ts";

const DAY_MS = 86_400_000;
const MARKET_HALTED: Outcome = { rejected: "market_halted", field: "market" };
/** Commands whose outcomes do not depend on orders. */
const APART_FROM_ORDERS: ReadonlySet<Command["kind"]> = new Set([
  "change_member",
  "set_two_factor",
  "note_password_change",
  "note_deposit_address",
  "spend_otp",
  "set_cancel_timer",
]);
/** Maximum distance of a nonce from the time of its entry, in windows. */
const NONCE_WINDOWS = 2;

/** A cancel of all orders that did not fit in its entry. */
interface Unfinished {
  readonly command: CancelAllOrders;
  readonly landing: Landing;
}

/** Judges entries. */
export class LogJudge {
  readonly #state: OracleState;
  readonly #calls: Calls;
  readonly #nonceWindowMs: number;
  readonly #unfinished: Unfinished[] = [];

  constructor(state: OracleState, calls: Calls, nonceWindowMs: number) {
    this.#state = state;
    this.#calls = calls;
    this.#nonceWindowMs = nonceWindowMs;
  }

  /** Returns whether the log has pending work at `now` (ms). */
  isBusy(now: number): boolean {
    const { markets } = this.#state;
    return markets.some((market) => market.queue.length > 0 || market.reached() !== undefined) ||
      dueKey(this.#state, now) !== null;
  }

  /** Judges an entry: first pending work, then timers, then commands. */
  entry(transcript: Transcript): void {
    const state = this.#state;
    const { at, first } = transcript;
    if (first !== state.sequence + 1) {
      throw transcript.error(`an entry begins at ${first}, and the log ends at ${state.sequence}`);
    }
    if (at < state.time) throw transcript.error(`stamped ${at}, before ${state.time}`);
    for (const market of state.markets) work(state, market, transcript);
    fireTimers(state, transcript);
    while (!transcript.isAtEnd) this.#next(transcript);
    state.ledger.checkSums();
    state.sequence = transcript.last;
    state.time = at;
    this.#noteTraceless(false);
    this.#calls.turn();
  }

  /** Notes the answer that an unsigned call could now get without leaving a trace. */
  noteTraceless(slot: Slot): void {
    const { command } = slot;
    if (isOrderCommand(command) || !isKnown(this.#state, command)) return;
    const { outcome, events } = this.#judgeUnsigned(command, this.#state.time);
    if (events.length === 0) slot.traceless.add(tracelessText(outcome));
  }

  /** Records that the caller was told how its cancel of all orders ended. */
  told(landing: Landing): void {
    const index = this.#unfinished.findIndex((one) => one.landing === landing);
    if (index >= 0) this.#unfinished.splice(index, 1);
    for (const order of landing.rest) {
      const isLeft = order.place !== "gone" &&
        !this.#isHalted(order.market);
      if (isLeft) throw new Error(`order ${order.id} is open after a cancel of everything`);
    }
  }

  #isHalted(market: number): boolean {
    return this.#state.markets[market]?.definition.state === "halted";
  }

  #next(transcript: Transcript): void {
    const { changes } = this.#state;
    const event = transcript.peek();
    if (event?.kind === "nonce_spent") this.#signed(event, transcript);
    else if (!this.#goesOn(transcript)) this.#unsigned(transcript);
    this.#noteTraceless(this.#state.changes === changes);
  }

  /** Skips unaffected commands: most calls are orders, on which few other outcomes depend. */
  #noteTraceless(haveOnlyOrdersChanged: boolean): void {
    for (const slot of this.#calls.unsigned) {
      if (haveOnlyOrdersChanged && APART_FROM_ORDERS.has(slot.command.kind)) continue;
      this.noteTraceless(slot);
    }
  }

  #signed(event: NonceSpent, transcript: Transcript): void {
    const { key, nonce, digest } = event;
    const slot = this.#calls.bySignature(key, nonce, digest);
    if (slot === undefined || slot.signature === null) {
      throw transcript.error(`nobody has sent nonce ${nonce} of key ${key}`);
    }
    transcript.expect({ kind: "nonce_spent", key, nonce, digest });
    if (Math.abs(transcript.at - nonce) > NONCE_WINDOWS * this.#nonceWindowMs) {
      throw transcript.error(`nonce ${nonce} is too far from ${transcript.at}`);
    }
    this.#calls.spend(slot);
    const refusal = refuseCaller(this.#state, slot.signature, slot.command);
    const landing: Landing = { outcomes: [], last: transcript.last, rest: [] };
    if (refusal !== null) landing.outcomes = [refusal];
    else this.#execute(slot, landing, transcript);
    this.#calls.land(slot, landing);
  }

  #execute(slot: Slot, landing: Landing, transcript: Transcript): void {
    const { command } = slot;
    switch (command.kind) {
      case "place_orders":
        landing.outcomes = [this.#place(command, transcript)];
        return;
      case "cancel_orders":
        landing.outcomes = [this.#cancel(command, transcript)];
        return;
      case "cancel_all_orders":
        if (this.#isHalted(command.market)) landing.outcomes = [MARKET_HALTED];
        else this.#cancelAll({ command, landing }, transcript);
        return;
      case "sweep_member":
      case "sweep_market": {
        const outcome = sweep(this.#state, command, transcript);
        landing.outcomes = [this.#acted(outcome, slot.signature?.key ?? null, transcript)];
        return;
      }
      default:
        landing.outcomes = this.#judged(command, slot.signature?.key ?? null, transcript);
    }
  }

  #place(command: PlaceOrders, transcript: Transcript): Outcome {
    const { outcome, events } = place(this.#state, command, transcript.at);
    for (const event of events) transcript.expect(event);
    if (isRejection(outcome)) return outcome;
    for (const index of new Set(command.orders.map(({ market }) => market))) {
      work(this.#state, this.#state.markets[index] as OracleMarket, transcript);
    }
    return outcome;
  }

  #cancel(command: CancelOrders, transcript: Transcript): Outcome {
    const member = this.#state.member(command.member);
    const ids: number[] = [];
    const gone: number[] = [];
    const closing = new Set<OracleOrder>();
    for (const name of command.names) {
      const named = "id" in name ? null : member.named.get(name.clientOrderId);
      const isKnown = named !== undefined && named !== null &&
        transcript.at - named.at < DAY_MS;
      const id = "id" in name
        ? name.id
        : isKnown
        ? named.id
        : youngestNamed(member, name.clientOrderId);
      const order = openOrder(member, id);
      if (order === undefined || closing.has(order)) {
        const wasThere = command.isKnown || (isKnown && !("id" in name));
        if (command.strict && !wasThere) {
          return { rejected: "order_not_found", field: "id" };
        }
        if (id !== undefined) ids.push(id);
        if (id !== undefined) gone.push(id);
        continue;
      }
      if (this.#isHalted(order.market)) {
        if (command.strict) return MARKET_HALTED;
        continue;
      }
      closing.add(order);
      ids.push(order.id);
    }
    const requested = { state: "cancel", reason: "requested" } as const;
    for (const order of closing) close(this.#state, order, requested, transcript);
    return gone.length === 0
      ? { kind: "orders_cancelled", ids }
      : { kind: "orders_cancelled", ids, unchanged: gone.length };
  }

  #cancelAll({ command, landing }: Unfinished, transcript: Transcript): void {
    const before = landing.outcomes[0];
    const isBegun = before !== undefined && "kind" in before && before.kind === "orders_cancelled";
    const ids = isBegun ? [...before.ids] : [];
    const isAsked = (order: OracleOrder) => isMeant(this.#state, order, command);
    const isDone = cancelEach(this.#state, command.member, isAsked, "requested", transcript, ids);
    landing.outcomes = [{ kind: "orders_cancelled", ids }];
    landing.last = transcript.last;
    landing.rest = isDone ? [] : this.#state.member(command.member).open
      .filter((order) => isMeant(this.#state, order, command));
    if (isDone) return;
    // Its member may become inactive, or the market halted, before the rest is decided.
    const halted = ids.length === 0 && command.market >= 0 ? [MARKET_HALTED] : [];
    landing.outcomes = [...landing.outcomes, { rejected: "member_not_active" }, ...halted];
    this.#unfinished.push({ command, landing });
  }

  /** Expects the continuation of a cancel of all orders for which its last entry had no room. */
  #goesOn(transcript: Transcript): boolean {
    const event = transcript.peek();
    if (event?.kind !== "order_closed" || event.reason !== "requested") return false;
    const order = openOrder(this.#state.member(event.member), event.id);
    const index = this.#unfinished.findIndex(({ command }) =>
      order !== undefined && command.member === event.member && isMeant(this.#state, order, command)
    );
    const [unfinished] = index < 0 ? [] : this.#unfinished.splice(index, 1);
    if (unfinished === undefined) return false;
    this.#cancelAll(unfinished, transcript);
    return true;
  }

  #judged(
    command: Exclude<Command, OrderCommand>,
    key: number | null,
    transcript: Transcript,
  ): Outcome[] {
    const { at } = transcript;
    const state = this.#state;
    const once = key !== null && "once" in command ? command.once : undefined;
    const staleName = once === undefined ? [] : staleAct(once, transcript);
    const repeated = once === undefined ? null : repeatedAct(state, once);
    if (repeated !== null) return [repeated, ...staleName];
    const { outcome, events } = judge(state, command, {
      at,
      isSigned: key !== null,
      isStale: false,
    });
    const stale = [...staleName, ...staleDeposit(state, command, transcript)];
    // Neither leaves anything in the log.
    if (isKnownDeposit(outcome)) return [outcome, ...stale];
    const isAccepted = events.length > 0 || (!isRejection(outcome) && stale.length === 0);
    if (!isAccepted || (stale.length > 0 && transcript.peek()?.kind !== events[0]?.kind)) {
      return stale.length === 0 || isRejection(outcome) ? [outcome, ...stale] : stale;
    }
    for (const event of events) {
      transcript.expect(event);
      take(state, event, at);
    }
    return [isActCommand(command) ? this.#acted(outcome, key, transcript, once) : outcome];
  }

  /** Expects the note of an operator's act, if its key signed it; returns what it is told. */
  #acted(
    outcome: Outcome,
    key: number | null,
    transcript: Transcript,
    once?: SoughtAct,
  ): Outcome {
    if (key === null || isRejection(outcome)) return outcome;
    const act = this.#state.counters.acts + 1;
    const named = once === undefined ? {} : { once: { name: once.name, request: once.request } };
    const noted = { kind: "act_noted", id: act, key, ...named } as const;
    transcript.expect(noted);
    take(this.#state, noted, transcript.at);
    return { ...outcome, act };
  }

  /** Judges an unsigned call, known only by its effect, which several calls may share. */
  #unsigned(transcript: Transcript): void {
    const calls = this.#couldHaveLeft(transcript);
    const first = calls.find(({ slot }) => slot.landed < slot.possible) ??
      calls.find(({ slot }) => this.#calls.makeRoom(slot));
    if (first === undefined) {
      throw transcript.error(`nobody has asked for ${show(transcript.peek())}`);
    }
    const twins = calls
      .filter((one) => one !== first && difference(one.events, first.events) === null)
      .map(({ slot, outcome }) => ({ slot, outcomes: [outcome] }));
    const outcomes = this.#judged(first.command, null, transcript);
    this.#calls.land(first.slot, { outcomes, last: transcript.last, rest: [], twins });
  }

  /**
   * Returns the unsigned calls whose effect comes next, longest first: a code that is spent may be
   * all of a call's effect, or the start of another's. It includes calls that already have all
   * their effects, as some of these may belong to others.
   */
  #couldHaveLeft(transcript: Transcript): UnsignedCall[] {
    const found: UnsignedCall[] = [];
    for (const slot of this.#calls.unsigned) {
      const { command } = slot;
      if (isOrderCommand(command) || !isKnown(this.#state, command)) continue;
      const { outcome, events } = this.#judgeUnsigned(command, transcript.at);
      if (events.length === 0 || !transcript.goesOnWith(events)) continue;
      found.push({ slot, command, outcome, events });
    }
    return found.sort((a, b) => b.events.length - a.events.length);
  }

  #judgeUnsigned(
    command: Exclude<Command, OrderCommand>,
    at: number,
  ): ReturnType<typeof judge> {
    if ("member" in command && !isUsable(this.#state, command.member)) {
      return { outcome: { rejected: "member_not_active" }, events: [] };
    }
    return judge(this.#state, command, { at, isSigned: false, isStale: false });
  }
}

/** An unsigned call and its expected effect. */
interface UnsignedCall {
  readonly slot: Slot;
  readonly command: Exclude<Command, OrderCommand>;
  readonly outcome: Outcome;
  readonly events: readonly VenueEvent[];
}

/** Returns whether the member that a call names exists yet. */
function isKnown({ members }: OracleState, command: Command): boolean {
  if ("member" in command) return command.member < members.length;
  return command.kind !== "spend_otp" || command.otp.member < members.length;
}
