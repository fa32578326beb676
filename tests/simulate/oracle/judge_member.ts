/** Judges commands about members, keys, cancel timers and second factors. */
import type {
  AdjustBalance,
  ChangeKey,
  ChangeMember,
  CreateKey,
  CreateMember,
  SetCancelTimer,
  SetOperatorRole,
} from "../../../src/domain/command.ts";
import {
  type ApiKey,
  type CancelTimer,
  type Member,
  OUTSIDE_MEMBER,
  OWN_TIMER,
} from "../../../src/domain/people/member.ts";
import type {
  ConfirmMember,
  NotePasswordChange,
  OtpProof,
  SetTwoFactor,
  SpendOtp,
} from "../../../src/domain/identity_command.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { ONE, unitOf } from "./amounts.ts";
import { undefinedClass } from "./judge_classes.ts";
import type { OracleState } from "./state.ts";
import { takeBack } from "./taken_approvals.ts";
import { no, short, type Verdict, yes } from "./verdict.ts";
import { settingsOf } from "./judge_settings.ts";

const KEYS_PER_MEMBER = 50;
const TIMERS_PER_KEY = 32;
const TIMER_MS_MIN = 1000;
const TIMER_MS_MAX = 86_400_000;

/** Judges the creation of a member. */
export function createMember(state: OracleState, command: CreateMember, at: number): Verdict {
  if (state.emails.has(command.emailDigest)) return no("email_taken", "email");
  const refusal = undefinedClass(state, command.group, command.level);
  if (refusal !== null) return refusal;
  return memberSet({
    index: state.members.length,
    uid: command.uid,
    level: command.level,
    group: command.group,
    state: command.state ?? "active",
    bulkOrdersMax: 0,
    openOrdersMax: 0,
    marketOrdersEnabled: true,
    hasTwoFactor: false,
    otpStep: 0,
    emailDigest: command.emailDigest,
    createdAt: at,
  });
}

/** Judges a change of a member. */
export function changeMember(
  state: OracleState,
  { uid, changes }: ChangeMember,
  at: number,
): Verdict {
  const index = state.memberByUid.get(uid);
  if (index === undefined) return no("member_not_found", "uid");
  const { record } = state.member(index);
  const changed = { ...record, ...changes };
  const isElsewhere = changed.emailDigest !== record.emailDigest;
  if (isElsewhere && state.emails.has(changed.emailDigest)) return no("email_taken", "email");
  const refusal = undefinedClass(state, changes.group, changes.level);
  if (refusal !== null) return refusal;
  const isShutOut = changed.state === "locked" || changed.state === "banned";
  if (isShutOut && isLast(state, (key) => key.member === index)) {
    return no("operator_key_last", "state");
  }
  const taken = isShutOut ? takeBack(state, index, at) : [];
  const isOther = isElsewhere || changed.hasTwoFactor !== record.hasTwoFactor;
  const verdict = isOther ? newCredentials(state, changed, at) : memberSet(changed);
  return { ...verdict, events: [...taken, ...verdict.events] };
}

/** Judges giving a member a role as an operator, or taking it away. */
export function setOperatorRole(state: OracleState, { uid, role }: SetOperatorRole): Verdict {
  const index = state.memberByUid.get(uid);
  if (index === undefined) return no("member_not_found", "uid");
  const { operator: _, ...plain } = state.member(index).record;
  if (role === null) return memberSet(plain);
  if (plain.state !== "active") return no("role_state_invalid", "state", plain.state);
  if (!plain.hasTwoFactor) return no("role_without_factor", "otp");
  return memberSet({ ...plain, operator: { role, generation: plain.generation ?? 0 } });
}

/** Returns whether the venue has operators and would lose the last one with these keys. */
function isLast({ keys, members }: OracleState, isGone: (key: ApiKey) => boolean): boolean {
  let had = false;
  for (const key of keys) {
    const owner = members[key.member]?.record.state;
    const signs = key.state === "active" && (owner === "active" || owner === "pending");
    if (key.role !== "operator" || !key.scopes.includes("trade") || !signs) continue;
    if (!isGone(key)) return false;
    had = true;
  }
  return had;
}

