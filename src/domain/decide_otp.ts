/** Second factors: each one-time code counts once. */
import { present } from "./assert.ts";
import type { Outcome } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import type { Member } from "./member.ts";
import type { NotePasswordChange, OtpProof, SetTwoFactor, SpendOtp } from "./identity_command.ts";
import { reject, type Rejection } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/** Spends the code of a proof, or returns why it does not count. */
export function spendOtp(venue: Venue, proof: OtpProof, sink: EventSink): Rejection | null {
  const refusal = refuseOtp(venue, proof);
  if (refusal !== null) return refusal;
  const { member } = venue.holder(proof.member);
  const otpStep = present(proof.step, "a proof that counts has a step");
  sink.emit({ kind: "member_set", member: { ...member, otpStep } });
  return null;
}

/** Returns why a proof does not count, or null if it does. */
export function refuseOtp(venue: Venue, { member, step }: OtpProof): Rejection | null {
  const holder = venue.holders[member];
  // Another process may have created the member a moment ago.
  if (holder === undefined) return reject("member_not_active");
  const { hasTwoFactor, otpStep } = holder.member;
  if (!hasTwoFactor) return reject("two_factor_off");
  return step === null || step <= otpStep ? reject("otp_invalid", "otp") : null;
}

/** Spends a code and does nothing else. */
export function decideSpendOtp(venue: Venue, command: SpendOtp, sink: EventSink): Outcome {
  const refusal = spendOtp(venue, command.otp, sink);
  return refusal ?? memberSet(venue, command.otp.member);
}

/** Turns a second factor on or off; off also by a recovery code, which is spent outside the log. */
export function decideSetTwoFactor(venue: Venue, command: SetTwoFactor, sink: EventSink): Outcome {
  const { member: index, otp, isOn } = command;
  const { member } = venue.holder(index);
  if (isOn === member.hasTwoFactor) return reject(isOn ? "two_factor_on" : "two_factor_off");
  const step = otp === undefined ? member.otpStep : otp.step;
  // It is turned on with the first code of a new secret, of which no step was used.
  const isSpent = step === null || (!isOn && otp !== undefined && step <= member.otpStep);
  if (isSpent || (isOn && otp === undefined)) return reject("otp_invalid", "code");

  const otpStep = Math.max(step, member.otpStep);
  const changed = { hasTwoFactor: isOn, otpStep, credentialsChangedAt: sink.at };
  sink.emit({ kind: "member_set", member: { ...member, ...changed } });
  return memberSet(venue, index);
}

/** Records that a password has changed, even a frozen member's. */
export function decideNotePasswordChange(
  venue: Venue,
  { uid, knownChangedAt }: NotePasswordChange,
  sink: EventSink,
): Outcome {
  const member = venue.holderByUid.get(uid)?.member;
  if (member === undefined) return reject("member_not_found", "uid");
  const { credentialsChangedAt = 0 } = member;
  if (knownChangedAt !== undefined && knownChangedAt !== credentialsChangedAt) {
    return reject("credentials_changed", "uid");
  }

  sink.emit({ kind: "member_set", member: { ...member, credentialsChangedAt: sink.at } });
  return memberSet(venue, member.index);
}

function memberSet(venue: Venue, index: number): { kind: "member_set"; member: Member } {
  return { kind: "member_set", member: venue.holder(index).member };
}
