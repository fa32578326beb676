/** Deposit addresses: sidecar rows, created when a member first asks for one. */
import { assert } from "../domain/assert.ts";
import { canonicalName, nameFormOf } from "../domain/money/chain_name.ts";
import { isRejection } from "../domain/command.ts";
import type { NoteDepositAddress } from "../domain/money_command.ts";
import type { Engine, SidecarKey } from "../engine/engine.ts";
import { depositAddressKey, depositAddressOwnerKey } from "../engine/sidecar_rows.ts";
import { TooLateError, within } from "../engine/within.ts";
import { type Network, networkNamed } from "./networks.ts";
import { addressForms } from "./rails/address_forms.ts";
import type { Rail } from "./rails/rail.ts";
import { checkAddress, checkedTag } from "./rails/rail_answers.ts";
import { canonicalTag, type TagRule } from "../domain/money/tag.ts";
import { type NameForm, networkIn, type Way } from "../domain/money/currency.ts";

/** How long a caller waits for an address that is being created, in ms. */
const ADDRESS_WAIT_MS = 300;
/** How long the rail may take to create an address, in ms; then the next caller asks again. */
const RAIL_MS_MAX = 10_000;

/** The owner of an address that all members share. */
const NOBODY = "";

/** A member's address; null while it is being created. */
export interface DepositAddress {
  readonly address: string | null;
  /** The same as CashAddr, with its prefix; absent for a coin without that form. */
  readonly cashAddress?: string;
  /** The member's own at an address that all share; absent for a currency without tags. */
  readonly tag?: string;
  readonly state: "pending" | "active";
}

/** What addresses need of the engine. */
export type AddressEngine = Pick<
  Engine,
  "readSidecar" | "readSidecars" | "createSidecar" | "submit" | "venue"
>;

type NonEmpty<T> = readonly [T, ...T[]];

const PENDING: DepositAddress = { address: null, state: "pending" };

/** The addresses that a rail has created for the venue. */
export class DepositAddresses {
  readonly #engine: AddressEngine;
  readonly #rail: Pick<Rail, "createAddress">;
  readonly #onFault: (error: unknown) => void;
  readonly #railMsMax: number;
  /** Addresses being created, by way and uid. */
  readonly #making = new Map<string, Promise<DepositAddress>>();

  constructor(
    engine: AddressEngine,
    rail: Pick<Rail, "createAddress">,
    onFault: (error: unknown) => void,
    railMsMax: number = RAIL_MS_MAX,
  ) {
    this.#engine = engine;
    this.#rail = rail;
    this.#onFault = onFault;
    this.#railMsMax = railMsMax;
  }

  /**
   * Returns a member's address for a way; the first call has it created and waits briefly.
   *
   * @param waitMs how long to wait, in ms
   */
  async addressOf(
    uid: string,
    way: Way,
    waitMs: number = ADDRESS_WAIT_MS,
  ): Promise<DepositAddress> {
    const known = await knownAddress(this.#engine, uid, way);
    if (known !== null) return known;
    try {
      return await within(waitMs, this.#made(uid, way));
    } catch (error) {
      if (error instanceof TooLateError) return PENDING;
      throw error;
    }
  }

  /**
   * Returns the uid that an address belongs to, or a tag at a shared one; null if it is nobody's.
   *
   * @param tag as the chain has it
   */
  async uidOf(way: Way, address: string, tag?: string): Promise<string | null> {
    const rule = this.#tagRule(way);
    if (rule !== undefined) {
      const canonical = canonicalTag(rule, tag);
      if (canonical === null) return null;
      return await this.#engine.readSidecar(this.#ownerKeys(way, address, canonical)[0]) as
        | string
        | null;
    }
    // An older version of the program kept it as the rail spells it.
    const older = depositAddressOwnerKey(way.currency, address);
    const found = await this.#engine.readSidecars(this.#ownerKeys(way, address).concat([older]));
    return (found.find((one) => one !== null) ?? null) as string | null;
  }

  /** Returns whether all members share an address, by tags. */
  async isShared(way: Way, address: string): Promise<boolean> {
    return await this.#engine.readSidecar(this.#ownerKeys(way, address)[0]) === NOBODY;
  }

  #tagRule({ currency }: Way): TagRule | undefined {
    return this.#engine.venue.currencyById.get(currency)?.tag;
  }

  /** All coins share a member's address on networks where it is the same; the first key is written. */
  #ownerKeys({ currency, network }: Way, address: string, tag?: string): NonEmpty<SidecarKey> {
    const known = this.#engine.venue.currencyById.get(currency);
    const found = known === undefined ? undefined : networkIn(known, network);
    const name = canonicalName(this.#nameForm(currency), address);
    const [place, ...old] = found === undefined ? [currency] as const : ownerPlaces(found.name);
    const keyAt = (one: string) => depositAddressOwnerKey(one, name, tag);
    return [keyAt(place), ...old.map(keyAt)];
  }

  #nameForm(currency: string): NameForm {
    const known = this.#engine.venue.currencyById.get(currency);
    return known === undefined ? "exact" : nameFormOf(known);
  }