/** Judges the confirmation of a member's email address. */
export function confirmMember(state: OracleState, { uid, level }: ConfirmMember): Verdict {
  const index = state.memberByUid.get(uid);
  if (index === undefined) return no("member_not_found", "uid");
  const { record } = state.member(index);
  if (record.state !== "pending") return no("member_not_pending", "uid");
  return memberSet({
    ...record,
    state: "active",
    level: level > record.level ? level : record.level,
  });
}

function memberSet(member: Member): Verdict {
  return yes({ kind: "member_set", member }, { kind: "member_set", member });
}

/** Judges an adjustment, which moves money between a member and the outside. */
export function adjustBalance(
  state: OracleState,
  command: AdjustBalance,
  isSigned: boolean,
): Verdict {
  const member = state.memberByUid.get(command.uid);
  if (member === undefined) return no("member_not_found", "uid");
  const currency = state.currency(command.currency);
  if (currency === undefined) return no("currency_not_found", "currency");
  const { amount } = command;
  if (amount === 0n) return no("amount_off_precision", "amount", undefined, "nonzero");
  if (amount % unitOf(currency.precision) !== 0n) {
    return no("amount_off_precision", "amount", currency.precision, "precision");
  }
  const { adjustmentMax: valueMax } = settingsOf(state);
  const worth = amount * (currency.price > 0n ? currency.price : ONE) / ONE;
  const most = BigInt(valueMax) * ONE;
  if (isSigned && valueMax !== 0 && (worth > most || worth < -most)) {
    return no("adjustment_too_large", "amount", valueMax, "maximum");
  }
  const held = state.ledger.of(member, currency.index).available;
  const available = held + amount;
  if (available < 0n) return short("balance_insufficient", "amount", -amount, held);
  const id = state.counters.adjustments + 1;
  const outside = state.ledger.of(OUTSIDE_MEMBER, currency.index).available - amount;
  return yes({ kind: "balance_adjusted", id, available }, {
    kind: "balance_adjusted",
    id,
    member,
    currency: currency.index,
    amount,
    available,
    outsideAvailable: outside,
  });
}

/** Judges the creation of a key. */
export function createKey(state: OracleState, command: CreateKey, at: number): Verdict {
  const index = state.memberByUid.get(command.uid);
  if (index === undefined) return no("member_not_found", "uid");
  if (state.keyByKid.has(command.kid)) return no("key_taken", "kid");
  const own = state.keys.filter((key) => key.member === index && key.state !== "deleted");
  if (command.role !== "operator" && own.length >= KEYS_PER_MEMBER) {
    return no("keys_exceeded", "uid", KEYS_PER_MEMBER);
  }
  const proof = provenBy(state, index, command.otp);
  if ("outcome" in proof) return proof;
  return keySet(proof.events, {
    index: state.keys.length,
    kid: command.kid,
    member: index,
    role: command.role,
    scopes: command.scopes,
    state: "active",
    nonceMode: command.nonceMode,
    createdAt: at,
    updatedAt: at,
    ...(command.otp === undefined
      ? {}
      : { needsTwoFactor: true, generation: state.member(index).record.generation ?? 0 }),
  });
}

/** Judges a change of a key, whose own timer ends with it, unless it has gone off. */
export function changeKey(state: OracleState, command: ChangeKey, at: number): Verdict {
  const index = state.memberByUid.get(command.uid);
  if (index === undefined) return no("member_not_found", "uid");
  const old = state.keys[state.keyByKid.get(command.kid) ?? -1];
  if (old === undefined || old.member !== index || old.state === "deleted") {
    return no("key_not_found", "kid");
  }
  const isOver = old.needsTwoFactor === true &&
    (old.generation ?? 0) < (state.member(index).record.generation ?? 0);
  if (isOver && command.state !== "deleted") return no("key_over", "kid");
  const isShut = (command.state ?? old.state) !== "active";
  const isReader = command.scopes !== undefined && !command.scopes.includes("trade");
  if ((isShut || isReader) && isLast(state, (key) => key.kid === old.kid)) {
    return no("operator_key_last", "kid");
  }
  const proof = provenBy(state, index, command.otp);
  if ("outcome" in proof) return proof;
  const next = command.state ?? old.state;
  const all = old.cancelTimers ?? [];
  const timers = next === "active" ? all : all.filter((timer) => outlives(timer, at));
  const changed = { ...old, state: next, scopes: command.scopes ?? old.scopes, updatedAt: at };
  return keySet(proof.events, withTimers(changed, timers));
}

