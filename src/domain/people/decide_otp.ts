/** Second factors: each one-time code counts once. */
import { present } from "../assert.ts";
import type { Outcome } from "../command.ts";
import type { EventSink } from "../event_sink.ts";
import { changeCredentials } from "./credentials_change.ts";
import { generationOf, isKeyOver, type Member } from "./member.ts";
import type { NotePasswordChange, OtpProof, SetTwoFactor, SpendOtp } from "../identity_command.ts";
import { operatorRoleOf } from "./operators.ts";
import { reject, type Rejection } from "../rejection.ts";
import type { Holder, Venue } from "../venue.ts";

/** Spends the code of a proof, or returns why it does not count. */
export function spendOtp(venue: Venue, proof: OtpProof, sink: EventSink): Rejection | null {
  const refusal = refuseOtp(venue, proof);
  if (refusal !== null) return refusal;
  const { member } = venue.holder(proof.member);
  const otpStep = present(proof.step, "a proof that counts has a step");
  sink.emit({ kind: "member_set", member: { ...member, otpStep } });
  return null;
}

/** Spends a member's proof for its own keys; the calls of operators carry none. */
export function spendOwnOtp(
  venue: Venue,
  holder: Holder,
  otp: OtpProof | undefined,
  sink: EventSink,
): Rejection | null {
  if (otp === undefined) return null;
  return otp.member === holder.member.index
    ? spendOtp(venue, otp, sink)
    : reject("otp_invalid", "otp");
}

/** Returns why a proof does not count, or null if it does. */
export function refuseOtp(venue: Venue, { member, step, generation }: OtpProof): Rejection | null {
  const holder = venue.holders[member];
  // Another process may have created the member a moment ago.
  if (holder === undefined) return reject("member_not_active");
  const { hasTwoFactor, otpStep } = holder.member;
  if (!hasTwoFactor) return reject("two_factor_off");
  const isOutdated = generation !== generationOf(holder.member);
  return step === null || step <= otpStep || isOutdated ? reject("otp_invalid", "otp") : null;
}

/** Spends a code and does nothing else. */
export function decideSpendOtp(venue: Venue, command: SpendOtp, sink: EventSink): Outcome {
  const refusal = spendOtp(venue, command.otp, sink);
  return refusal ?? memberSet(venue, command.otp.member);
}

/** Turns a second factor on or off; off also by a recovery code, which is spent outside the log. */
export function decideSetTwoFactor(venue: Venue, command: SetTwoFactor, sink: EventSink): Outcome {
  const { generation, isOn } = command;
  const holder = venue.holder(command.member);
  const { member } = holder;
  if (generation !== generationOf(member)) return reject("credentials_changed", "member");
  if (isOn === member.hasTwoFactor) return reject(isOn ? "two_factor_on" : "two_factor_off");
  const { step = isOn ? null : Infinity } = command;
  // It is turned on with the first code of a new secret, of which no step was used.
  if (step === null || (!isOn && step <= member.otpStep)) return reject("otp_invalid", "code");
  const otpStep = Math.max(command.step ?? 0, member.otpStep);
  return changeCredentials(holder, { ...member, hasTwoFactor: isOn, otpStep }, sink);
}

/** Records that a password has changed, even a frozen member's. */
export function decideNotePasswordChange(
  venue: Venue,
  { uid, knownGeneration, turnsFactorOff, kept, keepsRole }: NotePasswordChange,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const generation = generationOf(holder.member);
  if (knownGeneration !== undefined && knownGeneration !== generation) {
    return reject("credentials_changed", "uid");
  }
  const renewed = (member: Member) =>
    keepsRole === true ? withRole(member, generation + 1) : member;
  if (kept === undefined) {
    const off = turnsFactorOff === true ? { hasTwoFactor: false } : {};
    return changeCredentials(holder, renewed({ ...holder.member, ...off }), sink);
  }
  const keepable = holder.keys().filter((key) => !isKeyOver(key, holder.member));
  const isKeepable = (kid: string) => keepable.some((key) => key.kid === kid);
  if (!kept.kids.every(isKeepable)) return reject("key_not_found", "keep_keys");
  const unproven = spendOwnOtp(venue, holder, kept.otp, sink);
  return unproven ?? changeCredentials(holder, renewed(holder.member), sink, kept.kids);
}

/** Returns a member whose role, if one is in force, is in force under other credentials. */
function withRole(member: Member, generation: number): Member {
  const role = operatorRoleOf(member);
  return role === null ? member : { ...member, operator: { role, generation } };
}

function memberSet(venue: Venue, index: number): { kind: "member_set"; member: Member } {
  return { kind: "member_set", member: venue.holder(index).member };
}
