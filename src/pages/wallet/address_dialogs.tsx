/** @jsxImportSource hono/jsx/dom */
/** The dialogs about addresses: a new one, its pin, and its end. */
import { useState } from "hono/jsx/dom";
import { faultAt, useAction } from "../shared/action.ts";
import { Dialog } from "../shared/dialog.tsx";
import type { Fault } from "../shared/error_text.ts";
import { Field, TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { isDemo, me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { Group, type View } from "../shared/view.ts";
import { destinationOf, forgetBeneficiary, noteBeneficiary } from "./beneficiaries.ts";
import type { Beneficiary, Currency } from "./money.ts";
import { NetworkChoice, networkOf } from "./networks.tsx";
import { addressIn, isAddressLike } from "./withdraw_rules.ts";
import { code } from "./words.ts";

const ADD_FAULTS = {
  "account.beneficiary.missing_address_in_data": "data",
  "account.beneficiary.missing_full_name_in_data": "data",
  "account.beneficiary.duplicate_address": "data",
  "account.beneficiary.failed_to_create": "data",
  "account.beneficiary.unsupported_field_in_data": "data",
  "account.beneficiary.invalid_address": "data",
  "account.beneficiary.venue_address": "data",
  "account.beneficiary.invalid_tag": "tag",
  "account.currency.network_doesnt_exist": "network",
};
const PIN_FAULTS = {
  "account.beneficiary.invalid_pin": "pin",
  "account.beneficiary.too_many_failures": "pin",
};
const ADD_FIELDS = ["currency", "network", "name", "data", "address", "tag"];
const NAME_LENGTH_MAX = 255;
const ADDRESS_LENGTH_MAX = 512;
const TAG_LENGTH_MAX = 64;

interface Typed {
  readonly name: string;
  readonly address: string;
  /** Beside the address; empty for none. */
  readonly tag: string;
  /** Of a bank account. */
  readonly holder: string;
  readonly number: string;
  readonly bank: string;
}

/** A new address or bank account. */
export function AddAddress({ all, first, onClose, onAdded }: {
  readonly all: readonly Currency[];
  readonly first: Currency;
  readonly onClose: () => void;
  readonly onAdded: (beneficiary: Beneficiary) => void;
}): View {
  const [id, setId] = useState(first.id);
  const [typed, setTyped] = useState<Typed>({
    name: "",
    address: "",
    tag: "",
    holder: "",
    number: "",
    bank: "",
  });
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const currency = all.find((one) => one.id === id) ?? first;
  const network = networkOf(currency, asked);
  const entry = useAction(async () => {
    const added = await venue.post("/api/v2/backend/account/beneficiaries", {
      body: {
        currency: id,
        ...(network === undefined ? {} : { network }),
        name: typed.name.trim(),
        data: dataOf(typed, currency),
      },
    });
    noteBeneficiary(added);
    onAdded(added);
  }, ADD_FAULTS);
  const isNamed = typed.name.trim() !== "";
  const isTyped = isNamed &&
    (currency.type !== "fiat" ? isAddressLike(typed.address) : typed.holder.trim() !== "");
  return (
    <Dialog title={t.wallet.addAddress} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.wallet.addAddress}
        submit={t.wallet.add}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isTyped}
        fault={entry.fault}
        fields={ADD_FIELDS}
      >
        <CurrencyOf all={all} id={id} onId={setId} fault={faultAt(entry.fault, "currency")} />
        <NetworkChoice
          currency={currency}
          network={network}
          onNetwork={setAsked}
          fault={faultAt(entry.fault, "network")}
        />
        <TextField
          label={t.wallet.addressName}
          name="name"
          value={typed.name}
          onText={(name) => setTyped({ ...typed, name })}
          maxLength={NAME_LENGTH_MAX}
          fault={typed.name !== "" && !isNamed
            ? t.errors.shapes.missing
            : faultAt(entry.fault, "name")}
          hint={t.wallet.addressNameHint}
          hasFocus
        />
        <Destination
          currency={currency}
          typed={typed}
          onTyped={(changed) => setTyped({ ...typed, ...changed })}
          fault={entry.fault}
        />
      </Form>
    </Dialog>
  );
}

function dataOf(
  { address, tag: given, holder, number, bank }: Typed,
  { type, tag }: Currency,
): Record<string, string> {
  const beside = tag === undefined || given.trim() === "" ? {} : { [tag.name]: given.trim() };
  if (type !== "fiat") return { address: addressIn(address), ...beside };
  const fields = { full_name: holder, account_number: number, bank_name: bank };
  const entries = Object.entries(fields).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ""));
}

function CurrencyOf({ all, id, onId, fault }: {
  readonly all: readonly Currency[];
  readonly id: string;
  readonly onId: (id: string) => void;
  readonly fault: string | undefined;
}): View {
  return (
    <Field
      label={t.wallet.currency}
      fault={fault}
      control={(own) => (
        <select
          {...own}
          onChange={(event: Event) => onId((event.currentTarget as HTMLSelectElement).value)}
        >
          {all.map((currency) => (
            <option key={currency.id} value={currency.id} selected={currency.id === id}>
              {code(currency.id)}
            </option>
          ))}
        </select>
      )}
    />
  );
}

