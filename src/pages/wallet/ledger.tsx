/** @jsxImportSource hono/jsx/dom */
/** The ledger: each change of a balance, with the balance behind it. */
import { useEffect, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { plain } from "../shared/amounts.ts";
import { faultOf } from "../shared/fault.ts";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { CurrencyFilter } from "./history.tsx";
import { code } from "./words.ts";

type Line = Records["LedgerLine"];

const SIZE = 50;
const DAY = 86_400;
/** Days that it goes back. */
const SPANS = { day: 1, week: 7, month: 30, year: 365 } as const;
type Span = keyof typeof SPANS | "ever";

/** What is asked of the ledger. */
interface Asked {
  readonly currency: string;
  readonly span: Span;
  /** The lines behind which each page begins, but the first; the last is that of the page shown. */
  readonly after: readonly string[];
}

/** The view of the ledger. */
export function Ledger(): View {
  const [asked, setAsked] = useState<Asked>({ currency: "", span: "month", after: [] });
  const [lines, setLines] = useState<readonly Line[] | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let isOver = false;
    read(asked).then((found) => {
      if (isOver) return;
      setFault("");
      setLines(found);
    }).catch((error) => isOver || setFault(faultOf(error).text));
    return () => {
      isOver = true;
    };
  }, [asked]);
  return (
    <section class="sheet" aria-labelledby="ledger">
      <div class="head">
        <h2 id="ledger">{t.wallet.ledger}</h2>
        <div class="row">
          <CurrencyFilter
            chosen={asked.currency}
            onChoose={(currency) => setAsked({ ...asked, currency, after: [] })}
          />
          <SpanChoice
            chosen={asked.span}
            onChoose={(span) => setAsked({ ...asked, span, after: [] })}
          />
        </div>
      </div>
      <p class="soft">{t.wallet.ledgerWhat}</p>
      {fault === "" ? null : <p class="note bad" role="alert">{fault}</p>}
      {lines === null ? <p class="soft" role="status">{t.shell.loading}</p> : (
        <Group>
          <Table
            caption={t.wallet.ledger}
            columns={COLUMNS}
            rows={lines}
            keyOf={({ id, currency }) => `${id} ${currency}`}
            empty={t.wallet.noHistory}
          />
          <Turning
            asked={asked}
            lines={lines}
            onTurn={(after) => setAsked({ ...asked, after })}
          />
        </Group>
      )}
    </section>
  );
}

async function read({ currency, span, after }: Asked): Promise<readonly Line[]> {
  const last = after.at(-1);
  return await venue.get("/api/v2/backend/account/ledger", {
    query: {
      limit: SIZE,
      ...(currency === "" ? {} : { currency }),
      ...(last === undefined ? {} : { after: last }),
      ...(span === "ever" ? {} : { time_from: Math.floor(venue.now() / 1000) - SPANS[span] * DAY }),
    },
  });
}

function SpanChoice(
  { chosen, onChoose }: { readonly chosen: Span; readonly onChoose: (span: Span) => void },
): View {
  const names = [...Object.keys(SPANS), "ever"] as readonly Span[];
  return (
    <select
      aria-label={t.wallet.span}
      onChange={(event: Event) =>
        onChoose((event.currentTarget as HTMLSelectElement).value as Span)}
    >
      {names.map((name) => (
        <option key={name} value={name} selected={name === chosen}>
          {t.wallet.ledgerSpans[name]}
        </option>
      ))}
    </select>
  );
}

function Turning({ asked: { after }, lines, onTurn }: {
  readonly asked: Asked;
  readonly lines: readonly Line[];
  readonly onTurn: (after: readonly string[]) => void;
}): View | null {
  const last = lines.at(-1)?.id;
  const hasMore = last !== undefined && lines.length >= SIZE;
  if (after.length === 0 && !hasMore) return null;
  return (
    <nav class="row pager" aria-label={t.wallet.ledger}>
      <button
        type="button"
        class="quiet small"
        disabled={after.length === 0}
        onClick={() => onTurn(after.slice(0, -1))}
      >
        {t.shell.previous}
      </button>
      <span class="soft">{t.shell.page(after.length + 1)}</span>
      <button
        type="button"
        class="quiet small"
        disabled={!hasMore}
        onClick={() => onTurn(last === undefined ? after : [...after, last])}
      >
        {t.shell.next}
      </button>
    </nav>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  { title: t.wallet.when, show: ({ created_at: at }) => <When at={at} isExact /> },
  { title: t.wallet.kind, show: ({ type }) => t.wallet.types[type] },
  {
    title: t.wallet.reference,
    isWide: true,
    show: ({ reference }) => <span class="figures soft">{reference}</span>,
  },
  { title: t.wallet.currency, show: ({ currency }) => code(currency) },
  {
    title: t.wallet.fee,
    isFigure: true,
    isWide: true,
    show: ({ fee }) => /[1-9]/.test(fee) ? plain(fee) : <span class="soft">0</span>,
  },
  {
    title: t.wallet.change,
    isFigure: true,
    show: ({ amount }) =>
      amount.startsWith("-")
        ? <span class="down">{plain(amount)}</span>
        : <span class="up">+{plain(amount)}</span>,
  },
  { title: t.wallet.balance, isFigure: true, show: ({ balance }) => plain(balance) },
];
