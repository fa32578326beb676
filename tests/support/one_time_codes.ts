import { otpAt } from "./otp_at.ts";
import { UIDS } from "./beneficiaries.ts";
import type { TestVenue } from "./with_venue.ts";

const SECRET = "JBSWY3DPEHPK3PXP";
const STEP_MS = 30_000;

/** Returns a demo member's code at the venue's time; turns on two-factor if it is off. */
export async function presentCode(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  const uid = UIDS[member];
  const isOn = venue.engine.venue.holderByUid.get(uid)?.member.hasTwoFactor;
  if (!isOn) await venue.identity.seedTwoFactor(uid, SECRET);
  return codeAt(venue.clock.now);
}

/** Advances the clock by one step and returns the code, which is unused. */
export function nextCode(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  venue.clock.now += STEP_MS;
  return presentCode(venue, member);
}

/** Advances the clock until a code starts with zero, and returns it. */
export async function codeWithZero(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  for (;;) {
    const code = await nextCode(venue, member);
    if (code.startsWith("0")) return code;
  }
}

/** Returns a code that is wrong in the present step and in its neighbours. */
export function wrongCode(venue: TestVenue): string {
  const near = [-1, 0, 1].map((steps) => codeAt(venue.clock.now + steps * STEP_MS));
  return ["111111", "222222", "333333", "444444"].find((code) => !near.includes(code)) ?? "";
}

function codeAt(now: number): string {
  return otpAt(SECRET, now);
}
