import type { MutatedFile } from "./mutation.ts";

const FOLDS = ["engine/fold_window", "engine/money_fold", "engine/audit"];

/** Breaks of the fold, of what is rebuilt from the log, and of the audit of both. */
export const FOLD_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/engine/audit.ts",
    quick: ["engine/forged_store", "engine/audit"],
    broad: ["engine/money_fold", "engine/fold_window", "engine/pnl_fold"],
    mutations: [
      ["assert(stored.target <= head.sequence,", "assert(true,"],
      ["assert(bid < ask,", "assert(true,"],
      ["    this.#checkHead(head);\n", ""],
      ["    this.#venue.checkInvariants();\n", ""],
      ["settingsText(replayed) === settingsText(stored) &&", ""],
      ["if (stored.sequence === 0) await this.#compare(stored);", ""],
      ["if (!isFound) throw error;\n", "throw error;\n"],
      ["assert(isSameBytes(hash, head.hash),", "assert(true,"],
      ["    await this.#checkMark(head);\n", ""],
      ["if (stored.target > stored.sequence) this.#unsettled = differences;\n    else ", ""],
      [
        "checkedApply(this.#venue, event, entry.at)",
        "this.#venue.time = entry.at + event.kind.length",
      ],
      ["mark.sequence > head.sequence ||", ""],
    ],
  },
  {
    file: "src/engine/candle_fold.ts",
    quick: ["engine/fold_window"],
    broad: ["engine/queries"],
    mutations: [
      ["let to = from + 1;", "let to = from + 2;"],
      ["BigInt(price) * BigInt(volume) * unit", "BigInt(price) * BigInt(volume)"],
      ["let candle: Candle | null = old ?? null;", "let candle: Candle | null = null;"],
    ],
  },
  {
    file: "src/engine/fold_pace.ts",
    quick: ["engine/fold_pace"],
    broad: [],
    mutations: [
      ["< SLICE_MS) return", "<= SLICE_MS) return"],
      ["this.#isPressed() ? yieldToOthers() : rest()", "rest()"],
      ["    this.#sliceStart = performance.now();\n", ""],
    ],
  },
  {
    file: "src/engine/yield_to_others.ts",
    quick: ["engine/fold_pace"],
    broad: [],
    mutations: [["runtime.setImmediate(resolve)", "setTimeout(resolve, 0)"]],
  },
  {
    file: "src/engine/fold_part.ts",
    quick: ["engine/fold_window"],
    broad: ["engine/money_fold", "engine/pnl_fold"],
    mutations: [["orderOf(a) - orderOf(b)", "orderOf(b) - orderOf(a)"]],
  },
  {
    file: "src/engine/fold_window.ts",
    quick: ["engine/forged_store", "engine/fold_window", "engine/recovery"],
    broad: ["engine/member_events", "engine/timers"],
    mutations: [
      ["watermark.target > watermark.sequence", "watermark.target < watermark.sequence"],
      ["hash: last.hash,", "hash: watermark.hash,"],
      ["entry.first + i, entry.at)", "entry.first, entry.at)"],
      ["market.triggerLow = market.triggerHigh = market.lastPrice;", ""],
      ["!event.resting && !hasTrigger(event.type)", "!event.resting"],
      ["    order.priority = sequence;\n    this.#unqueue", "    this.#unqueue"],
      ["market.pending.push(id);", ""],
      ["if (order.remaining > 0) return;", "if (order.remaining > 1) return;"],
      [
        "    this.#unqueue(order, sequence);\n    this.#finish(order, sequence);\n  }\n\n  #trade",
        "    this.#finish(order, sequence);\n  }\n\n  #trade",
      ],
      ["isOwn ? 2 : 1, 2)", "1, 2)"],
      ["if (isOwn) return;", ""],
      ["this.#account(seller, base, sequence, { locked: event.sellerBaseLocked });", ""],
      ["this.#account(FEES_MEMBER, quote, sequence, { available: event.feesQuoteAvailable });", ""],
      ['countRecord(this.#members, event.takerMember, sequence, "tradesCount");', ""],
      ["this.settings = { ...this.settings, ...changed };", ""],
      ["this.counters.adjustments = event.id;", ""],
      ["      this.#keys,\n      this.#members", "      this.#members"],
    ],
  },
  {
    file: "src/engine/fold_writer.ts",
    quick: ["engine/fold_writer", "engine/fold_window"],
    broad: ["engine/history_fold", "engine/money_queries"],
    mutations: [
      [
        "...(isLast ? folded.watermark : { ...start, target })",
        "...folded.watermark",
      ],
      ["sumAfter(stateSum, step, this.#rows)", "sumAfter(stateSum, folded.changes, this.#rows)"],
      ["target }), stateSum };", "target }) };"],
      ["this.#rows.note(folded.changes);", ""],
      ["steps.push(step);\n  return", "return"],
      [
        "isCutShort ? target : sequence, hash",
        "sequence, hash",
        "who finishes a window that was cut short asks for its target",
      ],
    ],
  },
  {
    file: "src/engine/folder.ts",
    quick: ["engine/money_queries", "engine/back_pressure"],
    broad: ["engine/fold_window", "engine/pnl_fold", "engine/long_commit"],
    mutations: [
      [
        "if (one.sequence <= sequence) one.resolve();",
        "if (one.sequence < sequence) one.resolve();",
      ],
      ["Math.min(writer.watermark.sequence, settledSequence())", "writer.watermark.sequence"],
      ['this.#refuseWaiting("closing");', ""],
      ["if (sequence <= watermark.sequence) return false;", "return false;"],
    ],
  },
  {
    file: "src/engine/grouped_items.ts",
    quick: ["engine/tail"],
    broad: ["engine/fold_window"],
    mutations: [["else items.push(item);", ""]],
  },
  {
    file: "src/engine/history_fold.ts",
    quick: ["engine/history_fold"],
    broad: ["engine/fold_window"],
    mutations: [
      ["for (const record of records) merged.set(codec.id(record), record);", ""],
      ["i > 0 && first <= lastId ?", "i > 0 ?"],
      ["i > 0 && first <= lastId ?", "false ?"],
      ["sort((a, b) => codec.id(a) - codec.id(b));\n  const tail", "slice();\n  const tail"],
    ],
  },
  {
    file: "src/engine/holder_rows.ts",
    quick: ["engine/fold_window"],
    broad: ["engine/money_fold"],
    mutations: [
      ["holder[counter] += 1;", "holder[counter] = 1;"],
      ["addMessages(holder.messages, made.orders, made.accounts);", ""],
    ],
  },
  {
    file: "src/engine/market_record.ts",
    quick: ["engine/fold_window"],
    broad: ["engine/recovery"],
    mutations: [
      ["Math.max(market.triggerHigh, price)", "price"],
      ["market.tradesCount += 1;", ""],
    ],
  },
  {
    file: "src/engine/money_fold.ts",
    quick: ["engine/recovery", "engine/money_fold"],
    broad: ["engine/money_queries", "engine/pnl_fold", "engine/recovery"],
    mutations: [
      ["counters.acts = event.id;", ""],
      ["if (deposit.id > counters.deposits) {", "{"],
      ["Math.max(counters.beneficiaries, beneficiary.id)", "beneficiary.id"],
      ["this.#openWithdraws.remove(withdraw.id, sequence);", ""],
      ["this.#endedWithdraws.put(withdraw.id, withdraw, sequence);", ""],
      ["addToGroup(this.#withdrawsOf, withdraw.member, withdraw);", ""],
      ["countMessages(members, record.member, sequence, { orders: 0, accounts: 1 });", ""],
      ['changes.push({ table: "deposit_names", place, bytes: writeRecordRow(end, id) });', ""],
      ["await this.#endedDeposits.load(deposits, pause);", ""],
    ],
  },
  {
    file: "src/engine/money_recovery.ts",
    quick: ["engine/money_fold"],
    broad: ["engine/raced_withdraws", "engine/recovery"],
    mutations: [
      ["createdAt < since || !isWithdrawCounted(withdraw)", "createdAt < since"],
      ["createdAt < since || !isWithdrawCounted(withdraw)", "!isWithdrawCounted(withdraw)"],
      ["for (const withdraw of venue.withdraws.values()) addCounted(all, withdraw, since);", ""],
    ],
  },
  {
    file: "src/engine/money_sheets.ts",
    quick: ["engine/money_fold"],
    broad: ["engine/money_queries"],
    mutations: [
      ["[currency, txid, output]", "[currency, txid, 0]"],
      ["`${level}/${group}`", "`${group}`"],
    ],
  },
  {
    file: "src/engine/pnl_events.ts",
    quick: ["engine/pnl_fold"],
    broad: [],
    mutations: [
      ["this.picked.push(...this.#others.values());", ""],
      ["|| event.takerMember === this.#member", ""],
    ],
  },
  {
    file: "src/engine/pnl_fold.ts",
    quick: ["engine/pnl_fold"],
    broad: [],
    mutations: [
      ["if (sequence <= this.#writtenSequence) return;", ""],
      ["own?.quote === valued", "own?.quote === currency"],
      ["refresh(record, this.#kept);", ""],
      ['depositContribution(deposit, type === "coin")', "depositContribution(deposit, true)"],
      ["isBase ? basePrices : quotePrices", "basePrices"],
      ["if (currency === valued) return { isSame: true", "if (false) return { isSame: true"],
      ["this.#prices.change(pair, sequence, (old) => notePrice(old, units, sequence));", ""],
    ],
  },
  {
    file: "src/engine/pnl_query.ts",
    quick: ["engine/pnl_fold"],
    broad: ["api/pnl"],
    mutations: [
      ["place(a) - place(b) ||", ""],
      ["one.accumulator.isUnpriced", "false"],
      ["await takeAll(fold, pnlEventsOf(entries, member));", "await takeAll(fold, []);"],
    ],
  },
  {
    file: "src/engine/pnl_sheets.ts",
    quick: ["engine/pnl_fold"],
    broad: ["pnl_currencies"],
    mutations: [
      ["base * CURRENCIES_MAX + quote", "base + quote"],
      ["member * ROWS_PER_MEMBER + ", "member + "],
    ],
  },
  {
    file: "src/engine/pnl_touched.ts",
    quick: ["engine/pnl_fold"],
    broad: ["pnl_currencies"],
    mutations: [
      ["          keeps = true;\n", ""],
      ["pairs.add(pairName(other, currency));", ""],
      ["this.#newMarkets.set(event.market.index, event.market);", ""],
    ],
  },
  {
    file: "src/engine/rebuild.ts",
    quick: ["engine/audit"],
    broad: ["engine/money_fold"],
    mutations: [
      ["await store.deleteRows(isRowKey);", ""],
      ['await store.deleteRows((key) => key.join("/") === watermarkName);', ""],
      ["await writer.finish(head.sequence);", ""],
    ],
  },
  {
    file: "src/engine/row_comparison.ts",
    quick: ["engine/audit", "engine/fold_window"],
    broad: ["engine/money_fold"],
    mutations: [
      ["!damaged.has(name) && isSame", "isSame"],
      ["[...expected.keys(), ...actual.keys(), ...damaged]", "[...expected.keys(), ...damaged]"],
      ["[...expected.keys(), ...actual.keys(), ...damaged]", "[...actual.keys(), ...damaged]"],
      ["isSameBytes(replayed, stored)) continue", "replayed.length === stored.length) continue"],
      ['if (isPartOf(some, all)) return "less";', ""],
      ["HISTORY_TABLES.has(table) ? place.slice(0, -1) : place", "place"],
    ],
  },
  {
    file: "src/engine/row_sheets.ts",
    quick: ["engine/query_bounds", "engine/fold_window"],
    broad: ["engine/money_fold", "engine/recovery"],
    mutations: [
      ["row.sequence >= sequence) return undefined", "false) return undefined"],
      ["items.size === 0 ? null :", ""],
      [
        "row.items.set(name, step(row.items.get(name)));\n    row.isChanged = true;",
        "row.items.set(name, step(row.items.get(name)));",
      ],
      ["order(a) - order(b)", "order(b) - order(a)"],
      ["Math.floor(start / (period * 60 * CANDLES_PER_ROW))", "Math.floor(start / (period * 60))"],
    ],
  },
  {
    file: "src/engine/row_source.ts",
    quick: ["engine/history_fold", "engine/fold_window"],
    broad: ["engine/two_engines", "engine/money_fold"],
    mutations: [
      ["id === LAST_ID ? Infinity : id + 1", "id === LAST_ID ? Infinity : id"],
      ["(ids[position] as number) > id", "(ids[position] as number) >= id"],
      ["ids.sort((a, b) => a - b);", ""],
      [
        "if (change.bytes === null) this.rows.delete(key);\n      else {",
        "{",
        "a change without bytes is read as no row, too",
      ],
    ],
  },
  {
    file: "src/engine/touched_items.ts",
    quick: ["engine/fold_window"],
    broad: FOLDS,
    mutations: [
      ["this.orders.add(event.maker).add(event.taker);", "this.orders.add(event.taker);"],
      ["[FEES_MEMBER, OUTSIDE_MEMBER]", "[FEES_MEMBER]", "both are in one row of members"],
    ],
  },
  {
    file: "src/engine/state_sum.ts",
    quick: ["engine/missing_rows", "engine/fold_writer"],
    broad: ["engine/audit", "engine/money_fold"],
    mutations: [
      ["if (!isOfState(table)) continue;", ""],
      ["if (old !== null) after =", "if (old === null) after ="],
      ["if (bytes !== null) after =", "after ="],
      ["sum + rowChecksum(key, row)", "sum + 1"],
    ],
  },
];
