/** @jsxImportSource hono/jsx/dom */
/** Where one's money may go: the list, and what can be done about it. */
import { t } from "../shared/language.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import type { View } from "../shared/view.ts";
import { AddAddress, ConfirmAddress, DeleteAddress } from "./address_dialogs.tsx";
import { beneficiaries, destinationOf, type OpenAddress, openAddress } from "./beneficiaries.ts";
import type { Beneficiary, Currency } from "./money.ts";
import { NetworkLine } from "./networks.tsx";
import { StateMark } from "./state_mark.tsx";
import { heldText } from "./withdraw_form.tsx";
import { code } from "./words.ts";

/** The list of addresses, with its dialogs. */
export function Addresses({ all, currency }: {
  readonly all: readonly Currency[];
  readonly currency: Currency;
}): View {
  const list = useShown(beneficiaries);
  const open = useShown(openAddress);
  const setOpen = (next: OpenAddress | null) => openAddress.set(next);
  const close = () => setOpen(null);
  return (
    <section class="sheet" aria-labelledby="addresses">
      <div class="head">
        <h2 id="addresses">{t.wallet.addresses}</h2>
        <button type="button" class="quiet" onClick={() => setOpen({ kind: "add" })}>
          {t.wallet.addAddress}
        </button>
      </div>
      {list === null ? <p class="soft" role="status">{t.shell.loading}</p> : (
        <Table
          caption={t.wallet.addresses}
          columns={columnsOf(setOpen)}
          rows={list}
          keyOf={({ id }) => id}
          empty={t.wallet.noAddresses}
        />
      )}
      {open?.kind === "add"
        ? (
          <AddAddress
            all={all}
            first={currency}
            onClose={close}
            onAdded={(beneficiary) => setOpen({ kind: "confirm", beneficiary })}
          />
        )
        : null}
      {open?.kind === "confirm"
        ? <ConfirmAddress beneficiary={open.beneficiary} onClose={close} />
        : null}
      {open?.kind === "delete"
        ? <DeleteAddress beneficiary={open.beneficiary} onClose={close} />
        : null}
    </section>
  );
}

function columnsOf(onOpen: (open: OpenAddress) => void): readonly Column<Beneficiary>[] {
  return [
    {
      title: t.wallet.name,
      show: ({ name, description }) => (
        <span class="cut" title={description === "" ? name : `${name}: ${description}`}>
          {name}
        </span>
      ),
    },
    {
      title: t.wallet.currency,
      show: ({ currency, network }) => (
        <span>
          {code(currency)}
          <NetworkLine name={network} />
        </span>
      ),
    },
    {
      title: t.wallet.address,
      isWide: true,
      show: (one) => (
        <code class="figures cut" title={destinationOf(one)}>{destinationOf(one)}</code>
      ),
    },
    {
      title: t.wallet.state,
      isWide: true,
      show: ({ state, held_until: until }) =>
        state === "pending"
          ? <StateMark tone="wait" text={t.wallet.unconfirmed} />
          : until === null
          ? <StateMark tone="good" text={t.wallet.confirmed} />
          : <StateMark tone="wait" text={heldText(until)} />,
    },
    {
      title: t.wallet.actions,
      isUntitled: true,
      isFigure: true,
      show: (beneficiary) => <Actions beneficiary={beneficiary} onOpen={onOpen} />,
    },
  ];
}

function Actions({ beneficiary, onOpen }: {
  readonly beneficiary: Beneficiary;
  readonly onOpen: (open: OpenAddress) => void;
}): View {
  const { name, state } = beneficiary;
  return (
    <span class="actions">
      {state === "pending"
        ? (
          <button
            type="button"
            class="small"
            aria-label={`${t.wallet.confirm}: ${name}`}
            onClick={() => onOpen({ kind: "confirm", beneficiary })}
          >
            {t.wallet.confirm}
          </button>
        )
        : null}
      <button
        type="button"
        class="quiet small"
        aria-label={`${t.wallet.delete}: ${name}`}
        onClick={() => onOpen({ kind: "delete", beneficiary })}
      >
        {t.wallet.delete}
      </button>
    </span>
  );
}
