/** The plain venue on PostgreSQL: its database, members with funds, and its HTTP side. */
import { runLoad } from "../load/load_run.ts";
import type { Load, LoadResult } from "../load/load_run.ts";
import { KeySigner, NonceRanges } from "../load/presigned.ts";
import { freePort, randomCredential } from "../load/server_process.ts";
import { MARKETS, STARTING_BALANCE } from "../load/venue_setup.ts";
import type { Signers } from "../load/workloads.ts";
import { connect } from "./connect.ts";
import type { OrderServerSettings } from "./order_server.ts";
import { PostgresCluster } from "./postgres_cluster.ts";

const PERMISSIONS = ["--no-prompt", "--allow-net", "--allow-read", "--allow-write", "--allow-env"];
const REPOSITORY = new URL("../../../", import.meta.url);
const STARTUP_MS_MAX = 10_000;
const POLL_MS = 10;

/** Options of the venue. */
export interface PostgresVenueOptions {
  readonly members: number;
  readonly feeRate: string;
  readonly nonceWindowMs: number;
}

/** Options of its HTTP side. */
export interface ServingOptions {
  /** Number of connections to the database. */
  readonly connections: number;
  readonly isStrict: boolean;
}

/** A venue that places each order in one transaction. */
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
      const schema = await Deno.readTextFile(new URL("venue.sql", import.meta.url));
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

  /** Starts the HTTP side, runs a load against it, and ends it. */
  async run(
    serving: ServingOptions,
    seconds: number,
    load: Load,
    connections = serving.connections,
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
        ...PERMISSIONS,
        new URL("order_server.ts", import.meta.url).pathname,
        JSON.stringify(settings),
      ],
      cwd: REPOSITORY,
      stdin: "null",
    }).spawn();
    try {
      await Promise.race([listening(port), server.status]);
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
