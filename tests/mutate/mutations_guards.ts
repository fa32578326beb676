import type { MutatedFile } from "./mutation.ts";

/** Breaks of guards in the outer layers, which strangers meet first. */
export const GUARD_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/api/schemas/email.ts",
    quick: ["api/email"],
    broad: ["api/auth_identity", "api/admin_members"],
    mutations: [
      ["\\p{Default_Ignorable_Code_Point}", ""],
      ["\\p{C}", ""],
      ['email.normalize("NFKC") === email && ', ""],
      [' && isPlainHost(email.slice(email.lastIndexOf("@") + 1))', ""],
      ['"/?#%|^]+(?:', '"]+(?:'],
      ['"/?#%|^]+)+$/', '"]+)+$/'],
    ],
  },
  {
    file: "src/realtime/candle_stream.ts",
    quick: ["realtime/candle_stream"],
    broad: ["realtime/public_streams"],
    mutations: [
      ["    own.delete(stream);\n", ""],
      ["if (own.size === 0) ", ""],
      ["    this.#sequences.set(stream, feed.sequence);\n", ""],
      ["this.#feeds.get(index) ?? new Map", "new Map"],
      [
        "of this.#feeds.get(market)?.values() ?? []",
        "of [...this.#feeds.values()].flatMap((own) => [...own.values()])",
      ],
    ],
  },
  {
    file: "src/realtime/catching_up.ts",
    quick: ["realtime/long_snapshot"],
    broad: ["realtime/slow_beginning"],
    mutations: [
      ["return lastTurn = lastTurn.then(yieldToOthers);", "return yieldToOthers();"],
    ],
  },
  {
    file: "src/realtime/hub.ts",
    quick: ["realtime/store_away", "realtime/hub"],
    broad: ["realtime/subscribing_again"],
    mutations: [
      ['outcome === "subscribed" && all', "all"],
      [" && all.includes(false)", ""],
      ["      if (!isAway) throw error;\n", ""],
      ["if (isAway) subscription", "subscription"],
      ["    this.unsubscribe(reader, [stream]);\n", ""],
      ["if (!isAway) reader", "reader"],
      ["reader.closeAnswered(", "reader.close("],
    ],
  },
  {
    file: "src/realtime/message_line.ts",
    quick: ["realtime/told_in_order", "realtime/slow_beginning"],
    broad: ["realtime/subscribing_again", "realtime/private_replay"],
    mutations: [
      [" && this.#emptying === null", ""],
      ["this.#beginnings === 0 && ", ""],
      ["first.filter((one) => one.member.isAwaited)", ""],
      ["    this.#waitingLength += length;\n", ""],
    ],
  },
  {
    file: "src/realtime/private_messages.ts",
    quick: ["realtime/long_snapshot"],
    broad: ["realtime/private_replay"],
    mutations: [
      ["order !== null && i < SLICE", "order !== null"],
      ["    if (this.#isFinished) return;\n", ""],
      ["if (!this.#copies.has(id)) continue;", ""],
      ["if (order === undefined) this.#copies.delete(id);\n      else ", "if (order) "],
      ["if (order !== undefined) return order.memberNext;", "return order?.memberNext ?? null;"],
      ["    while (!this.copySlice());\n", ""],
    ],
  },
  {
    file: "src/realtime/private_streams.ts",
    quick: ["realtime/long_snapshot"],
    broad: ["realtime/private_replay"],
    mutations: [
      ["      for (const copies of this.#copying) copies.follow(event);\n", ""],
      ["do await ownTurn(); while (!subscription.isOver && !copies", "while (!copies"],
    ],
  },
  {
    file: "src/realtime/push_connection.ts",
    quick: ["realtime/store_away", "realtime/push"],
    broad: [],
    mutations: [
      ["    for (const stream of this.#hub.streamsOf(this)) this.#since.delete(stream);\n", ""],
      ["of this.#hub.streamsOf(this)) this", "of this.#since.keys()) this"],
    ],
  },
  {
    file: "src/realtime/replay.ts",
    quick: ["realtime/cut_reads", "realtime/private_refusals"],
    broad: ["realtime/private_replay"],
    mutations: [
      ['cuts.areAfter(member, stream, since) ? "too_old" : null', "null"],
      ["seen.entries().every(([stream, since]) => since === lastOf(stream))", "false"],
      ["    cuts.note(member, read.before);\n", ""],
      ["before !== undefined && since < before[stream]", "before !== undefined"],
      ["since < before[stream];", "since <= before[stream];"],
      ["    this.#before.turn();\n", ""],
      ["    this.#noted = 0;\n", ""],
    ],
  },
  {
    file: "src/realtime/subscription.ts",
    quick: ["realtime/long_snapshot", "realtime/subscription"],
    broad: ["realtime/slow_beginning"],
    mutations: [
      ["sent < PORTION_FRAMES", "true"],
      ["      if (this.#isOver || !this.reader.isOpen) return true;\n", ""],
      ["      if (isBehind(this.reader)) return false;\n", ""],
      ["      await ownTurn();\n", ""],
      ["if (!this.#isOver) throw error;", "throw error;"],
    ],
  },
  {
    file: "src/realtime/rpc_orders.ts",
    quick: ["realtime/rpc_orders"],
    broad: [],
    mutations: [
      ['typeof others !== "object" || ', ""],
      [" || Array.isArray(others)", ""],
    ],
  },
  {
    file: "src/realtime/rpc_route.ts",
    quick: ["realtime/rpc_route"],
    broad: [],
    mutations: [
      ["caller === null ? UNSIGNED_FRAME_BYTES_MAX : ", ""],
      [" : BULK_BODY_BYTES_MAX", " : UNSIGNED_FRAME_BYTES_MAX"],
      ["= 16 * 1024", "= 12 * 1024"],
    ],
  },
  {
    file: "src/realtime/rpc_streams.ts",
    quick: ["realtime/rpc_streams", "realtime/store_away"],
    broad: [],
    mutations: [
      ["if (names.length > STREAMS_PER_READER_MAX) throw tooMany();", ""],
      ["names.length > STREAMS_PER_READER_MAX", "names.length >= STREAMS_PER_READER_MAX"],
      ["names.length > STREAMS_PER_READER_MAX", "new Set(names).size > STREAMS_PER_READER_MAX"],
      ['if (!names.every((name) => typeof name === "string")) {', "if (false) {"],
      ['    if (outcome === "unavailable") throw unavailable();\n', ""],
      ["    this.#forgetLost();\n", ""],
      ["if (!read.has(stream)) this.#names.delete", "this.#names.delete"],
    ],
  },
  {
    file: "src/realtime/socket_gate.ts",
    quick: ["realtime/rpc_route", "realtime/handshake"],
    broad: ["realtime/push"],
    mutations: [
      ["route.frameBytesMax(caller)", "route.frameBytesMax(null)"],
      [
        "  if ((c.req.header(VERSION_HEADER) ?? VERSION) !== VERSION) throw upgradeRequired();\n",
        "",
      ],
      [" ?? VERSION) !== VERSION", ") !== VERSION"],
      [", [VERSION_HEADER]: VERSION };", " };"],
      ["    return this.#signal.aborted;", "    return false;"],
      ["    if (this.#isSameTurn) return false;\n", ""],
    ],
  },
  {
    file: "src/realtime/trade_stream.ts",
    quick: ["realtime/trade_stream"],
    broad: ["realtime/public_streams"],
    mutations: [
      [
        "    this.#sequences[event.market] = sequence;\n",
        '    if (this.#hub.topic("btcusdt.trades")) this.#sequences[event.market] = sequence;\n',
      ],
    ],
  },
  {
    file: "src/realtime/session_check.ts",
    quick: ["realtime/session_check"],
    broad: [],
    mutations: [
      ["Math.max(this.#openedAt, this.#registry.sessionsSeenAt)", "this.#openedAt"],
      ["Math.max(this.#openedAt, this.#registry.sessionsSeenAt)", "this.#registry.sessionsSeenAt"],
      ["if (isSessionOver(row, this.#engine.now()))", "if (row === null)"],
    ],
  },
  {
    file: "src/realtime/late_check.ts",
    quick: ["realtime/key_address_check", "realtime/session_check"],
    broad: [],
    mutations: [
      ["this.#checking === null && !this.isLate()", "true"],
      ["    await this.verify();\n", ""],
      ['if (caughtUp.status === "rejected") throw caughtUp.reason;', ""],
    ],
  },
  {
    file: "src/api/arriving_bodies.ts",
    quick: ["api/arriving_bodies"],
    broad: ["attack/endless_bodies"],
    mutations: [
      ["total <= freeMax", "false"],
      ["this.#tally.of(address) + bytes > perAddressMax || ", ""],
      [" || total > totalMax", ""],
      ["networkOf(this.#clientAddress(c))", "this.#clientAddress(c)"],
      ["return () => this.#tally.add(address, -bytes);", "return () => {};"],
      ['"Connection": "close"', ""],
    ],
  },
  {
    file: "src/api/byte_tally.ts",
    quick: ["api/arriving_bodies"],
    broad: ["api/unsent_answers"],
    mutations: [
      ["this.#total += bytes;", ""],
      ["if (address === null) return;", "return;"],
      ["this.of(address) + bytes", "bytes"],
    ],
  },
  {
    file: "src/memory_guard.ts",
    quick: ["memory_guard"],
    broad: ["attack/endless_message"],
    mutations: [
      ["heapMost = Math.max(heapMost, heapTotal);", "heapMost = heapTotal;"],
      ["if (bytes <= this.#limit) return;", ""],
      ["      this.#isRelieved = false;\n", ""],
      ["Math.max(this.#bytesMax, bytes + GROWTH_BYTES_MAX)", "this.#bytesMax"],
      ["bytes + GROWTH_BYTES_MAX", "bytes"],
      ["    relieve();\n", ""],
      ["rss - heapMost", "heapTotal"],
    ],
  },
  {
    file: "src/listener.ts",
    quick: ["listener"],
    broad: ["attack/endless_message"],
    mutations: [
      ["this.#isStopping || this.address.port === undefined", "this.#isStopping"],
      ["this.#isStopping || this.#server !== server", "this.#isStopping"],
      ["    this.#retry(RENEWAL_MS);\n", ""],
      ["Promise.all([this.#renewed, this.#server?.shutdown()])", "this.#server?.shutdown()"],
    ],
  },
  {
    file: "src/engine/opening_record.ts",
    quick: ["engine/opening_record"],
    broad: [],
    mutations: [
      ["last.nonceWindowMs <= windowMs", "last.nonceWindowMs < windowMs"],
      ["last.narrowedAt ?? at", "at"],
      ["at - narrowedAt > NONCE", "at - narrowedAt >= NONCE"],
      ["isOver ? narrowed : ", ""],
      ["isOpeningRecord(old) ? old : null", "null"],
    ],
  },
  {
    file: "src/engine/sealing_mark.ts",
    quick: ["engine/sealing_mark"],
    broad: [],
    mutations: [
      ["if (last !== null) await vault.open(last, MARK);", ""],
      ["if (last !== null && !vault.needsReseal(last)) return;", "if (last !== null) return;"],
    ],
  },
];
