/** Beneficiaries as JSON. */
import type * as z from "zod";
import type { Beneficiary } from "../domain/beneficiary.ts";
import type { Venue } from "../domain/venue.ts";
import type { BeneficiaryTexts } from "../wallet/beneficiary_data.ts";
import type { BENEFICIARY } from "./schemas/beneficiaries.ts";
import { currencyId, isoSeconds } from "./wire.ts";

/** A beneficiary as it is answered. */
export type BeneficiaryJson = z.infer<typeof BENEFICIARY>;

/** Characters of an account number that are shown at its begin and at its end. */
const SHOWN_AT_BEGIN = 2;
const SHOWN_AT_END = 4;

/** A beneficiary as its member reads it; a deleted one is read by nobody. */
export function beneficiaryJson(
  venue: Venue,
  beneficiary: Beneficiary,
  texts: BeneficiaryTexts,
): BeneficiaryJson {
  const { name, description, data } = texts;
  return {
    id: beneficiary.id,
    currency: currencyId(venue, beneficiary.currency),
    uid: venue.holder(beneficiary.member).member.uid,
    name,
    description,
    data: venue.isCoin(beneficiary.currency) ? { ...data } : maskedData(data),
    state: beneficiary.state === "active" ? "active" : "pending",
    sent_at: isoSeconds(beneficiary.pinSentAt),
  };
}

function maskedData(data: BeneficiaryTexts["data"]): Record<string, unknown> {
  const number = data["account_number"];
  return typeof number === "string"
    ? { ...data, account_number: maskedNumber(number) }
    : { ...data };
}

/** An account number of which only the begin and the end are shown. */
function maskedNumber(number: string): string {
  const hidden = number.length - SHOWN_AT_BEGIN - SHOWN_AT_END;
  if (hidden <= 0) return number;
  return number.slice(0, SHOWN_AT_BEGIN) + "*".repeat(hidden) + number.slice(-SHOWN_AT_END);
}
