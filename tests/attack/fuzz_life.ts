/** Sends fuzzed requests to one venue and collects the faults. */
import { runAudit } from "../../src/engine/start/audit.ts";
import { PASSWORD } from "../support/person.ts";
import { Prng } from "../support/prng.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";
import { type Contract, type DocumentedOperation, readContract } from "./documented_operation.ts";
import type { ValueSource } from "./fitting_values.ts";
import { type Caller, FuzzCallers } from "./fuzz_callers.ts";
import { type FuzzAnswer, FuzzJudge } from "./fuzz_judge.ts";
import { type FuzzRequest, type Kind, KINDS, makeRequest } from "./fuzz_request.ts";
import { KnownValues } from "./known_values.ts";

/** The results of a run. */
export interface FuzzReport {
  readonly requests: number;
  /** Ids of all operations. */
  readonly operations: readonly string[];
  /** Number of answers by operation, kind and status. */
  readonly answers: ReadonlyMap<string, number>;
  /** Faults with the first request that showed each. */
  readonly findings: ReadonlyMap<string, string>;
}

/** The length of a run. */
export interface FuzzPlan {
  readonly seed: number;
  readonly requests: number;
}

const RESTORED_EACH = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
const LEAPS_MS = [1000, 30_000, 61_000, 16 * 60_000, 5 * 60 * 60_000, DAY_MS];
const SHOWN_MAX = 1500;

let lastContract: { readonly text: string; readonly contract: Contract } | null = null;

/** Parses the contract once, which is slow because of its judges. */
function contractOf(text: string): Contract {
  if (lastContract?.text !== text) lastContract = { text, contract: readContract(text) };
  return lastContract.contract;
}

