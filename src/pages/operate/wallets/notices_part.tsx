/** @jsxImportSource hono/jsx/dom */
/** Deposits, payouts and networks that needed an operator's attention. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { o } from "../acting/operate_texts.ts";
import { type Reading, usePagesOf } from "../acting/reading.ts";
import { PagedTable, Part, timeText } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";
import { reasonText } from "../watch/notice_text.ts";

type Notice = Records["WalletNotice"];

const COLUMNS: readonly Column<Notice>[] = [
  {
    title: o.audit.what,
    show: (notice) => (
      <span class="wrapped">
        {o.wallets.notices[notice.kind]}
        <span class="line soft">{reasonText(notice)}</span>
      </span>
    ),
  },
  { title: t.trade.time, show: ({ created_at }) => timeText(created_at) },
  {
    title: o.wallets.about,
    show: ({ kind, id, currency, network }) => (
      <span>
        {[currency?.toUpperCase(), network].filter((name) => name).join(", ")}
        {id === null ? null : (
          <span class="line">
            <About kind={kind} id={String(id)} />
          </span>
        )}
      </span>
    ),
  },
  {
    title: o.money.txid,
    show: ({ txid }) => <span class="figures name" title={txid ?? ""}>{txid ?? "–"}</span>,
    isWide: true,
  },
];

/** The list: all that the venue has written, a page at a time. */
export function NoticesPart({ all }: { readonly all: Reading<readonly Notice[]> }): View {
  const { wallets } = o;
  const reading = usePagesOf(all);
  return (
    <Part title={wallets.noticesTitle} note={wallets.noticesNote}>
      <PagedTable
        caption={wallets.noticesTitle}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ kind, currency, network, id, txid, created_at: at }) =>
          [kind, currency, network, id, txid, at].join(" ")}
        empty={wallets.noNotices}
        isStacked
      />
    </Part>
  );
}

/** What a notice is about; withdrawals have a record of their own. */
function About({ kind, id }: { readonly kind: Notice["kind"]; readonly id: string }): View {
  const { wallets } = o;
  return kind.startsWith("payout")
    ? <a href={linkTo(["withdrawals", id])}>{wallets.aboutWithdrawal(id)}</a>
    : <a href={linkTo(["deposits"])}>{wallets.aboutDeposit(id)}</a>;
}
