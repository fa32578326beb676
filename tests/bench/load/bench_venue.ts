/** A venue with a thousand members, and what all runs of a benchmark need. */
import { sleep } from "../../../src/store/kv/in_time.ts";
import { LoadConnection } from "./load_connection.ts";
import { type Load, type LoadResult, runLoad } from "./load_run.ts";
import { NonceRanges } from "./presigned.ts";
import {
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "./server_process.ts";
import { type VenueMember, type VenueMetrics, VenueOperator } from "./venue_setup.ts";
import { cancelAllLoad, orderLoad, type Signers } from "./workloads.ts";

/** Default number of members. */
export const MEMBERS = 1000;

/** Nonce window of a run in ms: requests are signed before it and sent until its end. */
export const NONCE_WINDOW_MS = 60_000;
/** Default nonce window of a venue, in ms. */
export const USUAL_NONCE_WINDOW_MS = 5000;

const FEE_RATE = "0.002";
const FOLD_MS_MAX = 120_000;
/** How long the last line of a venue that has ended its connections is waited for, in ms. */
const LAST_WORDS_MS = 1_000;
const POLL_MS = 50;
const WRITE_PROBE_MS = 2000;

/** Settings that override the defaults. */
export interface BenchVenueOptions
  extends Pick<ServerSettings, "environment" | "program" | "isInspected"> {
  readonly members?: number;
}

/** A running venue under load; a restart replaces its process. */
export class BenchVenue {
  private constructor(
    readonly settings: ServerSettings,
    private process: ServerProcess,
    readonly members: readonly VenueMember[],
    readonly nonces: NonceRanges,
  ) {}

  /** Starts a venue on a new store in the directory and creates its members. */
  static async start(
    directory: string,
    { environment = {}, program, isInspected = false, members = MEMBERS }: BenchVenueOptions = {},
  ): Promise<BenchVenue> {
    const settings: ServerSettings = {
      kvPath: `${directory}/venue.db`,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
      environment: { NONCE_WINDOW_MS: String(NONCE_WINDOW_MS), ...environment },
      isInspected,
      ...(program === undefined ? {} : { program }),
    };
    const process = await ServerProcess.start(settings);
    const nonces = new NonceRanges();
    nonces.startNow();
    try {
      const operator = new VenueOperator(process, operatorSigner(settings), nonces);
      await operator.createMarkets(FEE_RATE);
      return new BenchVenue(settings, process, await operator.createMembers(members), nonces);
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  get server(): ServerProcess {
    return this.process;
  }

  /** The signers of the runs' requests. */
  get signers(): Signers {
    return { signers: this.members.map((member) => member.signer), nonces: this.nonces };
  }

  /**
   * Runs a load against the venue.
   *
   * @throws {Error} with the venue's last output if it does not answer to the end
   */
  async run(connections: number, seconds: number, load: Load): Promise<LoadResult> {
    try {
      return await runLoad(this.process.port, connections, seconds, load);
    } catch (cause) {
      // A process that ends says why once its connections are gone.
      await sleep(LAST_WORDS_MS);
      throw new Error(`The load broke off; the venue said:\n${this.process.output}`, { cause });
    }
  }

  /** Reads the venue's counters. */
  async metrics(): Promise<VenueMetrics> {
    return await this.#operator().metrics();
  }

  /** Cancels all open orders and waits until everything is folded. */
  async clear(): Promise<void> {
    const result = await this.run(16, FOLD_MS_MAX / 1000, cancelAllLoad(this.signers));
    if (result.refusedShare > 0) throw new Error(`T3 was refused: ${result.refusal}`);
    await this.folded();
  }

  /** Waits until everything is folded; returns the elapsed ms. */
  async folded(): Promise<number> {
    const start = performance.now();
    while ((await this.metrics()).unfolded_events > 0) {
      if (performance.now() - start > FOLD_MS_MAX) {
        throw new Error("The fold does not come to rest");
      }
      await sleep(POLL_MS);
    }
    return performance.now() - start;
  }

  /**
   * Restarts the venue; returns the ms from its start to its first order.
   *
   * @param meanwhile runs between the stop and the start, for example on the store
   * @param environment replaces the settings for this start
   */
  async restart(
    meanwhile: () => Promise<void> = () => Promise.resolve(),
    environment: ServerSettings["environment"] = {},
  ): Promise<number> {
    await this.process.stop();
    await meanwhile();
    const start = performance.now();
    this.process = ServerProcess.spawn({
      ...this.settings,
      environment: { ...this.settings.environment, ...environment },
    });
    while (!await this.#isOrderAccepted()) {
      if (performance.now() - start > FOLD_MS_MAX) {
        throw new Error(`The venue takes no order after its start\n${this.process.output}`);
      }
      await sleep(POLL_MS / 10);
    }
    return performance.now() - start;
  }

  #operator(): VenueOperator {
    return new VenueOperator(this.process, operatorSigner(this.settings), this.nonces);
  }

  async #isOrderAccepted(): Promise<boolean> {
    try {
      const connection = await LoadConnection.open(this.process.port);
      connection.close();
    } catch (error) {
      if (error instanceof Deno.errors.ConnectionRefused) return false;
      throw error;
    }
    this.nonces.startNow();
    const result = await this.run(1, 1, orderLoad(this.signers, 1, 1));
    return result.refusedShare === 0;
  }
}

/** Measures sequential `kv.set` per second on a new store: what the disk offers one writer. */
export async function measureSequentialSets(directory: string): Promise<number> {
  const kv = await Deno.openKv(`${directory}/write_probe.db`);
  const value = new Uint8Array(100);
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < WRITE_PROBE_MS; count++) await kv.set(["probe", count], value);
  const perSecond = count / ((performance.now() - start) / 1000);
  kv.close();
  return perSecond;
}
