import { present } from "../../src/domain/assert.ts";
import { generationOf, type Member, type MemberState } from "../../src/domain/people/member.ts";
import { Contacts } from "../../src/secrets/contacts.ts";
import type { Engine, SidecarKey } from "../../src/engine/engine.ts";
import { Vault } from "../../src/secrets/vault.ts";
import type { Origin, OwnerSession, SessionCaller, SignedIn } from "../../src/identity/identity.ts";
import { IdentityError, ThrottledError } from "../../src/identity/identity_error.ts";
import { Notices } from "../../src/identity/notices.ts";
import { VenueIdentity } from "../../src/identity/venue_identity.ts";
import { MemberMessages } from "../../src/messages/member_messages.ts";
import type { Messenger } from "../../src/messages/messenger.ts";
import { Outbox, type OutboxMessage } from "../../src/messages/outbox.ts";
import { changedEngine } from "./changed_engine.ts";
import { EngineVenue } from "./engine_venue.ts";
import type { FaultyStore } from "./faulty_store.ts";
import { otpAt } from "./otp_at.ts";

export const START = Date.UTC(2030, 0, 1);
export const PASSWORD = "Tr0ub4dor&3";
/** The default origin of calls. */
export const HERE: Origin = { address: "192.0.2.7", userAgent: "test" };
/** The secret of all second factors, in base32. */
export const SECRET = "JBSWY3DPEHPK3PXP";

const MINUTE_MS = 60_000;

/** Options for opening an identity venue. */
export interface IdentityVenueOptions {
  /** A file; by default the store is in memory. */
  readonly path?: string;
  readonly isShared?: boolean;
  readonly clock?: { now: number };
  readonly messenger?: Messenger;
  readonly passwordCost?: number;
  /** By default one of zeros. */
  readonly masterKeys?: readonly Uint8Array[];
  /** Called before the engine reads anything. */
  readonly prepare?: (store: FaultyStore) => void;
  /** Called before identity rows are changed. */
  readonly onChange?: (key: SidecarKey, engine: Engine) => Promise<void>;
  /** Returns whether a change of identity rows is made twice, as if an answer were lost. */
  readonly isAnswerLost?: () => boolean;
}

/** The identity of one process on a real engine, with a clock that only the test advances. */
export class IdentityVenue {
  readonly contacts: Contacts;
  readonly outbox: Outbox;
  readonly identity: VenueIdentity;
  /** Faults that the identity reported. */
  readonly faults: unknown[] = [];

  private constructor(
    readonly venue: EngineVenue,
    readonly clock: { now: number },
    options: IdentityVenueOptions,
  ) {
    const vault = new Vault(options.masterKeys ?? [new Uint8Array(32)]);
    this.contacts = new Contacts(this.engine, vault);
    this.outbox = new Outbox(this.engine, () => {});
    const onFault = (fault: unknown) => this.faults.push(fault);
    const messages = new MemberMessages(options.messenger ?? this.outbox, this.contacts);
    this.identity = new VenueIdentity({
      engine: observed(this.engine, options),
      contacts: this.contacts,
      vault,
      messages,
      notices: new Notices(messages, onFault),
      passwordCost: options.passwordCost ?? 2,
      onFault,
    });
  }

  static async open(options: IdentityVenueOptions = {}): Promise<IdentityVenue> {
    const clock = options.clock ?? { now: START };
    const venue = await EngineVenue.open({ ...options, clock });
    return new IdentityVenue(venue, clock, options);
  }

  get engine(): Engine {
    return this.venue.engine;
  }