function keySet(before: readonly VenueEvent[], key: ApiKey): Verdict {
  return yes({ kind: "key_set", key }, ...before, { kind: "key_set", key });
}

/** Whether a timer stays with a key that becomes inactive: a socket's, and one that has gone off. */
function outlives(timer: CancelTimer, now: number): boolean {
  return timer.id !== OWN_TIMER || timer.at <= now;
}

/** Returns a key with the given timers, sorted by id, and then by time. */
export function withTimers(key: ApiKey, timers: NonNullable<ApiKey["cancelTimers"]>): ApiKey {
  const sorted = timers.length === 0
    ? undefined
    : [...timers].sort((a, b) => a.id - b.id || a.at - b.at);
  const { cancelTimers: _, ...rest } = key;
  return sorted === undefined ? rest : { ...rest, cancelTimers: sorted };
}

/** Judges the setting, extending or clearing of a timer. */
export function setCancelTimer(state: OracleState, command: SetCancelTimer, at: number): Verdict {
  const key = state.keys[command.key];
  if (key === undefined) return no("key_not_active");
  const { timer, timeoutMs } = command;
  const before = key.cancelTimers ?? [];
  const waiting = before.filter((set) => set.at > at);
  const isSooner = waiting.some((set) => set.id === timer && at + timeoutMs < set.at);
  if (key.state !== "active" && !isSooner) return no("key_not_active");
  const isValid = timeoutMs === 0 ||
    (Number.isInteger(timeoutMs) && timeoutMs >= TIMER_MS_MIN && timeoutMs <= TIMER_MS_MAX);
  if (!isValid) return no("cancel_timer_invalid", "timeout");
  const others = waiting.filter(({ id }) => id !== timer);
  const sockets = others.filter(({ id }) => id !== OWN_TIMER).length;
  if (timeoutMs !== 0 && timer !== OWN_TIMER && sockets >= TIMERS_PER_KEY - 1) {
    return no("cancel_timers_exceeded", "key", TIMERS_PER_KEY);
  }
  const firesAt = timeoutMs === 0 ? 0 : at + timeoutMs;
  const outcome = { kind: "cancel_timer_set", at, firesAt } as const;
  if (timeoutMs === 0 && others.length === waiting.length) return yes(outcome);
  const next = timeoutMs === 0 ? others : [...others, { id: timer, at: firesAt }];
  // What has gone off goes on; of those with this id, the last one does.
  const gone = before.filter((set) =>
    set.at <= at &&
    !before.some((later) =>
      set.id === timer && later.id === timer && later.at <= at && later.at > set.at
    )
  );
  return yes(outcome, { kind: "key_set", key: withTimers(key, [...gone, ...next]) });
}

/** Judges the use of a one-time code. */
export function spendOtp(state: OracleState, { otp }: SpendOtp): Verdict {
  const spent = codeSpent(state, otp);
  if ("outcome" in spent) return spent;
  return memberSet(spent.member);
}

/** Judges turning two-factor on with a code, or off with a code or a recovery code. */
export function setTwoFactor(state: OracleState, command: SetTwoFactor, at: number): Verdict {
  const { record } = state.member(command.member);
  const { step, isOn } = command;
  if (command.generation !== (record.generation ?? 0)) return no("credentials_changed", "member");
  if (record.hasTwoFactor === isOn) return no(isOn ? "two_factor_on" : "two_factor_off");
  if (step === undefined) {
    if (isOn) return no("otp_invalid", "code");
    return newCredentials(state, { ...record, hasTwoFactor: false }, at);
  }
  if (step === null) return no("otp_invalid", "code");
  if (!isOn && step <= record.otpStep) return no("otp_invalid", "code");
  const otpStep = Math.max(step, record.otpStep);
  return newCredentials(state, { ...record, hasTwoFactor: isOn, otpStep }, at);
}

