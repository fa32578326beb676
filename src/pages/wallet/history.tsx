/** @jsxImportSource hono/jsx/dom */
/** All that has come in and gone out, and statements to download. */
import { useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { plain } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import { Pages, usePaged } from "../shared/paged.tsx";
import { venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { NarrowLines, Transaction } from "./deposits.tsx";
import { currencies, isPermitted } from "./money.ts";
import { NetworkLine } from "./networks.tsx";
import { StateMark } from "./state_mark.tsx";
import { code, depositState, depositTone, withdrawState, withdrawTone } from "./words.ts";

type Moved = Records["Transaction"];
type Adjusted = Records["MemberAdjustment"];
type Kind = "all" | "adjustments";

const SIZE = 25;
const KINDS: readonly Kind[] = ["all", "adjustments"];

/** The view of history. */
export function MoneyHistory(): View {
  const [kind, setKind] = useState<Kind>("all");
  const [currency, setCurrency] = useState("");
  return (
    <Group>
      <section class="sheet" aria-labelledby="history">
        <div class="head">
          <h2 id="history">{t.wallet.history}</h2>
          <div class="row">
            <select
              aria-label={t.wallet.kind}
              onChange={(event: Event) =>
                setKind((event.currentTarget as HTMLSelectElement).value as Kind)}
            >
              {KINDS.map((name) => (
                <option key={name} value={name} selected={name === kind}>
                  {t.wallet.kinds[name]}
                </option>
              ))}
            </select>
            {kind === "all" ? <CurrencyFilter chosen={currency} onChoose={setCurrency} /> : null}
          </div>
        </div>
        {kind === "all" ? <Transactions currency={currency} /> : <Adjustments />}
      </section>
      <Statements />
    </Group>
  );
}

/** Chooses one currency, or all. */
export function CurrencyFilter({ chosen, onChoose }: {
  readonly chosen: string;
  readonly onChoose: (currency: string) => void;
}): View {
  const all = [...(useShown(currencies) ?? new Map()).keys()];
  return (
    <select
      aria-label={t.wallet.currency}
      onChange={(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value)}
    >
      <option value="" selected={chosen === ""}>{t.wallet.allCurrencies}</option>
      {all.map((id) => <option key={id} value={id} selected={id === chosen}>{code(id)}</option>)}
    </select>
  );
}

function Transactions({ currency }: { readonly currency: string }): View {
  const list = usePaged(
    currency,
    SIZE,
    (page) => readMoved({ page, limit: SIZE, ...(currency === "" ? {} : { currency }) }),
  );
  return (
    <Pages list={list} label={t.wallet.history}>
      {(rows) => (
        <Table
          caption={t.wallet.history}
          columns={COLUMNS}
          rows={rows}
          keyOf={({ type, id }) => `${type} ${id}`}
          empty={t.wallet.noHistory}
        />
      )}
    </Pages>
  );
}

interface MovedQuery {
  readonly page: number;
  readonly limit: number;
  readonly currency?: string;
}

/** Reads what has moved, as far as the member's level allows either. */
async function readMoved(query: MovedQuery): Promise<readonly Moved[]> {
  if (isPermitted("withdraw")) {
    return await venue.get("/api/v2/backend/account/transactions", { query });
  }
  if (!isPermitted("deposit")) return [];
  const deposits = await venue.get("/api/v2/backend/account/deposits", { query });
  return deposits.map((deposit) => ({
    ...deposit,
    type: "Deposit",
    address: null,
    note: null,
    updated_at: deposit.completed_at ?? deposit.created_at,
  }));
}

const COLUMNS: readonly Column<Moved>[] = [
  {
    title: t.wallet.when,
    show: (moved) => (
      <span>
        <When at={moved.created_at} />
        <span class="narrow-only">{kindOf(moved)}</span>
      </span>
    ),
  },
  { title: t.wallet.kind, isWide: true, show: kindOf },
  {
    title: t.wallet.amount,
    isFigure: true,
    show: ({ type, amount, currency }) =>
      `${type === "Withdraw" ? "−" : ""}${plain(amount)} ${code(currency)}`,
  },
  { title: t.wallet.fee, isFigure: true, isWide: true, show: ({ fee }) => plain(fee) },
  {
    title: t.wallet.state,
    show: (moved) => (
      <span>
        <MovedState moved={moved} />
        <NarrowLines
          title={t.wallet.address}
          to={moved.address}
          network={moved.network}
          txid={moved.txid}
        />
      </span>
    ),
  },
  {
    title: t.wallet.address,
    isWide: true,
    show: ({ address, network }) => (
      <span>
        <Transaction txid={address} />
        <NetworkLine name={network} />
      </span>
    ),
  },
  { title: t.wallet.transaction, isWide: true, show: ({ txid }) => <Transaction txid={txid} /> },
  {
    title: t.wallet.noteOf,
    isWide: true,
    show: ({ note }) => <span class="wrapping">{note ?? ""}</span>,
  },
];

/** Returns what it is, and what it reverses. */
function kindOf({ type, reverses }: Moved): string {
  const word = t.wallet.types[type];
  return reverses === undefined ? word : t.wallet.reverses(word, `${reverses.type} ${reverses.id}`);
}

function MovedState({ moved: { type, state } }: { readonly moved: Moved }): View {
  // The states of either kind are the words of that kind.
  if (type === "Deposit") {
    const deposit = { state } as Parameters<typeof depositState>[0];
    return <StateMark tone={depositTone(deposit)} text={depositState(deposit)} />;
  }
  const withdraw = { state } as Parameters<typeof withdrawState>[0];
  return <StateMark tone={withdrawTone(withdraw)} text={withdrawState(withdraw)} />;
}

function Adjustments(): View {
  const list = usePaged(
    "adjustments",
    SIZE,
    (page) => venue.get("/api/v2/backend/account/adjustments", { query: { page, limit: SIZE } }),
  );
  return (
    <Pages list={list} label={t.wallet.kinds.adjustments}>
      {(rows) => (
        <Table
          caption={t.wallet.kinds.adjustments}
          columns={ADJUSTMENT_COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          empty={t.wallet.noHistory}
        />
      )}
    </Pages>
  );
}

const ADJUSTMENT_COLUMNS: readonly Column<Adjusted>[] = [
  { title: t.wallet.when, show: ({ created_at: at }) => <When at={at} /> },
  {
    title: t.wallet.amount,
    isFigure: true,
    show: ({ amount, currency }) => `${plain(amount)} ${code(currency)}`,
  },
  {
    title: t.account.reason,
    show: ({ reason }) => <span class="wrapping">{reason ?? "–"}</span>,
  },
];

/** Days that statements go back. */
const PERIODS = { month: 30, quarter: 90, year: 365 } as const;
type Period = keyof typeof PERIODS | "ever";
const DAY = 86_400;
const STATEMENTS = ["transactions", "trades", "orders", "ledger", "account"] as const;
type Statement = typeof STATEMENTS[number];

/** Whether the member's level allows a statement. */
function isAllowed(name: Statement): boolean {
  if (name === "transactions") return isPermitted("deposit") && isPermitted("withdraw");
  return name !== "trades" || isPermitted("trading");
}

function Statements(): View {
  const [period, setPeriod] = useState<Period>("month");
  const from = period === "ever"
    ? ""
    : `?time_from=${Math.floor(venue.now() / 1000) - PERIODS[period] * DAY}`;
  return (
    <section class="sheet" aria-labelledby="statements">
      <div class="head">
        <h2 id="statements">{t.wallet.statements}</h2>
        <select
          aria-label={t.wallet.span}
          onChange={(event: Event) =>
            setPeriod((event.currentTarget as HTMLSelectElement).value as Period)}
        >
          {([...Object.keys(PERIODS), "ever"] as Period[]).map((name) => (
            <option key={name} value={name} selected={name === period}>
              {t.wallet.periods[name]}
            </option>
          ))}
        </select>
      </div>
      <p class="soft">{t.wallet.statementsWhat}</p>
      <ul class="row downloads">
        {STATEMENTS.filter(isAllowed).map((name) => (
          <li key={name}>
            <a
              class="button quiet"
              href={`/api/v2/backend/account/statements/${name}.csv${from}`}
              download={`${name}.csv`}
            >
              {t.wallet.statementNames[name]}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
