import type { MutatedFile } from "./mutation.ts";

const FUNDS = ["engine/read/funds_queries"];

/** Breaks of members' funds at any time, of what has moved them, and of their rows. */
export const ACCOUNT_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/money/funds.ts",
    quick: [...FUNDS, "http/account_statement"],
    broad: [],
    mutations: [
      ["account.available + account.locked", "account.available"],
      ["if (net === 0n) return null;", ""],
      ["isWhole ? 0n : fee", "fee"],
      ["gross: net + fee, fee", "gross: net, fee: 0n"],
      ["fee: isBuy ? feeOf(base, feeRate) : 0n", "fee: 0n"],
      ["fee: isBuy ? 0n : feeOf(total, feeRate)", "fee: feeOf(total, feeRate)"],
      ["gross: isBuy ? -total : total", "gross: total"],
      ["|| trade.isOwn === true) return null", ") return null"],
      ["takerTradeOf(trade, at), market", "{ ...takerTradeOf(trade, at), feeRate: 0 }, market"],
      ["count % TRADES_PER_FUNDS_RECORD < more", "count % TRADES_PER_FUNDS_RECORD > count"],
    ],
  },
  {
    file: "src/store/rows/funds_codec.ts",
    quick: FUNDS,
    broad: ["http/account_statement", "engine/fold/largest_rows"],
    mutations: [
      ["writer.uint(record.trades);", "writer.uint(0);"],
      ["writer.uint(record.at);", "writer.uint(0);"],
      ["writer.bigint(fee);", "writer.bigint(0n);"],
      ["writer.bigint(total);", "writer.bigint(0n);"],
    ],
  },
  {
    file: "src/engine/fold/funds_recorder.ts",
    quick: FUNDS,
    broad: ["http/account_statement", "engine/fold/money_fold"],
    mutations: [
      ['if (!hasEffect(event, "movesFunds") || event.kind === "trade") return;', "return;"],
      ["if (!isOwn && !this.#source.notesTrades) return;", "if (!isOwn) return;"],
      ["of membersOf(event)) this", "of membersOf(event).slice(0, 1)) this"],
      ["if (moved !== null || isNoted)", "if (moved !== null)"],
      ["if (moved !== null || isNoted)", "if (isNoted)"],
      ["if (member < FIRST_MEMBER) return;", "if (member > FIRST_MEMBER) return;"],
    ],
  },
  {
    file: "src/engine/fold/funds_fold.ts",
    quick: ["engine/fold/money_fold", "engine/fold/fold_window"],
    broad: FUNDS,
    mutations: [
      ["notesTrades: true", "notesTrades: false"],
      ["members.sequenceOf(member) >= sequence ? null : ", ""],
    ],
  },
  {
    file: "src/engine/start/funds_fill.ts",
    quick: FUNDS,
    broad: [],
    mutations: [
      ["this.#recorder.before(event, venue.sequence + 1);", ""],
      ["this.#recorder.after(event, venue.sequence, at);", ""],
      [" && await writer.adopt({ hasFunds: true })", ""],
      ["!await writer.adopt({}, written)", "written.length < 0"],
    ],
  },
  {
    file: "src/engine/read/funds_queries.ts",
    quick: FUNDS,
    broad: ["http/account_statement", "http/account_ledger"],
    mutations: [
      ["if (time > moment.at) return", "if (time >= moment.at) return"],
      ["if (time > moment.at) return { totals: moment.totals, scanned: 0 };", ""],
      ["record?.trades ?? 0, range", "0, range"],
      ["if (after > last) return scanned;", ""],
      ["toId: place.record", ""],
      ["!one.moved && one.trades < place.trade", "true"],
      [" && one.trades < place.trade", ""],
      ["+ gross - fee", "+ gross"],
      ["if (items.length < TRADES_PER_READ) return scanned;", "return scanned;"],
      [".filter(({ id }) => id <= sequence)", ""],
      ["lastId: sequence,", "lastId: Infinity,"],
      ['if (!folder.hasFunds) throw new UnavailableError("fold_behind");', ""],
    ],
  },
];
