/** Handlers that create, activate, read and delete beneficiaries. */
import type { Beneficiary } from "../../domain/people/beneficiary.ts";
import { expectedReceipt, type Receipt } from "../../domain/command.ts";
import { type Currency, networkIn } from "../../domain/money/currency.ts";
import { canonicalTag, type Payee } from "../../domain/money/tag.ts";
import { refuseBeneficiary, visibleBeneficiary } from "../../domain/people/decide_beneficiary.ts";
import { CHAIN_NAME_LENGTH_MAX, PIN_RESEND_MS } from "../../domain/limits.ts";
import type { CreateBeneficiary } from "../../domain/money_command.ts";
import type { Holder } from "../../domain/venue.ts";
import { beforehand, UnavailableError } from "../../engine/engine.ts";
import {
  type BeneficiaryTexts,
  fieldUnpaid,
  normalizeAddress,
} from "../../wallet/beneficiary_data.ts";
import { networkNamed } from "../../wallet/networks.ts";
import { type BeneficiaryJson, beneficiaryJson } from "../../edge/wire/beneficiary_wire.ts";
import type { NewPin } from "../../wallet/beneficiary_pins.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../call.ts";
import { ApiError, invalidField, rejectionError } from "../../edge/errors.ts";
import type { RejectionAnswers } from "../../edge/rejection_answers.ts";
import type {
  ACTIVATION,
  BENEFICIARIES_QUERY,
  BeneficiaryFields,
  NEW_BENEFICIARY,
} from "../../edge/schemas/beneficiaries.ts";
import { idPageOf } from "../../edge/schemas/lists.ts";
import { isoSeconds } from "../../edge/wire/wire.ts";
import { currencyIndex, NO_CURRENCY, wayOf } from "./account_currency.ts";

const PREFIX = "account.beneficiary";
/** Error identifier for a second pin within a minute. */
export const RESENT_TOO_SOON = `${PREFIX}.cant_resend_within_1_minute`;
/** Error identifier for a currency without withdrawals. */
export const WITHDRAWAL_DISABLED = "account.currency.withdrawal_disabled";

/** Error identifier for an address that the currency's network does not have. */
export const INVALID_ADDRESS = `${PREFIX}.invalid_address`;
/** Error identifier for the wallet's own address, or the cold one. */
export const VENUE_ADDRESS = `${PREFIX}.venue_address`;
/** Error identifier for what comes with a coin's address, such as a tag. */
export const UNSUPPORTED_FIELD = `${PREFIX}.unsupported_field_in_data`;

/** Error identifier for a tag that is none of its currency's kind. */
export const INVALID_TAG = `${PREFIX}.invalid_tag`;

