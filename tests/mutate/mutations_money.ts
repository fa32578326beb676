import type { MutatedFile } from "./mutation.ts";

const STREAMS = ["domain/random_streams", "domain/money_streams"];

/** Breaks of amounts, limits and values, and of deposits and withdrawals. */
export const MONEY_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/calendar.ts",
    quick: ["domain/calendar"],
    broad: [],
    mutations: [
      ["month === 1 ?", "month === 2 ?"],
      ["Math.min(day, length) - 1", "Math.min(day, length)"],
      ["month <= 2 ? year - 1", "month < 2 ? year - 1"],
    ],
  },
  {
    file: "src/domain/deposit.ts",
    quick: ["domain/decide_deposit"],
    broad: STREAMS,
    mutations: [
      ['(isCoin || deposit.state === "submitted")', "isCoin"],
      ["? deposit.amount : 0n", "? deposit.amount - deposit.fee : 0n"],
      ['drop: ["accepted", "processing"]', 'drop: ["accepted", "processing", "submitted"]'],
      ['collect: ["processing"]', 'collect: ["processing", "accepted"]'],
      ["`${currency}:${output}:${txid}`", "`${currency}:${txid}`"],
    ],
  },
  {
    file: "src/domain/deposit_names.ts",
    quick: ["domain/decide_deposit"],
    broad: STREAMS,
    mutations: [
      ["this.#byName.size <= DEPOSIT_NAMES_MAX", "this.#byName.size >= 0"],
      ["Math.max(this.knownSince, oldest.sequence)", "this.knownSince"],
      ["name.output === ANY_OUTPUT", "false"],
      ["this.#byName.get(depositKey({ ...name, output: ANY_OUTPUT }))", "undefined"],
      ["others.delete(named);", ""],
    ],
  },
  {
    file: "src/domain/fees.ts",
    quick: ["domain/fees"],
    broad: [],
    mutations: [
      ["this.#rows.get(rowKey(ANY_MARKET, group)) ??", ""],
      ["this.#rows.get(rowKey(market, ANY_GROUP)) ??", ""],
      ["this.#rows.get(rowKey(ANY_MARKET, ANY_GROUP)) ?? FREE", "FREE"],
      ["a.market - b.market", "b.market - a.market"],
      ["if (rate !== this.#rate) {", "if (this.#rate === 0) {"],
      ["      this.#rate = rate;\n", ""],
    ],
  },
  {
    file: "src/domain/money.ts",
    quick: ["domain/money"],
    broad: [],
    mutations: [
      ["(dividend + divisor - 1n) / divisor", "dividend / divisor"],
      ["if (/[^0]/.test(excess)) return null;", ""],
      ['match[1] === "-" ? -units : units', "units"],
      ["divisor > 0n && dividend >= 0n", "divisor > 0n"],
      ['padStart(scale + 1, "0");\n  return', 'padStart(scale, "0");\n  return'],
      ["const SAFE_DIGITS = 15", "const SAFE_DIGITS = 18"],
      ["charCodeAt(end - 1) === 48", "charCodeAt(end - 1) === 49"],
      ["fee * 1_000_000n === product", "fee <= product"],
    ],
  },
  {
    file: "src/domain/money_balances.ts",
    quick: ["domain/decide_deposit", "domain/decide_withdraw"],
    broad: STREAMS,
    mutations: [["+ (changes.fees ?? 0n)", ""], ["+ (changes.locked ?? 0n)", ""]],
  },
  {
    file: "src/domain/pnl.ts",
    quick: ["domain/pnl"],
    broad: ["engine/pnl_fold"],
    mutations: [
      ["if (priced.isUnpriced) applyPrice(priced, price);", ""],
      ["totalCredit === 0n ? null", "totalDebit === 0n ? null"],
    ],
  },
  {
    file: "src/domain/pnl_accumulator.ts",
    quick: ["domain/pnl"],
    broad: ["engine/pnl_fold"],
    mutations: [
      ["if (balance <= 0n) return;", "if (balance < 0n) return;"],
      ["accumulator.totalDebit - accumulator.totalDebitFees", "accumulator.totalDebit"],
      ["const gross = debit + fees", "const gross = debit"],
      ["left > 0n ? left : 0n", "left"],
      ["if (debit > 0n || debitFees > 0n) add", "if (debit > 0n) add"],
      ["if (isSame) accumulator.averageBalancePrice = LEDGER_ONE;", ""],
      ["accumulator.isUnpriced && first !== null", "first !== null"],
      ["accumulator.isUnpriced = false;", ""],
    ],
  },
  {
    file: "src/domain/pnl_contribution.ts",
    quick: ["domain/pnl"],
    broad: ["engine/pnl_fold", "pnl_currencies"],
    mutations: [
      ["base - feeOf(base, ratePpm)", "base"],
      ['takerBuys ? "sell" : "buy"', 'takerBuys ? "buy" : "sell"'],
      ['isCoin ? "collected" : "accepted"', '"collected"'],
      ["debited(member, currency, amount - fee, fee)", "debited(member, currency, amount, fee)"],
      ["amount > 0n ? credited", "amount < 0n ? credited"],
    ],
  },
  {
    file: "src/domain/pnl_price.ts",
    quick: ["domain/pnl"],
    broad: ["engine/pnl_fold"],
    mutations: [
      ["(2n * dividend + divisor) / (2n * divisor)", "dividend / divisor"],
      ["direct.firstAt < inverse.firstAt", "direct.firstAt > inverse.firstAt"],
      ["first: old?.first ?? units", "first: units"],
      ["last: units };", "last: old?.last ?? units };"],
      ["inPrice === 0n", "price === 0n"],
    ],
  },
  {
    file: "src/domain/withdraw.ts",
    quick: ["domain/decide_withdraw"],
    broad: STREAMS,
    mutations: [
      ['withdraw.state !== "to_reject" : withdraw.state === "succeed"', "true : true"],
      ["at - updatedAt <= CLAIM_LIFE_MS", "at - updatedAt < CLAIM_LIFE_MS"],
      ['state === "processing" && at', "at"],
      ['cancel: ["accepted"]', 'cancel: ["accepted", "processing"]'],
      ['claim: ["accepted", "processing"]', 'claim: ["accepted"]'],
      ['park: ["processing"]', 'park: ["processing", "confirming"]'],
      ['fail: ["processing", "confirming", "skipped", "errored"]', 'fail: ["accepted"]'],
    ],
  },
  {
    file: "src/domain/withdraw_limits.ts",
    quick: ["domain/withdraw_limits", "domain/decide_bounds", "domain/decide_withdraw"],
    broad: STREAMS,
    mutations: [
      ["this.#rows.get(rowKey(level, ANY_GROUP)) ??", ""],
      ["this.#rows.get(rowKey(ANY_LEVEL, group)) ??", ""],
      ["row.limit24h === 0n && row.limit1m === 0n", "row.limit24h === 0n || row.limit1m === 0n"],
    ],
  },
  {
    file: "src/domain/withdraw_sums.ts",
    quick: ["domain/decide_withdraw"],
    broad: STREAMS,
    mutations: [
      ["if (createdAt > at - 24 * HOUR_MS)", "if (createdAt >= at - 24 * HOUR_MS)"],
      ["createdAt > month", "createdAt > at - 24 * HOUR_MS"],
      ["amount * venue.currency(currency).price / LEDGER_ONE", "amount"],
      ["if (counted.currency !== currency) continue;", ""],
      ["counted.createdAt > at - 24 * HOUR_MS", "counted.createdAt > at - 72 * HOUR_MS"],
      ["counted.createdAt > at - 72 * HOUR_MS", "counted.createdAt >= at - 72 * HOUR_MS"],
    ],
  },
];
