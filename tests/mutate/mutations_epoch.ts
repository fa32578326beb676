import type { MutatedFile } from "./mutation.ts";

const BROKEN = ["engine/commit/broken_process"];
const RESTORED = ["simulate/restored_store"];

/** Breaks of what a broken process writes, of epochs, and of what a fold proves. */
export const EPOCH_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/engine/start/enter_epoch.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["      store.writeIn({ key, versionstamp });\n", ""],
      ["    held: [{ key: row.key, versionstamp: null }],\n", ""],
    ],
  },
  {
    file: "src/engine/start/enter_epoch.ts",
    quick: ["engine/start/older_log"],
    broad: [],
    mutations: [[" && head.value.format === LOG_FORMAT", ""]],
  },
  {
    file: "src/server/restore.ts",
    quick: ["server/restoring"],
    broad: [],
    mutations: [
      ["audit.differences.length === 0;", "audit.figures.size > 0;"],
      ["auditStore(store, { isCopy: true, sealing })", "auditStore(store, { sealing })"],
      ["    if (isFilePath(path)) lock = await takeOwnerLock(path);\n", ""],
      ["{ trading: false, withdrawals: false }", "{ trading: false, withdrawals: true }"],
      ["{ trading: false, withdrawals: false }", "{ trading: true, withdrawals: false }"],
      ["audit.switches.restored ?? end", "end"],
      ["mark?.epoch === epoch ? mark.sequence : 0", "0"],
      ["{ key: epochKey(old), value: null }, ", ""],
      [", epochRow(epoch, before), note]", ", note]"],
      ["if (isFilePath(path)) await writeHeadMark", "if (path === null) await writeHeadMark"],
      ["const act = copy.acts + 1;", "const act = copy.acts + 2;"],
      ["audit.venue.holders.length", "0"],
      ["audit.venue.holders.length", "audit.venue.holders.length + 1"],
      ["...rows, ...acts, ", "...rows, "],
      ["filter((name) => switches[name])", "filter(() => true)"],
      ["const epoch = crypto.randomUUID();", "const epoch = old;"],
    ],
  },
  {
    file: "src/server/restoring.ts",
    quick: ["server/restoring"],
    broad: [],
    mutations: [["    await endAllSessions(engine);\n", ""]],
  },
  {
    file: "src/engine/start/restores.ts",
    quick: ["engine/start/restores", "server/restoring", "wallet/restored_payouts"],
    broad: [],
    mutations: [
      ["return { key, value };", "return { key, value: null };"],
      ["[...branches, {", "[{"],
      ["Math.max(Math.floor(now / 1_000), taken + 1)", "Math.floor(now / 1_000)"],
      ["Math.floor(now / 1_000)", "Math.floor(at / 1_000)"],
      ["branches.findLast(", "branches.find("],
      ["from <= member", "from < member"],
      ["LAST_TAKEN_BRANCH = 1", "LAST_TAKEN_BRANCH = 0"],
      ["at: known?.at ?? at,", "at,"],
      ["last: at,", "last: known?.last ?? at,"],
    ],
  },
  {
    file: "src/engine/start/store_checks.ts",
    quick: ["server/venue_server"],
    broad: [],
    mutations: [["  if (await isBlank(path)) throwNoStore(path);\n", ""]],
  },
  {
    file: "src/store/log/epoch.ts",
    quick: BROKEN,
    broad: [],
    mutations: [["value: record", "value: null"]],
  },
  {
    file: "src/store/log/writing_right.ts",
    quick: BROKEN,
    broad: RESTORED,
    mutations: [
      ["    this.#isOver = true;\n", ""],
      ["    this.#checks = [epoch];\n", ""],
      ["...commit.held ?? [], ...this.#checks", "...commit.held ?? []"],
      ["...commit.held ?? [], ...this.#checks", "...this.#checks"],
    ],
  },
  {
    file: "src/store/store.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["    if (this.#right.isOver) throw new WritingOverError(BROKEN);\n", ""],
      [
        '    if (this.#right.isOver) return { kind: "failed",',
        '    if (false) return { kind: "failed",',
      ],
      ["kv.atomic().check(...checks)", "kv.atomic()"],
      [
        "if (now.versionstamp !== versionstamp) throw new WritingOverError",
        "if (false) throw new WritingOverError",
      ],
    ],
  },
  {
    file: "src/store/log/venue_log.ts",
    quick: ["store/log/venue_log", ...BROKEN],
    broad: [],
    mutations: [
      ["value !== null && isSameBytes(decodeEntryHash(value), hash)", "value !== null"],
      [", epochRow(head.epoch, 0)]", "]", "the first start adds it"],
    ],
  },
  {
    file: "src/engine/fold/folder.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["    await this.#checkRows();\n", ""],
      ["known === null || isSameBytes(known, hash)", "true"],
      [
        "if (sequence < watermark.target) return true;",
        "",
        "it is due once the venue is quiet",
      ],
      [
        "if (sequence < watermark.target) return true;",
        "if (sequence < watermark.sequence) return true;",
        "it is due for another reason, a little later",
      ],
    ],
  },
  {
    file: "src/engine/tail.ts",
    quick: ["engine/tail", ...BROKEN],
    broad: [],
    mutations: [
      ["this.#releasedHash = entries[entries.length - 1]?.hash ?? null;", ""],
      ["endOf(entry) === sequence)?.hash", "entry.first === sequence)?.hash"],
    ],
  },
  {
    file: "src/engine/fold/fold_writer.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["const proofs = [await proofOf(this.#store, last)];", "const proofs: Check[] = [];"],
      ["next, mutations, proofs)", "next, mutations)"],
    ],
  },
  {
    file: "src/engine/start/store_checks.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["if (target > head.sequence) {", "if (sequence > head.sequence) {"],
      ["isSameBytes(await readHashAt(store, sequence), hash)) return;", "hash.length > 0) return;"],
    ],
  },
  {
    file: "src/engine/commit/sequencer.ts",
    quick: BROKEN,
    broad: [],
    mutations: [
      ["    this.#deps.store.stopWriting();\n", ""],
      ["    this.#deps.onBroken();\n", ""],
    ],
  },
  {
    file: "src/engine/commit/commit_entry.ts",
    quick: BROKEN,
    broad: [],
    mutations: [[
      "assert(value.epoch === current.value.epoch,",
      "assert(true,",
      "the follower finds it a moment later",
    ]],
  },
];
