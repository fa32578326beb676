/** Beneficiaries as JSON. */
import type * as z from "zod";
import type { Beneficiary } from "../../domain/people/beneficiary.ts";
import { heldUntil } from "../../domain/money/decide_withdraw.ts";
import type { Venue } from "../../domain/venue.ts";
import type { BeneficiaryTexts } from "../../wallet/beneficiary_data.ts";
import type { BENEFICIARY } from "../schemas/beneficiaries.ts";
import { currencyId, isoSeconds, shownNetwork } from "./wire.ts";

/** The JSON form of a beneficiary. */
export type BeneficiaryJson = z.infer<typeof BENEFICIARY>;

/** How many characters of an account number are shown at its start and at its end. */
const SHOWN_AT_BEGIN = 2;
const SHOWN_AT_END = 4;

/** Returns a beneficiary as its member reads it; a deleted one is never shown. */
export function beneficiaryJson(
  venue: Venue,
  beneficiary: Beneficiary,
  texts: BeneficiaryTexts,
  now: number,
): BeneficiaryJson {
  const { name, description, data } = texts;
  const { member } = venue.holder(beneficiary.member);
  const until = beneficiary.state === "active" ? heldUntil(beneficiary, member, venue.settings) : 0;
  return {
    id: beneficiary.id,
    currency: currencyId(venue, beneficiary.currency),
    ...shownNetwork(venue, beneficiary.currency, beneficiary.network),
    uid: member.uid,
    name,
    description,
    data: venue.isCoin(beneficiary.currency) ? { ...data } : maskedData(data),
    state: beneficiary.state === "active" ? "active" : "pending",
    sent_at: isoSeconds(beneficiary.pinSentAt),
    held_until: now < until ? isoSeconds(until) : null,
  };
}

function maskedData(data: BeneficiaryTexts["data"]): Record<string, unknown> {
  const number = data["account_number"];
  return typeof number === "string"
    ? { ...data, account_number: maskedNumber(number) }
    : { ...data };
}

/** Returns an account number with only its start and end shown. */
function maskedNumber(number: string): string {
  const hidden = number.length - SHOWN_AT_BEGIN - SHOWN_AT_END;
  if (hidden <= 0) return number;
  return number.slice(0, SHOWN_AT_BEGIN) + "*".repeat(hidden) + number.slice(-SHOWN_AT_END);
}
