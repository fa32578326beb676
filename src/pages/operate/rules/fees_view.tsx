/** @jsxImportSource hono/jsx/dom */
/** Trading fees and withdrawal limits, by market, group and level. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Part, WholeTable } from "../acting/record_views.tsx";
import {
  deleteFeeAct,
  deleteLimitAct,
  type RowChoices,
  setFeeAct,
  setLimitAct,
} from "./fee_acts.ts";
import { rateText } from "./rate_text.ts";

const ALL = { query: { limit: 1000 } } as const;

/** The view. */
export function FeesView(): View {
  const choices = useReading("choices", readChoices);
  const known = choices.value ?? { markets: [], groups: [], levels: [] };
  return (
    <Group>
      <FeesPart choices={known} />
      <LimitsPart choices={known} />
    </Group>
  );
}

/** Reads what rows may be for. */
async function readChoices(): Promise<RowChoices> {
  const [markets, classes] = await Promise.all([
    venue.get("/api/v2/admin/markets", ALL),
    venue.get("/api/v2/admin/member_classes"),
  ]);
  return {
    markets: markets.map(({ id }) => id),
    groups: classes.groups,
    levels: Array.from({ length: classes.level_max + 1 }, (_, level) => String(level)),
  };
}

function FeesPart({ choices }: { readonly choices: RowChoices }): View {
  const { fees, members, money } = o;
  const reading = useReading("fees", () => venue.get("/api/v2/admin/trading_fees", ALL));
  const columns: readonly Column<Records["TradingFee"]>[] = [
    {
      title: t.trade.market,
      show: ({ market_id: id }) => id === "any" ? fees.anyMarket : id,
    },
    { title: members.group, show: ({ group }) => group === "any" ? fees.anyGroup : group },
    { title: fees.maker, isFigure: true, show: ({ maker }) => rateText(maker) ?? maker },
    { title: fees.taker, isFigure: true, show: ({ taker }) => rateText(taker) ?? taker },
    {
      title: money.rowActs,
      isUntitled: true,
      show: (row) => <ActButtons acts={[setFeeAct(choices, row), deleteFeeAct(row)]} />,
    },
  ];
  return (
    <Part
      title={fees.fees}
      tools={<ActButton key={choices.markets.join()} act={setFeeAct(choices, null)} isMain />}
      note={fees.feesNote}
    >
      <WholeTable
        caption={fees.fees}
        columns={columns}
        reading={reading}
        keyOf={({ id }) => id}
        empty={fees.noFees}
      />
    </Part>
  );
}

function LimitsPart({ choices }: { readonly choices: RowChoices }): View {
  const { fees, members, money } = o;
  const reading = useReading("limits", () => venue.get("/api/v2/admin/withdraw_limits", ALL));
  const limit = (text: string | null) => text === null ? fees.noLimit : plain(text);
  const columns: readonly Column<Records["WithdrawLimit"]>[] = [
    {
      title: members.level,
      show: ({ kyc_level: level }) => level === "any" ? fees.anyLevel : level,
    },
    { title: members.group, show: ({ group }) => group === "any" ? fees.anyGroup : group },
    { title: fees.limitDay, isFigure: true, show: ({ limit_24_hour: day }) => limit(day) },
    { title: fees.limitMonth, isFigure: true, show: ({ limit_1_month: month }) => limit(month) },
    {
      title: money.rowActs,
      isUntitled: true,
      show: (row) => <ActButtons acts={[setLimitAct(choices, row), deleteLimitAct(row)]} />,
    },
  ];
  return (
    <Part
      title={fees.limits}
      tools={<ActButton key={choices.levels.join()} act={setLimitAct(choices, null)} isMain />}
      note={fees.limitsNote}
    >
      <WholeTable
        caption={fees.limits}
        columns={columns}
        reading={reading}
        keyOf={({ id }) => id}
        empty={fees.noLimits}
      />
    </Part>
  );
}
