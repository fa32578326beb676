import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, parseArguments } from "../support/task_arguments.ts";
import { type BenchArguments, takeBenchArguments } from "./bench_arguments.ts";
import { BenchVenue } from "./load/bench_venue.ts";
import { type Application, startBare, startCeiling } from "./load/ceiling_run.ts";
import { type Load, runLoad } from "./load/load_run.ts";
import { NonceRanges } from "./load/presigned.ts";
import { PROOF_PARTS } from "./load/proof_runs.ts";
import { orderLoad, signedLoad } from "./load/workloads.ts";

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
      "a bare application in turn",
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

  it("tells what the venue's edge adds to a bare application", async () => {
    const { success, text } = await bench(
      "--ceiling",
      "--profile",
      "--seconds=1",
      "--members=20",
      "--connections=8",
    );
    assert(success, text);
    assert(!text.includes("refused"), text);
    const figures = [
      /in turn 2, ours, storing nothing, 8 connections \| [\d,]+ orders\/s/,
      /in turn 2, a bare one, 8 connections \| [\d,]+ orders\/s/,
      /orders\/s of the bare one to ours \| \d+\.\d\d ×/,
      /processor time of the main thread \| ours \d+\.\d µs, bare \d+\.\d µs, difference -?\d/,
      /src\/edge\/reading \| ours \d+\.\d µs, bare 0\.0 µs, difference \d+\.\d µs/,
      /hono \| ours \d+\.\d µs, bare \d+\.\d µs, difference -?\d+\.\d µs/,
    ];
    for (const figure of figures.slice(0, Deno.build.os === "linux" ? undefined : 3)) {
      assert(figure.test(text), `${figure}: ${text}`);
    }
  });

  it("compares with a bare application that checks an order, and answers as much", async () => {
    const directory = await Deno.makeTempDir();
    const options = { members: 1, isProfiled: false };
    const own = await startCeiling(directory, options);
    const bare = await startBare(options);
    try {
      const [answer, bareAnswer] = [await answerOf(own), await answerOf(bare)];
      assertEquals([answer.status, bareAnswer.status], [201, 201]);
      assertEquals(Object.keys(bareAnswer.json), Object.keys(answer.json));
      assertEquals(bareAnswer.bytes, answer.bytes);
      assertEquals((await answerOf(bare, "-0.5")).status, 422);
      const signers = { ...bare.signers, signers: own.signers.signers };
      assertEquals((await answerOf({ ...bare, signers })).status, 401);
    } finally {
      await bare.server.kill();
      await own.server.stop();
      await Deno.remove(directory, { recursive: true });
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
    const kinds = [parse("--ceiling"), parse("--ceiling", "--profile"), parse("--profile")]
      .map(({ kind, isProfiled }) => [kind, isProfiled]);
    assertEquals(kinds, [["ceiling", false], ["ceiling", true], ["profile", true]]);
    const profile = parse("--profile", "--seconds=20");
    assertEquals([profile.kind, profile.seconds, parse("--profile").seconds], ["profile", 20, 10]);
    assertEquals([parse("--processes=3").delay, parse("--processes=3", "--delay=150").delay], [
      0,
      150,
    ]);
  });
});

/** Has an application take one order. */
async function answerOf({ server, signers }: Application, amount = "0.5") {
  const body =
    `{"market":"btcusdt","side":"buy","type":"limit","price":"299.5","amount":"${amount}"}`;
  let text = "";
  const load: Load = {
    ...signedLoad(signers, 1, 201, () => ({ line: "POST /api/v2/trading/market/orders", body })),
    onAnswer: (bytes) => text = new TextDecoder().decode(bytes),
  };
  const { statuses } = await runLoad(server.port, 1, 10, load);
  return { status: [...statuses.keys()][0], json: JSON.parse(text), bytes: text.length };
}

function parse(...words: string[]): BenchArguments {
  return parseArguments(words, takeBenchArguments);
}