/** Judges a change of password. */
export function notePasswordChange(
  state: OracleState,
  { uid, knownGeneration, kept, keepsRole }: NotePasswordChange,
  at: number,
): Verdict {
  const index = state.memberByUid.get(uid);
  if (index === undefined) return no("member_not_found", "uid");
  const { record } = state.member(index);
  if (knownGeneration !== undefined && knownGeneration !== (record.generation ?? 0)) {
    return no("credentials_changed", "uid");
  }
  const old = record.generation ?? 0;
  const { operator } = record;
  const isKept = keepsRole === true && operator?.generation === old && record.hasTwoFactor &&
    record.state === "active";
  const role = isKept ? { operator: { ...operator, generation: old + 1 } } : {};
  if (kept === undefined) return newCredentials(state, { ...record, ...role }, at);
  for (const kid of kept.kids) {
    const key = state.keys[state.keyByKid.get(kid) ?? -1];
    const isOwn = key?.member === index && key.state !== "deleted";
    const isOver = key?.needsTwoFactor === true &&
      (key.generation ?? 0) !== (record.generation ?? 0);
    if (!isOwn || isOver) return no("key_not_found", "keep_keys");
  }
  const proof = provenBy(state, index, kept.otp);
  if ("outcome" in proof) return proof;
  const spent = { ...record, ...role, otpStep: kept.otp.step ?? 0 };
  const { outcome, events } = newCredentials(state, spent, at, kept.kids);
  return yes(outcome, ...proof.events, ...events);
}

/** Returns what follows from new credentials: of the keys that the member made, few outlive them. */
function newCredentials(
  state: OracleState,
  record: Member,
  at: number,
  kept: readonly string[] = [],
): Verdict {
  const old = record.generation ?? 0;
  const member = { ...record, generation: old + 1, credentialsChangedAt: at };
  const keys: ApiKey[] = [];
  const disabledKeys: string[] = [];
  for (const key of state.keys) {
    const isOfMember = key.member === record.index && key.needsTwoFactor === true;
    if (!isOfMember || (key.generation ?? 0) !== old || key.state === "deleted") continue;
    if (kept.includes(key.kid)) {
      keys.push({ ...key, generation: old + 1 });
      continue;
    }
    if (key.state === "disabled") continue;
    const timers = (key.cancelTimers ?? []).filter((timer) => outlives(timer, at));
    keys.push(withTimers({ ...key, state: "disabled", updatedAt: at }, timers));
    disabledKeys.push(key.kid);
  }
  return yes(
    { kind: "member_set", member, disabledKeys },
    { kind: "member_set", member },
    ...keys.map((key) => ({ kind: "key_set", key } as const)),
  );
}

/** Returns the member's record after using a code, or the refusal. */
export function codeSpent(
  state: OracleState,
  { member, step, generation }: OtpProof,
): { readonly member: Member } | Verdict {
  const { record } = state.member(member);
  if (!record.hasTwoFactor) return no("two_factor_off");
  const isOld = generation !== (record.generation ?? 0);
  if (step === null || step <= record.otpStep || isOld) return no("otp_invalid", "otp");
  return { member: { ...record, otpStep: step } };
}

/** Returns the events of a member's proof for a change of its own keys, or the refusal. */
function provenBy(
  state: OracleState,
  member: number,
  otp: OtpProof | undefined,
): { readonly events: readonly VenueEvent[] } | Verdict {
  if (otp === undefined) return { events: [] };
  if (otp.member !== member) return no("otp_invalid", "otp");
  const spent = codeSpent(state, otp);
  return "outcome" in spent ? spent : { events: [{ kind: "member_set", member: spent.member }] };
}

/** Returns whether the member may do anything. */
export function isUsable(state: OracleState, member: number): boolean {
  const { state: name } = state.member(member).record;
  return name === "active" || name === "pending";
}
