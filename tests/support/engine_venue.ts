import type { Command, OrderRequest, Outcome, Receipt } from "../../src/domain/command.ts";
import { isRejection } from "../../src/domain/command.ts";
import type { ApiKey, Scope } from "../../src/domain/people/member.ts";
import type { MarketBook } from "../../src/domain/trading/market_book.ts";
import type { Settings } from "../../src/domain/settings.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Engine, Health } from "../../src/engine/engine.ts";
import type { EngineTracer } from "../../src/engine/engine_tracer.ts";
import type { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { eventually } from "./eventually.ts";
import { FaultyStore } from "./faulty_store.ts";
import {
  currencyDefinition,
  marketDefinition,
  type MarketText,
  orderRequest,
  type OrderText,
  units,
} from "./domain_venue.ts";
import { TEST_SETTINGS } from "./test_settings.ts";

/** Options for opening a venue under test. */
export interface EngineVenueOptions {
  /** The file of a {@linkcode VenueFile}; by default the store is in memory. */
  readonly path?: string;
  readonly isShared?: boolean;
  /** A clock that only the test advances; by default the system's. */
  readonly clock?: { now: number };
  /** A clock that nobody sets; by default the one above, or the system's. */
  readonly steady?: () => number;
  /** Called before the engine reads anything. */
  readonly prepare?: (store: FaultyStore) => void;
  /** Handles to another database than that at the path. */
  readonly handles?: KvHandles;
  /** Makes the store behave as it does over a network. */
  readonly isRemote?: boolean;
  /** Those that a test's venue has otherwise; it takes bulk requests of 1,000 orders. */
  readonly settings?: Partial<Settings>;
  readonly unfoldedEventsMax?: number;
  readonly scanRecordsMax?: number;
  readonly clientOrderIdsMax?: number;
  readonly tracer?: EngineTracer;
  /** Called on each fault, which is listed as well. */
  readonly onFault?: () => void;
}

/** A real engine on a real store that can be made to fail. */
export class EngineVenue {
  private constructor(
    readonly engine: Engine,
    readonly store: FaultyStore,
    /** Faults that the engine reported. */
    readonly faults: readonly unknown[],
  ) {}

  /** Opens a venue; the file may already hold one. */
  static async open(options: EngineVenueOptions = {}): Promise<EngineVenue> {
    const { path = ":memory:", clock, isShared = false } = options;
    const { clientOrderIdsMax, unfoldedEventsMax, scanRecordsMax } = options;
    const { handles, isRemote = false } = options;
    const store = handles === undefined
      ? await FaultyStore.open(path, isRemote)
      : new FaultyStore(handles, path, isRemote);
    options.prepare?.(store);
    const faults: unknown[] = [];
    const engine = await openEngine({
      kvPath: path,
      store,
      settings: { ...TEST_SETTINGS, bulkOrdersMax: 1000, ...options.settings },
      isShared,
      onFault: (fault) => {
        faults.push(fault);
        options.onFault?.();
      },
      ...(clock === undefined ? {} : { now: () => clock.now }),
      ...(options.steady === undefined ? {} : { steady: options.steady }),
      ...(unfoldedEventsMax === undefined ? {} : { unfoldedEventsMax }),
      ...(scanRecordsMax === undefined ? {} : { scanRecordsMax }),
      ...(clientOrderIdsMax === undefined ? {} : { clientOrderIdsMax }),
      ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
    });
    return new EngineVenue(engine, store, faults);
  }

  /** The published state. */
  get venue(): Venue {
    return this.engine.venue;
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Submits a command that must not be refused. */
  async must(command: Command): Promise<Receipt> {
    const outcome = await this.engine.submit(command, null);
    if (isRejection(outcome)) throw new Error(`${command.kind}: ${JSON.stringify(outcome)}`);
    return outcome;
  }

  /** Adds a market and those of its currencies that are missing. */
  async addMarket(base: string, quote: string, text: MarketText = {}): Promise<void> {
    for (const code of [base, quote]) {
      if (this.venue.currencyById.has(code)) continue;
      await this.must({ kind: "create_currency", currency: currencyDefinition(code) });
    }
    await this.must({ kind: "create_market", market: marketDefinition(base, quote, text) });
  }

  /** Adds a member with funds by currency; returns its index. */
  async addMember(uid: string, funds: Readonly<Record<string, string>> = {}): Promise<number> {
    await this.must({
      kind: "create_member",
      uid,
      emailDigest: `digest of ${uid}`,
      level: 3,
      group: "any",
    });
    for (const [currency, amount] of Object.entries(funds)) {
      await this.must({ kind: "adjust_balance", uid, currency, amount: units(amount) });
    }
    return this.member(uid);
  }

  /** Adds the usual market `btcusdt` and two rich members, alice and bob. */
  async addUsual(): Promise<void> {
    await this.addMarket("btc", "usdt");
    for (const uid of ["alice", "bob"]) {
      await this.addMember(uid, { btc: "1000000", usdt: "1000000000" });
    }
  }

  /** Creates the key `bot` for alice. */
  async addKey(...scopes: Scope[]): Promise<ApiKey> {
    const key = { uid: "alice", kid: "bot", role: "member", nonceMode: "single" } as const;
    const made = await this.must({ kind: "create_key", ...key, scopes });
    if (made.kind !== "key_set") throw new Error(made.kind);
    return made.key;
  }

  /** Returns a member's index. */
  member(uid: string): number {
    const holder = this.venue.holderByUid.get(uid);
    if (holder === undefined) throw new Error(`No member ${uid}: add it by addMember`);
    return holder.member.index;
  }

  /** The book of the first market. */
  get book(): MarketBook {
    return this.venue.book(0);
  }

  /** Returns the command that places orders in one request. */
  placing(uid: string, ...orders: OrderText[]): Command {
    return {
      kind: "place_orders",
      member: this.member(uid),
      orders: orders.map((order) => this.#request(order)),
    };
  }

  #request(order: OrderText): OrderRequest {
    const { market } = order;
    const book = market === undefined ? this.book : this.venue.bookById.get(market);
    return orderRequest(order, book?.market.index ?? -1);
  }

  /** Places orders in one request. */
  place(uid: string, ...orders: OrderText[]): Promise<Outcome> {
    return this.engine.submit(this.placing(uid, ...orders), null);
  }

  /** Places one order, which must be accepted; returns its id. */
  async placed(uid: string, order: OrderText): Promise<number> {
    return orderIds(await this.place(uid, order))[0] ?? 0;
  }

  /** Waits until commands are accepted, or until they are refused for a reason. */
  async health(reason: Health["reason"] = ""): Promise<void> {
    const what = `the health "${reason}"`;
    await eventually(what, () => this.engine.health().reason === reason);
  }

  /** Waits until at least `count` commits of the fold have been sent. */
  async foldedSteps(count: number): Promise<void> {
    await eventually(`step ${count} of a fold`, () => this.store.commits.fold >= count);
  }

  /** Waits until the whole log is folded into rows. */
  async folded(): Promise<void> {
    await eventually("the fold at its end", () => this.engine.metrics().unfolded_events === 0);
  }
}

/** Returns the ids of placed orders; throws if the request was refused. */
export function orderIds(outcome: Outcome): number[] {
  if (isRejection(outcome) || outcome.kind !== "orders_placed") {
    throw new Error(`Not placed: ${JSON.stringify(outcome)}`);
  }
  return outcome.orders.map((one) => "repeats" in one ? one.repeats : one.accepted.id);
}

/** A temporary directory for a venue's file and its companions. */
export class VenueFile {
  private constructor(readonly directory: string) {}

  static async create(): Promise<VenueFile> {
    return new VenueFile(await Deno.makeTempDir({ prefix: "venue_" }));
  }

  get path(): string {
    return `${this.directory}/venue.kv`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.directory, { recursive: true });
  }
}
