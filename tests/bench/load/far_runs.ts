/** Processes far from their KV server beside one that is near it: what each of them gets in. */
import { sleep } from "../../../src/store/kv/in_time.ts";
import { balanceTotals } from "../../e2e/balance_totals.ts";
import { hasKvServer } from "../../e2e/kv_server.ts";
import { SharedVenue } from "../../e2e/shared_venue.ts";
import { DelayingProxy } from "../../support/delaying_proxy.ts";
import { USUAL_NONCE_WINDOW_MS } from "./bench_venue.ts";
import { percentile } from "./load_run.ts";
import { LoadConnection } from "./load_connection.ts";
import type { KeySigner, NonceRanges } from "./presigned.ts";
import { type Report, whole } from "./report.ts";
import { ServerProcess } from "./server_process.ts";
import type { VenueMember } from "./venue_setup.ts";
import { randomOrder, RandomStream } from "./workloads.ts";

const MEMBERS = 20;
const NEAR_PER_SECOND = [60, 300];
const FAR_PER_SECOND = 10;
const WARM_UP_SECONDS = 3;
const ORDERS_LINE = "POST /api/v2/trading/market/orders";
const encoder = new TextEncoder();

/** What runs beside what. */
export interface FarOptions {
  readonly processes: number;
  /** How long a byte is on its way between a far process and the KV server, one way, in ms. */
  readonly delay: number;
  readonly seconds: number;
}

/** What came of the orders of one process. */
export interface SentOrders {
  readonly sent: number;
  readonly accepted: number;
  /** Accepted orders per second, up to the last answer. */
  readonly perSecond: number;
  /** Times from the planned sending to the answer, ascending, in ms. */
  readonly latencies: Float64Array;
  /** One answer that was not an acceptance; empty if there is none. */
  readonly refusal: string;
}

/** Measures a near process alone and with the far ones; reports it if there is no KV server. */
export async function runFar(report: Report, options: FarOptions): Promise<void> {
  if (!hasKvServer()) {
    report.add("far processes", "not measured: `denokv` is not on the PATH");
    return;
  }
  await using venue = await SharedVenue.start({ NONCE_WINDOW_MS: String(USUAL_NONCE_WINDOW_MS) });
  await using proxy = new DelayingProxy(Number(new URL(venue.kv.url).port), options.delay);
  const members = await venue.createMembers(MEMBERS * options.processes);
  await venue.b.stop();
  const settings = { ...venue.settings, kvPath: proxy.url };
  const far = Array.from(
    { length: options.processes - 1 },
    () => ServerProcess.spawn(settings),
  );
  venue.b = far[0] as ServerProcess;
  try {
    await Promise.all(far.map((server) => server.ready()));
    const before = await totals(venue, members);
    for (const perSecond of NEAR_PER_SECOND) {
      await runBeside(venue, report, { ...options, members, far, perSecond });
    }
    const after = await totals(venue, members);
    const areSame = Object.entries(before).every(([currency, sum]) => after[currency] === sum);
    await Promise.all(far.map((server) => server.stop()));
    await venue.assertAuditIsClean();
    report.add(
      "funds and audit",
      areSame ? "no funds appeared or vanished, clean" : "FUNDS DIFFER",
    );
  } finally {
    await Promise.all(far.map((server) => server.kill()));
  }
}

interface Beside extends FarOptions {
  readonly members: readonly VenueMember[];
  readonly far: readonly ServerProcess[];
  /** Orders per second of the near process. */
  readonly perSecond: number;
}

async function runBeside(venue: SharedVenue, report: Report, beside: Beside): Promise<void> {
  const { delay, far, members, perSecond, seconds } = beside;
  const near = (rate: number, time: number) =>
    sendOrders(venue.a, membersOf(members, 0), venue.nonces, { perSecond: rate, seconds: time });
  const all = (time: number) =>
    Promise.all([
      near(perSecond, time),
      ...far.map((server, i) =>
        sendOrders(server, membersOf(members, i + 1), venue.nonces, {
          perSecond: FAR_PER_SECOND,
          seconds: time,
        })
      ),
    ]);
  await near(perSecond, WARM_UP_SECONDS);
  const alone = await near(perSecond, seconds);
  // By then each process knows the members whose orders it takes.
  await all(WARM_UP_SECONDS);
  const [together, ...others] = await all(seconds) as [SentOrders, ...SentOrders[]];
  const title = `${perSecond} orders/s near, ${FAR_PER_SECOND}/s on each of ${far.length} at ` +
    `${delay} ms one way`;
  report.add(
    `${title}: near`,
    `${(together.perSecond / alone.perSecond).toFixed(2)} × alone, ` +
      `${textOf(together)}; alone ${textOf(alone)}`,
  );
  for (const each of others) {
    const trips = percentile(each.latencies, 0.5) / (2 * delay);
    report.add(`${title}: far`, `${textOf(each)}; p50 is ${trips.toFixed(1)} × the round trip`);
  }
}

/** Returns the members whose orders one process takes. */
function membersOf(members: readonly VenueMember[], process: number): readonly VenueMember[] {
  return members.slice(process * MEMBERS, (process + 1) * MEMBERS);
}

/**
 * Sends orders to a process at a steady rate, each signed when it is sent, and on a connection of
 * its own while earlier ones wait.
 */
export async function sendOrders(
  server: ServerProcess,
  members: readonly VenueMember[],
  nonces: NonceRanges,
  plan: { readonly perSecond: number; readonly seconds: number },
): Promise<SentOrders> {
  const random = new RandomStream(server.port);
  const free: LoadConnection[] = [];
  const latencies: number[] = [];
  let [sent, accepted, refusal] = [0, 0, ""];
  const start = performance.now();
  const sendOne = async (index: number) => {
    const plannedAt = start + index * 1000 / plan.perSecond;
    await sleep(plannedAt - performance.now());
    const connection = free.pop() ?? await LoadConnection.open(server.port);
    const { signer } = members[index % members.length] as VenueMember;
    const request = signedOrder(signer, nonces.take(1), randomOrder(random));
    const status = await connection.exchange(request);
    latencies.push(performance.now() - plannedAt);
    sent += 1;
    if (status === 201) accepted += 1;
    else if (refusal === "") refusal = `${status} ${new TextDecoder().decode(connection.body())}`;
    free.push(connection);
  };
  await Promise.all(Array.from({ length: plan.perSecond * plan.seconds }, (_, i) => sendOne(i)));
  const perSecond = accepted / (performance.now() - start) * 1000;
  for (const connection of free) connection.close();
  return { sent, accepted, perSecond, latencies: Float64Array.from(latencies).sort(), refusal };
}

function signedOrder(signer: KeySigner, nonce: number, body: string): Uint8Array {
  const headers = Object.entries(signer.headers(nonce));
  return encoder.encode(
    `${ORDERS_LINE} HTTP/1.1\r\nHost: venue\r\n` +
      headers.map(([name, value]) => `${name}: ${value}\r\n`).join("") +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function textOf({ accepted, latencies, refusal, sent }: SentOrders): string {
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(0));
  return `${whole(accepted)} of ${whole(sent)} accepted, p50 ${p50} ms, p99 ${p99} ms, ` +
    `worst ${(latencies.at(-1) ?? NaN).toFixed(0)} ms${refusal === "" ? "" : ` (${refusal})`}`;
}

function totals(
  { a, nonces }: SharedVenue,
  members: readonly VenueMember[],
): Promise<Record<string, bigint>> {
  return balanceTotals(a, members.map(({ signer }) => ({ signer, nonces })));
}
