/** A venue on PostgreSQL: its database, members with funds, and its HTTP side. */
import { runLoad } from "../load/load_run.ts";
import type { Load, LoadResult } from "../load/load_run.ts";
import { KeySigner, NonceRanges } from "../load/presigned.ts";
import { freePort, randomCredential } from "../load/server_process.ts";
import { MARKETS, STARTING_BALANCE } from "../load/venue_setup.ts";
import type { Signers } from "../load/workloads.ts";
import { connect } from "./connect.ts";
import { PostgresCluster } from "./postgres_cluster.ts";
import type { OrderServerSettings } from "./signed_orders.ts";

/** A venue's tables and its program, beside this file. */
export interface PostgresKind {
  readonly schema: string;
  readonly program: string;
}

/** Each order is one transaction, and the database decides. */
export const PLAIN: PostgresKind = { schema: "venue.sql", program: "order_server.ts" };
/** Memory decides, and orders become durable in bulk. */
export const EXPERT: PostgresKind = { schema: "expert.sql", program: "expert_server.ts" };

/** What makers and takers pay in all runs. */
export const FEE_RATE = "0.002";

/** V8's flags are those of `deno task start`. */
const FLAGS = [
  "--v8-flags=--max-semi-space-size=16,--no-maglev",
  "--no-prompt",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--allow-env",
];
const REPOSITORY = new URL("../../../", import.meta.url);
const STARTUP_MS_MAX = 10_000;
const POLL_MS = 10;

/** Options of the venue. */
export interface PostgresVenueOptions {
  readonly kind: PostgresKind;
  readonly members: number;
  readonly feeRate: string;
  readonly nonceWindowMs: number;
}

/** Options of its HTTP side: those of its settings that runs differ in. */
export type ServingOptions = Pick<OrderServerSettings, "connections" | "isStrict">;

/** The duration of a run in seconds at most, and its orders. */
export interface TimedLoad {
  readonly seconds: number;
  readonly load: Load;
}

/** A venue with durable commits. */
export class PostgresVenue {
  private constructor(
    readonly cluster: PostgresCluster,
    readonly options: PostgresVenueOptions,
    readonly signers: Signers,
  ) {}

  /** Starts a server beneath the directory, and sets up the venue. */
  static async start(
    programs: string,
    beneath: string,
    options: PostgresVenueOptions,
  ): Promise<PostgresVenue> {
    const cluster = await PostgresCluster.start(programs, beneath);
    try {
      const members = Array.from({ length: options.members }, randomCredential);
      const schema = await Deno.readTextFile(new URL(options.kind.schema, import.meta.url));
      const sql = connect(cluster.address, 1);
      await sql.unsafe(schema).simple();
      await sql`insert into markets ${
        sql(MARKETS.map((code, id) => ({
          id,
          code,
          base: code.slice(0, 3),
          quote: code.slice(3),
          fee_rate: options.feeRate,
        })))
      }`;
      await sql`insert into api_keys ${
        sql(members.map(({ kid, secret }, member) => ({ kid, secret, member })))
      }`;
      await sql`
        insert into accounts (member, currency, available)
        select member, currency, ${STARTING_BALANCE}::numeric
        from generate_series(0, ${options.members - 1}) member,
          (select base currency from markets union select quote from markets) currencies`;
      await sql.end();
      const signers = members.map((credential) => new KeySigner(credential));
      return new PostgresVenue(cluster, options, { signers, nonces: new NonceRanges() });
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Stops the server and removes its data. */
  async stop(): Promise<void> {
    await this.cluster.stop();
  }

  /** Starts the HTTP side, runs a load against it, perhaps after a first one, and ends it. */
  async run(
    serving: ServingOptions,
    { seconds, load }: TimedLoad,
    first?: TimedLoad,
  ): Promise<LoadResult> {
    const port = freePort();
    const settings: OrderServerSettings = {
      ...serving,
      port,
      address: this.cluster.address,
      nonceWindowMs: this.options.nonceWindowMs,
    };
    const server = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        ...FLAGS,
        new URL(this.options.kind.program, import.meta.url).pathname,
        JSON.stringify(settings),
      ],
      cwd: REPOSITORY,
      stdin: "null",
    }).spawn();
    try {
      await Promise.race([listening(port), server.status]);
      const { connections } = serving;
      if (first !== undefined) await runLoad(port, connections, first.seconds, first.load);
      return await runLoad(port, connections, seconds, load);
    } finally {
      await end(server);
    }
  }

  /** Updates the planner's statistics and writes a checkpoint, as happens while a venue is idle. */
  async rest(): Promise<void> {
    const sql = connect(this.cluster.address, 1);
    await sql.unsafe("vacuum analyze");
    await sql.unsafe("checkpoint");
    await sql.end();
  }

  /** Queries the database, for tests. */
  async query<Row extends Record<string, unknown>>(text: string): Promise<readonly Row[]> {
    const sql = connect(this.cluster.address, 1);
    const rows = await sql.unsafe<Row[]>(text);
    await sql.end();
    return [...rows];
  }
}

async function end(server: Deno.ChildProcess): Promise<void> {
  try {
    server.kill("SIGKILL");
  } catch (error) {
    // It has already ended.
    if (!(error instanceof TypeError)) throw error;
  }
  await server.status;
}

async function listening(port: number): Promise<void> {
  const deadline = performance.now() + STARTUP_MS_MAX;
  while (true) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      const isOver = performance.now() > deadline;
      if (isOver || !(error instanceof Deno.errors.ConnectionRefused)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
