import type { MutatedFile } from "./mutation.ts";

/** Breaks of the calls to the KV and of the handles that they go over. */
export const CALL_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/store/kv_handle.ts",
    quick: ["store/kv_handles", "store/lost_calls"],
    broad: ["engine/commit_entry"],
    mutations: [
      ["if (this.#next?.tries === tries) return this.#next.done;", ""],
      ["if (this.#next === next) this.#next = null;", ""],
      ["this.#isClosed || tries < this.#tries", "tries < this.#tries"],
      ["    this.#tries = tries;\n", ""],
      ["    old.close();\n", ""],
    ],
  },
  {
    file: "src/store/kv_handles.ts",
    quick: ["store/kv_handles", "store/store", "store/lost_calls"],
    broad: ["engine/commit_entry"],
    mutations: [
      ["handle.calls < least.calls", "handle.calls > least.calls"],
      ["    } finally {\n      handle.calls -= 1;\n    }", "    } finally {\n    }"],
      ["this.#isRemote ? await this.read(call) :", ""],
      ["if (this.#writer === this.#watcher) return;", ""],
      ["if (handle.isOlderThan(this.lost.tries)) await handle.renew(this.lost.tries);", ""],
      ["      this.lost.lose();\n      onLate();\n", "      onLate();\n"],
      ["if (handle.kv === old) handle.renew(this.lost.tries).catch(() => {});", ""],
      ["sent.then(() => this.lost.answer(), () => {});", ""],
    ],
  },
  {
    file: "src/store/kv_listing.ts",
    quick: ["store/kv_listing"],
    broad: ["store/store"],
    mutations: [
      ["this.#entries === null || this.#kv !== kv", "this.#entries === null"],
      ["if (this.#last === null) return [this.#selector, this.#options];", ""],
      ["reverse ? { end: this.#last } :", ""],
      ["limit - this.#told + 1", "limit - this.#told"],
      ["if (!next.done && isSameKey(next.value.key, this.#last)) next = await entries.next();", ""],
      ["if (this.#told >= (this.#options.limit ?? Infinity)) return null;", ""],
    ],
  },
  {
    file: "src/store/store.ts",
    quick: ["store/store", "engine/commit_entry", "store/lost_calls"],
    broad: [
      "engine/contacts",
      "engine/acts",
      "engine/health",
      "engine/fold_window",
      "engine/queries",
    ],
    mutations: [
      ["atomic.check({ key: key as Deno.KvKey, versionstamp });", ""],
      ["if (mutation.value === null) atomic.delete(mutation.key as Deno.KvKey);\n      else ", ""],
      [': { kind: "refused" };', ': { kind: "failed", error: new Error() };'],
      ['this.isRemote ? "unknown" : "failed"', '"unknown"'],
      ['this.isRemote ? "unknown" : "failed"', '"failed"'],
      ['if (error instanceof NotSentError) return { kind: "failed", error };', ""],
      ["assertFits(commit);", ""],
      ["reverse: options.reverse ?? false", "reverse: false"],
      ["check({ key, versionstamp: null }).set(key, value)", "set(key, value)"],
      ["const checked = kv.atomic().check({ key, versionstamp });", "const checked = kv.atomic();"],
      ["if (changed.ok) return value;", "return value;"],
      ['[isReverse ? "end" : "start"]', '["start"]'],
      ["if (!isMeant(key as Key)) continue;", ""],
      ["i += step) {", "i += step + 1) {"],
      ["      wake(entries.map(({ value, versionstamp }) => ({ value, versionstamp })));\n", ""],
    ],
  },
  {
    file: "src/store/in_time.ts",
    quick: ["store/store_deadline", "store/kv_handles"],
    broad: [],
    mutations: [
      ["Promise.race([call, late])", "call"],
      ["opening.then((kv) => kv.close(), () => {});", ""],
    ],
  },
  {
    file: "src/store/lost_calls.ts",
    quick: ["store/lost_calls"],
    broad: [],
    mutations: [
      ["this.#count >= LOST_CALLS_MAX", "false"],
      ["    this.#count = 0;\n    this.#silenceMs", "    this.#silenceMs"],
      ["if (now < this.#nextAt) return false;", ""],
      ["Math.min(2 * this.#silenceMs, SILENCE_MS_MAX)", "2 * this.#silenceMs"],
    ],
  },
  {
    file: "src/store/pulled_call.ts",
    quick: ["store/pulled_call"],
    broad: [],
    mutations: [
      ["      pullAlong(kv);\n", ""],
      ["  pullAlong(kv);\n  return", "  return"],
      ["pullAfter(others);", ""],
      ["    clearTimeout(timer);\n", ""],
    ],
  },
];
