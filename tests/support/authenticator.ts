import { otpAt } from "./otp_at.ts";

const STEP_MS = 30_000;

/** An authenticator whose codes each work once, as the venue wants it. */
export class Authenticator {
  readonly #secret: string;
  #usedStep = 0;

  /** @param secret as the venue shows it, in base32 */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Returns a code that has not been used; waits where it would be too far ahead. */
  async code(): Promise<string> {
    const now = () => Math.floor(Date.now() / STEP_MS);
    // The step before is still good for a while, and leaves more for later.
    const step = Math.max(this.#usedStep + 1, now());
    while (now() < step - 1) await new Promise((resolve) => setTimeout(resolve, 250));
    this.#usedStep = step;
    return otpAt(this.#secret, step * STEP_MS);
  }
}