/** Topic in the member's activity log. */
const TOPIC = "beneficiary";
/** Matches a character that no chain uses in addresses. */
const NO_ADDRESS = /[^!-~]|[<>'",[\]{}()*&^%$#`~@]/;
const ID = /^-?\d+$/;

/** Creates a beneficiary and sends its pin. */
export async function createBeneficiary(call: BodyCall<typeof NEW_BENEFICIARY>): Promise<Response> {
  const { services, body } = call;
  const { member } = call.caller;
  const holder = call.engine.venue.holder(member);
  const { uid } = holder.member;
  const { currency, way } = await wayOf(call, body.currency, body.network);
  if (!currency.withdrawalEnabled) {
    throw invalidField(WITHDRAWAL_DISABLED, "currency", body.currency);
  }
  const checked = checkedData(call, currency, way.network, body.data);
  const { data, address, tag } = checked;
  await requireMessages(call);
  const texts = { name: body.name, description: body.description, data };
  const [row, addressDigest, respelledIds] = await Promise.all([
    services.beneficiaries.prepare(uid, texts),
    address === "" ? "" : services.beneficiaries.addressDigest(uid, currency.id, address, tag),
    services.beneficiaries.respelledIds(holder, currency, address),
  ]);
  const command = {
    kind: "create_beneficiary",
    member,
    ...way,
    addressDigest,
    respelledIds,
  } as const;
  await checkCreatable(call, command);
  // Last, since a pin counts against the few of an hour until it is known to be unsent.
  const pin = await services.pins.draw(uid);
  const receipt = await call.submit(command, {
    activity: { topic: TOPIC, action: "create" },
    needsSession: true,
    answers: CREATE_ANSWERS,
    sidecar: (receipt) => {
      const beneficiary = beneficiaryOf(receipt);
      return [row(beneficiary.id), pin.row(beneficiary)];
    },
  }).catch((error) => throwUnsent(pin, error));
  const beneficiary = beneficiaryOf(receipt);
  await call.tell(services.pins.send(beneficiary, body.name, pin));
  return call.json(201, jsonOf(call, beneficiary, texts));
}

const CREATE_ANSWERS: RejectionAnswers = {
  currency_not_found: { status: 422, identifier: NO_CURRENCY },
};

/** Refuses what would be decided so: drawing a pin might be refused first, as one too many. */
async function checkCreatable({ engine }: AnyCall, command: CreateBeneficiary): Promise<void> {
  // Another process may just have made or deleted a beneficiary.
  await beforehand(engine.fresh());
  const refusal = refuseBeneficiary(engine.venue, command);
  if (refusal !== null) throw rejectionError(refusal, "single", CREATE_ANSWERS);
}

/** Activates a beneficiary by its pin. */
export async function activateBeneficiary(call: BodyCall<typeof ACTIVATION>): Promise<Response> {
  const beneficiary = await namedBeneficiary(call);
  const { id, member } = beneficiary;
  const { beneficiaries, pins } = call.services;
  // A process that can't open them does nothing.
  const texts = await beforehand(beneficiaries.texts(beneficiary));
  const proof = await pins.compare(beneficiary, String(call.body.pin));
  const receipt = await call.submit({ kind: "try_pin", member, id, ...proof }, {
    activity: { topic: TOPIC, action: "activate" },
    needsSession: true,
    sidecar: ({ kind }) => kind === "pin_wrong" ? [] : [pins.erase(id)],
  });
  if (receipt.kind === "pin_wrong") throw invalidField(`${PREFIX}.invalid_pin`, "pin");
  const json = jsonOf(call, beneficiaryOf(receipt), texts);
  const { uid } = call.engine.venue.holder(member).member;
  await call.services.notices.send(uid, {
    kind: "beneficiary_activated",
    beneficiary: json.name,
    currency: json.currency,
    heldUntil: json.held_until,
  });
  return call.json(200, json);
}

const RESEND_ANSWERS: RejectionAnswers = {
  beneficiary_not_pending: { status: 422, identifier: `${PREFIX}.cant_resend` },
};

/** Sends a new pin, which invalidates the previous one, and answers with the beneficiary. */
export async function resendPin(call: Call): Promise<Response> {
  const named = await namedBeneficiary(call);
  const { id, member, state, pinSentAt } = named;
  // Both would be decided, but drawing a pin might be refused first, as one too many.
  if (state !== "pending") {
    const rejected = { rejected: "beneficiary_not_pending", field: "id" } as const;
    throw rejectionError(rejected, "single", RESEND_ANSWERS);
  }
  if (call.engine.now() - pinSentAt < PIN_RESEND_MS) throw resentTooSoon(pinSentAt);
  await requireMessages(call);
  const texts = await beforehand(call.services.beneficiaries.texts(named));
  const { uid } = call.engine.venue.holder(member).member;
  const pin = await call.services.pins.draw(uid);
  const receipt = await call.submit({ kind: "resend_pin", member, id }, {
    answers: RESEND_ANSWERS,
    sidecar: (receipt) => [pin.row(beneficiaryOf(receipt))],
  }).catch((error) => throwUnsent(pin, error)).catch((error) => throwResent(call, id, error));
  const beneficiary = beneficiaryOf(receipt);
  await call.tell(call.services.pins.send(beneficiary, texts.name, pin));
  return call.json(200, jsonOf(call, beneficiary, texts));
}

/** Rethrows, after giving back a pin that is not sent, so that it does not count. */
async function throwUnsent(pin: NewPin, error: unknown): Promise<never> {
  await pin.release();
  throw error;
}

/** Rethrows; if it is too soon for another pin, with the time when the last one was sent. */
async function throwResent(
  { engine, caller }: AnyCall,
  id: number,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ApiError) || !error.errors.includes(RESENT_TOO_SOON)) throw error;
  await engine.fresh();
  const beneficiary = engine.venue.holder(caller.member).beneficiaries.get(id);
  throw beneficiary === undefined ? error : resentTooSoon(beneficiary.pinSentAt);
}

function resentTooSoon(sentAt: number): ApiError {
  return new ApiError(422, RESENT_TOO_SOON, { sentAt: isoSeconds(sentAt) });
}

/** Deletes a beneficiary. */
export async function deleteBeneficiary(call: Call): Promise<Response> {
  const { id, member } = await namedBeneficiary(call);
  await call.submit({ kind: "archive_beneficiary", member, id }, {
    activity: { topic: TOPIC, action: "delete" },
    needsSession: true,
    sidecar: () => [call.services.pins.erase(id)],
  });
  return call.empty();
}

/** Answers with one beneficiary. */
export async function readBeneficiary(call: Call): Promise<Response> {
  return call.json(200, await beneficiaryWithTexts(call, await namedBeneficiary(call)));
}

/** Answers with a page of the member's beneficiaries. */
export async function listBeneficiaries(
  call: QueryCall<typeof BENEFICIARIES_QUERY>,
): Promise<Response> {
  return await answerBeneficiaries(call, call.engine.venue.holder(call.caller.member));
}