  async close(): Promise<void> {
    await this.identity.close();
    await this.venue.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Advances the clock. */
  pass(minutes: number): void {
    this.clock.now += minutes * MINUTE_MS;
  }

  /** Returns the one-time code at the clock's time plus an offset. */
  code(offsetMs = 0): string {
    return otpAt(SECRET, this.clock.now + offsetMs);
  }

  /** Returns a code that is currently wrong; a different `count` may give a different one. */
  wrongCode(count = 0): string {
    const right = [-60_000, -30_000, 0, 30_000, 60_000].map((offset) => this.code(offset));
    for (let code = 100_000 + count;; code++) {
      if (!right.includes(String(code))) return String(code);
    }
  }

  /** Returns the member in the published state. */
  member(uid: string): Member {
    return present(this.engine.venue.holderByUid.get(uid), `member ${uid} exists`).member;
  }

  /** Returns what a member has proven now, without a session that would stay open. */
  owner(index: number): OwnerSession {
    const { member } = this.engine.venue.holder(index);
    return { sessionId: null, generation: generationOf(member) };
  }

  /** Signs up a member and confirms the email address. */
  async join(email = "carol@example.org"): Promise<Member> {
    return await this.confirm(await this.signUp(email));
  }

  /** Signs up; returns the uid of the member that it becomes once it is confirmed. */
  async signUp(
    email = "carol@example.org",
    password = PASSWORD,
    origin: Origin = HERE,
  ): Promise<string> {
    return (await this.identity.signUp({ email, password }, origin)).uid;
  }

  /** Confirms the address of a sign-up by the latest code sent for it. */
  async confirm(uid: string, password = PASSWORD): Promise<Member> {
    return await this.identity.confirmEmail({ code: await this.lastCode(uid), password }, HERE);
  }

  /** Does the same and turns on two-factor. */
  async joinWithTwoFactor(): Promise<Member> {
    const { uid } = await this.join();
    await this.identity.seedTwoFactor(uid, SECRET);
    return this.member(uid);
  }

  /** Turns on a member's second factor by a code; returns its secret and recovery codes. */
  async turnOnTwoFactor(index: number): Promise<{ secret: string; codes: readonly string[] }> {
    const { twoFactor } = this.identity;
    const { secret } = await twoFactor.generate(index);
    const codes = await twoFactor.enable(
      index,
      otpAt(secret, this.clock.now),
      HERE,
      this.owner(index),
    );
    return { secret, codes };
  }

  signIn(
    code?: string,
    { email = "carol@example.org", password = PASSWORD, origin = HERE } = {},
  ): Promise<SignedIn> {
    const request = { email, password, ...(code === undefined ? {} : { code }) };
    return this.identity.signIn(request, origin);
  }

  /** Returns the caller of a valid cookie. */
  async caller(cookie: string): Promise<SessionCaller> {
    return present(await this.identity.sessions.authenticate(cookie, false), "the cookie is good");
  }

  async setState(uid: string, state: MemberState): Promise<void> {
    await this.venue.must({ kind: "change_member", uid, changes: { state } });
  }

  /** Returns how many recovery codes a member has left. */
  async recoveryCodesLeft(uid: string): Promise<number> {
    const row = await this.engine.readSidecar(["recovery_codes", uid]);
    return (row as { digests: readonly string[] } | null)?.digests.length ?? 0;
  }

  /** Returns the messages sent to a member, newest first. */
  sent(uid: string): Promise<readonly OutboxMessage[]> {
    return this.outbox.list(uid);
  }

  /** Returns the latest code sent to a member. */
  async lastCode(uid: string): Promise<string> {
    const codes = (await this.sent(uid)).flatMap(({ code }) => code ?? []);
    return present(codes[0], `${uid} was sent a code`);
  }
}

function observed(
  engine: Engine,
  { onChange = () => Promise.resolve(), isAnswerLost = () => false }: IdentityVenueOptions,
): Engine {
  const changeSidecar: Engine["changeSidecar"] = async (key, change) => {
    await onChange(key, engine);
    if (isAnswerLost()) await engine.changeSidecar(key, change);
    return await engine.changeSidecar(key, change);
  };
  const submit: Engine["submit"] = async (command, ...more) => {
    // A password row is written together with its entry.
    if (command.kind === "note_password_change") await onChange(["passwords", command.uid], engine);
    return await engine.submit(command, ...more);
  };
  return changedEngine(engine, { changeSidecar, submit });
}

/** Returns `ok`, or the name of the refusal. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    if (error instanceof IdentityError) return error.refusal;
    throw error;
  }
}

/** Returns after how many seconds a throttled call may be repeated. */
export async function retryAfterOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ThrottledError) return error.retryAfter;
    throw error;
  }
  throw new Error("The call was not refused");
}
