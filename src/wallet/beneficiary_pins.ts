/**
 * The pins that activate beneficiaries: drawn, stored as digests, sent and compared. The log counts
 * the tries of each beneficiary; throttles limit a member's tries and the pins sent to it.
 */
import type { Beneficiary } from "../domain/people/beneficiary.ts";
import { PIN_LIFE_MS, PIN_TRIES_MAX } from "../domain/limits.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { beneficiaryPinKey } from "../engine/sidecar_rows.ts";
import { Pepper, type PepperEngine } from "../secrets/pepper.ts";
import type { Vault } from "../secrets/vault.ts";
import { isSameText } from "../identity/random_text.ts";
import {
  MESSAGE_RULE,
  PIN_RULE,
  Throttle,
  type ThrottleEngine,
} from "../identity/walls/throttle.ts";
import type { MemberMessages } from "../messages/member_messages.ts";

const PIN_MIN = 100_000;
const PINS = 900_000;
/** Draws from here on are rejected: they would make some pins likelier than others. */
const DRAW_END = 2 ** 32 - (2 ** 32 % PINS);

/** What pins need of the engine. */
export type PinsEngine = PepperEngine & ThrottleEngine & Pick<Engine, "venue">;

/** A pin that has not been sent yet. */
export interface NewPin {
  readonly pin: string;
  /** Returns the row to commit with the entry that counts the pin as sent. */
  row(beneficiary: Beneficiary): SidecarRow;
  /** Uncounts the pin in the throttle, because it will not be sent. */
  release(): Promise<void>;
}

/** The result of comparing a pin. */
export interface PinProof {
  /** Number of the pin compared with. */
  readonly pin: number;
  readonly isRight: boolean;
}

interface PinRow {
  /** The beneficiary's `pinsSent` at this pin. */
  readonly serial: number;
  readonly digest: string;
}

/** The pins of a venue's beneficiaries. */
export class BeneficiaryPins {
  readonly #engine: PinsEngine;
  readonly #pepper: Pepper;
  readonly #messages: Pick<MemberMessages, "hasRoomFor" | "send">;
  readonly #tries: Throttle;
  readonly #sent: Throttle;

  constructor(
    engine: PinsEngine,
    vault: Vault,
    messages: Pick<MemberMessages, "hasRoomFor" | "send">,
  ) {
    this.#engine = engine;
    this.#pepper = new Pepper(engine, vault, "pins");
    this.#messages = messages;
    this.#tries = new Throttle(engine, PIN_RULE);
    this.#sent = new Throttle(engine, { ...MESSAGE_RULE, name: "beneficiary_pin" });
  }

  /** Whether pins can be sent now; check before drawing one. */
  get isAvailable(): boolean {
    return this.#messages.hasRoomFor("beneficiary_pin");
  }

  /**
   * Draws a pin to send to a member.
   *
   * @throws {ThrottledError} `messages_throttled`: too many were sent to it
   */
  async draw(uid: string): Promise<NewPin> {
    const taken = await this.#sent.take(uid);
    const digests = await this.#pepper.digests();
    const pin = drawPin();
    return {
      pin,
      row: ({ id, pinsSent }) => {
        const value: PinRow = { serial: pinsSent, digest: digests([id, pinsSent, pin]) };
        return { key: beneficiaryPinKey(id), value };
      },
      release: () => this.#sent.release(uid, taken),
    };
  }

  /** Returns the row that erases a pin: an active or deleted beneficiary is never pending again. */
  erase(id: number): SidecarRow {
    return { key: beneficiaryPinKey(id), value: null };
  }

  /** Sends the member its pin, after the commit that counts it as sent. */
  async send(beneficiary: Beneficiary, name: string, { pin }: NewPin): Promise<void> {
    const { venue } = this.#engine;
    const { uid } = venue.holder(beneficiary.member).member;
    const currency = venue.currency(beneficiary.currency).id;
    const content = { kind: "beneficiary_pin", code: pin, beneficiary: name, currency } as const;
    await this.#messages.send(uid, content);
  }

  /**
   * Compares a pin with the last one sent; the log decides whether that one is still valid.
   *
   * @throws {ThrottledError} `pins_throttled`: the member has guessed too often
   */
  async compare(beneficiary: Beneficiary, pin: string): Promise<PinProof> {
    // Its pin is no longer valid, so a guess reveals nothing.
    if (beneficiary.state !== "pending") return { pin: beneficiary.pinsSent, isRight: false };
    const { uid } = this.#engine.venue.holder(beneficiary.member).member;
    const taken = await this.#tries.take(uid);
    const proof = await this.#proof(beneficiary, pin).catch(async (error) => {
      await this.#tries.release(uid, taken);
      throw error;
    });
    // An expired pin resets no throttle: whoever knows one may still be guessing others.
    if (proof.isRight && this.#isAlive(beneficiary)) await this.#tries.pass(uid, taken);
    return proof;
  }

  async #proof({ id, pinsSent }: Beneficiary, pin: string): Promise<PinProof> {
    const row = await this.#engine.readSidecar(beneficiaryPinKey(id));
    if (!isPinRow(row)) return { pin: pinsSent, isRight: false };
    const digests = await this.#pepper.digests();
    return { pin: row.serial, isRight: isSameText(digests([id, row.serial, pin]), row.digest) };
  }

  #isAlive({ pinTries, pinSentAt }: Beneficiary): boolean {
    return pinTries < PIN_TRIES_MAX && this.#engine.now() - pinSentAt <= PIN_LIFE_MS;
  }

  /** Lifts the locks on a member's pin tries and on the pins sent to it. */
  async unlock(uid: string): Promise<void> {
    await this.#tries.unlock(uid);
    await this.#sent.unlock(uid);
  }

  /** Reseals what an older master key has sealed; returns the number of rows. */
  resealAll(): Promise<number> {
    return this.#pepper.reseal();
  }
}

function drawPin(): string {
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw); while ((draw[0] ?? 0) >= DRAW_END);
  return String(PIN_MIN + (draw[0] ?? 0) % PINS);
}

function isPinRow(row: unknown): row is PinRow {
  if (typeof row !== "object" || row === null) return false;
  const { serial, digest } = row as Partial<PinRow>;
  return typeof serial === "number" && typeof digest === "string";
}
