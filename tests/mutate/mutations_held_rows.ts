/** Breaks of what makes a command happen only while a row beside the log is as it was read. */
import type { MutatedFile } from "./mutation.ts";

/** The breaks of this table. */
export const HELD_ROWS_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/engine/commit/sequencer.ts",
    quick: ["engine/start/held_rows"],
    broad: [],
    mutations: [
      ["if (versionstamp !== held.versionstamp) command", "command"],
      ["held: batch.held }", "held: [] }"],
    ],
  },
  {
    file: "src/engine/commit/batch.ts",
    quick: ["engine/start/held_rows"],
    broad: [],
    mutations: [[" ||\n      this.held.length >= HELD_ROWS_MAX", ""]],
  },
  {
    file: "src/engine/commit/batch_decider.ts",
    quick: ["engine/commit/batch_decider"],
    broad: ["http/second_operator"],
    mutations: [["if (batch.rewrites(command.held)) {", "if (false) {"]],
  },
  {
    file: "src/store/same_key.ts",
    quick: ["store/same_key"],
    broad: [],
    mutations: [["key.length === other.length && ", ""], ["part === other[i]", "true"]],
  },
  {
    file: "src/engine/commit/commit_entry.ts",
    quick: ["engine/commit/commit_entry", "engine/start/held_rows"],
    broad: [],
    mutations: [
      [' && outcome.kind === "refused" && beside', " && beside"],
      ["found === UNMOVED && outcome", "outcome"],
      [
        "if (found !== null && found !== UNMOVED) return outcomeOf(found, next);",
        "if (found !== null && found !== UNMOVED && beside.held.length === 0) return outcomeOf(found, next);",
      ],
    ],
  },
  {
    file: "src/store/store.ts",
    quick: ["engine/start/held_rows"],
    broad: [],
    mutations: [[
      "atomic.check(commit.check, ...commit.held ?? []);",
      "atomic.check(commit.check);",
    ]],
  },
  {
    file: "src/identity/member_sessions.ts",
    quick: ["identity/two_processes"],
    broad: ["identity/member_sessions"],
    mutations: [
      ["!isStrong && isFresh", "isFresh"],
      [
        'if (isSessionOver(held.value, this.#engine.now())) throw new IdentityError("session_over");',
        "",
      ],
      ["!(error instanceof RowChangedError) || tries", "tries"],
      [" || tries >= HOLDING_TRIES_MAX", ""],
    ],
  },
  {
    file: "src/identity/member_sessions.ts",
    quick: ["http/routes/admin/operators"],
    broad: [],
    mutations: [
      ["act(held, isFresh ? freshCode : null)", "act(held, freshCode ?? null)"],
      [", freshCode: { until, generation } };", "};"],
    ],
  },
  {
    file: "src/domain/trial.ts",
    quick: ["http/second_operator"],
    broad: [],
    mutations: [
      ["isRejection(outcome) ? outcome : null", "null"],
    ],
  },
  {
    file: "src/secrets/pending_acts.ts",
    quick: ["http/second_operator"],
    broad: [],
    mutations: [
      ["held.versionstamp === null ? null : held", "held"],
      ["isDecided ? DECIDED_ACT_ROWS : PENDING_ACT_ROWS", "PENDING_ACT_ROWS"],
      ["one.kid === null || other.kid === null ?", "false ?"],
      ["one.uid === other.uid : one.kid", "false : one.kid"],
      [": one.kid === other.kid;", ": one.uid === other.uid;"],
    ],
  },
  {
    file: "src/http/routes/admin/admin_approvals.ts",
    quick: ["http/second_operator"],
    broad: [],
    mutations: [
      ["    held: [held],\n", ""],
      ["isApproved && isSameOperator(first, call.author)", "false"],
      ["{ key: held.key, value: null },\n", ""],
    ],
  },
  {
    file: "src/http/call.ts",
    quick: ["http/second_operator"],
    broad: [],
    mutations: [['      if (receipt.kind === "act_repeated") return [];\n', ""]],
  },
  {
    file: "src/identity/identity.ts",
    quick: ["http/routes/admin/operators"],
    broad: [],
    mutations: [
      ["now < code.until && ", ""],
      [" && code.generation === generationOf(member)", ""],
    ],
  },
  {
    file: "src/edge/callers/session_guard.ts",
    quick: ["http/routes/admin/operator_roles", "http/routes/admin/operators"],
    broad: [],
    mutations: [
      ["if (needed !== null) checkOperator(session, needed, engine.now());", ""],
      ["!isRead(c) || needed !== null", "!isRead(c)"],
      ["  if (refusal !== null) throw rejectionError(refusal);\n", ""],
      ["if (needsCode && !isCodeFresh", "if (!isCodeFresh"],
    ],
  },
  {
    file: "src/identity/member_sessions.ts",
    quick: ["edge/callers/session_guard"],
    broad: ["identity/reaper"],
    mutations: [
      ["if (!isSessionRow(row) || this.#engine.now() >= row.expiresAt) return null;", ""],
      ["return isShutOut !== true && now", "return now"],
      ["value.isShutOut === true) return now >= value.expiresAt;", "false) return false;"],
    ],
  },
  {
    file: "src/identity/proofs/password_changes.ts",
    quick: ["identity/two_processes", "identity/password_resets"],
    broad: ["http/routes/admin/admin_care"],
    mutations: [
      ["() => rows, ...(held === undefined ? [] : [held]));", "() => rows);"],
      ["{ uid, knownGeneration, ...(turnsFactorOff", "{ uid, ...(turnsFactorOff"],
      ["this.#parts.passwords.endingRow(member.uid), ", ""],
      [", ...await this.#endedRows(member, null)", ""],
      ["      twoFactor.endingRow(uid),\n", ""],
      ['await notices.send(uid, { kind: "password_reset", code })', ""],
    ],
  },
  {
    file: "src/identity/member_two_factor.ts",
    quick: ["identity/two_processes"],
    broad: [],
    mutations: [["() => rows, ...(held === undefined ? [] : [held]));", "() => rows);"], [
      'error instanceof IdentityError && error.refusal === "session_over"',
      "false",
    ]],
  },
  {
    file: "src/domain/venue.ts",
    quick: ["domain/decide_bounds", "http/routes/admin/admin_bounds"],
    broad: [],
    mutations: [
      ["venue.currency(base).tradingEnabled && ", ""],
      ['return isTraded ? state : "cancel_only";', 'return isTraded ? state : "halted";'],
    ],
  },
  {
    file: "src/sockets/rpc/rpc_connection.ts",
    quick: ["sockets/caller_access"],
    broad: [],
    mutations: [['check(asked.scope !== "read")', "check(false)"]],
  },
];
