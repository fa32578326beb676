/**
 * Breaks domain, store and engine in many small ways, and guards of the outer layers, one at a
 * time, and reports which breaks the tests notice.
 * A slice is one in so many breaks: 1/4, 2/4, 3/4 and 4/4 together are all of them.
 * Exits with 1 if the tests notice fewer than required.
 */
import { Prng } from "../support/prng.ts";
import { type TaskArguments, taskArguments } from "../support/task_arguments.ts";
import { type Case, casesOf, lineOf, mutate } from "./mutation.ts";
import { TABLES } from "./tables.ts";
import { WorkCopy } from "./work_copy.ts";

const USAGE = "Usage: deno task mutate [--only=TEXT] [--slice=N/OF] [--sample=N [--seed=N]] " +
  "[--workers=1|2]";
/** Minimum share of breaks that the tests must notice. */
const SHARE_MIN = 0.95;
const WORKERS_MAX = 2;
const ROOT = new URL("../../", import.meta.url);
const ENCODER = new TextEncoder();
const TEXT_SHOWN_MAX = 60;

interface Arguments {
  readonly only: string;
  readonly slice: readonly [number: number, of: number];
  /** Number of cases to pick at random; 0 for all. */
  readonly sample: number;
  readonly seed: number;
  readonly workers: number;
}

interface Verdict {
  readonly judged: Case;
  readonly place: string;
  /** Empty if no test noticed. */
  readonly noticedBy: string;
  readonly seconds: number;
}

if (import.meta.main) Deno.exit(await main(taskArguments(USAGE, takeMutateArguments)));

/** Takes which breaks to judge, and how many at once. */
export function takeMutateArguments(given: TaskArguments): Arguments {
  const only = given.text("only", "");
  if (!casesOf(TABLES).some((one) => nameOf(one).includes(only))) {
    throw given.wrong("only", "must be a part of a file's path, or of a break's text");
  }
  const [, number, of] = /^(\d+)\/(\d+)$/.exec(given.text("slice", "1/1")) ?? [];
  if (!(Number(number) >= 1 && Number(number) <= Number(of))) {
    throw given.wrong("slice", "must be N/OF, such as 1/4");
  }
  return {
    only,
    slice: [Number(number), Number(of)],
    sample: given.whole("sample", 0),
    seed: given.whole("seed", 1, 0),
    workers: given.whole("workers", 1, 1, WORKERS_MAX),
  };
}

async function main(options: Arguments): Promise<number> {
  const queue = pick(options);
  for (const one of queue) mutate(await Deno.readTextFile(new URL(one.file, ROOT)), one);
  if (queue.length === 0) {
    printLine("No break is in this slice");
    return 1;
  }
  const verdicts: Verdict[] = [];
  const workers = Array.from({ length: options.workers }, () => work(queue, verdicts));
  for (const ended of await Promise.allSettled(workers)) {
    if (ended.status === "rejected") throw ended.reason;
  }
  return report(verdicts);
}

/** Judges cases until none are left. */
async function work(queue: Case[], verdicts: Verdict[]): Promise<void> {
  const copy = await WorkCopy.make();
  try {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const verdict = await judge(copy, one);
      verdicts.push(verdict);
      printLine(verdictText(verdict));
    }
  } finally {
    queue.length = 0;
    await copy.remove();
  }
}

async function judge(copy: WorkCopy, judged: Case): Promise<Verdict> {
  const source = await copy.read(judged.file);
  const broken = mutate(source, judged);
  const place = `${judged.file}:${lineOf(source, judged)}`;
  let seconds = 0;
  for (const tests of [judged.quick, judged.broad]) {
    if (tests.length === 0) continue;
    const run = await copy.judge(judged.file, broken, tests);
    seconds += run.seconds;
    if (!run.isPassed) return { judged, place, noticedBy: run.noticedBy, seconds };
  }
  return { judged, place, noticedBy: "", seconds };
}

function verdictText({ judged, place, noticedBy, seconds }: Verdict): string {
  const [text, replacement, survives] = judged.mutation;
  const what = `${shown(text)}  =>  ${shown(replacement)}`;
  const reason = survives === undefined ? "" : ` (${survives})`;
  const fate = noticedBy === "" ? `SURVIVED${reason}` : `noticed by ${noticedBy}`;
  return `${place}  ${what}\n    ${fate}, ${seconds.toFixed(1)} s`;
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "nothing";
  return line.length <= TEXT_SHOWN_MAX ? line : `${line.slice(0, TEXT_SHOWN_MAX - 3)}...`;
}

/** Prints a summary; returns the exit code. */
function report(verdicts: readonly Verdict[]): number {
  const survivors = verdicts.filter(({ noticedBy }) => noticedBy === "");
  const noticed = verdicts.length - survivors.length;
  const share = noticed / verdicts.length;
  printLine("");
  for (const survivor of survivors) printLine(verdictText(survivor));
  printLine(`${noticed} of ${verdicts.length} breaks noticed: ${(share * 100).toFixed(1)} %`);
  const wrong = verdicts.filter(({ judged, noticedBy }) =>
    judged.mutation[2] !== undefined && noticedBy !== ""
  );
  for (const { place } of wrong) printLine(`${place} is listed as surviving, but was noticed`);
  return share >= SHARE_MIN && wrong.length === 0 ? 0 : 1;
}

function pick({ only, sample, seed, slice: [number, of] }: Arguments): Case[] {
  const cases = casesOf(TABLES)
    .filter((one) => nameOf(one).includes(only))
    .filter((_, place) => place % of === number - 1);
  if (sample === 0) return cases;
  const prng = new Prng(seed);
  const picked: Case[] = [];
  while (picked.length < sample && cases.length > 0) {
    picked.push(...cases.splice(prng.below(cases.length), 1));
  }
  return picked;
}

function nameOf({ file, mutation: [text, other] }: Case): string {
  return `${file} ${text} ${other}`;
}

function printLine(line: string): void {
  Deno.stdout.writeSync(ENCODER.encode(`${line}\n`));
}
