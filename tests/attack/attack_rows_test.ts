/**
 * Lists, for every row of the security requirements, the tests that attack it, or why there are
 * none. Where the specification or a decision differs from a row, the tests follow the decision.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROOT = new URL("../../", import.meta.url);
const ROWS = 40;

/** A test file below tests/ followed by the names of its tests, or a sentence. */
type Evidence = readonly [file: string, ...names: string[]];

/** The evidence for a row. */
interface Row {
  readonly tests: readonly Evidence[];
  /** The part of the row that is not implemented, and why. */
  readonly but?: string;
}

const SIGNATURES = "attack/signature_attack_test.ts";
const FIELDS = "attack/odd_fields_test.ts";
const RAW = "attack/raw_http_test.ts";

const TABLE: Readonly<Record<string, Row>> = {
  S1: {
    tests: [
      ["edge/callers/signature_test.ts", "refuses one wrong digit at any place"],
      ["edge/callers/auth_test.ts", "is refused alike for an unknown key and for a wrong secret"],
      [SIGNATURES, "is refused in the same words, whatever its form"],
    ],
  },
  S2: {
    tests: [
      [SIGNATURES, "opens no endpoint again, whatever it was used for"],
      [SIGNATURES, "makes no other call where body signatures are required"],
    ],
    but: "Body signatures are off by default, and required by a setting, not by a flag of a key.",
  },
  S3: {
    tests: [[
      SIGNATURES,
      "is refused by its value, even if well signed",
    ]],
  },
  S4: { tests: [["edge/callers/auth_test.ts", "is within the window around the server's time"]] },
  S5: {
    tests: [
      [
        "edge/callers/nonce_guard_test.ts",
        "over several processes on one store",
        "even after a restart",
      ],
      ["e2e/processes_test.ts", "accept a nonce once between them, for writes and reads"],
      [SIGNATURES, "opens nothing even if refused for lack of permission"],
    ],
  },
  S6: {
    tests: [
      ["edge/callers/auth_test.ts", "is judged the same whatever the key and signature"],
      [SIGNATURES, "is refused in the same words for every unknown access key"],
    ],
  },
  S7: {
    tests: [[
      "http/routes/auth/auth_api_keys_test.ts",
      "is one of fifty at most",
      "needs the second factor",
      "rejects invalid fields and missing codes",
    ]],
  },
  S8: {
    tests: [
      ["secrets/credentials_test.ts", "never store a secret in the clear"],
      ["secrets/vault_test.ts", "does not open a value in another row"],
    ],
  },
  S9: {
    tests: [
      ["edge/callers/auth_test.ts", "is bounded by its scopes"],
      ["http/routes/auth/auth_api_keys_test.ts", "rejects invalid fields without using up a code"],
    ],
  },
  S10: {
    tests: [
      ["edge/callers/auth_test.ts", "may be bound to addresses"],
      ["secrets/ip_allow_list_test.ts", "never holds anything but an address"],
    ],
    but: "A mandatory list is an opt-in.",
  },
  S11: {
    tests: [
      ["http/routes/admin/admin_test.ts", "stop when they are disabled or deleted"],
      ["sockets/rpc/rpc_connection_test.ts", "ends with the key, with one of its scopes"],
      ["identity/member_sessions_test.ts", "that end in one process open nothing in another"],
    ],
  },
  S12: {
    tests: [
      ["identity/proofs/one_time_code_test.ts", "are valid one step early or late"],
      ["identity/member_two_factor_test.ts", "counts once among thousands"],
    ],
  },
  S13: { tests: [["identity/member_two_factor_test.ts", "locks after twenty wrong codes across"]] },
  S14: {
    tests: [[
      "http/routes/auth/auth_two_factor_test.ts",
      "may be sent as a number, which has lost its",
    ]],
  },
  S15: {
    tests: [[
      "http/routes/beneficiaries_test.ts",
      "is dead after five wrong tries",
      "lasts fifteen minutes",
    ]],
  },
  S16: { tests: [["http/routes/beneficiaries_test.ts", "appears only in its message"]] },
  S17: {
    tests: [["http/routes/withdraws_test.ts", "makes a new beneficiary wait"]],
    but: "A hold after a change of password is not in the specification.",
  },
  S18: {
    tests: [
      ["http/routes/withdraws_test.ts", "lets one of many win that race with one code"],
      [
        "engine/commit/raced_withdraws_test.ts",
        "lock each amount once, and never more than there is",
      ],
      ["e2e/raced_withdraws_test.ts", "lock each amount once, and never more than there is"],
      [
        "http/second_operator_test.ts",
        "is made once if several approve it at a time, at several processes",
      ],
    ],
    but: "One operator approves, unless `APPROVALS` asks for two.",
  },
  S19: {
    tests: [[
      "wallet/payouts_test.ts",
      "are sent once whichever write a process dies at",
      "that nobody can look up is parked",
    ]],
  },
  S20: {
    tests: [[
      "http/routes/admin/admin_bounds_test.ts",
      "of all trading take effect at once",
      "of all withdrawals take effect at once",
    ]],
  },
  S21: { tests: [["attack/foreign_ids_test.ts", "byte for byte, in every path"]] },
  S22: {
    tests: [
      [FIELDS, "pollute no object as fields of a body"],
      ["attack/fuzz_test.ts", "answers as its contract says"],
    ],
    but: "Unknown fields are ignored; answers hold no field that is not documented.",
  },
  S23: {
    tests: [
      ["edge/reading/body_test.ts", "keeps the text of every number"],
      [FIELDS, "never place an order, as text or number"],
    ],
  },
  S24: {
    tests: [
      [
        "edge/reading/body_test.ts",
        "gives up a body that does not come",
        "refuses a stream that grows",
      ],
      [FIELDS, "of any depth are read or refused"],
      [RAW, "is refused if it is too long or has too many lines"],
    ],
    but: "Deno bounds heads by size, not by time: they hold a socket, and no call.",
  },
  S25: {
    tests: [
      [
        "edge/callers/auth_rate_limit_test.ts",
        "throttle failed signatures by address, known key or not",
      ],
      ["edge/callers/rate_limit_test.ts", "counts each member for itself"],
      ["attack/session_attack_test.ts", "is told so, and nobody else is affected"],
    ],
  },
  S26: {
    tests: [
      ["http/routes/reading_orders_test.ts", '"limit=1001", "', '"page=1001", "'],
      ["http/routes/scan_limited_test.ts", "says so in a header"],
    ],
  },
  S27: { tests: [["attack/attack_rows_test.ts", "fetches no address that a call gives"]] },
  S28: { tests: [["attack/attack_rows_test.ts", "may not start programs or load libraries"]] },
  S29: {
    tests: [["server/opening_store_test.ts", "does not wait if the server rejects the token"]],
    but: "Network and rotation are the operator's.",
  },
  S30: {
    tests: [[
      "server/logger_test.ts",
      "redacts secrets at any depth",
      "keeps line breaks of a value inside its line",
      "writes nothing that controls a terminal or hides text",
    ]],
  },
  S31: {
    tests: [
      ["engine/start/audit_test.ts", "finds a flipped bit in an entry"],
      [
        "http/routes/admin/admin_acts_test.ts",
        "holds every write of every endpoint, once and in order",
      ],
    ],
  },
  S32: {
    tests: [
      ["edge/errors_test.ts", "answers 500 to the unexpected, reports it, and reveals nothing"],
      ["edge/callers/auth_test.ts", "lets nobody in"],
      ["server/config_test.ts", "does not repeat a secret that is wrong"],
    ],
  },
  S33: {
    tests: [
      [SIGNATURES, "are all closed to callers without the right role"],
      ["http/routes/admin/operator_roles_test.ts", "admits no member without a role"],
      ["http/routes/admin/operators_test.ts", "is fresh for ten minutes, in its session"],
      ["http/routes/admin/admin_acts_test.ts", "says who did what, when and why"],
    ],
    but: "One listener; operators' keys and people's roles are apart from members'.",
  },
  S34: {
    tests: [
      ["sockets/handshake_test.ts", "lets a person in by the session", "are limited per key"],
      ["sockets/push/push_test.ts", "closes a client for a frame that is too long or not text"],
      ["sockets/socket_end_test.ts", "is closed with a reason and never waited for"],
      ["sockets/rpc/rpc_connection_test.ts", "ends if an anonymous client asks too often"],
    ],
  },
  S35: {
    tests: [[
      FIELDS,
      "are no market, currency, order, member or field",
      "that repeat a name are refused if it takes a single value",
    ]],
  },
  S36: {
    tests: [["identity/proofs/password_hasher_test.ts", "hashes with scrypt at 64 MiB"]],
  },
  S37: { tests: [["architecture_test.ts", "imports packages by the names in deno.json"]] },
  S38: {
    tests: [[
      "domain/trading/matching_test.ts",
      "follows the taker's choice and keeps earlier fills",
    ]],
    but: "Price bands are an opt-in that is not offered.",
  },
  S39: {
    tests: [[
      "edge/callers/nonce_guard_test.ts",
      "the start is no earlier than the log's last time",
    ]],
    but: "A process can't see how far its clock is off.",
  },
  S40: {
    tests: [["attack/fuzz_test.ts", "answers as its contract says"]],
    but: "No times are measured: comparisons are those of constant time.",
  },
};

