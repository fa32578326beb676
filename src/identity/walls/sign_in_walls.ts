/**
 * Bounds guesses of passwords, and never by what strangers do the member itself. A device that the
 * member has used counts by itself. Everybody else counts by network, at one mailbox and at all; and
 * many networks that guess at one mailbox put it on guard: then a password only passes, and is only
 * told to be right, together with the second factor's code.
 */
import type { Member } from "../../domain/people/member.ts";
import { addressParty, addressSubject, AddressThrottle } from "./address_throttle.ts";
import type { HashParty } from "../proofs/hash_queue.ts";
import { ThrottledError } from "../identity_error.ts";
import {
  ADDRESS_RULE,
  DEVICE_RULE,
  GUARD_RULE,
  PASSWORD_RULE,
  type TakenTry,
  Throttle,
  type ThrottleEngine,
} from "./throttle.ts";

/** The network of callers from this machine, who are counted at each mailbox only. */
const THIS_MACHINE = "local";

/** A guess of a password. */
export interface Guess {
  /** Of the mailbox, whether or not it is a member's. */
  readonly emailDigest: string;
  readonly address: string;
  /** The member, and the name of a device that it knows; null for any other. */
  readonly device: { readonly uid: string; readonly name: string } | null;
}

/** A guess that may be judged, and counts as wrong until it passes or is released. */
export interface EnteredGuess {
  readonly party: HashParty;
  /** How it is refused unless it passes with a code; null if a right password is enough. */
  readonly guard: ThrottledError | null;
  /** Forgets it and those before it from the same device or network at this mailbox. */
  pass(): Promise<void>;
  /** Forgets it alone, since it was not judged. */
  release(): Promise<void>;
}

/** Counts guesses, each before it is judged. */
export class SignInWalls {
  readonly #devices: Throttle;
  /** By mailbox and network. */
  readonly #passwords: Throttle;
  /** By network, at any mailbox. */
  readonly #networks: AddressThrottle;
  /** By mailbox, from any network. */
  readonly #guards: Throttle;

  constructor(engine: ThrottleEngine) {
    this.#devices = new Throttle(engine, DEVICE_RULE);
    this.#passwords = new Throttle(engine, PASSWORD_RULE);
    this.#networks = new AddressThrottle(engine, ADDRESS_RULE);
    this.#guards = new Throttle(engine, GUARD_RULE);
  }

  /**
   * Counts a guess.
   *
   * @throws {ThrottledError} there were too many
   */
  async enter(guess: Guess): Promise<EnteredGuess> {
    return await this.#enterKnown(guess) ?? await this.#enterStrange(guess);
  }

  /** Returns null for a device that is not known, or has guessed too often to be trusted. */
  async #enterKnown({ device, address }: Guess): Promise<EnteredGuess | null> {
    if (device === null) return null;
    const subject = [device.uid, device.name];
    const taken = await this.#devices.tryTake(subject);
    if (taken === null) return null;
    return {
      party: addressParty(address, "proven"),
      guard: null,
      pass: () => this.#devices.pass(subject, taken),
      release: () => this.#devices.release(subject, taken),
    };
  }

  async #enterStrange({ emailDigest, address }: Guess): Promise<EnteredGuess> {
    const network = addressSubject(address) ?? THIS_MACHINE;
    const pair = [emailDigest, network];
    const wide = await this.#networks.take(address, emailDigest);
    const taken = await this.#passwords.take(pair);
    const { guard, counted } = await this.#guard(emailDigest, network);
    return {
      party: addressParty(address, wide.isFirst ? "first" : "other"),
      guard,
      pass: async () => {
        await this.#passwords.pass(pair, taken);
        await wide.forgive();
        if (counted !== null) await this.#guards.forgive([emailDigest], counted);
      },
      release: async () => {
        await this.#passwords.release(pair, taken);
        await wide.release();
        if (counted !== null) await this.#guards.release([emailDigest], counted);
      },
    };
  }

  async #guard(
    emailDigest: string,
    network: string,
  ): Promise<{ guard: ThrottledError | null; counted: TakenTry | null }> {
    try {
      return { guard: null, counted: await this.#guards.take([emailDigest], network) };
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
      return { guard: error, counted: null };
    }
  }

  /** Lifts what keeps a caller from a mailbox that it has proven to be its own. */
  async lift(emailDigest: string, address: string): Promise<void> {
    const network = addressSubject(address) ?? THIS_MACHINE;
    await this.#passwords.unlock([emailDigest, network]);
    await this.#guards.unlock([emailDigest]);
  }

  /** Lifts the locks on a member's mailbox, wherever they come from, and on its devices. */
  async unlock({ uid, emailDigest }: Pick<Member, "uid" | "emailDigest">): Promise<void> {
    await this.#devices.unlock([uid]);
    await this.#passwords.unlock([emailDigest]);
    await this.#guards.unlock([emailDigest]);
  }
}