function Destination({ currency: { type, tag }, typed, onTyped, fault }: {
  readonly currency: Currency;
  readonly typed: Typed;
  readonly onTyped: (changed: Partial<Typed>) => void;
  readonly fault: Fault | null;
}): View {
  const told = faultAt(fault, "data", "address");
  if (type !== "fiat") {
    const isOdd = typed.address !== "" && !isAddressLike(typed.address);
    return (
      <Group>
        <TextField
          label={t.wallet.address}
          name="address"
          value={typed.address}
          onText={(address) => onTyped({ address })}
          maxLength={ADDRESS_LENGTH_MAX}
          fault={isOdd ? t.wallet.noAddress : told}
          isFigure
        />
        {tag === undefined ? null : (
          <TextField
            label={t.wallet.tagNames[tag.name]}
            name="tag"
            value={typed.tag}
            onText={(given) => onTyped({ tag: given })}
            maxLength={TAG_LENGTH_MAX}
            fault={faultAt(fault, "tag")}
            hint={t.wallet.tagHint}
            isFigure
          />
        )}
      </Group>
    );
  }
  return (
    <Group>
      <TextField
        label={t.wallet.holder}
        name="holder"
        value={typed.holder}
        onText={(holder) => onTyped({ holder })}
        maxLength={NAME_LENGTH_MAX}
        fault={told}
      />
      <TextField
        label={t.wallet.accountNumber}
        name="account-number"
        value={typed.number}
        onText={(number) => onTyped({ number })}
        maxLength={NAME_LENGTH_MAX}
        isFigure
      />
      <TextField
        label={t.wallet.bank}
        name="bank"
        value={typed.bank}
        onText={(bank) => onTyped({ bank })}
        maxLength={NAME_LENGTH_MAX}
      />
    </Group>
  );
}

interface AboutProps {
  readonly beneficiary: Beneficiary;
  readonly onClose: () => void;
}

/** The pin that makes an address usable. */
export function ConfirmAddress({ beneficiary, onClose }: AboutProps): View {
  const { id, name } = beneficiary;
  const email = useShown(me)?.email ?? "";
  const [pin, setPin] = useState("");
  const [isSentAgain, setIsSentAgain] = useState(false);
  const entry = useAction(async () => {
    noteBeneficiary(
      await venue.patch("/api/v2/backend/account/beneficiaries/{id}/activate", {
        path: { id },
        body: { pin: Number(pin.trim()) },
      }),
    );
    onClose();
  }, PIN_FAULTS);
  const again = useAction(async () => {
    setIsSentAgain(false);
    noteBeneficiary(
      await venue.patch("/api/v2/backend/account/beneficiaries/{id}/resend_pin", { path: { id } }),
    );
    setIsSentAgain(true);
  });
  const isPin = /^\d+$/.test(pin.trim());
  return (
    <Dialog title={t.wallet.confirmAddress(name)} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.wallet.confirmAddress(name)}
        submit={t.wallet.confirm}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isPin}
        fault={entry.fault ?? again.fault}
        fields={["pin"]}
        more={
          <button
            type="button"
            class="quiet"
            disabled={again.isBusy}
            onClick={() => void again.run()}
          >
            {t.wallet.resendPin}
          </button>
        }
      >
        <p>
          <code class="figures breaking">{destinationOf(beneficiary)}</code>
        </p>
        <p class="note">
          {isDemo ? t.signIn.codeInOutbox : t.wallet.pinSent(email)}
          {isDemo ? <a href="/operate#outbox">{t.shell.operate}</a> : null}
        </p>
        <TextField
          label={t.wallet.pin}
          name="pin"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={pin}
          onText={setPin}
          maxLength={12}
          fault={pin !== "" && !isPin ? t.errors.shapes.non_integer : faultAt(entry.fault, "pin")}
          isFigure
          hasFocus
        />
        {isSentAgain ? <p class="note good" role="status">{t.wallet.pinSentAgain}</p> : null}
      </Form>
    </Dialog>
  );
}

/** Asks before an address is deleted. */
export function DeleteAddress({ beneficiary, onClose }: AboutProps): View {
  const { id, name } = beneficiary;
  const entry = useAction(async () => {
    await venue.delete("/api/v2/backend/account/beneficiaries/{id}", { path: { id } });
    forgetBeneficiary(id);
    onClose();
  });
  return (
    <Dialog title={t.wallet.deleteAddress(name)} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.wallet.deleteAddress(name)}
        submit={t.wallet.delete}
        kind="danger"
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        fault={entry.fault}
        more={<button type="button" class="quiet" onClick={onClose}>{t.shell.cancel}</button>}
      >
        <p>{t.wallet.deleteMeans}</p>
        <p>
          <code class="figures breaking">{destinationOf(beneficiary)}</code>
        </p>
      </Form>
    </Dialog>
  );
}
