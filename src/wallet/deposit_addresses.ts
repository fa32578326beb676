/** Where members pay to: rows beside the log, made when they are first asked for. */
import { assert } from "../domain/assert.ts";
import type { Engine, SidecarKey } from "../engine/engine.ts";
import type { Rail } from "./rail.ts";

/** How long whoever asks waits for an address that is being made, in ms. */
const ADDRESS_WAIT_MS = 300;

/** A member's address; null while it is made. */
export interface DepositAddress {
  readonly address: string | null;
  readonly state: "pending" | "active";
}

/** An address that was made for a member. */
export interface MadeAddress {
  readonly uid: string;
  /** Currency code. */
  readonly currency: string;
  readonly address: string;
}

/** What addresses need of the engine. */
export type AddressEngine = Pick<Engine, "readSidecar" | "writeSidecar" | "createSidecar">;

const PENDING: DepositAddress = { address: null, state: "pending" };

/** The addresses that a rail has made for the venue. */
export class DepositAddresses {
  readonly #engine: AddressEngine;
  readonly #rail: Pick<Rail, "createAddress">;
  readonly #onFault: (error: unknown) => void;
  /** Those that are being made, by currency and uid. */
  readonly #making = new Map<string, Promise<DepositAddress>>();
  readonly #listeners: ((made: MadeAddress) => void)[] = [];

  constructor(
    engine: AddressEngine,
    rail: Pick<Rail, "createAddress">,
    onFault: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#rail = rail;
    this.#onFault = onFault;
  }

  /** Calls the listener with each address that this process has made. */
  onAddress(listener: (made: MadeAddress) => void): void {
    this.#listeners.push(listener);
  }

  /** The member's address of a currency; the first call has it made, and waits for it a little. */
  async addressOf(uid: string, currency: string): Promise<DepositAddress> {
    const row = await this.#engine.readSidecar(addressKey(currency, uid));
    if (row !== null && row !== undefined) return row as DepositAddress;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<DepositAddress>((resolve) => {
      timer = setTimeout(() => resolve(PENDING), ADDRESS_WAIT_MS);
    });
    try {
      return await Promise.race([this.#made(uid, currency), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whose address it is; null for nobody's. */
  async uidOf(currency: string, address: string): Promise<string | null> {
    return (await this.#engine.readSidecar(ownerKey(currency, address)) ?? null) as string | null;
  }

  #made(uid: string, currency: string): Promise<DepositAddress> {
    const name = `${currency}:${uid}`;
    const under = this.#making.get(name);
    if (under !== undefined) return under;
    const making = this.#make(uid, currency)
      .catch((error) => {
        this.#onFault(error);
        return PENDING;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  /** The owner stands before the address is shown: whatever is paid to it finds its member. */
  async #make(uid: string, currency: string): Promise<DepositAddress> {
    const { address } = await this.#rail.createAddress(currency, uid);
    const isNew = await this.#engine.createSidecar({
      key: ownerKey(currency, address),
      value: uid,
    });
    const owner = isNew ? uid : await this.uidOf(currency, address);
    assert(owner === uid, `an address of ${currency} belongs to one member`);
    const made: DepositAddress = { address, state: "active" };
    await this.#engine.writeSidecar({ key: addressKey(currency, uid), value: made });
    for (const listener of this.#listeners) listener({ uid, currency, address });
    return made;
  }
}

function addressKey(currency: string, uid: string): SidecarKey {
  return ["deposit_addresses", currency, uid];
}

function ownerKey(currency: string, address: string): SidecarKey {
  return ["deposit_address_owners", currency, address];
}
