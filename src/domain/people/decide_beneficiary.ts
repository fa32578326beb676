/** Beneficiaries: created, confirmed by a pin in time and in few attempts, deleted. */
import { present } from "../assert.ts";
import type { Beneficiary } from "./beneficiary.ts";
import type { Outcome } from "../command.ts";
import { currencyOn, networkIn, recordedNetwork } from "../money/currency.ts";
import type { EventSink } from "../event_sink.ts";
import {
  BENEFICIARIES_PER_MEMBER_MAX,
  PIN_LIFE_MS,
  PIN_RESEND_MS,
  PIN_TRIES_MAX,
} from "../limits.ts";
import type {
  ArchiveBeneficiary,
  CreateBeneficiary,
  DisableBeneficiary,
  ResendPin,
  TryPin,
} from "../money_command.ts";
import { reject, type Rejection } from "../rejection.ts";
import { takeBackPayments } from "../money/taken_approvals.ts";
import type { Holder, Venue } from "../venue.ts";

/** Returns a member's beneficiary; undefined if it is another member's or deleted. */
export function visibleBeneficiary(holder: Holder, id: number): Beneficiary | undefined {
  const beneficiary = holder.beneficiaries.get(id);
  return beneficiary?.state === "archived" ? undefined : beneficiary;
}

/** Returns why a beneficiary cannot be created; null if it can. */
export function refuseBeneficiary(
  venue: Venue,
  { member, currency: code, network, addressDigest, respelledIds = [] }: CreateBeneficiary,
): Rejection | null {
  const holder = venue.holder(member);
  const found = venue.currencyById.get(code);
  if (found === undefined) return reject("currency_not_found", "currency");
  if (network !== undefined && networkIn(found, network) === undefined) {
    return reject("currency_network_not_found", "network");
  }
  const currency = currencyOn(found, network);
  const recorded = recordedNetwork(found, network);
  if (holder.member.level < venue.levels.withdraw) return reject("withdraw_level_too_low");
  if (!currency.withdrawalEnabled) return reject("withdrawal_disabled", "currency");
  let visible = 0;
  let isTaken = false;
  // Without a copy: a member may have deleted any number.
  for (const other of holder.beneficiaries.values()) {
    if (other.state === "archived") continue;
    visible += 1;
    isTaken ||= addressDigest !== "" && other.currency === currency.index &&
      other.network === recorded.network &&
      (other.addressDigest === addressDigest || respelledIds.includes(other.id));
  }
  if (visible >= BENEFICIARIES_PER_MEMBER_MAX) {
    return reject("beneficiaries_exceeded", "name", String(BENEFICIARIES_PER_MEMBER_MAX));
  }
  return isTaken ? reject("beneficiary_address_taken", "data") : null;
}

/** Creates a beneficiary. */
export function decideCreateBeneficiary(
  venue: Venue,
  command: CreateBeneficiary,
  sink: EventSink,
): Outcome {
  const refusal = refuseBeneficiary(venue, command);
  if (refusal !== null) return refusal;

  const { member, addressDigest } = command;
  const currency = present(venue.currencyById.get(command.currency), "its currency exists");
  return emit(sink, {
    id: venue.counters.beneficiaries + 1,
    member,
    currency: currency.index,
    ...recordedNetwork(currency, command.network),
    state: "pending",
    addressDigest,
    ...(addressDigest === "" ? {} : { isCanonical: true }),
    pinsSent: 1,
    pinTries: 0,
    pinSentAt: sink.at,
    activatedAt: 0,
    createdAt: sink.at,
  });
}

/** Activates a beneficiary with its pin; a wrong one counts. */
export function decideTryPin(venue: Venue, command: TryPin, sink: EventSink): Outcome {
  const holder = venue.holder(command.member);
  const beneficiary = visibleBeneficiary(holder, command.id);
  if (beneficiary === undefined) return reject("beneficiary_not_found", "id");
  if (beneficiary.state !== "pending") return reject("beneficiary_not_pending", "id");
  const isDead = command.pin !== beneficiary.pinsSent || beneficiary.pinTries >= PIN_TRIES_MAX ||
    sink.at - beneficiary.pinSentAt > PIN_LIFE_MS;
  if (isDead) return reject("pin_invalid", "pin");

  if (command.isRight) {
    return emit(sink, { ...beneficiary, state: "active", activatedAt: sink.at });
  }
  const tried = { ...beneficiary, pinTries: beneficiary.pinTries + 1 };
  emit(sink, tried);
  return { kind: "pin_wrong", beneficiary: tried };
}

/** Counts a new pin as sent, which invalidates the one before. */
export function decideResendPin(venue: Venue, command: ResendPin, sink: EventSink): Outcome {
  const beneficiary = visibleBeneficiary(venue.holder(command.member), command.id);
  if (beneficiary === undefined) return reject("beneficiary_not_found", "id");
  if (beneficiary.state !== "pending") return reject("beneficiary_not_pending", "id");
  if (sink.at - beneficiary.pinSentAt < PIN_RESEND_MS) return reject("pin_sent_recently", "id");

  const { pinsSent } = beneficiary;
  return emit(sink, { ...beneficiary, pinsSent: pinsSent + 1, pinTries: 0, pinSentAt: sink.at });
}

/** Deletes a beneficiary; withdrawals to it continue. */
export function decideArchiveBeneficiary(
  venue: Venue,
  command: ArchiveBeneficiary,
  sink: EventSink,
): Outcome {
  const beneficiary = visibleBeneficiary(venue.holder(command.member), command.id);
  if (beneficiary === undefined) return reject("beneficiary_not_found", "id");

  return emit(sink, { ...beneficiary, state: "archived" });
}

/**
 * Deletes a member's beneficiary for an operator, also one that was deleted by whoever had made it:
 * what was not paid to it yet is not paid any more.
 */
export function decideDisableBeneficiary(
  venue: Venue,
  { uid, id }: DisableBeneficiary,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const beneficiary = holder.beneficiaries.get(id);
  if (beneficiary === undefined || beneficiary.isDisabled) {
    return reject("beneficiary_not_found", "id");
  }
  takeBackPayments(venue, beneficiary, sink);
  return emit(sink, { ...beneficiary, state: "archived", isDisabled: true });
}

function emit(sink: EventSink, beneficiary: Beneficiary): Outcome {
  sink.emit({ kind: "beneficiary_set", beneficiary });
  return { kind: "beneficiary_set", beneficiary };
}
