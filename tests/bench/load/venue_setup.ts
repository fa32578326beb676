/** Sets up an empty venue through its operator interface. */
import { KeySigner, type NonceRanges } from "./presigned.ts";
import type { ServerProcess } from "./server_process.ts";

const SETUP_CONNECTIONS = 32;
const MEMBER_LEVEL = 3;

/** The markets of the runs. All prices are near 300.00. */
export const MARKETS = ["btcusdt", "ethusdt", "ethbtc"] as const;

const CURRENCIES = ["btc", "eth", "usdt"] as const;

/** Initial balance of each member in each currency. */
export const STARTING_BALANCE = "10000000";

/** The venue's counters that benchmarks read. */
export interface VenueMetrics {
  readonly commits: number;
  readonly log_mutations: number;
  readonly fold_mutations: number;
  readonly events: number;
  readonly unfolded_events: number;
  readonly orders: number;
  readonly open_orders: number;
  readonly trades: number;
}

/** A member and the signer of its key. */
export interface VenueMember {
  readonly uid: string;
  readonly signer: KeySigner;
}

/** The operator's calls to one venue. */
export class VenueOperator {
  constructor(
    readonly server: ServerProcess,
    readonly signer: KeySigner,
    readonly nonces: NonceRanges,
  ) {}

  /**
   * Calls `/api/v2/admin`; returns the answer's JSON.
   *
   * @throws {Error} if the status is not 2xx
   */
  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    return await signedCall(this.server, this.signer, this.nonces, {
      method,
      path: `/api/v2/admin${path}`,
      body,
    });
  }

  /** Reads the venue's counters. */
  async metrics(): Promise<VenueMetrics> {
    return await this.call("GET", "/metrics") as unknown as VenueMetrics;
  }

  /** Creates the currencies and markets of the runs; makers and takers pay the same rate. */
  async createMarkets(feeRate: string): Promise<void> {
    for (const id of CURRENCIES) {
      await this.call("POST", "/currencies", { id, name: id, type: "coin", precision: 8 });
    }
    await this.call("POST", "/trading_fees", {
      market_id: "any",
      group: "any",
      maker: feeRate,
      taker: feeRate,
    });
    for (const id of MARKETS) {
      await this.call("POST", "/markets", {
        base_unit: id.slice(0, 3),
        quote_unit: id.slice(3),
        price_precision: 2,
        amount_precision: 6,
        min_price: "0.01",
        max_price: "0",
        min_amount: "0.0001",
        state: "enabled",
      });
    }
  }

  /** Creates members, each with a key and a balance of every currency. */
  async createMembers(count: number): Promise<VenueMember[]> {
    const members: VenueMember[] = [];
    let next = 0;
    const work = async () => {
      for (let number = next++; number < count; number = next++) {
        members[number] = await this.#createMember(number);
      }
    };
    await Promise.all(Array.from({ length: SETUP_CONNECTIONS }, work));
    return members;
  }

  async #createMember(number: number): Promise<VenueMember> {
    const member = await this.call("POST", "/members", {
      email: `member-${number}@example.com`,
      level: MEMBER_LEVEL,
    });
    const uid = String(member["uid"]);
    const key = await this.call("POST", `/members/${uid}/api_keys`, { reason: "to trade" });
    for (const currency of CURRENCIES) {
      await this.call("POST", "/adjustments", {
        uid,
        currency,
        amount: STARTING_BALANCE,
        reason: "starting balance",
      });
    }
    return {
      uid,
      signer: new KeySigner({ kid: String(key["kid"]), secret: String(key["secret"]) }),
    };
  }
}

/** A signed call with a JSON answer. */
export interface SignedCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Makes a signed call; returns the answer's JSON.
 *
 * @throws {Error} if the status is not 2xx
 */
export async function signedCall<Answer = Record<string, unknown>>(
  server: ServerProcess,
  signer: KeySigner,
  nonces: NonceRanges,
  { method, path, body }: SignedCall,
): Promise<Answer> {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { "content-type": "application/json", ...signer.headers(nonces.take(1)) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
