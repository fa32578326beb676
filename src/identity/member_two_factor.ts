/** Second factors of members: verified here, used up by the command that needs them. */
import { renderSVG } from "uqr";
import { isRejection } from "../domain/command.ts";
import { generationOf, type Member } from "../domain/people/member.ts";
import type { OtpProof, SetTwoFactor } from "../domain/identity_command.ts";
import type { Contacts } from "../secrets/contacts.ts";
import { type Engine, type HeldRow, type SidecarRow, UnavailableError } from "../engine/engine.ts";
import type { Vault } from "../secrets/vault.ts";
import type {
  ActivityLog,
  CodePlace,
  Origin,
  OwnerSession,
  SessionCaller,
  TwoFactor,
  TwoFactorSecret,
} from "./identity.ts";
import { IdentityError } from "./identity_error.ts";
import type { MemberSessions } from "./member_sessions.ts";
import { disabledKeysIn, type Notices } from "./notices.ts";
import { createOtpSecret, otpStepOf, otpText, otpUri } from "./proofs/one_time_code.ts";
import { OtpSecrets } from "./proofs/otp_secrets.ts";
import { looksLikeRecoveryCode, RecoveryCodes } from "./proofs/recovery_codes.ts";
import { CODE_RULE, PLACE_CODE_RULE, REPLAY_RULE, Throttle } from "./walls/throttle.ts";

/** Time step of a seeded second factor: long past, so that any code is newer. */
const SEEDED_STEP = 1;

/** The place of codes that are entered neither in a session nor by a key. */
const NO_PLACE = "none";

/** Marks a right code that was used before. */
const USED = Symbol("used");

/** What second factors work with. */
export interface TwoFactorOptions {
  readonly engine: Engine;
  readonly vault: Vault;
  readonly contacts: Pick<Contacts, "contact">;
  readonly notices: Notices;
  readonly activity: ActivityLog;
  readonly sessions: Pick<MemberSessions, "endingRows" | "endOthers" | "giveCode" | "holding">;
}

/** A member as its call began. */
type Owner = Pick<Member, "index" | "uid" | "hasTwoFactor"> & { readonly generation: number };

/** A code that is valid for one command. */
type GoodCode =
  | { readonly kind: "otp"; readonly proof: OtpProof }
  | { readonly kind: "recovery"; readonly left: number };

/** The second factors of a venue's members. */
export class MemberTwoFactor implements TwoFactor {
  readonly #options: TwoFactorOptions;
  readonly #secrets: OtpSecrets;
  readonly #recovery: RecoveryCodes;
  /** By member, at sign-in. */
  readonly #signIns: Throttle;
  /** By session or key. */
  readonly #places: Throttle;
  readonly #replays: Throttle;

  constructor(options: TwoFactorOptions) {
    this.#options = options;
    this.#secrets = new OtpSecrets(options.engine, options.vault);
    this.#recovery = new RecoveryCodes(options.engine);
    this.#signIns = new Throttle(options.engine, CODE_RULE);
    this.#places = new Throttle(options.engine, PLACE_CODE_RULE);
    this.#replays = new Throttle(options.engine, REPLAY_RULE);
  }

  async prove(
    member: number,
    code: string,
    place: CodePlace,
    generation: number = generationOf(this.#member(member)),
  ): Promise<OtpProof> {
    const { uid, hasTwoFactor } = this.#member(member);
    if (!hasTwoFactor) return { member, generation, step: null };
    const step = await this.#attempt(
      uid,
      place,
      (at) => this.#step(member, otpText(code), at),
    );
    return { member, generation, step };
  }