describe("the security requirements", () => {
  it("are each attacked by tests that exist", async () => {
    assertEquals(Object.keys(TABLE), Array.from({ length: ROWS }, (_, i) => `S${i + 1}`));
    for (const [row, { tests }] of Object.entries(TABLE)) {
      for (const [file, ...names] of tests) {
        const text = await Deno.readTextFile(new URL(`tests/${file}`, ROOT));
        for (const name of names) assert(text.includes(name), `${row}: ${file} has no "${name}"`);
        assert(/\bit\(/.test(text), `${row}: ${file} tests nothing`);
      }
    }
  });
});

const NODES = "/src/wallet/rails/node_http.ts";

describe("the venue's process", () => {
  it("fetches no address that a call gives", async () => {
    for await (const { pathname } of sources(new URL("src/", ROOT))) {
      // What bots and pages run is served as a file. Of it a demo's bots alone run in the venue.
      if (/\/src\/(?:client|pages\/(?!serving\/))/.test(pathname)) continue;
      // The nodes of networks, which the operator sets when a process starts.
      if (pathname.endsWith(NODES)) continue;
      const text = await Deno.readTextFile(pathname);
      assert(!/(?<![.\w])fetch\(|new WebSocket\(|Deno\.connect/.test(text), pathname);
      if (pathname.includes("/server/demo/")) continue;
      const code = text.replace(/new URL\([^)]*\)|^import type [^;]*;/gm, "");
      assert(!/"[^"]*\/client\/[^"]*\.ts"/.test(code), pathname);
    }
  });

  it("may not start programs or load libraries, and locks its packages", async () => {
    const { tasks, lock, imports } = JSON.parse(
      await Deno.readTextFile(new URL("deno.json", ROOT)),
    );
    for (const task of [tasks.dev, tasks.start, tasks.audit, tasks.rebuild]) {
      assert(!/--allow-(all|run|ffi)|-A\b/.test(task), task);
    }
    assertEquals(lock, { frozen: true });
    for (const source of Object.values<string>(imports)) {
      if (source.startsWith("npm:")) assert(/@\d+\.\d+\.\d+/.test(source), source);
    }
  });
});

async function* sources(directory: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield path;
  }
}