  #made(uid: string, way: Way): Promise<DepositAddress> {
    const name = `${way.currency}:${way.network ?? ""}:${uid}`;
    const under = this.#making.get(name);
    if (under !== undefined) return under;
    const making = this.#make(uid, way)
      .catch((error) => {
        this.#onFault(error);
        return PENDING;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  /** Writes the owner's row before the address is shown, so that any payment finds its member. */
  async #make(uid: string, way: Way): Promise<DepositAddress> {
    const { currency, network } = way;
    const created = await within(this.#railMsMax, this.#rail.createAddress(way, uid));
    const { address } = created;
    checkAddress(address);
    const rule = this.#tagRule(way);
    const tag = rule === undefined ? undefined : checkedTag(rule, created.tag);
    if (tag !== undefined) {
      await this.#engine.createSidecar({ key: this.#ownerKeys(way, address)[0], value: NOBODY });
    }
    const [key] = this.#ownerKeys(way, address, tag);
    const isNew = await this.#engine.createSidecar({ key, value: uid });
    const owner = isNew ? uid : await this.uidOf(way, address, tag);
    assert(owner === uid, `an address of ${currency} belongs to one member`);
    // Another process may have been asked as well.
    const known = await knownAddress(this.#engine, uid, way);
    if (known !== null) return known;
    const forms = addressForms(this.#nameForm(currency), address);
    const made: DepositAddress = {
      ...forms,
      ...tag === undefined ? {} : { tag },
      state: "active",
    };
    const row = { key: depositAddressKey(way, uid), value: made };
    const command: NoteDepositAddress = {
      kind: "note_deposit_address",
      uid,
      currency,
      ...network === undefined ? {} : { network },
    };
    const outcome = await this.#engine.submit(command, null, () => [row]);
    if (isRejection(outcome)) throw new Error(`No address is kept: ${outcome.rejected}`);
    return made;
  }
}

/**
 * Returns where the owners of a network's addresses are: first where they are written, then where an
 * older version of the program has written them. No currency has such a code.
 */
export function ownerPlaces(network: string): NonEmpty<string> {
  const shared = networkNamed(network)?.addresses ?? network;
  const places = [`network:${shared}`] as const;
  return shared === network ? places : [...places, `network:${network}`];
}

/** Returns the uids of members by their addresses on a network; null for others'. */
export async function ownersOn(
  { name, nameForm }: Pick<Network, "name" | "nameForm">,
  engine: Pick<Engine, "readSidecars">,
  addresses: readonly string[],
): Promise<readonly (string | null)[]> {
  const names = addresses.map((address) => canonicalName(nameForm, address));
  const places = ownerPlaces(name);
  const found = await engine.readSidecars(
    names.flatMap((one) => places.map((place) => depositAddressOwnerKey(place, one))),
  ) as readonly (string | null)[];
  return names.map((_, i) => {
    const [first = null, old = null] = found.slice(places.length * i, places.length * (i + 1));
    return first ?? old;
  });
}

/** Returns the address that any process has created for a member; null if there is none. */
export async function knownAddress(
  engine: Pick<Engine, "readSidecar">,
  uid: string,
  way: Way,
): Promise<DepositAddress | null> {
  return await engine.readSidecar(depositAddressKey(way, uid)) as DepositAddress | null;
}
