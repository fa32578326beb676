/** Generates operators' changes: markets, currencies, members, keys, fees, levels and switches. */
import type { Command } from "../../src/domain/command.ts";
import { MARKET_STATES } from "../../src/domain/trading/market.ts";
import { MEMBER_STATES, OPERATOR_ROLES, SCOPES } from "../../src/domain/people/member.ts";
import type { Settings } from "../../src/domain/settings.ts";
import { SIDES } from "../../src/domain/trading/order.ts";
import type { Prng } from "../support/prng.ts";
import type { OracleState } from "./oracle/state.ts";
import {
  BULK_ORDERS_MAX,
  COIN,
  currencyOf,
  FUNDS,
  marketOf,
  OPEN_ORDERS_MAX,
  OPERATOR,
  TRADERS,
  uidOf,
} from "./workload_setup.ts";

const CURRENCIES_MAX = 8;
const MARKETS_MAX = 7;
const MEMBERS_MAX = OPERATOR + TRADERS + 4;
const KEYS_MAX = 90;
const BANDS_BPS = [500, 2500, 6000, 10_000];

/** Generates operators' calls; what they turn off is soon turned on again. */
export class WorkloadOperator {
  readonly #random: Prng;
  readonly #state: OracleState;

  constructor(random: Prng, state: OracleState) {
    this.#random = random;
    this.#state = state;
  }

  /** Returns the next change. */
  change(): Command {
    const random = this.#random;
    const repair = random.chance(0.5) ? this.#repair() : null;
    if (repair !== null) return repair;
    switch (random.below(10)) {
      case 0:
        return this.#market();
      case 1:
        return this.#currency();
      case 2:
      case 3:
        return this.#member();
      case 4:
        return this.#key();
      case 5:
        return this.#create();
      case 6:
        return this.#sweep();
      default:
        return this.#setting();
    }
  }

