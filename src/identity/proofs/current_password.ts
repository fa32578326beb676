/** Proves in a session that its member is there, by its password. */
import { addressParty } from "../walls/address_throttle.ts";
import type { Origin, SessionCaller } from "../identity.ts";
import type { Passwords } from "./passwords.ts";
import { SESSION_RULE, Throttle, type ThrottleEngine } from "../walls/throttle.ts";

/**
 * Compares passwords that are entered in sessions. Wrong ones are counted by session: nobody outside
 * can lock it, and whoever has stolen one locks no other.
 */
export class CurrentPassword {
  readonly #passwords: Passwords;
  readonly #throttle: Throttle;

  constructor(engine: ThrottleEngine, passwords: Passwords) {
    this.#passwords = passwords;
    this.#throttle = new Throttle(engine, SESSION_RULE);
  }

  /**
   * Returns whether the password is the caller's.
   *
   * @throws {ThrottledError} `sign_in_throttled`: too many wrong ones in this session
   * @throws {IdentityError} `unavailable`
   */
  async isRight(
    { member: { uid }, sessionId }: Pick<SessionCaller, "member" | "sessionId">,
    password: string,
    { address }: Pick<Origin, "address">,
  ): Promise<boolean> {
    const subject = [uid, sessionId];
    const taken = await this.#throttle.take(subject);
    const party = addressParty(address, "proven");
    const { isRight } = await this.#passwords.verify(uid, password, party).catch(async (error) => {
      await this.#throttle.release(subject, taken);
      throw error;
    });
    if (isRight) await this.#throttle.pass(subject, taken);
    return isRight;
  }

  /** Lifts the locks on a member's sessions. */
  async unlock(uid: string): Promise<void> {
    await this.#throttle.unlock([uid]);
  }
}
