/** What an act has changed, for the audit trail: found from its receipt and the venue before it. */
import type { Command, Receipt } from "../domain/command.ts";
import { priceMarketOf } from "../domain/money/followed_price.ts";
import { ANY_MARKET, type FeeRow } from "../domain/trading/fees.ts";
import { memberClasses } from "../domain/people/member_classes.ts";
import type { Venue } from "../domain/venue.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { WithdrawLimit } from "../domain/money/withdraw_limits.ts";
import type { Act } from "../secrets/acts.ts";
import { definedFields } from "../edge/answer.ts";
import {
  adminNetworksJson,
  currencyJson,
  marketJson,
  memberLevelsJson,
  switchesJson,
  tradingFeeJson,
  withdrawLimitJson,
} from "../edge/wire/market_wire.ts";
import { classesJson, memberFields } from "../edge/wire/member_wire.ts";
import { settingsJson } from "../edge/venue_settings.ts";
import { amountText, type Fraction } from "../edge/wire/wire.ts";

const FRACTION: Fraction = 1;

/** The part of an act that tells what it touched and changed. */
export type ActChange = Pick<Act, "member" | "made" | "before" | "after">;

type Fields = Readonly<Record<string, unknown>>;

/** What a row beside the log was, and what it is since. */
export interface ChangeBeside {
  readonly before: Fields;
  readonly after: Fields;
}

/** What something was, and what it is since; `before` is null if there was no such thing. */
interface Change {
  readonly id?: string | number;
  readonly member?: number;
  readonly before: Fields | null;
  readonly after: Fields;
}

/**
 * Returns what an act has changed.
 *
 * @param venue the published state, in which it has not happened yet
 * @param target path parameters of the call
 * @param beside what it changes of a row beside the log, if it does
 */
