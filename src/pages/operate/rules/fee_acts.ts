/** Sets and deletes trading fees and withdrawal limits. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { type Act, type ActField, reasonPart } from "../acting/act.ts";
import { rateText } from "./rate_text.ts";

type Fee = Records["TradingFee"];
type Limit = Records["WithdrawLimit"];

const ANY = "any";

/** What rows may be for. */
export interface RowChoices {
  readonly markets: readonly string[];
  readonly groups: readonly string[];
  readonly levels: readonly string[];
}

function choice(name: string, label: string, all: string, of: readonly string[]): ActField {
  return {
    name,
    label,
    kind: "choice",
    choices: [[ANY, all], ...of.filter((one) => one !== ANY).map((one) => [one, one] as const)],
  };
}

/** Sets the fees of a market and group; with a row, those of that. */
export function setFeeAct(choices: RowChoices, row: Fee | null): Act {
  const { fees } = o;
  const fields: readonly ActField[] = [
    choice("market_id", t.trade.market, fees.anyMarket, choices.markets),
    choice("group", o.members.group, fees.anyGroup, choices.groups),
    { name: "maker", label: fees.maker, hint: fees.rateHint, kind: "decimal" },
    { name: "taker", label: fees.taker, hint: fees.rateHint, kind: "decimal" },
  ];
  return {
    operation: "setTradingFee",
    word: row === null ? fees.setFee : o.members.change,
    title: row === null ? fees.setFee : fees.changeFee(rowText(row.market_id, row.group)),
    fields: row === null ? fields : fields.slice(2),
    begin: row === null
      ? { market_id: ANY, group: ANY, maker: "", taker: "" }
      : { market_id: row.market_id, group: row.group, maker: row.maker, taker: row.taker },
    says: ({ market_id: market = "", group = "", maker = "", taker = "" }) => {
      const [make, take] = [rateText(maker), rateText(taker)];
      return make === null || take === null ? "" : fees.setFeeSays(
        market === ANY ? fees.anyMarket : market,
        group === ANY ? fees.anyGroup : group,
        make,
        take,
      );
    },
    send: async ({ values, reason }) => {
      const { market_id = ANY, group = ANY, maker = "", taker = "" } = values;
      const body = { market_id, group, maker: maker.trim(), taker: taker.trim() };
      await venue.post("/api/v2/admin/trading_fees", { body: { ...body, ...reasonPart(reason) } });
    },
  };
}

/** Deletes a row of the fees. */
export function deleteFeeAct({ market_id, group }: Fee): Act {
  const { fees, members } = o;
  return {
    operation: "deleteTradingFee",
    word: members.deleteWord,
    title: fees.deleteFee(rowText(market_id, group)),
    isDanger: true,
    says: () => fees.deleteFeeSays(rowText(market_id, group)),
    send: async ({ reason }) => {
      await venue.delete("/api/v2/admin/trading_fees/{market_id}/{group}", {
        path: { market_id, group },
        body: reasonPart(reason),
      });
    },
  };
}

function rowText(market: string, group: string): string {
  const { fees } = o;
  return `${market === ANY ? fees.anyMarket : market}, ${group === ANY ? fees.anyGroup : group}`;
}

/** Sets the withdrawal limits of a level and group; with a row, those of that. */
export function setLimitAct(choices: RowChoices, row: Limit | null): Act {
  const { fees } = o;
  const fields: readonly ActField[] = [
    choice("kyc_level", o.members.level, fees.anyLevel, choices.levels),
    choice("group", o.members.group, fees.anyGroup, choices.groups),
    { name: "limit_24_hour", label: fees.limitDay, hint: fees.limitHint, kind: "nullable" },
    { name: "limit_1_month", label: fees.limitMonth, hint: fees.limitHint, kind: "nullable" },
  ];
  const shown = (text: string) => text.trim() === "" ? fees.noLimit : plain(text.trim());
  return {
    operation: "setWithdrawLimit",
    word: row === null ? fees.setLimit : o.members.change,
    title: row === null ? fees.setLimit : fees.changeLimit(limitText(row)),
    fields: row === null ? fields : fields.slice(2),
    begin: {
      kyc_level: row?.kyc_level ?? ANY,
      group: row?.group ?? ANY,
      limit_24_hour: row?.limit_24_hour ?? "",
      limit_1_month: row?.limit_1_month ?? "",
    },
    says: ({ kyc_level = ANY, group = ANY, limit_24_hour: day = "", limit_1_month: month = "" }) =>
      fees.setLimitSays(limitText({ kyc_level, group }), shown(day), shown(month)),
    send: async ({ values, reason }) => {
      const { kyc_level = ANY, group = ANY, limit_24_hour = "", limit_1_month = "" } = values;
      await venue.post("/api/v2/admin/withdraw_limits", {
        body: {
          kyc_level,
          group,
          limit_24_hour: limit_24_hour.trim() === "" ? null : limit_24_hour.trim(),
          limit_1_month: limit_1_month.trim() === "" ? null : limit_1_month.trim(),
          ...reasonPart(reason),
        },
      });
    },
  };
}

/** Deletes a row of the limits. */
export function deleteLimitAct(row: Limit): Act {
  const { fees, members } = o;
  const { kyc_level, group } = row;
  return {
    operation: "deleteWithdrawLimit",
    word: members.deleteWord,
    title: fees.deleteLimit(limitText(row)),
    isDanger: true,
    says: () => fees.deleteLimitSays(limitText(row)),
    send: async ({ reason }) => {
      await venue.delete("/api/v2/admin/withdraw_limits/{kyc_level}/{group}", {
        path: { kyc_level, group },
        body: reasonPart(reason),
      });
    },
  };
}

/** Returns what a row of the limits is for. */
function limitText({ kyc_level: level, group }: Pick<Limit, "kyc_level" | "group">): string {
  const { fees, members } = o;
  const levels = level === ANY ? fees.anyLevel : members.levelIs(level);
  return `${levels}, ${group === ANY ? fees.anyGroup : group}`;
}
