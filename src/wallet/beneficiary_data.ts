/** The beneficiaries' details, sealed in sidecar rows; the log holds a digest of the address. */
import { present } from "../domain/assert.ts";
import type { Beneficiary } from "../domain/people/beneficiary.ts";
import { canonicalName, isSameName, nameFormOf } from "../domain/money/chain_name.ts";
import type { Currency } from "../domain/money/currency.ts";
import {
  canonicalTag,
  destinationOf,
  destinationText,
  type Payee,
  type TagRule,
} from "../domain/money/tag.ts";
import type { Holder } from "../domain/venue.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { Pepper, type PepperEngine } from "../secrets/pepper.ts";
import { ReadingQueue } from "../engine/reading_queue.ts";
import { type Vault, VaultError } from "../secrets/vault.ts";
import { SealedTexts, type TextsEngine } from "./sealed_texts.ts";

/** Digits of the beneficiary's id in a bank beneficiary's name. */
const RID_ID_DIGITS = 8;

/** What a member enters for a beneficiary. */
export interface BeneficiaryTexts {
  readonly name: string;
  readonly description: string;
  /**
   * Has `address` for a coin, and its tag under the name that the currency gives those; `full_name` for
   * a bank.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What beneficiary data needs of the engine. */
export type BeneficiaryEngine = TextsEngine & PepperEngine & Pick<Engine, "venue">;

/** The sealed data of a venue's beneficiaries. */
export class BeneficiaryData {
  readonly #engine: BeneficiaryEngine;
  readonly #texts: SealedTexts;
  readonly #pepper: Pepper;
  readonly #turns = new ReadingQueue();

  constructor(engine: BeneficiaryEngine, vault: Vault) {
    this.#engine = engine;
    this.#texts = new SealedTexts(engine, vault, "beneficiaries");
    this.#pepper = new Pepper(engine, vault, "beneficiaries");
  }

  /** Returns the keyed digest of a beneficiary's coin address, of whichever spelling, and its tag. */
  async addressDigest(
    uid: string,
    currency: string,
    address: string,
    tag: string | null = null,
  ): Promise<string> {
    const known = this.#engine.venue.currencyById.get(currency);
    const name = known === undefined ? address : canonicalName(nameFormOf(known), address);
    return (await this.#pepper.digests())(digestedParts(uid, currency, name, tag));
  }

  /**
   * Returns the ids of a member's beneficiaries with this address, including deleted ones, whose
   * digests don't show it: those that an older version of the program has made.
   */
  async respelledIds(holder: Holder, currency: Currency, address: string): Promise<number[]> {
    const older = [...holder.beneficiaries.values()].filter((one) =>
      one.currency === currency.index && one.addressDigest !== "" && !one.isCanonical
    );
    const texts = await this.#turns.each(
      holder.member.index,
      older,
      (one) => this.textsIfKept(one),
    );
    const form = nameFormOf(currency);
    const isSame = (text: BeneficiaryTexts | null | undefined) =>
      text !== null && text !== undefined && isSameName(form, addressOf(text), address);
    return older.filter((_, place) => isSame(texts[place])).map(({ id }) => id);
  }

  /** Seals the texts; returns a function that builds their row once the id is known. */
  prepare(uid: string, texts: BeneficiaryTexts): Promise<(id: number) => SidecarRow> {
    return this.#texts.prepare(uid, JSON.stringify(texts));
  }

