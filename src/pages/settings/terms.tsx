/** @jsxImportSource hono/jsx/dom */
/** Fees and limits, as they are for the member. */
import { useEffect, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { plain } from "../shared/amounts.ts";
import { faultOf } from "../shared/fault.ts";
import { t } from "../shared/language.ts";
import { percentText } from "../shared/percent.ts";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { code } from "../wallet/words.ts";

type Market = Records["Market"];
type OwnFee = Records["OwnFees"]["markets"][number];

/** What the venue tells of them. */
interface Told {
  readonly fees: Records["OwnFees"];
  readonly markets: ReadonlyMap<string, Market>;
  readonly levels: Records["MemberLevels"];
  readonly currencies: readonly Records["Currency"][];
}

const LIST_LIMIT = 1000;

/** All fees and limits. */
export function Terms(): View {
  const [told, setTold] = useState<Told | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    load().then(setTold, (error) => setFault(faultOf(error).text));
  }, []);
  if (fault !== "") return <p class="note bad" role="alert">{fault}</p>;
  if (told === null) return <p class="soft" role="status">{t.shell.loading}</p>;
  return (
    <Group>
      <div class="pair">
        <Levels levels={told.levels} />
        <OwnLimits />
      </div>
      <TradingFees told={told} />
      <TransferFees currencies={told.currencies} />
    </Group>
  );
}

async function load(): Promise<Told> {
  const query = { limit: LIST_LIMIT };
  const [fees, markets, levels, currencies] = await Promise.all([
    venue.get("/api/v2/backend/account/trading_fees"),
    venue.get("/api/v2/backend/public/markets", { query }),
    venue.get("/api/v2/backend/public/member-levels"),
    venue.get("/api/v2/backend/public/currencies", { query }),
  ]);
  const byId = new Map(markets.map((market) => [market.id, market]));
  return { fees, markets: byId, levels, currencies };
}

function Levels({ levels }: { readonly levels: Records["MemberLevels"] }): View {
  const level = useShown(me)?.level ?? 0;
  return (
    <section class="sheet" aria-labelledby="level">
      <h2 id="level">{t.account.levelIs(level)}</h2>
      <dl class="facts">
        {(["deposit", "trading", "withdraw"] as const).map((what) => {
          const least = levels[what].minimum_level;
          return (
            <Group key={what}>
              <dt>{t.account.privileges[what]}</dt>
              <dd>
                <span class={level >= least ? "state good" : "state bad"}>
                  {level >= least ? t.account.allowed : t.account.fromLevel(least)}
                </span>
              </dd>
            </Group>
          );
        })}
      </dl>
    </section>
  );
}

function OwnLimits(): View {
  const limits = useShown(me)?.limits;
  const amount = (text: string | null | undefined) =>
    text === null || text === undefined ? t.account.noLimit : plain(text);
  const count = (number: number | null | undefined) =>
    number === null || number === undefined ? t.account.noLimit : plain(String(number));
  return (
    <section class="sheet" aria-labelledby="own-limits">
      <h2 id="own-limits">{t.account.yourLimits}</h2>
      <dl class="facts">
        <dt>{t.account.openOrders}</dt>
        <dd class="figures">{count(limits?.open_orders_max)}</dd>
        <dt>{t.account.bulkOrders}</dt>
        <dd class="figures">{count(limits?.bulk_orders_max)}</dd>
        <dt>{t.account.untradedOrders}</dt>
        <dd class="figures">{count(limits?.untraded_orders_max)}</dd>
        <dt>{t.account.withdrawDay}</dt>
        <dd class="figures">{amount(limits?.withdraw_24_hour)}</dd>
        <dt>{t.account.withdrawMonth}</dt>
        <dd class="figures">{amount(limits?.withdraw_1_month)}</dd>
      </dl>
      <p class="hint">{t.wallet.limitsHint}</p>
    </section>
  );
}

function TradingFees({ told: { fees, markets } }: { readonly told: Told }): View {
  const unit = (fee: OwnFee, name: "base_unit" | "quote_unit") =>
    code(markets.get(fee.market_id)?.[name] ?? "");
  const columns: readonly Column<OwnFee>[] = [
    {
      title: t.account.market,
      show: ({ market_id: id }) => <b>{markets.get(id)?.name ?? code(id)}</b>,
    },
    { title: t.account.maker, isFigure: true, show: ({ maker }) => percentText(maker) },
    { title: t.account.taker, isFigure: true, show: ({ taker }) => percentText(taker) },
    {
      title: t.account.traded,
      isFigure: true,
      isWide: true,
      show: (fee) => `${plain(fee.volume_30d)} ${unit(fee, "base_unit")}`,
    },
    {
      title: t.account.tradedFor,
      isFigure: true,
      isWide: true,
      show: (fee) => `${plain(fee.total_30d)} ${unit(fee, "quote_unit")}`,
    },
  ];
  return (
    <section class="sheet" aria-labelledby="trading-fees">
      <h2 id="trading-fees">{t.account.tradingFees}</h2>
      <Table
        caption={t.account.tradingFees}
        columns={columns}
        rows={fees.markets}
        keyOf={({ market_id: id }) => id}
        empty={t.account.noMarkets}
      />
    </section>
  );
}

const TRANSFER_COLUMNS: readonly Column<Records["Currency"]>[] = [
  { title: t.wallet.currency, show: ({ id }) => <b>{code(id)}</b> },
  {
    title: t.account.depositFee,
    isFigure: true,
    isWide: true,
    show: ({ deposit_fee: fee }) => plain(fee),
  },
  {
    title: t.wallet.leastDeposit,
    isFigure: true,
    show: ({ min_deposit_amount: least }) => plain(least),
  },
  {
    title: t.account.withdrawFee,
    isFigure: true,
    show: ({ withdraw_fee: fee }) => plain(fee),
  },
  {
    title: t.wallet.leastWithdrawal,
    isFigure: true,
    isWide: true,
    show: ({ min_withdraw_amount: least }) => plain(least),
  },
  {
    title: t.wallet.currencyLimit,
    isFigure: true,
    isWide: true,
    show: ({ withdraw_limit_24h: limit }) => limit === null ? t.account.noLimit : plain(limit),
  },
];

function TransferFees(
  { currencies }: { readonly currencies: readonly Records["Currency"][] },
): View {
  return (
    <section class="sheet" aria-labelledby="transfer-fees">
      <h2 id="transfer-fees">{t.account.transferFees}</h2>
      <Table
        caption={t.account.transferFees}
        columns={TRANSFER_COLUMNS}
        rows={currencies}
        keyOf={({ id }) => id}
        empty={t.wallet.noCurrencies}
      />
    </section>
  );
}
