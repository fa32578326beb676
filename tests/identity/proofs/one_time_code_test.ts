import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  createOtpSecret,
  otpStepOf,
  otpText,
  otpUri,
} from "../../../src/identity/proofs/one_time_code.ts";
import { otpAt } from "../../support/otp_at.ts";

/** The secret of RFC 6238's test vectors, "12345678901234567890" in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("one-time codes", () => {
  it("follow RFC 6238, cut to six digits", () => {
    const vectors: [number, string][] = [
      [59, "287082"],
      [1111111109, "081804"],
      [1234567890, "005924"],
      [20000000000, "353130"],
    ];
    for (const [seconds, code] of vectors) {
      assertEquals(otpStepOf(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30));
    }
  });

  it("are valid one step early or late, as the step they belong to", () => {
    const now = 1_000_000 * 30_000;
    const code = otpAt(RFC_SECRET, now);
    const steps = [-60_000, -30_000, 0, 29_999, 30_000, 59_999, 60_000]
      .map((offset) => otpStepOf(RFC_SECRET, code, now + offset));
    assertEquals(steps, [null, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, null]);
  });

  it("regain zeros that a number has lost, and have six digits", () => {
    assertEquals(otpText("5924"), "005924");
    assertEquals(otpText(" 081804 "), "081804");
    assertEquals(otpText("081 804"), "081804");
    for (const wrong of ["1234567", "-5924", "1.5", "", "12 456", "12345a", "１２３４５６"]) {
      assertEquals(otpStepOf(RFC_SECRET, otpText(wrong), 59_000), null, wrong);
    }
  });

  it("come from secrets of 160 bits, a new one each time", () => {
    const secret = createOtpSecret();
    assert(/^[A-Z2-7]{32}$/.test(secret), secret);
    assertNotEquals(secret, createOtpSecret());
  });

  it("have a setup URI that authenticators read", () => {
    const url = new URL(otpUri(RFC_SECRET, "carol@example.org"));
    assertEquals(url.protocol, "otpauth:");
    assertEquals(url.searchParams.get("secret"), RFC_SECRET);
    assertEquals(url.searchParams.get("issuer"), "kvenue");
    assert(decodeURIComponent(url.pathname).endsWith("kvenue:carol@example.org"), url.pathname);
  });
});
