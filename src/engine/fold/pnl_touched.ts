/** Finds the rows of profit and loss that a window of the log needs, before it is folded. */
import { unreachable } from "../../domain/assert.ts";
import type { PnlCurrenciesSet, VenueEvent } from "../../domain/event.ts";
import { accountOf, isOfPnl, membersOf, type PnlEvent } from "../../domain/event_effects.ts";
import { FIRST_MEMBER } from "../../domain/people/member.ts";
import type { Market } from "../../domain/trading/market.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { noteEvents } from "./fold_part.ts";
import { pairName, pnlRowName } from "./pnl_sheets.ts";

/** Markets by index, as known before the events. */
export interface KnownMarkets {
  find(index: number): { readonly market: Market } | undefined;
}

/** What the events of a window name of profit and loss. */
export class PnlTouched {
  /** Names of rows of accumulators. */
  readonly rows = new Set<number>();
  /** Codes of currencies that profit and loss is to be kept in. */
  readonly settings: string[] = [];
  /** Indexes of the currencies that the window defines, by code. */
  readonly definitions = new Map<string, number>();
  readonly #markets: KnownMarkets;
  readonly #member: number | null;
  readonly #newMarkets = new Map<number, Market>();
  readonly #traded = new Set<Market>();
  readonly #currencies = new Set<number>();

  /** @param member the one member that matters; null for all */
  constructor(markets: KnownMarkets, member: number | null) {
    this.#markets = markets;
    this.#member = member;
  }

  /** Adds what events name; members' rows only from where profit and loss is kept. */
  async note(
    entries: readonly Pick<Entry, "events">[],
    isKept: boolean,
    pause: () => Promise<void>,
  ): Promise<void> {
    let keeps = isKept;
    const note = (event: VenueEvent) => {
      if (!isOfPnl(event)) return;
      if (event.kind === "pnl_currencies_set") {
        this.settings.push(...event.kept);
        keeps = true;
      } else this.#note(event, keeps);
    };
    await noteEvents(entries, note, pause);
  }

  #note(event: Exclude<PnlEvent, PnlCurrenciesSet>, keeps: boolean): void {
    switch (event.kind) {
      case "trade": {
        const market = this.#marketOf(event.market);
        if (market === undefined) return;
        this.#traded.add(market);
        if (!keeps) return;
        for (const member of membersOf(event)) {
          this.#add(member, market.base);
          this.#add(member, market.quote);
        }
        return;
      }
      case "balance_adjusted":
      case "deposit_set":
      case "withdraw_set": {
        const { member, currency } = accountOf(event);
        return keeps ? this.#add(member, currency) : undefined;
      }
      case "currency_set":
        this.definitions.set(event.currency.id, event.currency.index);
        return;
      case "market_set":
        this.#newMarkets.set(event.market.index, event.market);
        return;
      default:
        unreachable(event);
    }
  }

  #marketOf(index: number): Market | undefined {
    return this.#newMarkets.get(index) ?? this.#markets.find(index)?.market;
  }

  #add(member: number, currency: number): void {
    if (member < FIRST_MEMBER || (this.#member !== null && this.#member !== member)) return;
    this.rows.add(pnlRowName(member, currency));
    this.#currencies.add(currency);
  }

  /** Returns the names of the price rows that matter if members' currencies are valued in these. */
  pairs(valued: ReadonlySet<number>): Set<number> {
    const pairs = new Set<number>();
    for (const { base, quote } of this.#traded) pairs.add(pairName(base, quote));
    for (const currency of this.#currencies) {
      for (const other of valued) {
        pairs.add(pairName(currency, other));
        pairs.add(pairName(other, currency));
      }
    }
    return pairs;
  }
}