/** Answers with a page of any member's beneficiaries. */
export async function answerBeneficiaries(
  call: QueryCall<typeof BENEFICIARIES_QUERY>,
  { beneficiaries }: Holder,
): Promise<Response> {
  const { query } = call;
  const currency = await currencyIndex(call, query.currency);
  const rows = [...beneficiaries.values()].filter((one) =>
    one.state !== "archived" &&
    (currency === undefined || one.currency === currency) &&
    (query.state?.has(one.state) ?? true)
  );
  const page = idPageOf(rows.sort((a, b) => a.id - b.id), query, "asc", PREFIX);
  const texts = await call.services.beneficiaries.textsOf(page.items);
  const items = page.items.flatMap((one, place) => {
    const text = texts[place];
    return text === undefined ? [] : [jsonOf(call, one, text)];
  });
  return call.page(items, query, page);
}

async function beneficiaryWithTexts(
  call: AnyCall,
  beneficiary: Beneficiary,
): Promise<BeneficiaryJson> {
  return jsonOf(call, beneficiary, await call.services.beneficiaries.texts(beneficiary));
}

function jsonOf(
  { engine }: AnyCall,
  beneficiary: Beneficiary,
  texts: BeneficiaryTexts,
): BeneficiaryJson {
  return beneficiaryJson(engine.venue, beneficiary, texts, engine.now());
}

/**
 * Returns the caller's beneficiary that the path names; another member's does not exist to it.
 *
 * @throws {ApiError} 404, or 422 if the path has no integer
 */
async function namedBeneficiary(call: AnyCall): Promise<Beneficiary> {
  const { engine } = call;
  const given = call.param("id");
  if (!ID.test(given)) throw invalidField(`${PREFIX}.non_integer_id`, "id", given);
  const find = () => visibleBeneficiary(engine.venue.holder(call.caller.member), Number(given));
  let beneficiary = find();
  if (beneficiary === undefined) {
    // Another process may just have created it.
    await engine.fresh();
    beneficiary = find();
  }
  if (beneficiary === undefined) throw new ApiError(404, "record.not_found");
  return beneficiary;
}

function beneficiaryOf(receipt: Receipt): Beneficiary {
  return expectedReceipt(receipt, "beneficiary_set").beneficiary;
}

/**
 * Refuses if messages cannot be sent, or this process can't open where to: without its pin, a
 * beneficiary is useless.
 */
async function requireMessages({ caller, engine, services }: AnyCall): Promise<void> {
  if (!services.pins.isAvailable) throw new UnavailableError("Messages cannot be sent");
  await beforehand(services.contacts.contact(engine.venue.holder(caller.member).member.uid));
}

/** A beneficiary's data as it is stored, and where a coin goes. */
interface CheckedData extends Payee {
  readonly data: BeneficiaryFields;
}

/** Returns the data as it is stored; the address of a bank is empty. */
function checkedData(
  { engine: { venue }, services: { wallet } }: AnyCall,
  currency: Currency,
  named: string | undefined,
  data: BeneficiaryFields,
): CheckedData {
  if (currency.type === "fiat") {
    const { full_name: name } = data;
    if (typeof name === "string" && name.trim() !== "") return { data, address: "", tag: null };
    throw invalidField(`${PREFIX}.missing_full_name_in_data`, "data");
  }
  const given = data["address"];
  const address = typeof given === "string" ? normalizeAddress(given) : "";
  if (address === "") throw invalidField(`${PREFIX}.missing_address_in_data`, "data");
  if (address.length > CHAIN_NAME_LENGTH_MAX || NO_ADDRESS.test(address)) {
    throw invalidField(`${PREFIX}.failed_to_create`, "data");
  }
  const tag = checkedTag(currency, data);
  const unpaid = fieldUnpaid(data, currency.tag);
  if (unpaid !== null) throw invalidField(UNSUPPORTED_FIELD, "data", unpaid);
  const network = networkIn(currency, named);
  if (network === undefined) {
    const beside = currency.tag === undefined || tag === null ? {} : { [currency.tag.name]: tag };
    return { data: { address, ...beside }, address, tag };
  }
  const canonical = networkNamed(network.name)?.canonicalAddress(address) ?? null;
  // A token's own contract keeps for good what is sent to it.
  const isContract = venue.currencies.some((other) =>
    networkIn(other, network.name)?.contract === canonical
  );
  if (canonical === null || isContract) throw invalidField(INVALID_ADDRESS, "data", address);
  if (wallet.isOwn({ currency: currency.id, network: network.name }, canonical)) {
    throw invalidField(VENUE_ADDRESS, "data", address);
  }
  return { data: { address: canonical }, address: canonical, tag: null };
}

/**
 * Returns the tag beside a coin's address; null without one.
 *
 * @throws {ApiError} 422 if it is none of the currency's kind
 */
function checkedTag({ tag: rule }: Currency, data: BeneficiaryFields): string | null {
  const given = rule === undefined ? null : data[rule.name] ?? null;
  if (rule === undefined || given === null || given === "") return null;
  const tag = canonicalTag(rule, given);
  if (tag === null) throw invalidField(INVALID_TAG, "data", rule.name);
  return tag;
}
