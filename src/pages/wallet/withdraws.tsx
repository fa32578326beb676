/** @jsxImportSource hono/jsx/dom */
/** Withdrawing: the form, where to, and what is on its way. */
import { useEffect } from "hono/jsx/dom";
import { useAction } from "../shared/action.ts";
import { t } from "../shared/language.ts";
import { place } from "../shared/place.ts";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { Addresses } from "./addresses.tsx";
import { addressList } from "./beneficiaries.ts";
import { NarrowLines, Transaction } from "./deposits.tsx";
import {
  currencies,
  type Currency,
  isPermitted,
  levels,
  type Withdraw,
  withdraws,
} from "./money.ts";
import { NetworkLine } from "./networks.tsx";
import { StateMark } from "./state_mark.tsx";
import { WithdrawForm } from "./withdraw_form.tsx";
import { amountOf, withdrawState, withdrawTone } from "./words.ts";

/** The view for withdrawing. */
export function Withdraws(): View {
  const all = [...(useShown(currencies) ?? new Map<string, Currency>()).values()];
  const asked = useShown(place).get("currency");
  const who = useShown(me);
  const least = useShown(levels)?.withdraw.minimum_level ?? 0;
  const currency = all.find(({ id }) => id === asked) ??
    all.find(({ withdrawal_enabled: isOpen }) => isOpen) ?? all[0];
  if (currency === undefined) return <p class="empty">{t.wallet.noCurrencies}</p>;
  if (!isPermitted("withdraw")) {
    return <p class="note warn">{t.wallet.levelTooLow(who?.level ?? 0, least)}</p>;
  }
  return (
    <Group>
      {who?.otp === true ? null : (
        <p class="note warn">
          {t.wallet.needsFactor} <a href="/account?tab=security">{t.account.turnOn}</a>
        </p>
      )}
      <WithBeneficiaries>
        <WithdrawForm key={currency.id} all={all} currency={currency} />
        <Recent />
        <Addresses all={all} currency={currency} />
      </WithBeneficiaries>
    </Group>
  );
}

function WithBeneficiaries({ children }: { readonly children: View[] }): View {
  const state = useShown(addressList.state);
  useEffect(() => void addressList.load(), []);
  return (
    <Group>
      {state === "failed" ? <p class="note bad" role="alert">{t.trade.readFailed}</p> : null}
      {children}
    </Group>
  );
}

/** What has gone out last, and what waits and may be taken back. */
function Recent(): View {
  const list = useShown(withdraws.rows);
  const taking = useAction(async (id: number) => {
    const path = { id };
    await withdraws.noted(() => venue.delete("/api/v2/backend/account/withdraws/{id}", { path }));
  });
  return (
    <section class="sheet" aria-labelledby="recent-withdrawals">
      <h2 id="recent-withdrawals">{t.wallet.recentWithdrawals}</h2>
      {taking.fault === null ? null : <p class="note bad" role="alert">{taking.fault.text}</p>}
      {list === null ? <p class="soft" role="status">{t.shell.loading}</p> : (
        <Table
          caption={t.wallet.recentWithdrawals}
          columns={columnsOf((id) => void taking.run(id), taking.isBusy)}
          rows={list}
          keyOf={({ id }) => id}
          empty={t.wallet.noWithdrawals}
        />
      )}
    </section>
  );
}

function columnsOf(
  takeBack: (id: number) => void,
  isBusy: boolean,
): readonly Column<Withdraw>[] {
  return [
    { title: t.wallet.when, isWide: true, show: ({ created_at: at }) => <When at={at} /> },
    {
      title: t.wallet.amount,
      isFigure: true,
      show: ({ amount, currency }) => amountOf(amount, currency),
    },
    {
      title: t.wallet.to,
      isWide: true,
      show: ({ rid, network }) => (
        <span>
          <Transaction txid={rid} />
          <NetworkLine name={network} />
        </span>
      ),
    },
    {
      title: t.wallet.state,
      show: (withdraw) => (
        <span>
          <StateMark tone={withdrawTone(withdraw)} text={withdrawState(withdraw)} />
          <NarrowLines
            title={t.wallet.to}
            to={withdraw.rid}
            network={withdraw.network}
            txid={withdraw.blockchain_txid}
          />
        </span>
      ),
    },
    {
      title: t.wallet.transaction,
      isWide: true,
      show: ({ blockchain_txid: txid }) => <Transaction txid={txid} />,
    },
    {
      title: t.wallet.actions,
      isUntitled: true,
      isFigure: true,
      show: ({ id, state, amount, currency }) =>
        state === "accepted"
          ? (
            <button
              type="button"
              class="quiet small"
              disabled={isBusy}
              aria-label={`${t.wallet.takeBack}: ${amountOf(amount, currency)}`}
              onClick={() => takeBack(id)}
            >
              {t.wallet.takeBack}
            </button>
          )
          : null,
    },
  ];
}
