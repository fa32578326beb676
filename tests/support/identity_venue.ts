import { present } from "../../src/domain/assert.ts";
import type { Member, MemberState } from "../../src/domain/member.ts";
import { Contacts } from "../../src/engine/contacts.ts";
import type { Engine, SidecarKey } from "../../src/engine/engine.ts";
import { Vault } from "../../src/engine/vault.ts";
import type { SessionCaller, SignedIn } from "../../src/identity/identity.ts";
import { IdentityError, ThrottledError } from "../../src/identity/identity_error.ts";
import type { SessionLife } from "../../src/identity/member_sessions.ts";
import { VenueIdentity } from "../../src/identity/venue_identity.ts";
import { Outbox, type OutboxMessage } from "../../src/messages/outbox.ts";
import type { Messenger } from "../../src/messages/messenger.ts";
import { changedEngine } from "./changed_engine.ts";
import { EngineVenue } from "./engine_venue.ts";
import type { FaultyStore } from "./faulty_store.ts";
import { otpAt } from "./otp_at.ts";

export const START = Date.UTC(2030, 0, 1);
export const PASSWORD = "Tr0ub4dor&3";
/** Where calls come from, unless a test says otherwise. */
export const HERE = { address: "192.0.2.7", userAgent: "test" };
/** Of every second factor here. */
export const SECRET = "JBSWY3DPEHPK3PXP";

const MINUTE_MS = 60_000;
/** How long sessions live, unless a test says otherwise: a day, and two hours without a call. */
export const SESSION_LIFE: SessionLife = { lifeMs: 24 * 60 * MINUTE_MS, idleMs: 120 * MINUTE_MS };

/** How to open it. */
export interface IdentityVenueOptions {
  /** A file; in memory by default. */
  readonly path?: string;
  readonly isShared?: boolean;
  readonly clock?: { now: number };
  readonly messenger?: Messenger;
  readonly passwordCost?: number;
  readonly sessionLife?: SessionLife;
  /** Called before the engine reads anything. */
  readonly prepare?: (store: FaultyStore) => void;
  /** Called before people's rows are changed. */
  readonly onChange?: (key: SidecarKey, engine: Engine) => Promise<void>;
  /** Whether a change of people's rows is made, and then asked for again: its answer is lost. */
  readonly isAnswerLost?: () => boolean;
}

/** A process: people on a real engine, with a clock that stands still until it is moved. */
export class IdentityVenue {
  readonly contacts: Contacts;
  readonly outbox: Outbox;
  readonly identity: VenueIdentity;
  /** Faults behind answers. */
  readonly faults: unknown[] = [];

  private constructor(
    readonly venue: EngineVenue,
    readonly clock: { now: number },
    options: IdentityVenueOptions,
  ) {
    const vault = new Vault([new Uint8Array(32)]);
    this.contacts = new Contacts(this.engine, vault);
    this.outbox = new Outbox(this.engine, () => {});
    this.identity = new VenueIdentity({
      engine: observed(this.engine, options),
      contacts: this.contacts,
      vault,
      messenger: options.messenger ?? this.outbox,
      passwordCost: options.passwordCost ?? 2,
      sessionLife: options.sessionLife ?? SESSION_LIFE,
      onFault: (fault) => this.faults.push(fault),
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

  /** Lets time pass. */
  pass(minutes: number): void {
    this.clock.now += minutes * MINUTE_MS;
  }

  /** The code of the second factor at this time. */
  code(offsetMs = 0): string {
    return otpAt(SECRET, this.clock.now + offsetMs);
  }

  /** A code that is wrong now, and another one each time. */
  wrongCode(count = 0): string {
    const right = [-60_000, -30_000, 0, 30_000, 60_000].map((offset) => this.code(offset));
    for (let code = 100_000 + count;; code++) {
      if (!right.includes(String(code))) return String(code);
    }
  }

  /** The member as the published state has it. */
  member(uid: string): Member {
    return present(this.engine.venue.holderByUid.get(uid), `member ${uid} exists`).member;
  }

  /** A member who has confirmed its address. */
  async join(email = "carol@example.org"): Promise<Member> {
    const { member } = await this.identity.signUp({ email, password: PASSWORD }, HERE);
    return await this.identity.confirmEmail(await this.lastCode(member.uid), HERE);
  }

  /** The same, with the second factor on. */
  async joinWithTwoFactor(): Promise<Member> {
    const { uid } = await this.join();
    await this.identity.seedTwoFactor(uid, SECRET);
    return this.member(uid);
  }

  /** Turns a member's second factor on as a person does; answers its secret and its recovery codes. */
  async turnOnTwoFactor(index: number): Promise<{ secret: string; codes: readonly string[] }> {
    const { twoFactor } = this.identity;
    const { secret } = await twoFactor.generate(index);
    const codes = await twoFactor.enable(index, otpAt(secret, this.clock.now), HERE, null);
    return { secret, codes };
  }

  signIn(
    code?: string | number,
    { email = "carol@example.org", password = PASSWORD, origin = HERE } = {},
  ): Promise<SignedIn> {
    const request = { email, password, ...(code === undefined ? {} : { code }) };
    return this.identity.signIn(request, origin);
  }

  /** Who calls with a cookie that is good. */
  async caller(cookie: string): Promise<SessionCaller> {
    return present(await this.identity.sessions.authenticate(cookie), "the cookie is good");
  }

  async setState(uid: string, state: MemberState): Promise<void> {
    await this.venue.must({ kind: "change_member", uid, changes: { state } });
  }

  /** How many recovery codes of a member were not used yet. */
  async recoveryCodesLeft(uid: string): Promise<number> {
    const row = await this.engine.readSidecar(["recovery_codes", uid]);
    return (row as { digests: readonly string[] } | null)?.digests.length ?? 0;
  }

  /** What was sent to a member, newest first. */
  sent(uid: string): Promise<readonly OutboxMessage[]> {
    return this.outbox.list(uid);
  }

  /** The code of the last message to a member that has one. */
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
    // A password is written with its entry.
    if (command.kind === "note_password_change") await onChange(["passwords", command.uid], engine);
    return await engine.submit(command, ...more);
  };
  return changedEngine(engine, { changeSidecar, submit });
}

/** How a call is answered: `ok`, or the name of the refusal. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    if (error instanceof IdentityError) return error.refusal;
    throw error;
  }
}

/** For how many seconds a call is refused. */
export async function retryAfterOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ThrottledError) return error.retryAfter;
    throw error;
  }
  throw new Error("The call was not refused");
}
