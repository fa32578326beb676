/** A venue on a file that is killed repeatedly, and checked after each restart. */
import { assert, assertEquals } from "@std/assert";
import { sleep } from "../../src/store/kv/in_time.ts";
import { NonceRanges } from "../bench/load/presigned.ts";
import {
  auditStore,
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { VenueOperator } from "../bench/load/venue_setup.ts";
import { balanceTotals } from "./balance_totals.ts";
import { KilledMember, type TradingMix } from "./killed_member.ts";

const MEMBERS = 8;
const OPEN_ORDERS_MAX = 10_000;
/** Without fees the sums of the members' balances never change. */
const FEE_RATE = "0";
const KILL_MS_MIN = 50;
const KILL_MS_MAX = 300;
/** An idle venue starts to fold after 200 ms. */
const FOLD_KILL_MS_MIN = 180;
const FOLD_KILL_MS_MAX = 330;
const FOLD_TRADING_MS = 100;
/** Latest kill after a start begins, in ms; roughly a start's duration, so some are complete. */
const START_KILL_MS_MAX = 400;
/** Number of consecutive starts that are killed. */
const START_KILLS = 2;

/** Moments at which a venue is killed, by what it is doing. */
export const KILL_MOMENTS = ["orders", "bulks", "cancels", "mixed", "fold", "start"] as const;
export type KillMoment = typeof KILL_MOMENTS[number];

const MIXES: Readonly<Record<KillMoment, TradingMix>> = {
  orders: { cancels: 0, bulks: 0, ordersPerBulk: 0 },
  bulks: { cancels: 0, bulks: 1, ordersPerBulk: 100 },
  cancels: { cancels: 0.55, bulks: 0.05, ordersPerBulk: 10 },
  mixed: { cancels: 0.25, bulks: 0.1, ordersPerBulk: 10 },
  fold: { cancels: 0.1, bulks: 0.5, ordersPerBulk: 100 },
  start: { cancels: 0.25, bulks: 0.1, ordersPerBulk: 10 },
};

/** The results of all rounds so far. */
export interface KillFigures {
  readonly kills: number;
  readonly answers: number;
  readonly orders: number;
  /** Number of orders placed by unanswered requests. */
  readonly landed: number;
  /** Number of requests refused by a stopping venue. */
  readonly refusals: number;
}

/** A store and its members. */
export class KilledVenue {
  readonly #settings: ServerSettings;
  readonly #members: readonly KilledMember[];
  readonly #totals: Readonly<Record<string, bigint>>;
  #server: ServerProcess;
  #kills = 0;

  private constructor(
    readonly directory: string,
    settings: ServerSettings,
    server: ServerProcess,
    members: readonly KilledMember[],
    totals: Readonly<Record<string, bigint>>,
  ) {
    this.#settings = settings;
    this.#server = server;
    this.#members = members;
    this.#totals = totals;
  }

  /** Creates a store with members and starts its venue. */
  static async create(seed: number): Promise<KilledVenue> {
    const directory = await Deno.makeTempDir({ prefix: "venue_kill_" });
    const settings: ServerSettings = {
      kvPath: `${directory}/venue.db`,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
    };
    const server = await ServerProcess.start(settings);
    const operator = new VenueOperator(server, operatorSigner(settings), new NonceRanges());
    await operator.createMarkets(FEE_RATE);
    const created = await operator.createMembers(MEMBERS);
    for (const { uid } of created) {
      await operator.call("PATCH", `/members/${uid}`, {
        open_orders_max: OPEN_ORDERS_MAX,
        reason: "its sweeps",
      });
    }
    const members = created.map(({ signer }, number) =>
      new KilledMember(signer, seed * MEMBERS + number)
    );
    const totals = await balanceTotals(server, members);
    return new KilledVenue(directory, settings, server, members, totals);
  }

  get figures(): KillFigures {
    const sum = (count: (member: KilledMember) => number) =>
      this.#members.reduce((total, member) => total + count(member), 0);
    return {
      kills: this.#kills,
      answers: sum((member) => member.answers),
      orders: sum((member) => member.ordersCount),
      landed: sum((member) => member.landed),
      refusals: sum((member) => member.refusals),
    };
  }

  /** Kills the venue at a moment of this kind, restarts it, and checks everything. */
  async round(moment: KillMoment, isAudited: boolean): Promise<void> {
    await this.#killWhileTrading(moment);
    if (moment === "start") {
      for (let kills = 0; kills < START_KILLS; kills++) await this.#killStart();
    }
    assertEquals(this.figures.refusals, 0, "A request was refused");
    if (isAudited) await this.#assertAuditIsClean(`after kill ${this.#kills} (${moment})`);
    await this.#startAndCheck();
  }

  /**
   * Signals the venue to end under load, and checks it after a restart.
   *
   * @param again signals it again, some time after it has taken the first signal or at once
   */
  async endRound(
    signal: Deno.Signal,
    again: { readonly signal: Deno.Signal; readonly afterMs: number } | null = null,
  ): Promise<Deno.CommandStatus> {
    const { port } = this.#server;
    const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>();
    const watch = { isOver: () => false, onAnswer };
    const runs = this.#members.map((member) => member.trade(port, MIXES.mixed, watch));
    await answered;
    await sleep(between(KILL_MS_MIN, KILL_MS_MAX));
    this.#server.signal(signal);
    if (again !== null) {
      if (again.afterMs > 0) await this.#server.ending();
      await sleep(again.afterMs);
      this.#server.signal(again.signal);
    }
    const status = await this.#server.ended();
    await Promise.all(runs);
    const signals = again === null ? signal : `${signal} and ${again.signal}`;
    await this.#assertAuditIsClean(`after ${signals}`);
    await this.#startAndCheck();
    return status;
  }

  async #startAndCheck(): Promise<void> {
    this.#server = await ServerProcess.start(this.#settings);
    for (const { nonces } of this.#members) nonces.startNow();
    await Promise.all(this.#members.map((member) => member.check(this.#server.port)));
    assertEquals(
      await balanceTotals(this.#server, this.#members),
      this.#totals,
      "Funds came or went",
    );
  }

  /** Checks all orders since the store was created, stops the venue and removes the store. */
  async finish(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.checkAll(this.#server.port)));
    const { success } = await this.#server.stop();
    assert(success, `The venue did not end well\n${this.#server.output}`);
    await this.#assertAuditIsClean("after the last stop");
    await Deno.remove(this.directory, { recursive: true });
  }

  /** Kills the process and keeps the store for inspection. */
  async abandon(): Promise<void> {
    await this.#server.kill();
  }

  /** The venue's port until the next restart. */
  get port(): number {
    return this.#server.port;
  }

  async #killWhileTrading(moment: KillMoment): Promise<void> {
    const { port } = this.#server;
    let isOver = false;
    const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>();
    const watch = { isOver: () => isOver, onAnswer };
    const runs = this.#members.map((member) => member.trade(port, MIXES[moment], watch));
    await Promise.race([answered, Promise.all(runs)]);
    if (moment === "fold") {
      await sleep(FOLD_TRADING_MS);
      isOver = true;
      await Promise.all(runs);
      await sleep(between(FOLD_KILL_MS_MIN, FOLD_KILL_MS_MAX));
    } else await sleep(between(KILL_MS_MIN, KILL_MS_MAX));
    await this.#kill();
    await Promise.all(runs);
  }

  async #killStart(): Promise<void> {
    this.#server = ServerProcess.spawn(this.#settings);
    await sleep(between(0, START_KILL_MS_MAX));
    await this.#kill();
  }

  async #kill(): Promise<void> {
    const status = await this.#server.kill();
    assertEquals(status.signal, "SIGKILL", `The venue ended by itself\n${this.#server.output}`);
    this.#kills += 1;
  }

  async #assertAuditIsClean(moment: string): Promise<void> {
    const audit = await auditStore(this.#settings.kvPath);
    assert(audit.isClean, `The audit ${moment} found a difference\n${audit.output}`);
  }
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low);
}
