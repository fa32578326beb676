import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type CallFrame, functionKey, functionTitle, partOf } from "./call_frame.ts";
import { ownAllocations, ownTimes, summedBy } from "./own_time.ts";
import { busyShares, OUTSIDE, partsBeside } from "./part_shares.ts";
import { parseThreadTimes, usedBetween } from "./thread_times.ts";

const REPOSITORY = new URL("../../../", import.meta.url).href;
const PACKAGES = "file:///home/me/.cache/deno/npm/packages.example";

function frame(functionName: string, url = "", lineNumber = 0): CallFrame {
  return { functionName, url, lineNumber, columnNumber: 0, scriptId: url };
}

function source(path: string, functionName = "work"): CallFrame {
  return frame(functionName, `${REPOSITORY}${path}`);
}

describe("a profile", () => {
  it("tells rooms, packages, the platform and V8 apart", () => {
    const parts = [
      source("src/edge/callers/auth.ts"),
      source("src/pages/operate/money/owed.tsx"),
      source("src/http/mount.ts"),
      source("main.ts"),
      frame("get", `${PACKAGES}/hono/4.13.19/dist/context.js`),
      frame("update", `${PACKAGES}/@noble/hashes/2.4.0/sha2.js`),
      frame("get", "file:///home/me/node_modules/.deno/hono@4.13.19/node_modules/hono/a.js"),
      frame("serve", "ext:deno_http/00_serve.ts"),
      frame("op_now"),
      frame("(idle)"),
      frame("(garbage collector)"),
      frame("(program)"),
      frame("work", "file:///elsewhere/a.ts"),
    ].map(partOf);
    assertEquals(parts, [
      "src/edge/callers",
      "src/pages/operate",
      "src/http",
      "main.ts",
      "hono",
      "@noble/hashes",
      "hono",
      "the platform's JavaScript",
      "native functions",
      "idle",
      "garbage collector",
      "native code outside of functions",
      "other code",
    ]);
  });

  it("names functions, and tells those of one name apart", () => {
    assertEquals(
      [
        source("src/http/mount.ts"),
        source("src/http/mount.ts", ""),
        frame("get", `${PACKAGES}/hono/4.13.19/dist/context.js`),
        frame("op_now"),
        frame("(V8 API)"),
        frame("serve", "ext:deno_http/00_serve.ts"),
      ].map(functionTitle),
      [
        "work in src/http/mount.ts",
        "a function without a name in src/http/mount.ts",
        "get in hono, context.js",
        "op_now, native",
        "(V8 API)",
        "serve in ext:deno_http/00_serve.ts",
      ],
    );
    const [a, b] = [frame("work", "a.ts", 1), frame("work", "a.ts", 2)];
    assertEquals(functionKey(a) === functionKey(b), false);
  });

  it("gives each function the time before its samples, however it was called, but for the first", () => {
    const work = source("src/http/mount.ts");
    const nodes = [
      { id: 1, callFrame: frame("(root)") },
      { id: 2, callFrame: work },
      { id: 3, callFrame: frame("(idle)") },
      { id: 4, callFrame: work },
    ];
    const times = ownTimes({ nodes, samples: [3, 2, 4, 3, 2], timeDeltas: [100, 30, 20, 400, 5] });
    assertEquals(summedBy(times, partOf).map(([part, micros]) => [part, micros]), [
      ["idle", 400],
      ["src/http", 55],
      ["native code outside of functions", 0],
    ]);
  });

  it("does not give a function the time in which others had the processor", () => {
    const nodes = [{ id: 1, callFrame: source("src/http/mount.ts") }];
    const times = ownTimes({ nodes, samples: [1, 1, 1], timeDeltas: [100, 300, 20_000] });
    assertEquals(times.map(({ own }) => own), [1300]);
  });

  it("gives each function what it has allocated itself, wherever it was called from", () => {
    const leaf = (selfSize: number) => ({
      callFrame: source("src/http/mount.ts"),
      selfSize,
      children: [],
    });
    const other = { callFrame: frame("op_now"), selfSize: 7, children: [leaf(30)] };
    const head = { callFrame: frame("(root)"), selfSize: 0, children: [leaf(12), other] };
    assertEquals(
      summedBy(ownAllocations(head), functionKey).map(([, bytes, { functionName }]) => [
        functionName,
        bytes,
      ]),
      [["work", 42], ["op_now", 7], ["(root)", 0]],
    );
  });
});

describe("the parts of a program", () => {
  const shares = [
    { frame: frame("(idle)"), own: 1000 },
    { frame: source("src/http/mount.ts"), own: 10 },
    { frame: source("src/http/mount.ts", "other"), own: 20 },
    { frame: frame("op_now"), own: 10 },
  ];

  it("share the processor time, of which the platform has what V8 does not find busy", () => {
    assertEquals([...busyShares(shares, 80)], [
      ["src/http", 0.375],
      ["native functions", 0.125],
      [OUTSIDE, 0.5],
    ]);
  });

  it("share all of what was found if that is more", () => {
    assertEquals([...busyShares(shares, 20)], [
      ["src/http", 0.75],
      ["native functions", 0.25],
      [OUTSIDE, 0],
    ]);
  });

  it("stand beside those of another program, also where only one has them", () => {
    assertEquals(partsBeside(new Map([["a", 1], ["b", 2]]), new Map([["c", 3], ["a", 4]])), [
      { part: "a", shares: [1, 4] },
      { part: "b", shares: [2, 0] },
      { part: "c", shares: [0, 3] },
    ]);
  });
});

describe("the processor time of threads", () => {
  it("is read by name, in which there may be spaces and brackets", () => {
    const times = parseThreadTimes(
      10,
      [
        statLine(10, "deno", 15, 5),
        statLine(11, "V8 Default) (e", 1, 1),
        statLine(12, "sw-0", 2, 0),
        statLine(13, "sw-1", 0, 3),
        statLine(14, "worker-1", 4, 0),
        statLine(15, "worker-2", 0, 0),
        statLine(16, "deno", 0, 1),
      ].join("\n"),
    );
    assertEquals([...times], [
      ["main", 200_000],
      ["V8 Default) (e", 20_000],
      ["sw-*", 50_000],
      ["worker-1", 40_000],
      ["worker-2", 0],
      ["deno", 10_000],
    ]);
  });

  it("counts between two readings, also for a thread that was not there at first", () => {
    const before = new Map([["main", 100], ["sw-*", 40]]);
    const after = new Map([["main", 130], ["sw-*", 90], ["worker-1", 60]]);
    assertEquals(usedBetween(before, after), [["worker-1", 60], ["sw-*", 50], ["main", 30]]);
  });
});

/** A line as Linux writes it, with user and system time in ticks. */
function statLine(tid: number, name: string, user: number, system: number): string {
  return `${tid} (${name}) S 1 2 3 0 -1 4194304 31662 0 12 0 ${user} ${system} 40 7 20 0 34`;
}
