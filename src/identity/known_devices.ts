/**
 * Devices that a member has signed in from, or proven its mailbox on. Each holds a token that opens
 * nothing: it only tells its member's tries from those of strangers. Nothing of it is stored.
 */
import { DAY_MS } from "../domain/calendar.ts";
import type { Member } from "../domain/people/member.ts";
import type { Engine } from "../engine/engine.ts";
import { Pepper, type PepperEngine } from "../secrets/pepper.ts";
import type { Vault } from "../secrets/vault.ts";
import { isSameText, randomHex } from "./random_text.ts";

/** How long a device is known, in ms. */
export const DEVICE_MS = 365 * DAY_MS;
/** Members that one device is known to, the latest. */
const MEMBERS_PER_DEVICE_MAX = 4;
const ID_BYTES = 8;
/** Between the tokens of several members. */
const SEPARATOR = "_";

/** What known devices need of the engine. */
export type KnownDevicesEngine = PepperEngine & Pick<Engine, "now">;

/** What a device is recognised by: part of the member. */
type Owner = Pick<Member, "uid" | "credentialsChangedAt">;

/** The devices of a venue's members. */
export class KnownDevices {
  readonly #engine: KnownDevicesEngine;
  readonly #pepper: Pepper;

  constructor(engine: KnownDevicesEngine, vault: Vault) {
    this.#engine = engine;
    this.#pepper = new Pepper(engine, vault, "devices");
  }

  /**
   * Makes a device known to a member.
   *
   * @param held the text that it holds already; other members' tokens in it are kept
   * @returns the text that it is to hold
   */
  async remember({ uid, credentialsChangedAt = 0 }: Owner, held: string): Promise<string> {
    // A change of credentials that was stamped ahead of this clock is older all the same.
    const since = Math.max(this.#engine.now(), credentialsChangedAt);
    const claim = [uid, since, randomHex(ID_BYTES)].join(".");
    const others = held.split(SEPARATOR).filter((token) => !token.startsWith(`${uid}.`));
    const kept = others.filter((token) => token !== "").slice(0, MEMBERS_PER_DEVICE_MAX - 1);
    return [`${claim}.${await this.#mac(claim)}`, ...kept].join(SEPARATOR);
  }

  /**
   * Returns the name of the device that holds a text; null if the member does not know it. A change
   * of the member's credentials ends what was known before it.
   */
  async recognise(
    { uid, credentialsChangedAt = 0 }: Owner,
    held: string,
  ): Promise<string | null> {
    const token = held.split(SEPARATOR).find((one) => one.startsWith(`${uid}.`));
    const [, since = "", id = "", mac = ""] = token?.split(".") ?? [];
    const isRight = isSameText(mac, await this.#mac([uid, since, id].join(".")));
    const isCurrent = Number(since) >= credentialsChangedAt &&
      Number(since) + DEVICE_MS > this.#engine.now();
    return isRight && isCurrent ? id : null;
  }

  /** Reseals what signs the tokens if an older master key sealed it; returns how many that was. */
  resealAll(): Promise<number> {
    return this.#pepper.reseal();
  }

  async #mac(claim: string): Promise<string> {
    return (await this.#pepper.textDigests())(claim);
  }
}