/** Sends requests of each kind to every operation in turn. */
export async function fuzzLife(plan: FuzzPlan): Promise<FuzzReport> {
  const directory = await Deno.makeTempDir();
  const kvPath = `${directory}/fuzz.db`;
  const faults: unknown[] = [];
  const found = new Map<string, string>();
  try {
    let report: FuzzReport | null = null;
    await withVenue(async (venue) => {
      const life = new FuzzLife(venue, plan, found);
      report = await life.run();
      checkBooks(venue, found);
    }, { kvPath, faults, isFaucetOpen: true });
    for (const fault of faults) found.set(`behind an answer: ${fault}`, `seed ${plan.seed}`);
    const { differences } = await runAudit(kvPath);
    for (const difference of differences) found.set(`audit: ${difference}`, `seed ${plan.seed}`);
    if (report === null) throw new Error("The life has no report");
    return report;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Checks that balances sum to zero per currency, and the venue's invariants. */
function checkBooks({ engine: { venue } }: TestVenue, found: Map<string, string>): void {
  const sums = venue.currencies.map(() => 0n);
  for (const { accounts } of venue.holders) {
    accounts.forEach((account, currency) => {
      const { available = 0n, locked = 0n } = account ?? {};
      sums[currency] = (sums[currency] ?? 0n) + available + locked;
    });
  }
  if (sums.some((sum) => sum !== 0n)) found.set(`sums ${sums.join()}`, "at the end");
  venue.checkInvariants();
}

class FuzzLife {
  readonly #venue: TestVenue;
  readonly #plan: FuzzPlan;
  readonly #prng: Prng;
  readonly #known = new KnownValues();
  readonly #callers: FuzzCallers;
  readonly #found: Map<string, string>;
  readonly #answers = new Map<string, number>();
  #caller: Caller = "nobody";

  constructor(venue: TestVenue, plan: FuzzPlan, found: Map<string, string>) {
    this.#venue = venue;
    this.#plan = plan;
    this.#prng = new Prng(plan.seed);
    this.#callers = new FuzzCallers(venue);
    this.#found = found;
    for (const id of ["btcusdt", "ethusdt"]) this.#known.add("markets.id", id);
    for (const id of ["btc", "usdt", "eth"]) this.#known.add("currencies.id", id);
    for (const uid of ["IDA11CE00001", "IDB0B0000001"]) this.#known.add("uid", uid);
    for (const name of ["alice", "bob"]) this.#known.add("email", `${name}@demo.invalid`);
    for (const password of [PASSWORD, "C0rrect-h0rse"]) this.#known.add("password", password);
  }

  async run(): Promise<FuzzReport> {
    const contract = contractOf((await this.#venue.get(null, "/api/v2/openapi.json")).text);
    const judge = new FuzzJudge(contract.operations);
    const source = this.#source(contract);
    const order: [DocumentedOperation, Kind][] = [];
    let requests = 0;
    while (requests < this.#plan.requests) {
      if (requests % RESTORED_EACH === 0 && !await this.#callers.restore(this.#known)) break;
      if (order.length === 0) order.push(...shuffled(this.#prng, contract.operations));
      const [operation, kind] = order.pop() ?? [contract.operations[0], "fitting"];
      if (operation === undefined) break;
      await this.#step(judge, source, operation, kind, requests);
      requests += 1;
    }
    const operations = contract.operations.map(({ id }) => id);
    return { requests, operations, answers: this.#answers, findings: this.#found };
  }

  #source(contract: Contract): ValueSource {
    const { clock } = this.#venue;
    return {
      prng: this.#prng,
      contract,
      known: this.#known,
      now: () => Math.floor(clock.now / 1000),
      otp: () => {
        if (this.#prng.chance(0.7)) clock.now += 30_000;
        return this.#callers.otp(this.#caller);
      },
      caller: () => this.#caller,
    };
  }

  async #step(
    judge: FuzzJudge,
    source: ValueSource,
    operation: DocumentedOperation,
    kind: Kind,
    index: number,
  ): Promise<void> {
    const prng = this.#prng;
    if (prng.chance(0.02)) this.#venue.clock.now += prng.pick(LEAPS_MS);
    if (prng.chance(0.03)) await this.#venue.wallet.tick();
    this.#caller = this.#callers.choose(prng, operation.access);
    const request = makeRequest(source, operation, kind);
    const unexpected = this.#venue.unexpected.length;
    const answer = await this.#send(request);
    const complaints = judge.complaints(request, answer);
    for (const error of this.#venue.unexpected.slice(unexpected)) {
      complaints.push(`${error.stack}`);
    }
    const counted = `${operation.id} ${kind} ${answer.status}`;
    this.#answers.set(counted, (this.#answers.get(counted) ?? 0) + 1);
    for (const complaint of complaints) this.#note(request, answer, complaint, index);
  }

  async #send(request: FuzzRequest): Promise<FuzzAnswer> {
    const { method, target, headers, body } = request;
    const { app, clock } = this.#venue;
    clock.now += 1;
    const response = await app.request(target, {
      method,
      headers: { ...this.#callers.headers(this.#caller, method), ...headers },
      ...(body === null ? {} : { body }),
    });
    const text = await response.text();
    const { status } = response;
    if (status < 300 && text.startsWith("{") || text.startsWith("[")) {
      const value: unknown = JSON.parse(text);
      this.#known.learn(request.operation.path, this.#caller, value);
      const [, uid] = /^[/]api[/]v2[/]admin[/]members[/]([^/?]+)[/]api_keys/.exec(target) ?? [];
      const { kid } = value as { kid?: string };
      if (uid !== undefined && kid !== undefined) {
        this.#known.add("key of a member", `${uid}/api_keys/${kid}`);
      }
      this.#callers.keep(this.#caller, response.headers, value);
    } else this.#callers.keep(this.#caller, response.headers, null);
    const isOut = this.#caller === "person" && status === 401;
    if (isOut && this.#prng.chance(0.3)) await this.#callers.signIn();
    return { status, headers: response.headers, text };
  }

  #note(request: FuzzRequest, answer: FuzzAnswer, complaint: string, index: number): void {
    const { operation, method, target, headers, body } = request;
    const name = `${operation.id}: ${complaint.replaceAll(/\d+/g, "0").slice(0, 200)}`;
    if (this.#found.has(name)) return;
    const shown = [
      `seed ${this.#plan.seed}, request ${index}, as ${this.#caller}: ${complaint}`,
      `${method} ${target} ${JSON.stringify(headers)}`,
      body ?? "",
      `${answer.status} ${answer.text}`,
    ];
    this.#found.set(name, shown.map((line) => line.slice(0, SHOWN_MAX)).join("\n"));
  }
}

function shuffled(
  prng: Prng,
  operations: readonly DocumentedOperation[],
): [DocumentedOperation, Kind][] {
  const all = operations.flatMap((operation) =>
    KINDS.map((kind): [DocumentedOperation, Kind] => [operation, kind])
  );
  for (let at = all.length - 1; at > 0; at--) {
    const other = prng.below(at + 1);
    [all[at], all[other]] = [all[other], all[at]] as [typeof all[0], typeof all[0]];
  }
  return all;
}