  /** Returns a change that turns something on again; null if all is on. */
  #repair(): Command | null {
    const { currencies, levels, markets, members, switches } = this.#state;
    const market = markets.find(({ definition }) => definition.state !== "enabled");
    if (market !== undefined) {
      return { kind: "change_market", id: market.definition.id, changes: { state: "enabled" } };
    }
    if (!switches.trading || !switches.withdrawals) {
      return { kind: "set_switches", switches: { trading: true, withdrawals: true } };
    }
    if (levels.trading > 1 || levels.withdraw > 2) {
      return { kind: "set_levels", levels: { deposit: 1, withdraw: 2, trading: 1 } };
    }
    const { memberClasses } = this.#state.settings;
    if (memberClasses !== undefined && memberClasses.levelMax < 3) {
      const classes = { ...memberClasses, levelMax: 3 };
      return { kind: "set_member_classes", classes };
    }
    const currency = currencies.find((one) => !one.tradingEnabled || !one.withdrawalEnabled);
    if (currency !== undefined) {
      const changes = { tradingEnabled: true, withdrawalEnabled: true };
      return { kind: "change_currency", id: currency.id, changes };
    }
    const member = members.find(({ record }) => record.index >= OPERATOR && isLame(record));
    if (member !== undefined) {
      const { uid, index } = member.record;
      const isTwoFactorOff = !member.record.hasTwoFactor;
      if (isTwoFactorOff && this.#random.chance(0.5)) {
        return { kind: "change_member", uid, changes: { hasTwoFactor: true } };
      }
      const changes = { state: "active", level: 3, marketOrdersEnabled: true } as const;
      return { kind: "change_member", uid, changes: { ...changes, openOrdersMax: limitOf(index) } };
    }
    return null;
  }

  #market(): Command {
    const random = this.#random;
    const id = random.chance(0.05) ? "nothing" : this.#marketId();
    if (random.chance(0.6)) {
      return { kind: "change_market", id, changes: { state: random.pick(MARKET_STATES) } };
    }
    const precision = random.chance(0.3) ? { pricePrecision: random.below(9) } : {};
    const bounds = random.chance(0.05) ? { minPrice: COIN * 2n, maxPrice: COIN } : {};
    const changes = { ...precision, ...bounds, position: random.below(9) };
    return { kind: "change_market", id, changes };
  }

  /** Returns a step of a price, which may follow no market or be too early. */
  follow(): Command {
    const random = this.#random;
    const id = random.chance(0.05) ? "nothing" : random.pick(this.#state.currencies).id;
    return { kind: "follow_price", id, price: BigInt(random.below(20_000)) * COIN };
  }

  #currency(): Command {
    const random = this.#random;
    const { currencies } = this.#state;
    const id = random.chance(0.05) ? "nothing" : random.pick(currencies).id;
    const changes = random.pick([
      { tradingEnabled: false },
      { withdrawalEnabled: false },
      { precision: random.between(-1, 17) },
      { depositFee: random.chance(0.8) ? 10n ** 14n : 1n },
      { withdrawFee: random.chance(0.8) ? 10n ** 14n : 1n },
      { minWithdrawAmount: BigInt(random.below(3)) * 10n ** 14n },
      { withdrawLimit24h: this.#limit((FUNDS[id] ?? COIN) / 20n * BigInt(random.below(4))) },
      { withdrawLimit72h: this.#limit((FUNDS[id] ?? COIN) / 10n * BigInt(random.below(4))) },
      { price: BigInt(Math.max(0, random.between(-5_000, 20_000))) * COIN },
      { priceMarket: random.chance(0.3) ? null : this.#marketId() },
    ]);
    return { kind: "change_currency", id, changes };
  }

  #member(): Command {
    const random = this.#random;
    if (random.chance(0.03)) {
      const state = random.pick(["locked", "banned"] as const);
      return { kind: "change_member", uid: uidOf(OPERATOR), changes: { state } };
    }
    const uid = random.chance(0.03) ? "ID-nobody" : uidOf(this.#trader());
    if (random.chance(0.15)) {
      return { kind: "set_operator_role", uid, role: random.pick([...OPERATOR_ROLES, null]) };
    }
    const changes = random.pick([
      { state: random.pick(MEMBER_STATES) },
      { level: random.below(5) },
      { group: random.pick(["any", "vip", "new"]) },
      { bulkOrdersMax: random.pick([0, 3, 12]) },
      { openOrdersMax: random.pick([1, 8, OPEN_ORDERS_MAX, 30]) },
      { untradedOrdersMax: random.pick([0, 0, 100_000, 200]) },
      { marketOrdersEnabled: false },
      { hasTwoFactor: random.chance(0.5) },
      { emailDigest: `moved${random.below(40)}` },
    ]);
    if (random.chance(0.1)) {
      const id = random.below(this.#state.counters.beneficiaries + 2);
      return { kind: "disable_beneficiary", uid, id };
    }
    return { kind: "change_member", uid, changes };
  }

  #sweep(): Command {
    const random = this.#random;
    if (random.chance(0.2)) {
      return { kind: "sweep_market", id: random.chance(0.05) ? "nothing" : this.#marketId() };
    }
    return {
      kind: "sweep_member",
      uid: random.chance(0.03) ? "ID-nobody" : uidOf(this.#trader()),
      market: random.chance(0.4) ? -1 : random.below(this.#state.markets.length),
      side: random.chance(0.5) ? null : random.pick(SIDES),
    };
  }

  #key(): Command {
    const random = this.#random;
    const key = random.pick(this.#state.keys.slice(3));
    const owner = random.chance(0.05) ? this.#trader() : key.member;
    const uid = uidOf(owner);
    const { otpStep, generation = 0 } = this.#state.member(owner).record;
    const otp = random.chance(0.3)
      ? { otp: { member: owner, step: otpStep + random.below(3), generation } }
      : {};
    if (this.#state.keys.length < KEYS_MAX && random.chance(0.2)) {
      const kid = random.chance(0.9) ? `${uid}k${this.#state.keys.length}` : key.kid;
      const nonceMode = random.pick(["single", "request"] as const);
      return {
        kind: "create_key",
        uid,
        kid,
        role: "member",
        scopes: SCOPES.filter(() => random.chance(0.8)),
        nonceMode,
        ...otp,
      };
    }
    const scopes = random.chance(0.3) ? { scopes: SCOPES.filter(() => random.chance(0.7)) } : {};
    // The first keys of each member are kept, so that it can continue.
    const isFirst = key.index < 3 * (TRADERS + 1);
    const state = !isFirst && random.chance(0.3)
      ? { state: random.pick(["disabled", "active", "deleted"] as const) }
      : { state: random.chance(0.1) ? "disabled" as const : "active" as const };
    return {
      kind: "change_key",
      uid,
      kid: random.chance(0.05) ? "nothing" : key.kid,
      ...otp,
      ...(isFirst ? {} : scopes),
      ...state,
    };
  }

  #create(): Command {
    const random = this.#random;
    const { currencies, markets, members } = this.#state;
    switch (random.below(3)) {
      case 0: {
        const isRoom = currencies.length < CURRENCIES_MAX;
        const id = isRoom ? random.pick(["btc", "Bad!", `new${currencies.length}`]) : "usdt";
        const currency = currencyOf(id, { precision: random.pick([16, 16, 4, -1]) });
        return { kind: "create_currency", currency };
      }
      case 1: {
        const isRoom = markets.length < MARKETS_MAX;
        const base = isRoom ? random.pick(currencies).id : "btc";
        const quote = isRoom ? random.pick([...currencies.map(({ id }) => id), "nothing"]) : "usdt";
        const pricePrecision = random.pick([2, 2, 1, 9]);
        const id = random.chance(0.4)
          ? { id: random.pick(["any", "a b", "chosen", "btcusdt"]) }
          : {};
        const market = { ...marketOf({ base, quote, pricePrecision }), ...id };
        return { kind: "create_market", market };
      }
      default: {
        const index = members.length < MEMBERS_MAX ? members.length : OPERATOR;
        const uid = uidOf(index);
        const emailDigest = `mail of ${random.chance(0.7) ? uid : uidOf(OPERATOR)}`;
        return { kind: "create_member", uid, emailDigest, level: random.below(4), group: "any" };
      }
    }
  }

  #setting(): Command {
    const random = this.#random;
    const group = random.pick(["any", "any", "vip"]);
    switch (random.below(8)) {
      case 0:
        return {
          kind: "set_levels",
          levels: { deposit: 1, withdraw: 3, trading: random.below(4) },
        };
      case 1: {
        const limits = {
          limit24h: this.#limit(this.#sum()),
          limit1m: this.#limit(5n * this.#sum()),
        };
        return {
          kind: "set_withdraw_limit",
          row: { level: random.between(-1, 3), group, ...limits },
        };
      }
      case 2: {
        const trading = random.chance(0.3) ? { trading: random.chance(0.5) } : {};
        const withdrawals = random.chance(0.7);
        // As if the log had just gone on from a copy.
        const isRestored = !withdrawals && random.chance(0.5);
        const restored = { epoch: "of the copy", sequence: 1, at: 1, reached: random.below(9) };
        const more = isRestored ? { restored } : {};
        return { kind: "set_switches", switches: { ...trading, withdrawals, ...more } };
      }
      case 3:
        return this.#settings();
      case 4:
        return { kind: "note_act" };
      case 5: {
        // Without the row for all, too much would pass: it is only set anew.
        const row = { level: random.between(0, 3), group };
        if (random.chance(0.5)) return { kind: "delete_withdraw_limit", row };
        return { kind: "delete_fee", market: random.pick([this.#marketId(), "nothing"]), group };
      }
      default: {
        const market = random.pick(["any", this.#marketId(), "nothing"]);
        const taker = random.chance(0.05) ? random.below(600_000) : random.below(5000);
        const maker = random.chance(0.03) ? -1 : random.below(3000);
        return { kind: "set_fee", market, group, maker, taker };
      }
    }
  }

  #limit(sum: bigint): bigint | null {
    return this.#random.chance(0.2) ? null : sum;
  }

  #classes(): Command {
    const random = this.#random;
    const groups = ["vip", "new", "old"].filter(() => random.chance(0.7));
    const classes = { groups, levelMax: random.pick([1, 3, 3, 4]) };
    const isFirst = random.chance(0.2);
    return { kind: "set_member_classes", classes, ...isFirst ? { isFirst } : {} };
  }

  #settings(): Command {
    const random = this.#random;
    if (random.chance(0.3)) return this.#classes();
    const codes = ["usdt", "btc", ...random.chance(0.2) ? ["usdt"] : [], this.#anyCode()];
    const pnl = { pnlCurrencies: codes.slice(0, random.below(5)) };
    const others = { ...this.#limits(), sessionIdleMs: random.below(100_000) };
    const changes = random.chance(0.7) ? pnl : random.chance(0.5) ? others : { ...pnl, ...others };
    return { kind: "set_settings", changes, ...random.chance(0.2) ? { isFirst: true } : {} };
  }

  /** Returns a change of what members may do; most of it is soon as it was. */
  limit(): Command {
    return { kind: "set_settings", changes: this.#limits() };
  }

  #limits(): Partial<Settings> {
    const random = this.#random;
    const mostly = (chance: number, usual: number, unusual: () => number) =>
      random.chance(chance) ? usual : unusual();
    const holdMs = () => mostly(0.8, 0, () => random.below(20_000));
    return {
      bulkOrdersMax: mostly(0.9, BULK_ORDERS_MAX, () => random.between(1, BULK_ORDERS_MAX)),
      openOrdersMax: mostly(0.9, 1000, () => random.between(1, 40)),
      untradedOrdersMax: mostly(0.95, 0, () => random.pick([1, 30, 300])),
      priceBandBps: mostly(0.7, 0, () => random.pick(BANDS_BPS)),
      adjustmentMax: mostly(0.7, 0, () => random.below(200)),
      beneficiaryHoldMs: holdMs(),
      credentialHoldMs: holdMs(),
    };
  }

  #sum(): bigint {
    return BigInt(this.#random.below(200)) * COIN;
  }

  #anyCode(): string {
    return this.#random.chance(0.1) ? "nothing" : "eur";
  }

  #marketId(): string {
    return this.#random.pick(this.#state.markets).definition.id;
  }

  #trader(): number {
    return OPERATOR + 1 + this.#random.below(this.#state.members.length - OPERATOR - 1);
  }
}

function isLame(record: OracleState["members"][number]["record"]): boolean {
  return (record.state !== "active" && record.state !== "pending") || record.level < 3 ||
    !record.marketOrdersEnabled || record.openOrdersMax < OPEN_ORDERS_MAX || !record.hasTwoFactor;
}

/** Returns a member's limit of open orders, which differs between members. */
function limitOf(index: number): number {
  return OPEN_ORDERS_MAX + index;
}
