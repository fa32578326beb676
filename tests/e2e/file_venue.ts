/** A venue process on a file, with two members who each trade over a connection. */
import { assert, assertEquals } from "@std/assert";
import { NonceRanges } from "../bench/load/presigned.ts";
import {
  auditStore,
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { type VenueMember, VenueOperator } from "../bench/load/venue_setup.ts";
import { balanceTotals } from "./balance_totals.ts";
import { type Answer, MemberConnection } from "./member_connection.ts";
import { eventually } from "../support/eventually.ts";

const MEMBERS = 2;
const TRADING = "/api/v2/trading/market";
const FINAL_STATES = ["done", "cancel", "reject"];

/** The parts of an order's answer that are used. */
export interface OrderAnswer {
  readonly uuid: string;
  readonly state: string;
}

/** A store, its process, and what its members were answered. */
export class FileVenue {
  /** Answered orders by uuid; true if the end was answered, too. */
  readonly orders = new Map<string, boolean>();
  readonly nonces = new NonceRanges();

  private constructor(
    readonly settings: ServerSettings,
    public server: ServerProcess,
    readonly members: readonly VenueMember[],
    readonly totals: Readonly<Record<string, bigint>>,
  ) {}

  /** Creates a venue without fees, so that the sums of the members' balances never change. */
  static async create(kvPath: string): Promise<FileVenue> {
    const settings = { kvPath, operator: randomCredential(), masterKey: randomMasterKey() };
    const server = await ServerProcess.start(settings);
    const operator = new VenueOperator(server, operatorSigner(settings), new NonceRanges());
    await operator.createMarkets("0");
    const members = await operator.createMembers(MEMBERS);
    const parties = members.map(({ signer }) => ({ signer, nonces: new NonceRanges() }));
    return new FileVenue(settings, server, members, await balanceTotals(server, parties));
  }

  /** Sends a member's request. */
  async send(line: string, body = "", member = 0): Promise<Answer> {
    const signer = this.members[member]?.signer;
    if (signer === undefined) throw new Error(`There is no member ${member}`);
    using connection = await MemberConnection.open(this.server.port, signer, this.nonces);
    return await connection.send(line, body);
  }

  /** Sends an order; records it if it is answered with 201. */
  async order(side: "buy" | "sell" = "buy", price = "100", member = 0): Promise<number> {
    const order = { market: "btcusdt", side, type: "limit", amount: "0.01", price };
    const { status, body } = await this.send(`POST ${TRADING}/orders`, text(order), member);
    if (status === 201) this.orders.set((body as OrderAnswer).uuid, false);
    return status;
  }

  /** Sends `count` orders in one request; returns the status. */
  async bulk(count: number): Promise<number> {
    const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.01", price: "90" };
    const body = text(Array.from({ length: count }, () => order));
    const answer = await this.send(`POST ${TRADING}/bulk/orders`, body);
    if (answer.status === 201) {
      for (const { uuid } of answer.body as OrderAnswer[]) this.orders.set(uuid, false);
    }
    return answer.status;
  }

  /** Cancels an order; records it if it is answered with 201. */
  async cancel(uuid: string): Promise<number> {
    const { status } = await this.send(`POST ${TRADING}/orders/cancel/${uuid}`);
    if (status === 201) this.orders.set(uuid, true);
    return status;
  }

  /** Returns "ready", or why the venue is not, or "away". */
  async health(): Promise<string> {
    const url = `${this.server.baseUrl}/api/v2/backend/public/health/ready`;
    const answer = await fetch(url).catch(() => null);
    if (answer === null) return "away";
    const { errors = ["ready"] } = await answer.json() as { errors?: string[] };
    return errors.at(-1) ?? "";
  }

  /** Asserts that all answered orders exist, ended ones stay ended, and funds have not changed. */
  async verify(): Promise<void> {
    for (const [uuid, isEnded] of this.orders) {
      const { status, body } = await this.send(`GET /api/v2/backend/market/orders/${uuid}`);
      assertEquals(status, 200, `${uuid} is lost`);
      const { state } = body as OrderAnswer;
      if (isEnded) assert(FINAL_STATES.includes(state), `${uuid} is ${state} again`);
    }
    const parties = this.members.map(({ signer }) => ({ signer, nonces: this.nonces }));
    assertEquals(await balanceTotals(this.server, parties), this.totals, "Funds came or went");
  }

  /** Returns its operator, for the process that runs now. */
  operator(): VenueOperator {
    return new VenueOperator(this.server, operatorSigner(this.settings), new NonceRanges());
  }

  /** Restarts the venue without waiting until it is ready. */
  spawn(): void {
    this.server = ServerProcess.spawn(this.settings);
    this.nonces.startNow();
  }

  /** Restarts the venue. */
  async restart(): Promise<void> {
    this.server = await ServerProcess.start(this.settings);
    this.nonces.startNow();
  }

  /** Starts a venue that must refuse to start; returns its output. */
  async refusedStart(): Promise<string> {
    const server = ServerProcess.spawn(this.settings);
    const isUp = await server.ready().then(() => true, () => false);
    if (isUp) await server.kill();
    assert(!isUp, `The venue has started\n${server.output}`);
    const { code } = await server.ended();
    assertEquals(code, 1, server.output);
    return server.output;
  }

  /** Audits the store, which no process may have open. */
  async assertAuditIsClean(): Promise<void> {
    const audit = await auditStore(this.settings.kvPath);
    assert(audit.isClean, audit.output);
  }
}

/** Waits until a condition holds; returns the elapsed ms. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<number> {
  const start = performance.now();
  await eventually(what, holds);
  return Math.round(performance.now() - start);
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
