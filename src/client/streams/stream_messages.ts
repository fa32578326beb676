/** What the venue's streams tell, each by the name of its stream. All money is decimal strings. */
import type { AnswerOf, CallOf, Records } from "../contract_calls.ts";

/** A level of a book: its price, and its volume; volume "0" if there is none any more. */
export type Level = readonly [price: string, volume: string];

/** A state of one of the member's orders. */
export interface OrderMessage {
  readonly id: number;
  readonly uuid: string;
  readonly market: string;
  readonly side: "buy" | "sell";
  readonly ord_type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
  readonly state: "pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait";
  readonly price: string | null;
  readonly trigger_price: string | null;
  readonly avg_price: string;
  readonly origin_volume: string;
  readonly remaining_volume: string;
  readonly executed_volume: string;
  readonly executed_total: string;
  readonly fees: Readonly<Record<string, string>> | null;
  readonly trades_count: number;
  readonly time_in_force: "gtc" | "ioc" | "fok";
  readonly client_order_id: string | null;
  readonly reject_reason: string | null;
  /** In seconds since 1970, as is the next. */
  readonly created_at: number;
  readonly updated_at: number;
  /** In ms since 1970, as is the next. */
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** A fill of one of the member's orders. */
export interface TradeMessage {
  readonly id: number;
  readonly market: string;
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  /** The side of the member's order. */
  readonly side: "buy" | "sell";
  readonly taker_type: "buy" | "sell";
  readonly liquidity: "maker" | "taker";
  readonly order_id: number;
  readonly order_uuid: string;
  readonly client_order_id: string | null;
  /** The fee's rate, its currency, and what it came to. */
  readonly fee: string;
  readonly fee_currency: string;
  readonly fee_amount: string;
  /** In seconds since 1970. */
  readonly created_at: number;
  /** In ms since 1970. */
  readonly created_at_ms: number;
}

/** One balance that has changed. */
export interface BalanceMessage {
  readonly currency: string;
  readonly balance: string;
  readonly locked: string;
}

/** Trades of a market. */
export interface MarketTradesMessage {
  readonly trades: readonly {
    readonly tid: number;
    readonly taker_type: "buy" | "sell";
    readonly price: string;
    readonly amount: string;
    /** In seconds since 1970. */
    readonly created_at: number;
    /** In ms since 1970. */
    readonly created_at_ms: number;
  }[];
}

/** Levels of a book: all of them, or those that have changed. */
export interface LevelsMessage {
  readonly asks?: readonly Level[];
  readonly bids?: readonly Level[];
  readonly sequence: number;
  readonly checksum?: number;
}

/** The best bid and ask of a book; null where there is none. */
export interface BestMessage {
  readonly bid: Level | null;
  readonly ask: Level | null;
}

/** A state of one of the member's deposits. */
export type DepositMessage = Records["Deposit"];

/** A new address of the member, and the codes of the currencies that it takes. */
export interface DepositAddressMessage {
  readonly type: "create";
  readonly currencies: readonly string[];
  /** The network that it is on; absent where the currency lives on none. */
  readonly network?: string;
  readonly address: string;
  /** The member's tag at it; absent for a currency without tags. */
  readonly tag?: string;
}

/** A state of one of the member's withdrawals, without what is sealed. */
export type WithdrawMessage = Omit<Records["Withdraw"], "rid" | "note"> & {
  readonly beneficiary_id: number;
};

/** What the venue, its markets and its currencies take now. */
export type StatusMessage = AnswerOf<CallOf<"get", "/api/v2/backend/public/status">>;

/** A market's last 24 hours; its best prices are "0.0" where there are none. */
export type TickerMessage = Omit<Records["MarketTicker"]["ticker"], "vol"> & {
  /** Such as `BTC/USDT`, and the codes of its two currencies. */
  readonly name: string;
  readonly base_unit: string;
  readonly quote_unit: string;
  /** The last price, as is `last`. */
  readonly close: string;
};

/** What is told by each stream. */
export interface StreamMessages {
  readonly order: OrderMessage;
  readonly trade: TradeMessage;
  /** All balances by currency, `[balance, locked]`. */
  readonly balances: Readonly<Record<string, readonly [balance: string, locked: string]>>;
  readonly balance: BalanceMessage;
  readonly deposit: DepositMessage;
  readonly withdraw: WithdrawMessage;
  readonly deposit_address: DepositAddressMessage;
  readonly [trades: `${string}.trades`]: MarketTradesMessage;
  readonly [levels: `${string}.ob-levels`]: LevelsMessage;
  readonly [best: `${string}.bbo`]: BestMessage;
  /** `[time, open, high, low, close, volume]`, for charts: numbers, of which digits may be lost. */
  readonly [candle: `${string}.kline-${string}`]: readonly number[];
  /** The tickers by market. */
  readonly "global.tickers": Readonly<Record<string, TickerMessage>>;
  readonly "global.status": StatusMessage;
  /** Any other stream: see the reference page. */
  readonly [other: string]: unknown;
}

/** What a message says besides its content. */
export interface MessageNumbers {
  /** Counts the stream's messages; those of money have the numbers of balances. */
  readonly sequence: number;
  /** Number of the event in the venue's log; of private streams only. */
  readonly event: number | undefined;
  /** Whether it belongs to the state that the stream begins with. */
  readonly isSnapshot: boolean;
}