export function actChange(
  venue: Venue,
  command: Command,
  receipt: Receipt,
  { target, changes }: Pick<Act, "target" | "changes">,
  beside?: ChangeBeside,
): ActChange {
  const change: Change | null = beside ?? changeIn(venue, command, receipt);
  const named = target["uid"] ?? changes["uid"];
  const uid = typeof named === "string" ? named : memberOf(venue, change);
  if (change === null) return definedFields<ActChange>({ member: uid });
  const { id, before, after } = change;
  const isMade = before === null && id !== undefined;
  const fields = Object.keys({ ...before, ...after })
    .filter((name) => !isSame(before?.[name], after[name]));
  const pick = (from: Fields) =>
    Object.fromEntries(fields.flatMap((name) => name in from ? [[name, from[name]]] : []));
  return definedFields<ActChange>({
    member: uid,
    made: isMade ? String(id) : undefined,
    before: before === null || fields.length === 0 ? undefined : pick(before),
    after: isMade || fields.length === 0 ? undefined : pick(after),
  });
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function memberOf(venue: Venue, change: Change | null): string | undefined {
  return change?.member === undefined ? undefined : venue.holders[change.member]?.member.uid;
}

function changeIn(venue: Venue, command: Command, receipt: Receipt): Change | null {
  return peopleChange(venue, receipt) ?? marketChange(venue, receipt) ??
    moneyChange(venue, command, receipt) ?? deletedRow(venue, receipt) ??
    tableChange(venue, command);
}

function peopleChange(venue: Venue, receipt: Receipt): Change | null {
  if (receipt.kind === "member_set") {
    const { member: { uid }, member } = receipt;
    const old = venue.holderByUid.get(uid)?.member;
    return {
      id: uid,
      before: old === undefined ? null : memberFields(old),
      after: memberFields(member),
    };
  }
  if (receipt.kind === "member_classes_set") {
    return { before: classesJson(memberClasses(venue)), after: classesJson(receipt.classes) };
  }
  if (receipt.kind !== "key_set") return null;
  const { key } = receipt;
  const fields = ({ state, scopes }: typeof key) => ({ state, scopes: [...scopes] });
  const old = venue.keyByKid.get(key.kid)?.key;
  return { id: key.kid, before: old === undefined ? null : fields(old), after: fields(key) };
}

function marketChange(venue: Venue, receipt: Receipt): Change | null {
  switch (receipt.kind) {
    case "currency_set": {
      const { currency } = receipt;
      const fields = (one: typeof currency) => ({
        ...currencyJson(one, FRACTION),
        ...(one.networks === undefined ? {} : { networks: adminNetworksJson(one, FRACTION) }),
        visible: one.visible,
        trading_enabled: one.tradingEnabled,
        price_market: priceMarketOf(one),
      });
      const old = venue.currencyById.get(currency.id);
      return {
        id: currency.id,
        before: old === undefined ? null : fields(old),
        after: fields(currency),
      };
    }
    case "market_set": {
      const { market } = receipt;
      const old = venue.bookById.get(market.id)?.market;
      const before = old === undefined ? null : marketJson(venue, old, FRACTION);
      return { id: market.id, before, after: marketJson(venue, market, FRACTION) };
    }
    case "levels_set":
      return { before: memberLevelsJson(venue.levels), after: memberLevelsJson(receipt.levels) };
    case "switches_set":
      return { before: switchesJson(venue.switches), after: switchesJson(receipt.switches) };
    case "settings_set":
      return { before: settingsJson(venue.settings), after: settingsJson(receipt.settings) };
    default:
      return null;
  }
}

function moneyChange(venue: Venue, command: Command, receipt: Receipt): Change | null {
  switch (receipt.kind) {
    case "balance_adjusted": {
      if (command.kind !== "adjust_balance") return null;
      const { id, available } = receipt;
      const balances = (units: bigint) => ({ available: amountText(units, FRACTION) });
      return { id, before: null, after: balances(available) };
    }
    case "deposit_set": {
      const { deposit: { id, member, state, txid } } = receipt;
      const old = venue.deposits.get(id);
      const before = old === undefined ? null : { state: old.state, txid: old.txid };
      return { id, member, before, after: { state, txid } };
    }
    case "withdraw_set": {
      const { id, member } = receipt.withdraw;
      const old = venue.withdraws.get(id);
      const before = old === undefined ? null : withdrawFields(old);
      return { id, member, before, after: withdrawFields(receipt.withdraw) };
    }
    case "beneficiary_set": {
      const { beneficiary: { id, member, state } } = receipt;
      const old = venue.holder(member).beneficiaries.get(id);
      return {
        id,
        member,
        before: old === undefined ? null : { state: old.state },
        after: { state },
      };
    }
    default:
      return null;
  }
}

function withdrawFields({ state, isApproved, isByHand, txid }: Withdraw): Fields {
  return { state, approved: isApproved, is_by_hand: isByHand ?? false, txid };
}

function deletedRow(venue: Venue, receipt: Receipt): Change | null {
  switch (receipt.kind) {
    case "fee_deleted":
      return { before: feeFields(venue, receipt.row), after: {} };
    case "withdraw_limit_deleted":
      return { before: limitFields(receipt.row), after: {} };
    default:
      return null;
  }
}

function feeFields(venue: Venue, row: FeeRow): Fields {
  const { id: _, ...fields } = tradingFeeJson(venue, row, FRACTION);
  return fields;
}

function limitFields(row: WithdrawLimit): Fields {
  const { id: _, ...fields } = withdrawLimitJson(row, FRACTION);
  return fields;
}

/** Rows of tables are named by the command alone. */
function tableChange(venue: Venue, command: Command): Change | null {
  if (command.kind === "set_fee") {
    const market = venue.bookById.get(command.market)?.market.index ?? ANY_MARKET;
    const old = venue.fees.get(market, command.group);
    const before = old === undefined ? null : feeFields(venue, old);
    return { before, after: feeFields(venue, { ...command, market }) };
  }
  if (command.kind !== "set_withdraw_limit") return null;
  const { row } = command;
  const old = venue.withdrawLimits.get(row.level, row.group);
  return { before: old === undefined ? null : limitFields(old), after: limitFields(row) };
}