  /**
   * Returns what the member entered for a beneficiary.
   *
   * @throws {VaultError} the row does not open, or its address is not the one in the log
   */
  async texts(beneficiary: Beneficiary): Promise<BeneficiaryTexts> {
    return present(await this.#read(beneficiary), `beneficiary ${beneficiary.id} has its data`);
  }

  /** Returns the same; null if its row is missing, does not open, or has another address. */
  async textsIfKept(beneficiary: Beneficiary): Promise<BeneficiaryTexts | null> {
    try {
      return await this.#read(beneficiary);
    } catch (error) {
      if (error instanceof VaultError) return null;
      throw error;
    }
  }

  async #read(beneficiary: Beneficiary): Promise<BeneficiaryTexts | null> {
    const uid = this.#uid(beneficiary);
    const text = await this.#texts.read(uid, beneficiary.id);
    if (text === null) return null;
    const texts: BeneficiaryTexts = JSON.parse(text);
    if (beneficiary.addressDigest === "") return texts;
    // A row changed in the store must never redirect a payout.
    const currency = this.#currency(beneficiary);
    const address = addressOf(texts);
    const digest = beneficiary.isCanonical
      ? await this.addressDigest(uid, currency.id, address, tagOf(currency, texts.data))
      : (await this.#pepper.digests())([uid, currency.id, address]);
    if (digest === beneficiary.addressDigest) return texts;
    throw new VaultError(`The address of beneficiary ${beneficiary.id} is not the one in the log`);
  }

  /** Reads the texts of one member's beneficiaries, in order; see {@linkcode ReadingQueue.each}. */
  textsOf(beneficiaries: readonly Beneficiary[]): Promise<BeneficiaryTexts[]> {
    return this.#turns.each(beneficiaries[0]?.member, beneficiaries, (one) => this.texts(one));
  }

  /**
   * Returns where a coin's payout goes; for a bank beneficiary an empty address.
   *
   * @throws {UnpaidFieldError} older versions of the program took more than an address
   */
  async payee(beneficiary: Beneficiary): Promise<Payee> {
    const texts = await this.texts(beneficiary);
    const isCoin = beneficiary.addressDigest !== "";
    const currency = this.#currency(beneficiary);
    if (isCoin && fieldUnpaid(texts.data, currency.tag) !== null) {
      throw new UnpaidFieldError(beneficiary.id);
    }
    return payeeOf(currency, texts);
  }

  /** Returns a withdrawal's visible destination: the address and its tag, or a bank beneficiary's name. */
  async rid(beneficiary: Beneficiary): Promise<string> {
    const texts = await this.texts(beneficiary);
    const currency = this.#currency(beneficiary);
    return beneficiary.addressDigest === ""
      ? bankRid(texts, currency.id, beneficiary.id)
      : destinationText(currency.tag, payeeOf(currency, texts));
  }

  /** Returns the ids of a member's beneficiaries with this rid, including deleted ones. */
  async idsOfRid(holder: Holder, rid: string): Promise<Set<number>> {
    const { uid } = holder.member;
    const digests = await this.#pepper.digests();
    const own = [...holder.beneficiaries.values()];
    // Digests are the slowest part, so each currency's is computed once.
    const currencies = new Set(own.map((one) => this.#currency(one)));
    const digestOf = new Map(Array.from(currencies, (currency) => {
      const { address, tag } = destinationOf(currency.tag, rid);
      const name = canonicalName(nameFormOf(currency), address);
      return [currency.index, digests(digestedParts(uid, currency.id, name, tag))];
    }));
    const coins = own.filter((one) => one.addressDigest === digestOf.get(one.currency));
    const ids = new Set(coins.map(({ id }) => id));
    for (const currency of currencies) {
      for (const id of await this.respelledIds(holder, currency, rid)) ids.add(id);
    }
    // A bank beneficiary's name ends with its id.
    const bank = holder.beneficiaries.get(Number(/-(\d{8,})$/.exec(rid)?.[1] ?? 0));
    if (bank?.addressDigest === "" && await this.rid(bank) === rid) ids.add(bank.id);
    return ids;
  }

  /** Reseals what an older master key has sealed; returns the number of rows. */
  async resealAll(): Promise<number> {
    return await this.#pepper.reseal() + await this.#texts.resealAll();
  }

  #uid({ member }: Beneficiary): string {
    return this.#engine.venue.holder(member).member.uid;
  }

  #currency({ currency }: Beneficiary): Currency {
    return this.#engine.venue.currency(currency);
  }
}

/** A coin's beneficiary has what no payout carries: without it what is sent would be lost. */
export class UnpaidFieldError extends Error {
  override name = "UnpaidFieldError";
  constructor(id: number) {
    super(`Beneficiary ${id} has more than an address, which no payout carries`);
  }
}

/**
 * Returns the name of a field that comes with a coin's address and that no payout carries, such as
 * a tag of a coin without tags; null if there is none. What is empty says nothing.
 */
export function fieldUnpaid(
  data: BeneficiaryTexts["data"],
  rule: TagRule | undefined,
): string | null {
  const isCarried = (field: string, value: unknown) =>
    field === rule?.name && canonicalTag(rule, value) !== null;
  const isUnpaid = ([field, value]: [string, unknown]) =>
    field !== "address" && value !== null && value !== "" && !isCarried(field, value);
  return Object.entries(data).find(isUnpaid)?.[0] ?? null;
}

/** Removes all white space from an address, as it is stored. */
export function normalizeAddress(address: string): string {
  return address.replace(/\s+/g, "");
}

/** What is digested of an address; one without a tag as ever, since older records have it so. */
function digestedParts(
  uid: string,
  currency: string,
  name: string,
  tag: string | null,
): readonly string[] {
  return tag === null ? [uid, currency, name] : [uid, currency, name, tag];
}

function payeeOf(currency: Currency, texts: BeneficiaryTexts): Payee {
  return { address: addressOf(texts), tag: tagOf(currency, texts.data) };
}

function tagOf({ tag }: Currency, data: BeneficiaryTexts["data"]): string | null {
  return tag === undefined ? null : canonicalTag(tag, data[tag.name]);
}

function addressOf({ data }: BeneficiaryTexts): string {
  return typeof data["address"] === "string" ? data["address"] : "";
}

function bankRid({ data }: BeneficiaryTexts, currency: string, id: number): string {
  const words = String(data["full_name"] ?? "").trim().toLowerCase().split(/\s+/);
  return `${words.join("-")}-${currency}-${String(id).padStart(RID_ID_DIGITS, "0")}`;
}
