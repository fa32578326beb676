import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, parseArguments } from "../support/task_arguments.ts";
import { type BenchArguments, takeBenchArguments } from "./bench_arguments.ts";
import { BenchVenue } from "./load/bench_venue.ts";
import type { Load } from "./load/load_run.ts";
import { NonceRanges } from "./load/presigned.ts";
import { PROOF_PARTS } from "./load/proof_runs.ts";
import { orderLoad } from "./load/workloads.ts";

const BENCH = new URL("venue_bench.ts", import.meta.url).pathname;
const PERMISSIONS = ["net", "read", "write", "env", "run", "sys"].map((name) => `--allow-${name}`);

interface BenchOutput {
  readonly success: boolean;
  readonly text: string;
}

async function bench(...args: string[]): Promise<BenchOutput> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...PERMISSIONS, BENCH, ...args],
    stderr: "piped",
  });
  const { success, stdout, stderr } = await command.output();
  return { success, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

describe("the nonces of a benchmark", () => {
  it("are whole and new, however long a run takes", () => {
    const nonces = new NonceRanges();
    const first = nonces.take(3, 20_000 / 6);
    assert(Number.isInteger(first));
    assertEquals([nonces.take(1), nonces.take(2), nonces.take(1)], [
      first + 3,
      first + 4,
      first + 6,
    ]);
  });
});

describe("the benchmark", () => {
  it("runs, refuses no order, and leaves a store that passes the audit", async () => {
    const { success, text } = await bench(
      "--proof=t4,t5,ceiling,steady",
      "--seconds=1",
      "--members=20",
      "--connections=8",
    );
    assert(success, text);
    assertEquals(text.match(/audit of the store: clean/g)?.length, 1, text);
    assert(!text.includes("refused"), text);
    const figures = [
      "orders one by one, 8 connections, 1 s",
      "orders in hundreds, 8 connections, 1 s",
      "2,000 orders/s for 1 s, from the planned moment: worst",
      "the same application, storing nothing",
    ];
    for (const figure of figures) assert(text.includes(`| ${figure} | `), `${figure}: ${text}`);
  });

  it("sends the same orders over HTTP and by RPC", async () => {
    const { success, text } = await bench("--only=rpc", "--seconds=1", "--members=64");
    assert(success, text);
    assert(!text.includes("refused"), text);
    for (const way of ["HTTP, 64 connections", "RPC, 64 sockets, 1", "RPC, 64 sockets, 8"]) {
      const figure = new RegExp(`paired orders (?:over|by) ${way}[a-z ]*: ratio to R \\| \\d+\\.`);
      assert(figure.test(text), `${way}: ${text}`);
    }
    assert(text.includes("| audit of the store | clean"), text);
  });

  it("tells where an order's time goes", async () => {
    const { success, text } = await bench(
      "--profile",
      "--seconds=1",
      "--members=20",
      "--connections=8",
    );
    assert(success, text);
    assert(!text.includes("refused"), text);
    const figures = [
      /T4, 8 connections, nothing sampled \| [\d,]+ orders\/s/,
      /processor time of the venue: main \| \d+\.\d µs an order/,
      /processor time of the load generator: main \| \d+\.\d µs an order/,
      /time of main: src\/domain\/trading \| \d+\.\d µs an order/,
      /time of main: garbage collector \| \d+\.\d µs an order/,
      /time of main, of these: \S+ in src\/\S+\.ts \| \d+\.\d µs an order/,
      /allocated by main \| [\d,]+ bytes an order/,
      /allocated by main, of these: \S+ in src\/\S+\.ts \| [\d,]+ bytes an order/,
      /audit of the store \| clean/,
    ];
    for (const figure of figures.slice(Deno.build.os === "linux" ? 0 : 3)) {
      assert(figure.test(text), `${figure}: ${text}`);
    }
  });

  it("shows what the venue said if it ends amid a load", async () => {
    const directory = await Deno.makeTempDir();
    const venue = await BenchVenue.start(directory, { members: 1 });
    try {
      let ending: Promise<unknown> | undefined;
      const load: Load = {
        ...orderLoad(venue.signers, 20_000, 1, 60),
        onAnswer: () => ending ??= venue.server.stop(),
      };
      await assertRejects(() => venue.run(2, 60, load), Error, '"event":"stopped"');
    } finally {
      await venue.server.kill();
      await Deno.remove(directory, { recursive: true });
    }
  });

  it("says which argument is wrong", () => {
    const wrong = (args: string[], message: string) =>
      assertEquals(assertThrows(() => parse(...args), ArgumentError).message, message);
    wrong(["--seconds=61"], '"--seconds=61" must be a whole number from 1 to 60');
    wrong(["--steady=1", "--stored=1"], 'Give only one of "--stored" and "--steady"');
    wrong(["--proof=t9"], `"--proof=t9" must be some of ${PROOF_PARTS.join(",")}`);
    wrong(["--postgres=1"], '"--postgres=1" takes no value');
    wrong(["--delay=1"], '"--delay=1" needs "--processes" of at least 2');
    wrong(
      ["--processes=2", "--delay=1001"],
      '"--delay=1001" must be a whole number from 1 to 1000',
    );
    wrong(
      ["--stored=10", "--open=11"],
      '"--open=11" must be at most "--stored", which is 10',
    );
  });

  it("takes its arguments, and defaults for the rest", () => {
    const usual = parse();
    assertEquals([usual.kind, usual.seconds, usual.connections], ["standard", 30, 64]);
    const steady = parse("--steady=2000");
    assertEquals([steady.kind, steady.steady, steady.seconds], ["steady", 2000, 60]);
    assertEquals(parse("--stored=10", "--open=0").open, 0);
    assertEquals(parse("--proof=stored,t4").proof, ["t4", "stored"]);
    assertEquals(parse("--proof").proof, PROOF_PARTS);
    assertEquals(parse("--postgres").kind, "postgres");
    const profile = parse("--profile", "--seconds=20");
    assertEquals([profile.kind, profile.seconds, parse("--profile").seconds], ["profile", 20, 10]);
    assertEquals([parse("--processes=3").delay, parse("--processes=3", "--delay=150").delay], [
      0,
      150,
    ]);
  });
});

function parse(...words: string[]): BenchArguments {
  return parseArguments(words, takeBenchArguments);
}
