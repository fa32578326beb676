import { otpAt } from "./otp_at.ts";
import { UIDS } from "./beneficiaries.ts";
import type { TestVenue } from "./with_venue.ts";

const SECRET = "JBSWY3DPEHPK3PXP";
const STEP_MS = 30_000;

/** The code of a demo member at the venue's present; its second factor is turned on where it is off. */
export async function presentCode(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  const uid = UIDS[member];
  const isOn = venue.engine.venue.holderByUid.get(uid)?.member.hasTwoFactor;
  if (!isOn) await venue.identity.seedTwoFactor(uid, SECRET);
  return codeAt(venue.clock.now);
}

/** A code that was not used before: of the next step of the clock. */
export function nextCode(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  venue.clock.now += STEP_MS;
  return presentCode(venue, member);
}

/** A code that begins with a zero; the clock goes on until there is one. */
export async function codeWithZero(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  for (;;) {
    const code = await nextCode(venue, member);
    if (code.startsWith("0")) return code;
  }
}

/** A code that is wrong now, and was a moment ago. */
export function wrongCode(venue: TestVenue): string {
  const near = [-1, 0, 1].map((steps) => codeAt(venue.clock.now + steps * STEP_MS));
  return ["111111", "222222", "333333", "444444"].find((code) => !near.includes(code)) ?? "";
}

function codeAt(now: number): string {
  return otpAt(SECRET, now);
}
