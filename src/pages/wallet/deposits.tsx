/** @jsxImportSource hono/jsx/dom */
/** Depositing: an address with its QR code, and what has come in. */
import { useEffect, useState } from "hono/jsx/dom";
import { faultAt, useAction } from "../shared/action.ts";
import { fixed, plain, typedUnits, unitsText } from "../shared/amounts.ts";
import { CopyButton } from "../shared/copy_button.tsx";
import { faultOf } from "../shared/fault.ts";
import { Field, TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { goTo, place } from "../shared/place.ts";
import { QrCode } from "../shared/qr_code.tsx";
import { hasFaucet, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { currencies, type Currency, type Deposit, deposits, newAddresses } from "./money.ts";
import { currencyOn, NetworkChoice, NetworkLine, networkOf } from "./networks.tsx";
import { StateMark } from "./state_mark.tsx";
import { amountOf, code, depositState, depositTone, isNothing } from "./words.ts";

/** How long a page waits before it asks again for an address that is being made, in ms. */
const AGAIN_MS = 2_000;

/** The view for depositing. */
export function Deposits(): View {
  const all = [...(useShown(currencies) ?? new Map<string, Currency>()).values()];
  const at = useShown(place);
  const asked = at.get("currency");
  const whole = all.find(({ id }) => id === asked) ??
    all.find(({ deposit_enabled: isOpen }) => isOpen) ?? all[0];
  if (whole === undefined) return <p class="empty">{t.wallet.noCurrencies}</p>;
  const network = networkOf(whole, at.get("network"));
  const currency = currencyOn(whole, network);
  return (
    <Group>
      <Way
        all={all}
        currency={currency}
        network={network}
        closed={network === undefined || !whole.deposit_enabled
          ? t.wallet.depositsClosed
          : t.wallet.depositsClosedBy(network)}
      />
      {hasFaucet && currency.type === "coin" && currency.deposit_enabled
        ? <Faucet key={`${currency.id} ${network}`} currency={currency} network={network} />
        : null}
      <Recent />
    </Group>
  );
}

/** A way in: its terms, as soon as there is one, and its address. */
function Way({ all, currency, network, closed }: {
  readonly all: readonly Currency[];
  readonly currency: Currency;
  readonly network: string | undefined;
  /** What is said while it is closed. */
  readonly closed: string;
}): View {
  const [isCash, setIsCash] = useState(false);
  const found = useAddress(currency, network, isCash && currency.id === "bch", closed);
  return (
    <section class="sheet split" aria-label={t.wallet.deposit}>
      <div class="form">
        <CurrencyChoice all={all} currency={currency} tab="deposit" />
        <NetworkChoice
          currency={currency}
          network={network}
          onNetwork={(name) => goTo({ tab: "deposit", currency: currency.id, network: name })}
        />
        {found.kind === "found" ? <Facts currency={currency} /> : null}
      </div>
      <Address
        currency={currency}
        network={network}
        found={found}
        isCash={isCash}
        onCash={() => setIsCash(!isCash)}
      />
    </section>
  );
}

/** Chooses the currency that a tab is about. */
export function CurrencyChoice({ all, currency, tab }: {
  readonly all: readonly Currency[];
  readonly currency: Currency;
  readonly tab: string;
}): View {
  return (
    <Field
      label={t.wallet.currency}
      control={(own) => (
        <select
          {...own}
          onChange={(event: Event) =>
            goTo({ tab, currency: (event.currentTarget as HTMLSelectElement).value })}
        >
          {all.map(({ id, name }) => (
            <option key={id} value={id} selected={id === currency.id}>
              {name === undefined ? code(id) : `${code(id)} – ${name}`}
            </option>
          ))}
        </select>
      )}
    />
  );
}

function Facts({ currency }: { readonly currency: Currency }): View {
  const { id, deposit_fee: fee, min_deposit_amount: least, min_confirmations: blocks } = currency;
  return (
    <dl class="facts">
      {isNothing(least) ? null : (
        <Group>
          <dt>{t.wallet.leastDeposit}</dt>
          <dd class="figures">{amountOf(least, id)}</dd>
        </Group>
      )}
      <dt>{t.wallet.fee}</dt>
      <dd class="figures">{isNothing(fee) ? t.wallet.noFee : amountOf(fee, id)}</dd>
      {blocks === undefined ? null : (
        <Group>
          <dt>{t.wallet.confirmations}</dt>
          <dd class="figures">{blocks}</dd>
        </Group>
      )}
    </dl>
  );
}

/** What is known of an address. */
type Found =
  | { readonly kind: "asking" }
  | { readonly kind: "found"; readonly address: string; readonly tag: string | null }
  | { readonly kind: "none"; readonly why: string };

function useAddress(
  { id, type, deposit_enabled: isOpen }: Currency,
  network: string | undefined,
  isCash: boolean,
  closed: string,
): Found {
  const way = `${id} ${network}`;
  const [known, setKnown] = useState<{ readonly way: string; readonly found: Found } | null>(null);
  const setFound = (found: Found) => setKnown({ way, found });
  const count = useShown(newAddresses);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isOpen) return setFound({ kind: "none", why: closed });
    if (type === "fiat") return setFound({ kind: "none", why: t.wallet.noAddressOf });
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = {
      ...(isCash ? { address_format: "cash" as const } : {}),
      ...(network === undefined ? {} : { network }),
    };
    venue.get("/api/v2/backend/account/deposit_address/{currency}", {
      path: { currency: id },
      query,
    }).then(({ address, tag = null }) => {
      if (isOver) return;
      if (address !== null) return setFound({ kind: "found", address, tag });
      // The stream tells when it is made; where that is not heard, asking tells.
      timer = setTimeout(() => setTries(tries + 1), AGAIN_MS);
    }).catch((error) => {
      if (!isOver) setFound({ kind: "none", why: faultOf(error).text });
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, type, network, isOpen, isCash, closed, count, tries]);
  // That of another way must not be shown, not even for a moment.
  return known?.way === way ? known.found : { kind: "asking" };
}

function Address({ currency, network, found, isCash, onCash }: {
  readonly currency: Currency;
  readonly network: string | undefined;
  readonly found: Found;
  readonly isCash: boolean;
  readonly onCash: () => void;
}): View {
  if (found.kind === "asking") {
    return (
      <div class="address">
        <p class="soft" role="status">{t.wallet.makingAddress}</p>
      </div>
    );
  }
  if (found.kind === "none") {
    return (
      <div class="address">
        <p class="note warn">{found.why}</p>
      </div>
    );
  }
  const { address, tag } = found;
  const label = t.wallet.yourAddress(code(currency.id));
  return (
    <div class="address">
      <QrCode text={address} label={t.wallet.qrOf(label)} />
      <div class="form">
        <h2>{label}</h2>
        <code class="figures breaking">{address}</code>
        <div class="row">
          <CopyButton text={address} label={t.wallet.copyAddress} />
          {currency.id === "bch"
            ? (
              <label class="check">
                <input type="checkbox" checked={isCash} onChange={onCash} />
                {t.wallet.cashAddress}
              </label>
            )
            : null}
        </div>
        {currency.tag === undefined || tag === null
          ? null
          : <Tag name={t.wallet.tagNames[currency.tag.name]} tag={tag} />}
        <p class="hint">{t.wallet.onlySend(code(currency.id))}</p>
        {network === undefined ? null : <p class="hint">{t.wallet.onlyBy(network)}</p>}
      </div>
    </div>
  );
}

/** The member's tag at the address, without which nothing is credited. */
function Tag({ name, tag }: { readonly name: string; readonly tag: string }): View {
  return (
    <Group>
      <h3>{name}</h3>
      <code class="figures breaking">{tag}</code>
      <div class="row">
        <CopyButton text={tag} label={t.wallet.copyTag(name)} />
      </div>
      <p class="note warn">{t.wallet.tagNeeded(name)}</p>
    </Group>
  );
}

function Faucet({ currency: { id, precision }, network }: {
  readonly currency: Currency;
  readonly network: string | undefined;
}): View {
  const [amount, setAmount] = useState("1");
  const units = typedUnits(amount);
  const entry = useAction(async () => {
    if (units === null) return;
    const by = network === undefined ? {} : { network };
    const body = { currency: id, ...by, amount: unitsText(units) };
    await deposits.noted(() => venue.post("/api/v2/backend/account/faucet", { body }));
  });
  const digits = (amount.split(".")[1] ?? "").length;
  const fault = amount !== "" && units === null
    ? t.errors.shapes.non_decimal
    : digits > precision
    ? t.errors.rules.precision(String(precision))
    : faultAt(entry.fault, "amount");
  return (
    <section class="sheet faucet" aria-labelledby="faucet">
      <h2 id="faucet">{t.wallet.faucet}</h2>
      <Form
        label={t.wallet.faucet}
        submit={t.wallet.getCoins}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={units === null || digits > precision}
        fault={entry.fault}
        fields={["amount"]}
        kind="quiet"
      >
        <TextField
          label={t.wallet.faucetAmount(code(id))}
          inputMode="decimal"
          value={amount}
          onText={setAmount}
          fault={fault}
          hint={t.wallet.faucetHint}
          isFigure
        />
      </Form>
    </section>
  );
}

/** What has come in last. */
function Recent(): View {
  const list = useShown(deposits.rows);
  const known = useShown(currencies);
  return (
    <section class="sheet" aria-labelledby="recent-deposits">
      <h2 id="recent-deposits">{t.wallet.recentDeposits}</h2>
      {list === null ? <p class="soft" role="status">{t.shell.loading}</p> : (
        <Table
          caption={t.wallet.recentDeposits}
          columns={columnsOf(known ?? new Map())}
          rows={list}
          keyOf={({ id }) => id}
          empty={t.wallet.noDeposits}
        />
      )}
    </section>
  );
}

function columnsOf(known: ReadonlyMap<string, Currency>): readonly Column<Deposit>[] {
  return [
    { title: t.wallet.when, show: ({ created_at: at }) => <When at={at} /> },
    {
      title: t.wallet.amount,
      isFigure: true,
      show: ({ amount, currency }) => `${digitsOf(amount, known.get(currency))} ${code(currency)}`,
    },
    {
      title: t.wallet.state,
      show: (deposit) => (
        <span>
          <StateMark tone={depositTone(deposit)} text={progress(deposit, known)} />
          <NetworkLine name={deposit.network} />
          <NarrowLine title={t.wallet.transaction} txid={deposit.txid} />
        </span>
      ),
    },
    {
      title: t.wallet.transaction,
      isWide: true,
      show: ({ txid }) => <Transaction txid={txid} />,
    },
  ];
}

function digitsOf(amount: string, currency: Currency | undefined): string {
  return currency === undefined ? plain(amount) : fixed(amount, currency.precision);
}

/** Returns the state; of one that waits, how many confirmations of how many there are. */
function progress(deposit: Deposit, known: ReadonlyMap<string, Currency>): string {
  const { state, confirmations, currency, network } = deposit;
  const whole = known.get(currency);
  const needed = whole === undefined ? undefined : currencyOn(whole, network).min_confirmations;
  if (state !== "submitted" || confirmations === undefined || needed === undefined) {
    return depositState(deposit);
  }
  return t.wallet.confirmedOf(Math.min(confirmations, needed), needed);
}

/** Where something went and by which transaction, which a narrow page has no columns for. */
export function NarrowLines({ title, to, network, txid }: {
  /** Of where it went. */
  readonly title: string;
  readonly to: string | null;
  readonly network: string | undefined;
  readonly txid: string | null;
}): View {
  return (
    <Group>
      <NarrowLine title={title} txid={to} />
      <span class="narrow-only">
        <NetworkLine name={network} />
      </span>
      <NarrowLine title={t.wallet.transaction} txid={txid} />
    </Group>
  );
}

function NarrowLine({ title, txid }: {
  readonly title: string;
  readonly txid: string | null;
}): View | null {
  if (txid === null || txid === "") return null;
  return (
    <span class="line soft narrow-only">
      {title} <Transaction txid={txid} />
    </span>
  );
}

/** The name of a transaction on its chain, shortened where there is no room. */
export function Transaction({ txid }: { readonly txid: string | null }): View {
  if (txid === null || txid === "") return <span class="soft">–</span>;
  return <code class="figures short" title={txid}>{txid}</code>;
}
