/**
 * `decide(venue, command)` returns events or a refusal. Guards come first, in the order of the
 * closed list of refusals; what follows them can't fail.
 */
import {
  type Author,
  type Command,
  type Decision,
  isRejection,
  type Outcome,
  type Receipt,
  type Signature,
} from "./command.ts";
import { rulesOf, scopeOf } from "./command_rules.ts";
import { type ActNoted, NO_KEY } from "./event.ts";
import type { EventSink } from "./event_sink.ts";
import type { SoughtAct } from "./people/act_names.ts";
import { refuseKey } from "./people/decide_key.ts";
import { isMemberUsable } from "./people/member.ts";
import { NONCE_ACCEPTED_WINDOWS } from "./people/nonce_window.ts";
import { mayOperate, refusePerson } from "./people/operators.ts";
import { reject, type Rejection } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/**
 * Decides a command. A signed one spends its nonce even if it is refused; for one that comes over a
 * connection, only the key is checked, and for a person's as an operator, what it may do. `signature`
 * is null if no key signed the command, and for the rest of a command whose first part has spent the
 * nonce.
 */
export function decide(
  venue: Venue,
  signature: Author | null,
  command: Command,
  sink: EventSink,
): Decision {
  if (signature !== null) {
    if (signature.nonce !== null) {
      const refusal = refuseSignature(venue, signature, sink.at);
      if (refusal !== null) return { outcome: refusal, complete: true };
      const { key, nonce, digest } = signature;
      sink.emit({ kind: "nonce_spent", key, nonce, digest });
    }
    const forbidden = refuseCaller(venue, signature, command);
    if (forbidden !== null) return { outcome: forbidden, complete: true };
  } else if (isFrozen(venue, command)) {
    return { outcome: reject("member_not_active"), complete: true };
  }
  const once = signature !== null && "once" in command ? command.once : undefined;
  const repeated = once === undefined ? null : repeatedAct(venue, once);
  if (repeated !== null) return { outcome: repeated, complete: true };
  const asker = signature?.askedBy;
  if (asker !== undefined && refuseCaller(venue, asker, command) !== null) {
    return { outcome: reject("asker_not_permitted"), complete: true };
  }
  const mark = sink.mark();
  const decided = rulesOf(command).decide(venue, command, sink, signature !== null);
  const decision = "complete" in decided ? decided : { outcome: decided, complete: true };
  if (isRejection(decision.outcome)) sink.rollback(mark);
  else {
    const actor = actorOf(signature, command, decision.outcome);
    if (actor === null) return decision;
    const act = noteAct(venue, actor, once, sink);
    return { ...decision, outcome: { ...decision.outcome, act } };
  }
  return decision;
}

/** Whether a command that no key signed is of a member who may not act: nobody else checks it. */
function isFrozen(venue: Venue, command: Command): boolean {
  if (!("member" in command)) return false;
  const holder = venue.holders[command.member];
  return holder === undefined || !isMemberUsable(holder.member);
}

/** Who has acted: a key or a person. */
type Actor = Pick<ActNoted, "key" | "person">;

/** Returns whose act a command was; null if it was none. */
function actorOf(signature: Author | null, command: Command, outcome: Receipt): Actor | null {
  if (command.kind === "create_key" && command.isAct && outcome.kind === "key_set") {
    return { key: outcome.key.index };
  }
  const isAct = rulesOf(command).scope === null;
  const author = isAct && hasEffect(outcome) ? signature : null;
  if (author === null) return null;
  return author.key === null ? { key: NO_KEY, person: author.person } : { key: author.key };
}

/** Whether anything was done: of a deposit that is known already, an operator gets a refusal. */
function hasEffect(receipt: Receipt): boolean {
  return receipt.kind !== "deposit_known";
}

/** Logs an operator's act, in the entry of its effect. */
function noteAct(
  venue: Venue,
  actor: Actor,
  once: SoughtAct | undefined,
  sink: EventSink,
): number {
  const id = venue.counters.acts + 1;
  const named = once === undefined ? {} : { once: { name: once.name, request: once.request } };
  sink.emit({ kind: "act_noted", id, ...actor, ...named });
  return id;
}

/** Returns the answer to a call that is named like an earlier one; null if none is. */
function repeatedAct({ actNames }: Venue, once: SoughtAct): Outcome | null {
  const earlier = once.known ?? actNames.get(once.name);
  if (earlier === undefined) {
    return once.checkedAt < actNames.knownSince ? reject("act_check_stale") : null;
  }
  return earlier.request === once.request
    ? { kind: "act_repeated", earlier: earlier.act }
    : reject("act_name_taken", "idempotency_key");
}

function refuseSignature(venue: Venue, signature: Signature, at: number): Rejection | null {
  const nonces = venue.keys[signature.key]?.nonces;
  if (nonces === undefined) return reject("key_not_active");
  if (nonces.has(signature.nonce, signature.digest)) return reject("nonce_already_used");
  // Beside a process with a wider window, it may have been used and forgotten.
  if (signature.nonce <= nonces.forgotten) return reject("nonce_expired");
  // The edge has checked the window, but a call may have waited longer than nonces are remembered.
  const distance = Math.abs(at - signature.nonce);
  if (distance > NONCE_ACCEPTED_WINDOWS * venue.nonceWindowMs) return reject("nonce_expired");
  return null;
}

/** Refuses a key or a person that has changed, or whose owner has, since the edge looked. */
function refuseCaller(venue: Venue, signature: Author, command: Command): Rejection | null {
  if (signature.key === null) {
    return scopeOf(command) === null
      ? refusePerson(venue, signature, command)
      : reject("operator_only");
  }
  const key = venue.keys[signature.key]?.key;
  const refusal = refuseKey(venue, key);
  if (key === undefined || refusal !== null) return refusal;
  const scope = scopeOf(command);
  if (scope === null) {
    if (key.role !== "operator") return reject("operator_only");
    return mayOperate(key) ? null : reject("scope_not_permitted");
  }
  const rules = rulesOf(command);
  if (rules.isForOperators && key.role === "operator") return null;
  if (rules.keyOf !== undefined && rules.keyOf(command) !== key.index) {
    return reject("scope_not_permitted");
  }
  return key.scopes.includes(scope) ? null : reject("scope_not_permitted");
}
