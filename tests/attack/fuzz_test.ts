/**
 * Sends fitting, nearly fitting and wild requests to every endpoint of the contract.
 * `FUZZ_LIVES=100 FUZZ_SEED=7 FUZZ_REQUESTS=3000` runs longer; a finding prints its seed.
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fuzzLife } from "./fuzz_life.ts";
import { KINDS } from "./fuzz_request.ts";

const LIVES = Number(Deno.env.get("FUZZ_LIVES") ?? 2);
const SEED = Number(Deno.env.get("FUZZ_SEED") ?? 1);
const REQUESTS = Number(Deno.env.get("FUZZ_REQUESTS") ?? 3000);
const DEADLINE_MS = Number(Deno.env.get("FUZZ_SECONDS") ?? 0) * 1000;

describe("a venue under fuzzed requests", () => {
  it(`answers as its contract says, in ${LIVES} lives from seed ${SEED}`, async () => {
    const startedAt = Date.now();
    const answers = new Map<string, number>();
    const findings = new Map<string, string>();
    let operations: readonly string[] = [];
    let requests = 0;
    for (let life = 0; life < LIVES; life++) {
      if (DEADLINE_MS > 0 && Date.now() - startedAt > DEADLINE_MS) break;
      const report = await fuzzLife({ seed: SEED + life, requests: REQUESTS });
      requests += report.requests;
      operations = report.operations;
      for (const [name, count] of report.answers) {
        answers.set(name, (answers.get(name) ?? 0) + count);
      }
      for (const [name, shown] of report.findings) findings.set(name, shown);
    }
    if (Deno.env.has("FUZZ_SEED")) report(requests, answers);
    assertEquals([...findings.values()].join("\n\n"), "");
    const tried = [...answers.keys()].map((name) => name.slice(0, name.lastIndexOf(" ")));
    const wanted = operations.flatMap((id) => KINDS.map((kind) => `${id} ${kind}`));
    assertEquals([...new Set(tried)].sort(), wanted.sort());
  });
});

/** Prints the number of answers by status, for long runs. */
function report(requests: number, answers: ReadonlyMap<string, number>): void {
  const byStatus = new Map<string, number>();
  for (const [name, count] of answers) {
    const status = name.split(" ")[2] ?? "";
    byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  }
  const text = [...byStatus].sort().map(([status, count]) => `${status}: ${count}`).join(", ");
  Deno.stdout.writeSync(new TextEncoder().encode(`${requests} requests; ${text}\n`));
}
