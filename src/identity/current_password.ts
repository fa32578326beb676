/** Proves in a session that its member is there, by its password. */
import { addressParty } from "./address_throttle.ts";
import type { Origin, SessionCaller } from "./identity.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./throttle.ts";

/** Compares passwords that are entered in sessions. */
export class CurrentPassword {
  readonly #passwords: Passwords;
  readonly #throttle: Throttle;

  constructor(passwords: Passwords, throttle: Throttle) {
    this.#passwords = passwords;
    this.#throttle = throttle;
  }

  /**
   * Returns whether the password is the caller's.
   *
   * @throws {ThrottledError} `sign_in_throttled`: too many wrong ones
   * @throws {IdentityError} `unavailable`
   */
  async isRight(
    { member: { uid, emailDigest } }: Pick<SessionCaller, "member" | "sessionId">,
    password: string,
    { address }: Pick<Origin, "address">,
  ): Promise<boolean> {
    const taken = await this.#throttle.take(emailDigest);
    const party = addressParty(address);
    const { isRight } = await this.#passwords.verify(uid, password, party).catch(async (error) => {
      await this.#throttle.release(emailDigest, taken);
      throw error;
    });
    if (isRight) await this.#throttle.pass(emailDigest, taken);
    return isRight;
  }
}
