/** Judges commands about beneficiaries. */
import type { Beneficiary } from "../../../src/domain/people/beneficiary.ts";
import type {
  ArchiveBeneficiary,
  CreateBeneficiary,
  ResendPin,
  TryPin,
} from "../../../src/domain/money_command.ts";
import type { OracleState } from "./state.ts";
import { takeBackTo } from "./taken_approvals.ts";
import { no, type Verdict, yes } from "./verdict.ts";

const PER_MEMBER = 1000;
const TRIES = 5;
const LIFE_MS = 15 * 60_000;
const RESEND_MS = 60_000;

/** Returns a member's beneficiary, unless it is deleted. */
export function visible(
  state: OracleState,
  member: number,
  id: number,
): Beneficiary | undefined {
  const beneficiary = state.member(member).beneficiaries.get(id);
  return beneficiary?.state === "archived" ? undefined : beneficiary;
}

/** Judges the creation of a beneficiary. */
export function createBeneficiary(
  state: OracleState,
  { member, currency: code, addressDigest }: CreateBeneficiary,
  at: number,
): Verdict {
  const { record, beneficiaries } = state.member(member);
  const currency = state.currency(code);
  if (currency === undefined) return no("currency_not_found", "currency");
  if (record.level < state.levels.withdraw) return no("withdraw_level_too_low");
  if (!currency.withdrawalEnabled) return no("withdrawal_disabled", "currency");
  let count = 0;
  let isTaken = false;
  for (const other of beneficiaries.values()) {
    if (other.state === "archived") continue;
    count += 1;
    isTaken ||= addressDigest !== "" && other.addressDigest === addressDigest &&
      other.currency === currency.index;
  }
  if (count >= PER_MEMBER) return no("beneficiaries_exceeded", "name", PER_MEMBER);
  if (isTaken) return no("beneficiary_address_taken", "data");
  return set({
    id: state.counters.beneficiaries + 1,
    member,
    currency: currency.index,
    state: "pending",
    addressDigest,
    ...(addressDigest === "" ? {} : { isCanonical: true }),
    pinsSent: 1,
    pinTries: 0,
    pinSentAt: at,
    activatedAt: 0,
    createdAt: at,
  });
}

/** Judges an attempt to activate a beneficiary with a pin. */
export function tryPin(state: OracleState, command: TryPin, at: number): Verdict {
  const beneficiary = visible(state, command.member, command.id);
  if (beneficiary === undefined) return no("beneficiary_not_found", "id");
  if (beneficiary.state !== "pending") return no("beneficiary_not_pending", "id");
  const { pinsSent, pinTries, pinSentAt } = beneficiary;
  const isAlive = command.pin === pinsSent && pinTries < TRIES && at <= pinSentAt + LIFE_MS;
  if (!isAlive) return no("pin_invalid", "pin");
  if (command.isRight) {
    return set({ ...beneficiary, state: "active", activatedAt: at });
  }
  const tried = { ...beneficiary, pinTries: pinTries + 1 };
  return yes(
    { kind: "pin_wrong", beneficiary: tried },
    { kind: "beneficiary_set", beneficiary: tried },
  );
}

/** Judges a request for another pin. */
export function resendPin(state: OracleState, command: ResendPin, at: number): Verdict {
  const beneficiary = visible(state, command.member, command.id);
  if (beneficiary === undefined) return no("beneficiary_not_found", "id");
  if (beneficiary.state !== "pending") return no("beneficiary_not_pending", "id");
  if (at < beneficiary.pinSentAt + RESEND_MS) return no("pin_sent_recently", "id");
  const pinsSent = beneficiary.pinsSent + 1;
  return set({ ...beneficiary, pinsSent, pinTries: 0, pinSentAt: at });
}

/** Judges the deletion of a beneficiary. */
export function archiveBeneficiary(state: OracleState, command: ArchiveBeneficiary): Verdict {
  const beneficiary = visible(state, command.member, command.id);
  if (beneficiary === undefined) return no("beneficiary_not_found", "id");
  return set({ ...beneficiary, state: "archived" });
}

/** Judges its deletion by an operator, after which nothing goes to it any more. */
export function disableBeneficiary(
  state: OracleState,
  member: number,
  id: number,
  at: number,
): Verdict {
  const beneficiary = state.member(member).beneficiaries.get(id);
  if (beneficiary === undefined || beneficiary.isDisabled) return no("beneficiary_not_found", "id");
  const verdict = set({ ...beneficiary, state: "archived", isDisabled: true });
  return { ...verdict, events: [...takeBackTo(state, id, at), ...verdict.events] };
}

function set(beneficiary: Beneficiary): Verdict {
  return yes({ kind: "beneficiary_set", beneficiary }, { kind: "beneficiary_set", beneficiary });
}