  async confirm(session: SessionCaller, code: string, origin: Origin): Promise<number> {
    const { activity, engine, sessions } = this.#options;
    const { member: { index, uid }, sessionId } = session;
    const otp = await this.prove(index, code, { sessionId });
    const { submitted, until } = await sessions.giveCode(
      session,
      otp.generation,
      (row, held) => engine.submit({ kind: "spend_otp", otp }, null, () => [row], held),
    );
    if (!isRejection(submitted)) {
      await activity.record(uid, origin, { topic: "otp", action: "confirm", result: "succeed" });
      return until;
    }
    if (submitted.rejected === "two_factor_off") throw new IdentityError("two_factor_off");
    return await this.#refuseCode(uid, origin, "confirm");
  }

  async generate(member: number): Promise<TwoFactorSecret> {
    await this.#options.engine.fresh();
    const { uid, hasTwoFactor } = this.#member(member);
    if (hasTwoFactor) throw new IdentityError("two_factor_on");
    const secret = createOtpSecret();
    await this.#secrets.propose(uid, secret);
    const contact = await this.#options.contacts.contact(uid);
    const uri = otpUri(secret, contact?.email ?? uid);
    return { secret, uri, svg: renderSVG(uri) };
  }

  async enable(
    member: number,
    code: string,
    origin: Origin,
    { sessionId, generation }: OwnerSession,
  ): Promise<readonly string[]> {
    const { engine, sessions } = this.#options;
    const at = engine.now();
    await engine.fresh();
    const { uid, hasTwoFactor } = this.#member(member);
    if (hasTwoFactor) throw new IdentityError("two_factor_on");
    const secret = await this.#secrets.proposed(uid, at);
    if (secret === null) throw new IdentityError("two_factor_not_generated");
    const step = await this.#attempt(
      uid,
      { sessionId },
      () => Promise.resolve(otpStepOf(secret, otpText(code), at)),
    );
    if (step === null) return await this.#refuseCode(uid, origin, "enable");
    // In one commit: no session that began without a code survives a crash at this point.
    const ended = await sessions.endingRows(uid, sessionId);
    const proof = { member, generation, step };
    const put = await this.#secrets.rows(uid, secret, engine.now());
    const { codes, disabledKeys } = await this.#turnOn(uid, proof, [...put, ...ended], sessionId);
    await sessions.endOthers(uid, sessionId);
    await this.#note(uid, origin, true, disabledKeys);
    return codes;
  }

  async disable(
    member: number,
    code: string,
    origin: Origin,
    { sessionId, generation }: OwnerSession,
  ): Promise<void> {
    const { engine, sessions } = this.#options;
    await engine.fresh();
    const owner = { ...this.#member(member), generation };
    const { uid } = owner;
    if (!owner.hasTwoFactor) throw new IdentityError("two_factor_off");
    const good = await this.#judge(owner, code, { sessionId });
    if (good === null) return await this.#refuseCode(uid, origin, "disable");
    const ended = await sessions.endingRows(uid, sessionId);
    let disabledKeys: readonly string[];
    try {
      disabledKeys = await this.#turnOff(owner, good, ended, sessionId);
    } catch (error) {
      // Nothing has changed, so the code was not used either.
      if (good.kind === "recovery" && hasChangedNothing(error)) {
        await this.#recovery.restore(uid, code);
      }
      throw error;
    }
    await sessions.endOthers(uid, sessionId);
    await this.#note(uid, origin, false, disabledKeys);
  }

  /**
   * Uses up a one-time code or a recovery code for a sign-in; false if it is wrong.
   *
   * @throws {IdentityError} `code_throttled` or `code_locked`
   */
  async spend(member: number, code: string): Promise<boolean> {
    const owner = this.#owner(member);
    const { uid } = owner;
    const good = await this.#judge(owner, code, null);
    if (good === null) return false;
    if (good.kind === "recovery") {
      await this.#options.notices.send(uid, { kind: "recovery_code_used", left: good.left });
      return true;
    }
    const outcome = await this.#options.engine.submit({ kind: "spend_otp", otp: good.proof }, null);
    return !isRejection(outcome);
  }

  /** Returns the row that ends a second factor of a member that is not in force yet. */
  endingRow(uid: string): SidecarRow {
    return this.#secrets.eraseProposed(uid);
  }

  /** Returns whether a factor is on whose member may not have read yet that it is. */
  async isNew({ uid, hasTwoFactor }: Pick<Member, "uid" | "hasTwoFactor">): Promise<boolean> {
    return hasTwoFactor && await this.#secrets.isNew(uid);
  }

  /** Returns the rows that erase a factor that is turned off. */
  erasingRows(uid: string): readonly SidecarRow[] {
    return [this.#secrets.erase(uid), this.#recovery.erase(uid)];
  }

  /**
   * Returns what a one-time code would prove now, without using it up; null if it is wrong. No try
   * is counted, or strangers could use up the member's: so whoever tells by the answer that a code
   * is right {@linkcode MemberTwoFactor.forgo | forgoes} it, and guesses gain nothing.
   */
  async foresee(member: number, code: string): Promise<OtpProof | null> {
    const { hasTwoFactor, generation } = this.#owner(member);
    if (!hasTwoFactor) return null;
    const step = await this.#step(member, otpText(code), this.#options.engine.now());
    return typeof step === "number" ? { member, generation, step } : null;
  }

  /** Uses up a code that was foreseen, for nothing. */
  async forgo(otp: OtpProof): Promise<void> {
    await this.#options.engine.submit({ kind: "spend_otp", otp }, null);
  }

  /** Takes about as long as judging a code, and judges none. */
  async feign(uid: string): Promise<void> {
    await this.#signIns.feign(uid);
  }

  /** Lifts the locks on a member's codes. */
  async unlock(uid: string): Promise<void> {
    await this.#signIns.unlock(uid);
    await this.#places.unlock([uid]);
    await this.#replays.unlock(uid);
  }

  /** Turns on a second factor with a given secret unless one is on. */
  async seed(uid: string, secret: string): Promise<void> {
    const { venue } = this.#options.engine;
    const member = venue.holderByUid.get(uid)?.member;
    if (member === undefined) throw new RangeError(`There is no member ${uid}`);
    if (member.hasTwoFactor) return;
    const step = Math.max(SEEDED_STEP, member.otpStep + 1);
    try {
      const { index, generation } = this.#owner(member.index);
      const put = await this.#secrets.rows(uid, secret, null);
      await this.#turnOn(uid, { member: index, generation, step }, put, null);
    } catch (error) {
      // Another process, started at the same time, was faster.
      if (!(error instanceof IdentityError && error.refusal === "two_factor_on")) throw error;
    }
  }

  /**
   * Reseals every secret that an older master key has sealed.
   *
   * @returns how many there were
   */
  resealAll(): Promise<number> {
    return this.#secrets.resealAll();
  }

  /** Returns what a code is valid for; null if it is wrong. Its place is null for a sign-in. */
  async #judge(
    { uid, index: member, generation }: Owner,
    code: string,
    place: CodePlace | null,
  ): Promise<GoodCode | null> {
    return await this.#attempt<GoodCode>(uid, place, async (at) => {
      if (looksLikeRecoveryCode(code)) {
        const left = await this.#recovery.use(uid, code);
        return left === null ? null : { kind: "recovery", left };
      }
      const step = await this.#step(member, otpText(code), at);
      if (typeof step !== "number") return step;
      return { kind: "otp", proof: { member, generation, step } };
    });
  }

  /**
   * Counts a try before judging it and forgives it if it was right; otherwise returns null.
   *
   * @param judge is given the time of the try (ms): a code is not too old because a read took long
   */
  async #attempt<T>(
    uid: string,
    place: CodePlace | null,
    judge: (at: number) => Promise<T | typeof USED | null>,
  ): Promise<T | null> {
    const throttle = place === null ? this.#signIns : this.#places;
    const subject = place === null ? uid : [uid, place.kid ?? place.sessionId ?? NO_PLACE];
    const at = this.#options.engine.now();
    const taken = await throttle.take(subject);
    const found = await judge(at).catch(async (error) => {
      await throttle.release(subject, taken);
      throw error;
    });
    if (found === USED) {
      // Not a guess, but not a pass either, or whoever has seen a used code could guess on and on.
      // Too many of them refuse only more of them: the member's next code is still good.
      await throttle.release(subject, taken);
      await this.#replays.take(uid);
      return null;
    }
    if (found !== null) await throttle.pass(subject, taken);
    else if (taken.isLast) {
      const { notices } = this.#options;
      if (place === null) await notices.send(uid, { kind: "two_factor_locked" });
      else await notices.send(uid, { kind: "codes_refused", kid: place.kid ?? null });
    }
    return found;
  }

  /** Returns the step of a code that was right at a time (ms). */
  async #step(index: number, code: string, at: number): Promise<number | typeof USED | null> {
    const { uid } = this.#member(index);
    const secret = await this.#secrets.current(uid);
    if (secret === null) return null;
    const step = otpStepOf(secret, code, at);
    return step !== null && step <= this.#member(index).otpStep ? USED : step;
  }

  /** @param rows of the same commit */
  async #turnOn(
    uid: string,
    otp: OtpProof,
    rows: readonly SidecarRow[],
    sessionId: string | null,
  ): Promise<{ codes: readonly string[]; disabledKeys: readonly string[] }> {
    const { codes, row } = this.#recovery.create(uid);
    const command = { kind: "set_two_factor", ...otp, isOn: true } as const;
    return { codes, disabledKeys: await this.#set(command, [...rows, row], sessionId) };
  }

  async #turnOff(
    { index: member, uid, generation }: Owner,
    good: GoodCode,
    ended: readonly SidecarRow[],
    sessionId: string | null,
  ): Promise<readonly string[]> {
    const rows = [...this.erasingRows(uid), ...ended];
    const proof = good.kind === "otp" ? good.proof : { member, generation };
    return await this.#set({ kind: "set_two_factor", ...proof, isOn: false }, rows, sessionId);
  }

  /** Returns the keys that have ended with the change. */
  async #set(
    command: SetTwoFactor,
    rows: readonly SidecarRow[],
    sessionId: string | null,
  ): Promise<readonly string[]> {
    const { engine, sessions } = this.#options;
    const submit = (held?: HeldRow) =>
      engine.submit(command, null, () => rows, ...(held === undefined ? [] : [held]));
    const { member } = engine.venue.holder(command.member);
    const outcome = sessionId === null
      ? await submit()
      : await sessions.holding({ member, sessionId }, submit);
    if (!isRejection(outcome)) return disabledKeysIn(outcome);
    const { rejected } = outcome;
    const isSet = rejected === "two_factor_on" || rejected === "two_factor_off";
    throw new IdentityError(isSet ? rejected : "code_wrong");
  }

  async #note(
    uid: string,
    origin: Origin,
    isOn: boolean,
    disabledKeys: readonly string[],
  ): Promise<void> {
    const { activity, notices } = this.#options;
    const action = isOn ? "enable" : "disable";
    await activity.record(uid, origin, { topic: "otp", action, result: "succeed" });
    await notices.send(uid, { kind: "two_factor_changed", isOn });
    await notices.tellOfDisabledKeys(uid, disabledKeys);
  }

  async #refuseCode(uid: string, origin: Origin, action: string): Promise<never> {
    await this.#options.activity.record(uid, origin, { topic: "otp", action, result: "failed" });
    throw new IdentityError("code_wrong");
  }

  #member(index: number): Member {
    return this.#options.engine.venue.holder(index).member;
  }

  #owner(index: number): Owner {
    const member = this.#member(index);
    return { ...member, generation: generationOf(member) };
  }
}

function hasChangedNothing(error: unknown): boolean {
  return error instanceof UnavailableError ||
    error instanceof IdentityError && error.refusal === "session_over";
}
