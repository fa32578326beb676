/** Breaks of the turns that processes take on a shared store. */
import type { MutatedFile } from "./mutation.ts";

/** Turns, and what they go by. */
export const TURNS_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/engine/shared/turns.ts",
    quick: ["engine/shared/turns"],
    broad: [],
    mutations: [
      ["    await this.ring.turn();\n", ""],
      ["GIVE_WAY_MS_MAX), isFar };", "0), isFar };"],
      [
        "made again at the next conflict.\n    this.#store.writeSidecar(TURN_REQUEST_KEY, row).catch(() => {});",
        "\n    this.#store.writeSidecar(TURN_REQUEST_KEY, row);",
      ],
      ["      if (row.process !== this.ring.own) this.#add", "      if (true) this.#add"],
      ["    if (ms === 0) return this.#drop(process);\n", ""],
      ["    if (isGrant) this.#waiting.wake();\n", ""],
      ["    this.#askers.delete(process);\n    if (process", "    if (process"],
      ["this.#askers.has(process) && this.#now()", "this.#now()"],
      ["    this.#askers.delete(process);\n    if (isFar)", "    if (isFar)"],
      ["return this.#isAsking ? null : first;", "return first;"],
      ["if (asker.isGranted) return asker;", "if (false) return asker;"],
      ["else if (!asker.isFar || now >= this.#worksUntil)", "else"],
      ["if (this.#isGranted) this.#letGoAt = this.#now();", ""],
      ["if (isOften && !this.isFar) this.ask();", "if (isOften) this.ask();"],
      ["if (isOften && !this.isFar) this.ask();", "if (!this.isFar) this.ask();"],
      ["    if (this.isOutpaced) return await this.#grant();\n", ""],
      ["if (await this.#letOthersGo()) {", "if (false) {"],
      ["while (!this.#isGranted && this.isOutpaced)", "while (!this.#isGranted)"],
      ["    this.#othersAt = this.#now();\n", ""],
      ["        askedAt = -Infinity;\n", ""],
      [
        "    return true;\n  }\n\n  /** Returns the process to give",
        "    return false;\n  }\n\n  /** Returns the process to give",
      ],
    ],
  },
  {
    file: "src/engine/commit/sequencer.ts",
    quick: ["simulate/far_processes"],
    broad: [],
    mutations: [
      ["await turns.giveWay().then(() => follower.heard());", "await follower.heard();"],
    ],
  },
  {
    file: "src/engine/shared/log_follower.ts",
    quick: ["engine/shared/log_follower"],
    broad: ["simulate/far_processes"],
    mutations: [
      ["isBehind && this.#turns.isFar", "false"],
      ["    this.#turns.noteOthers();\n", ""],
      ["        this.#turns.isFar,\n", ""],
    ],
  },
  {
    file: "src/engine/start/open_engine.ts",
    quick: ["engine/start/opening_far_away"],
    broad: [],
    mutations: [["  turns.trip.note(performance.now() - askedAt);\n", ""]],
  },
  {
    file: "src/store/log/venue_log.ts",
    quick: ["store/log/venue_log"],
    broad: [],
    mutations: [
      ["isFar ? readPartsAtOnce : readParts", "readParts"],
      ["readings.length < RANGES_AT_ONCE", "readings.length <= RANGES_AT_ONCE"],
      ["asked = Math.min(from + RANGE_EVENTS, upTo)", "asked = from + RANGE_EVENTS"],
    ],
  },
  {
    file: "src/engine/shared/entries_ahead.ts",
    quick: ["engine/shared/entries_ahead"],
    broad: [],
    mutations: [
      ["if (first <= sequence) this.#bytes.delete(first);", ""],
      ["if (this.#bytes.size >= ENTRIES_MAX) this.#bytes.clear();", ""],
    ],
  },
  {
    file: "src/engine/commit/standstill.ts",
    quick: ["engine/commit/standstill"],
    broad: [],
    mutations: [
      ["this.#since ??= this.#now();", "this.#since = this.#now();"],
      ["    this.#since = null;\n", ""],
      ["Math.max(STANDSTILL_MS, STANDSTILL_TRIPS * this.#tripMs())", "STANDSTILL_MS"],
    ],
  },
  {
    file: "src/engine/shared/turns.ts",
    quick: ["engine/shared/round_trip"],
    broad: [],
    mutations: [
      ["if (this.#last.length > ANSWERS) this.#last.shift();", ""],
      ["Math.min(...this.#last)", "Math.max(...this.#last)"],
    ],
  },
  {
    file: "src/engine/shared/writer_ring.ts",
    quick: ["engine/shared/writer_ring"],
    broad: ["engine/shared/two_engines"],
    mutations: [
      ["now - at > WRITER_MS", "now - at < WRITER_MS"],
      ["ring.indexOf(this.#last) + 1", "ring.indexOf(this.#last)"],
      ["order.slice(0, order.indexOf(this.own))", "order"],
      ["id.set(this.#name);", ""],
      ["for (const name of this.#before()) this.#writers.delete(name);", ""],
      ["?.entries ?? 0) + 1", "?.entries ?? 0)"],
      [", TURN_MS_MAX)", ", Infinity)"],
    ],
  },
];
