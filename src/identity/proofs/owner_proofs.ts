/**
 * Proves that it is the member itself that acts in a session: whoever has stolen a session must not
 * be able to change what protects the account.
 */
import { generationOf } from "../../domain/people/member.ts";
import type { Origin, OwnerProof, SessionCaller } from "../identity.ts";
import { IdentityError } from "../identity_error.ts";
import { type IdentityParts, recordActivity, requireMessages } from "../identity_parts.ts";
import { MESSAGE_RULE, Throttle } from "../walls/throttle.ts";

/** Asks for the member's password, or for a code that was sent to its mailbox. */
export class OwnerProofs {
  readonly #parts: IdentityParts;
  readonly #throttle: Throttle;

  constructor(parts: IdentityParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.engine, { ...MESSAGE_RULE, name: "owner_code" });
  }

  /** See {@linkcode Identity.sendOwnerCode}. */
  async sendCode({ uid, emailDigest }: SessionCaller["member"], origin: Origin): Promise<void> {
    requireMessages(this.#parts, "owner_code");
    await this.#throttle.take(uid);
    const code = await this.#parts.ownerCodes.renew(uid, emailDigest, false);
    await recordActivity(this.#parts, uid, origin, ["account", "owner_code", "succeed"]);
    if (code !== null) await this.#parts.messages.send(uid, { kind: "owner_code", code });
  }

  /** See {@linkcode Identity.asOwner}. */
  async act<T>(
    caller: SessionCaller,
    proof: OwnerProof,
    origin: Origin,
    act: (generation: number) => Promise<T>,
  ): Promise<T> {
    const { index, uid } = caller.member;
    const { engine } = this.#parts;
    // Read before the proof is judged: the log notices any change from here on.
    const generation = generationOf(engine.venue.holder(index).member);
    const restore = await this.#judge(caller, proof, origin).catch(async (error) => {
      if (error instanceof IdentityError && error.status === 422) {
        await recordActivity(this.#parts, uid, origin, ["account", "confirm", "failed"]);
      }
      throw error;
    });
    try {
      return await act(generation);
    } catch (error) {
      await restore();
      throw error;
    }
  }

  /** Returns a function that makes a code valid again if what it was for has failed. */
  async #judge(
    caller: SessionCaller,
    { password, emailCode }: OwnerProof,
    origin: Origin,
  ): Promise<() => Promise<void>> {
    if (password !== undefined) {
      if (await this.#parts.currentPassword.isRight(caller, password, origin)) return nothing;
      throw new IdentityError("owner_password_wrong");
    }
    if (emailCode === undefined) throw new IdentityError("owner_unproven");
    const { uid, emailDigest } = caller.member;
    const used = await this.#parts.ownerCodes.use(emailCode, emailDigest);
    if (used?.uid !== uid) throw new IdentityError("owner_code_wrong");
    return () => used.restore();
  }

  /** Lifts the lock on the codes sent to a member. */
  async unlock(uid: string): Promise<void> {
    await this.#throttle.unlock(uid);
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
