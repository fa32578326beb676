/** API keys, as far as the log knows them. */
import type { ChangeKey, CreateKey, Outcome } from "../command.ts";
import { spendOwnOtp } from "./decide_otp.ts";
import { inactive } from "./credentials_change.ts";
import type { EventSink } from "../event_sink.ts";
import { type ApiKey, generationOf, isKeyOver, isMemberUsable } from "./member.ts";
import { KEYS_PER_MEMBER_MAX } from "../limits.ts";
import { areLastOperatorKeys, mayOperate } from "./operators.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Venue } from "../venue.ts";

/** Creates a key. */
export function decideCreateKey(venue: Venue, command: CreateKey, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  if (venue.keyByKid.has(command.kid)) return reject("key_taken", "kid");
  // Operator keys are created at a process's start; lost ones must not keep new ones out.
  if (command.role === "member" && holder.keys().length >= KEYS_PER_MEMBER_MAX) {
    return reject("keys_exceeded", "uid", String(KEYS_PER_MEMBER_MAX));
  }
  const unproven = spendOwnOtp(venue, holder, command.otp, sink);
  if (unproven !== null) return unproven;

  const key: ApiKey = {
    index: venue.keys.length,
    kid: command.kid,
    member: holder.member.index,
    role: command.role,
    scopes: command.scopes,
    state: "active",
    nonceMode: command.nonceMode,
    createdAt: sink.at,
    updatedAt: sink.at,
    ...(command.otp === undefined
      ? {}
      : { needsTwoFactor: true, generation: generationOf(holder.member) }),
  };
  sink.emit({ kind: "key_set", key });
  return { kind: "key_set", key };
}

/**
 * Returns why a key can't be used for anything now, or null if it can.
 *
 * @param key undefined if there is no such key
 */
export function refuseKey(venue: Venue, key: ApiKey | undefined): Rejection | null {
  if (key?.state !== "active") return reject("key_not_active");
  const { member } = venue.holder(key.member);
  if (!isMemberUsable(member)) return reject("member_not_active", "state", member.state);
  return key.needsTwoFactor && !member.hasTwoFactor ? reject("key_two_factor_off") : null;
}

/**
 * Changes a key; a deleted one stays deleted, the last operator key active, and one that is over
 * can only be deleted.
 */
export function decideChangeKey(venue: Venue, command: ChangeKey, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const old = venue.keyByKid.get(command.kid)?.key;
  if (old === undefined || old.member !== holder.member.index || old.state === "deleted") {
    return reject("key_not_found", "kid");
  }
  const state = command.state ?? old.state;
  if (state !== "deleted" && isKeyOver(old, holder.member)) return reject("key_over", "kid");
  const scopes = command.scopes ?? old.scopes;
  const isEnding = state !== "active" || !mayOperate({ ...old, scopes });
  if (isEnding && areLastOperatorKeys(venue, [old])) return reject("operator_key_last", "kid");
  const unproven = spendOwnOtp(venue, holder, command.otp, sink);
  if (unproven !== null) return unproven;

  const changed = { ...old, state, scopes, updatedAt: sink.at };
  const key = state === "active" ? changed : inactive(changed);
  sink.emit({ kind: "key_set", key });
  return { kind: "key_set", key };
}
