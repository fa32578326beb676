/**
 * The venue's contract as types, made of it by `deno task contract`: not to be changed by hand.
 */
export interface paths {
    readonly "/api/v2/trading/market/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create an order
         * @description The response confirms that the order is durable; matching follows at once, and the first message of the `order` stream may arrive before the response. An order that depends on the book (post_only, fill or kill, market) may still end as `reject` or `cancel`: ask for `response: "result"` or read the order to find out, `reject_reason` tells why. A market order fills at any price, unless the venue bounds how far from the last one: the rest then ends as if nobody offered more. A market buy locks what the asks that it takes cost, and a tenth more, or all you have if that is less; if you have less than they cost, it is refused. Where nobody offers as much as it wants, it fills what there is. A stop buy locks the same of its `trigger_price`, which need not be all you have; when it is triggered, its lock is raised to what the asks cost then, and only what your balance can't pay is not filled. After a time-out or a 504, repeat the order under the same `client_order_id`. Under `/api/v2/peatio` the fields have their older names: `volume`, `ord_type` (`limit` by default) and `client_id`. Requires a key with the scope `trade`, or a session. Also available at `/api/v2/peatio/market/orders`, `/api/v2/finex/market/orders`, `/api/v2/trade/market/orders`.
         */
        readonly post: operations["createOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/trading/market/orders/cancel/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel an order
         * @description Accepts the id, the uuid, or `client:` followed by your own id; under `/api/v2/peatio` also your own id with `?client_id=true`. An order that has ended is returned unchanged. Requires a key with the scope `trade`, or a session. Rate limited separately from other requests. Also available at `/api/v2/peatio/market/orders/{id}/cancel`, `/api/v2/finex/market/orders/cancel/{id}`, `/api/v2/trade/market/orders/{id}/cancel`.
         */
        readonly post: operations["cancelOrder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/trading/market/orders/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel all open orders
         * @description Cancels those of one market or side, if given. Orders on halted markets are skipped; naming such a market is refused. Many orders are cancelled in portions, between which others trade: the answer lacks what is filled meanwhile. Under `/api/v2/peatio` the status is 201. Requires a key with the scope `trade`, or a session. Rate limited separately from other requests. Also available at `/api/v2/peatio/market/orders/cancel`, `/api/v2/finex/market/orders/cancel`, `/api/v2/trade/market/orders/cancel`.
         */
        readonly post: operations["cancelOrders"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/trading/market/bulk/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create several orders, all or none
         * @description If an order fails, none is placed, and `index` names the first one with a wrong field (one that is missing, forbidden, off the market's grid, or names no market), or else the first one that the venue refuses. New orders may stand beside repeats of a `client_order_id`, but no id twice. Each order is answered as its own `response` says. Costs 1 of the rate limit for each order. Requires a key with the scope `trade`, or a session. Also available at `/api/v2/peatio/market/bulk/orders`, `/api/v2/finex/market/bulk/orders`, `/api/v2/trade/market/bulk/orders`.
         */
        readonly post: operations["createOrders"];
        /**
         * Cancel several orders by uuid
         * @description Also accepts `client:` followed by your own id. Costs 1 of the rate limit for each. Requires a key with the scope `trade`, or a session. Rate limited separately from other requests. Also available at `/api/v2/peatio/market/bulk/orders`, `/api/v2/finex/market/bulk/orders`, `/api/v2/trade/market/bulk/orders`.
         */
        readonly delete: operations["cancelOrdersByUuid"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/trading/market/bulk/orders_by_id": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancel several orders by id
         * @description Also accepts `client:` followed by your own id. Costs 1 of the rate limit for each. Requires a key with the scope `trade`, or a session. Rate limited separately from other requests. Also available at `/api/v2/peatio/market/bulk/orders_by_id`, `/api/v2/finex/market/bulk/orders_by_id`, `/api/v2/trade/market/bulk/orders_by_id`.
         */
        readonly delete: operations["cancelOrdersById"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/trading/market/orders/cancel_all_after": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel all orders after a timeout
         * @description Sets the cancel timer of the key; repeating the request postpones it, a timeout of 0 clears it. When it fires, all orders that the member has open are cancelled (reject_reason `timer`) before any new order is accepted, those on halted markets included, and the timer is cleared; of more than 250, a portion is cancelled at a time, and others' orders may come between. The timer ends with its key. Sessions have none. Requires a key with the scope `trade`. Rate limited separately from other requests. Also available at `/api/v2/finex/market/orders/cancel_all_after`.
         */
        readonly post: operations["cancelAllAfter"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/market/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your orders
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/market/orders`, `/api/v2/finex/market/orders`, `/api/v2/trade/market/orders`.
         */
        readonly get: operations["listOrders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/market/orders/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get an order with its trades
         * @description Accepts the id, the uuid, or `client:` followed by your own id; under `/api/v2/peatio` also your own id with `?client_id=true`. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/market/orders/{id}`, `/api/v2/finex/market/orders/{id}`, `/api/v2/trade/market/orders/{id}`.
         */
        readonly get: operations["readOrder"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/market/trades": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your trades
         * @description A trade with yourself (`self_trade_prevention` `none`) is listed twice under one id, with each of its orders, so that the list adds up to the balances. (Those from before 2026-12 are listed as the maker's alone.) A page without a `page` has both or neither, and so may have one trade more than its `limit`: walk by `from_id` or `to_id`, and you have each once. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/market/trades`, `/api/v2/trade/market/trades`.
         */
        readonly get: operations["listTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/balances/{currency}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get your balance of a currency
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/balances/{currency}`, `/api/v2/trade/account/balances/{currency}`.
         */
        readonly get: operations["readBalance"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/balances": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your balances
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/balances`, `/api/v2/trade/account/balances`.
         */
        readonly get: operations["listBalances"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/trading_fees": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the fees that you pay, and what you have traded in 30 days
         * @description By market, the rates that your next order gets, and your volume of today and the 30 days (UTC) before; a trade with yourself counts for either side. If you have traded more often than one call reads, `X-Scan-Limited` is `true`, and the next calls have the rest. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/trading_fees`, `/api/v2/trade/account/trading_fees`.
         */
        readonly get: operations["readOwnFees"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/stats/pnl": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get your profit and loss
         * @description A trade quoted in `pnl_currency` is valued at its own price, everything else at the price of the last trade before it or, where there was none yet, of the first trade ever. As long as no trade gives a price, the currencies' own prices of the moment do. Of a `pnl_currency` in which none is kept, the error's `limit` names those in which it is. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/stats/pnl`, `/api/v2/trade/account/stats/pnl`.
         */
        readonly get: operations["readPnl"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/transactions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your deposits and withdrawals
         * @description Sorted by time of creation. Filtering one kind by state does not affect the other. Since each kind has ids of its own, a walk goes by `after`: it has each record once, whatever is added meanwhile. Balance adjustments by an operator have a list of their own. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/transactions`, `/api/v2/trade/account/transactions`.
         */
        readonly get: operations["listTransactions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statements/trades.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of your trades
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. A trade with yourself (`self_trade_prevention` `none`) has two lines with one id, one for each of its orders, so that a statement adds up to the balances. Requires a key with the scope `read`, or a session.
         */
        readonly get: operations["sendTradeStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statements/orders.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of your orders
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires a key with the scope `read`, or a session.
         */
        readonly get: operations["sendOrderStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statements/transactions.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of your deposits and withdrawals
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. `gross` is what was locked or has arrived, `net` what is left of it behind the `fee`; `reverses` names the line whose money was taken or came back, by its `type` and `id`. Balance adjustments have a list of their own. Requires a key with the scope `read`, or a session.
         */
        readonly get: operations["sendTransactionStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statement": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the statement of your account, with opening and closing balances
         * @description What the account had when `time_from` began and when `time_to` did, available and locked together, and in between all that has changed it, when it did: each trade with a line for either currency, deposits, withdrawals, reversals and adjustments. Opening balance and `net` of all lines add up to the closing balance, exactly. A coin's deposit comes in when it is accepted, and its fee is taken when it is collected; a withdrawal leaves once it has succeeded. Everything in a response is of one moment; where `time_to` is not over, the last response has the closing balances of its own. If a response lacks movements, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/statement`, `/api/v2/trade/account/statement`.
         */
        readonly get: operations["readAccountStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statements/account.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download the statement of your account, with opening and closing balances
         * @description What the account had when `time_from` began and when `time_to` did, available and locked together, and in between all that has changed it, when it did: each trade with a line for either currency, deposits, withdrawals, reversals and adjustments. Opening balance and `net` of all lines add up to the closing balance, exactly. A coin's deposit comes in when it is accepted, and its fee is taken when it is collected; a withdrawal leaves once it has succeeded. Everything in a response is of one moment; where `time_to` is not over, the last response has the closing balances of its own. Lines of the type `Opening` come first and those of the type `Closing` last, one for each currency, with a `balance`; of a currency without there was nothing. Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires a key with the scope `read`, or a session.
         */
        readonly get: operations["sendAccountStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statement": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the statement of a member's account, with opening and closing balances
         * @description What the account had when `time_from` began and when `time_to` did, available and locked together, and in between all that has changed it, when it did: each trade with a line for either currency, deposits, withdrawals, reversals and adjustments. Opening balance and `net` of all lines add up to the closing balance, exactly. A coin's deposit comes in when it is accepted, and its fee is taken when it is collected; a withdrawal leaves once it has succeeded. Everything in a response is of one moment; where `time_to` is not over, the last response has the closing balances of its own. If a response lacks movements, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readMemberStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statements/account.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download the statement of a member's account, with opening and closing balances
         * @description What the account had when `time_from` began and when `time_to` did, available and locked together, and in between all that has changed it, when it did: each trade with a line for either currency, deposits, withdrawals, reversals and adjustments. Opening balance and `net` of all lines add up to the closing balance, exactly. A coin's deposit comes in when it is accepted, and its fee is taken when it is collected; a withdrawal leaves once it has succeeded. Everything in a response is of one moment; where `time_to` is not over, the last response has the closing balances of its own. Lines of the type `Opening` come first and those of the type `Closing` last, one for each currency, with a `balance`; of a currency without there was nothing. Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportMemberStatement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/ledger": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the ledger of your account, with running balances
         * @description Each change of a balance, available and locked together, oldest first: trades (a line for either currency), deposits, withdrawals, reversals and adjustments. `balance` is what the account has of the currency behind the line, so that a currency's `amount`s add up to its balance, exactly. To go on, repeat the request with the last line's `id`, or `X-Next-Cursor`, as `after`: no line is skipped or repeated, whatever happens meanwhile. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/ledger`, `/api/v2/trade/account/ledger`.
         */
        readonly get: operations["readLedger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/statements/ledger.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download the ledger of your account, with running balances
         * @description Each change of a balance, available and locked together, oldest first: trades (a line for either currency), deposits, withdrawals, reversals and adjustments. `balance` is what the account has of the currency behind the line, so that a currency's `amount`s add up to its balance, exactly. To go on, repeat the request with the last line's `id`, or `X-Next-Cursor`, as `after`: no line is skipped or repeated, whatever happens meanwhile. Requires a key with the scope `read`, or a session.
         */
        readonly get: operations["sendLedger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/ledger": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the ledger of a member's account, with running balances
         * @description Each change of a balance, available and locked together, oldest first: trades (a line for either currency), deposits, withdrawals, reversals and adjustments. `balance` is what the account has of the currency behind the line, so that a currency's `amount`s add up to its balance, exactly. To go on, repeat the request with the last line's `id`, or `X-Next-Cursor`, as `after`: no line is skipped or repeated, whatever happens meanwhile. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readMemberLedger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statements/ledger.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download the ledger of a member's account, with running balances
         * @description Each change of a balance, available and locked together, oldest first: trades (a line for either currency), deposits, withdrawals, reversals and adjustments. `balance` is what the account has of the currency behind the line, so that a currency's `amount`s add up to its balance, exactly. To go on, repeat the request with the last line's `id`, or `X-Next-Cursor`, as `after`: no line is skipped or repeated, whatever happens meanwhile. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportMemberLedger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/adjustments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the adjustments of your balances by the operator
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/adjustments`, `/api/v2/trade/account/adjustments`.
         */
        readonly get: operations["listAdjustments"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/adjustments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the adjustments of a member's balances
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberAdjustments"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/deposit_address/{currency}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a deposit address
         * @description The first request creates the address. Until it exists, `address` is null and `state` is `pending`: try again. The address of a coin with the `name_form` `cash`, such as Bitcoin Cash, has two forms: in either, a payment is yours. Where the currency has a `tag`, the address is everybody's, and only a payment with your `tag` is yours. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/deposit_address/{currency}`, `/api/v2/trade/account/deposit_address/{currency}`.
         */
        readonly get: operations["readDepositAddress"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/deposits/{txid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a deposit by transaction
         * @description Takes the `tid` of a deposit too, which every deposit has, also those of fiat. Returns the newest one if the transaction has paid you several times. A 404 with the header `X-Scan-Limited` tells only that none of your latest deposits has it. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/deposits/{txid}`, `/api/v2/trade/account/deposits/{txid}`.
         */
        readonly get: operations["readDeposit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/deposits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your deposits
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/deposits`, `/api/v2/trade/account/deposits`.
         */
        readonly get: operations["listDeposits"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/beneficiaries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your beneficiaries
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/beneficiaries`, `/api/v2/trade/account/beneficiaries`.
         */
        readonly get: operations["listBeneficiaries"];
        readonly put?: never;
        /**
         * Create a beneficiary
         * @description The beneficiary is pending until you activate it with the pin sent to you. After five pins in an hour, across all beneficiaries, none is sent for an hour: 429 with `Retry-After`. During that hour no beneficiary can be created. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/beneficiaries`, `/api/v2/trade/account/beneficiaries`.
         */
        readonly post: operations["createBeneficiary"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/beneficiaries/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a beneficiary
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/beneficiaries/{id}`, `/api/v2/trade/account/beneficiaries/{id}`.
         */
        readonly get: operations["readBeneficiary"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a beneficiary
         * @description Withdrawals already requested to it continue. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/beneficiaries/{id}`, `/api/v2/trade/account/beneficiaries/{id}`.
         */
        readonly delete: operations["deleteBeneficiary"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/beneficiaries/{id}/activate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Activate a beneficiary
         * @description A pin is valid for 15 minutes and for five wrong attempts; then request another one. After ten wrong attempts in an hour, across all beneficiaries, pins are refused for an hour, and each further time for twice as long, up to a day. A new beneficiary may have to wait before its first withdrawal. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/beneficiaries/{id}/activate`, `/api/v2/trade/account/beneficiaries/{id}/activate`.
         */
        readonly patch: operations["activateBeneficiary"];
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/beneficiaries/{id}/resend_pin": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Resend the pin of a beneficiary
         * @description The previous pin is no longer valid. Pins are sent at least a minute apart: otherwise 422 with the `sent_at` of the last. After five pins in an hour, across all beneficiaries, none is sent for an hour: 429 with `Retry-After`. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/beneficiaries/{id}/resend_pin`, `/api/v2/trade/account/beneficiaries/{id}/resend_pin`.
         */
        readonly patch: operations["resendPin"];
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/withdraws": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your withdrawals
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/withdraws`, `/api/v2/trade/account/withdraws`.
         */
        readonly get: operations["listWithdraws"];
        readonly put?: never;
        /**
         * Request a withdrawal
         * @description Withdraws to an active beneficiary. Locks the amount, which includes the fee. A withdrawal above your limits stays `accepted` until the operator approves it, or until you take it back. Requires the second factor; each code works once. A new beneficiary is on hold for some time. So is one activated after, or shortly before, a change of your password or second factor. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/withdraws`, `/api/v2/trade/account/withdraws`.
         */
        readonly post: operations["createWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/withdraws/sums": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get your recent withdrawal totals
         * @description In the platform currency, at current prices. Withdrawals that failed or were rejected or cancelled do not count. Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/withdraws/sums`, `/api/v2/trade/account/withdraws/sums`.
         */
        readonly get: operations["readWithdrawSums"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/withdraws/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a withdrawal
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/peatio/account/withdraws/{id}`, `/api/v2/trade/account/withdraws/{id}`.
         */
        readonly get: operations["readWithdraw"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Take back a withdrawal
         * @description Possible while it is `accepted` and waits for the operator's approval, or for the wallet to send it; not once it is being paid, nor if the operator pays it by hand and has approved it, nor after the venue has gone on from a backup, until withdrawals are open again. Its amount is available again, and counts against no limit. Requires a key with the scope `withdraw`, or a session. Also available at `/api/v2/peatio/account/withdraws/{id}`, `/api/v2/trade/account/withdraws/{id}`.
         */
        readonly delete: operations["cancelWithdraw"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/configs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the sign-up settings
         * @description Also available at `/api/v2/barong/identity/configs`.
         */
        readonly get: operations["readIdentitySettings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/password/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Rate a password
         * @description A password is strong enough if its entropy reaches the `password_min_entropy` of the settings. Also available at `/api/v2/barong/identity/password/validate`.
         */
        readonly post: operations["measurePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign up
         * @description Sends a code to the email address, which confirms it together with the password given here; the member begins to exist then, and may sign in. A sign-up waits for a day, and replaces an earlier one with the same address. The response is the same whether or not the address belongs to a member, who gets a message that says so. Also available at `/api/v2/barong/identity/users`.
         */
        readonly post: operations["signUp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/users/email/generate_code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a new code to confirm an email address
         * @description The previous code is no longer valid. Of more than three codes within five minutes the third stays valid, and no further ones are sent. Also available at `/api/v2/barong/identity/users/email/generate_code`.
         */
        readonly post: operations["sendEmailCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/users/email/confirm_code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Confirm an email address
         * @description Takes the code from the message and the password of the sign-up that caused it, so that nobody confirms what somebody else has begun. Five wrong passwords end the code. The member is active then, but not signed in. Also available at `/api/v2/barong/identity/users/email/confirm_code`.
         */
        readonly post: operations["confirmEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/users/password/generate_code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a code to reset a password
         * @description The previous code is no longer valid. Of more than three codes within five minutes the third stays valid, and no further ones are sent. Also available at `/api/v2/barong/identity/users/password/generate_code`.
         */
        readonly post: operations["sendResetCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/users/password/confirm_code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reset a password
         * @description Ends all sessions of the member, and codes that were sent before, disables the API keys that it made for good, and lifts locks for wrong passwords, but not those for wrong one-time codes. With `disable_otp` it also turns off the second factor, if that was turned on less than 48 hours ago: whoever reads the mailbox alone can't turn off an older one. Also available at `/api/v2/barong/identity/users/password/confirm_code`.
         */
        readonly post: operations["resetPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/identity/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign in
         * @description An unknown email address and a wrong password get the same response. Wrong passwords are counted by network; from a device that the member has signed in from, apart from all others. After too many from different networks (429 `identity.session.too_many_failures`), a sign-in from any other device also needs the member's one-time code in the same request, or a reset of the password. Also available at `/api/v2/barong/identity/sessions`.
         */
        readonly post: operations["signIn"];
        /**
         * Sign out
         * @description Requires a session. Also available at `/api/v2/barong/identity/sessions`.
         */
        readonly delete: operations["signOut"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your sessions
         * @description Requires a session. Also available at `/api/v2/barong/resource/users/sessions`.
         */
        readonly get: operations["listSessions"];
        readonly put?: never;
        readonly post?: never;
        /**
         * End all other sessions
         * @description Requires a session. Also available at `/api/v2/barong/resource/users/sessions`.
         */
        readonly delete: operations["endOtherSessions"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/sessions/confirm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Give this session a fresh code
         * @description A one-time code, which is used up, for what an operator does in a session. It is fresh for 10 minutes, in this session, and until the password or the second factor changes. Requires a session. Also available at `/api/v2/barong/resource/users/sessions/confirm`.
         */
        readonly post: operations["confirmSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/sessions/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * End a session
         * @description Requires a session. Also available at `/api/v2/barong/resource/users/sessions/{id}`.
         */
        readonly delete: operations["endSession"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the signed-in member
         * @description Keys with the scope `read` see no personal data. Requires a key with the scope `read`, or a session. Also available at `/api/v2/barong/resource/users/me`.
         */
        readonly get: operations["readMe"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/acts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List what operators did to your account, and why
         * @description Requires a key with the scope `read`, or a session. Also available at `/api/v2/barong/resource/users/acts`.
         */
        readonly get: operations["listOwnActs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Change your password
         * @description Ends all other sessions. A code to reset the password is no longer valid. The API keys that you made are disabled for good, except those listed in `keep_keys`; without it, none is kept. Keys that operators made are not affected. Requires a session. Also available at `/api/v2/barong/resource/users/password`.
         */
        readonly put: operations["changePassword"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/generate_code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a code that proves it is you
         * @description Takes the place of the password where the second factor or API keys change. The previous code is no longer valid. Requires a session. Also available at `/api/v2/barong/resource/users/generate_code`.
         */
        readonly post: operations["sendOwnerCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/users/activity/{topic}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List account activity
         * @description Topics: `all`, `account`, `session`, `password`, `otp`, `api_key`, `beneficiary`, `withdraw`. Requires a session. Also available at `/api/v2/barong/resource/users/activity/{topic}`.
         */
        readonly get: operations["listActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/otp/generate_qrcode": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create a secret for an authenticator
         * @description Takes effect once enabled with one of its codes, and replaces any secret created before. Requires a session. Also available at `/api/v2/barong/resource/otp/generate_qrcode`.
         */
        readonly post: operations["generateOtpSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/otp/enable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Turn on the second factor
         * @description Ends all other sessions, and disables the API keys that you made for good. Requires a session. Also available at `/api/v2/barong/resource/otp/enable`.
         */
        readonly post: operations["enableOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/otp/disable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Turn off the second factor
         * @description Ends all other sessions, and disables the API keys that you made for good. Requires a session. Also available at `/api/v2/barong/resource/otp/disable`.
         */
        readonly post: operations["disableOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/otp/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify a one-time code
         * @description The code is used up. Requires a session. Also available at `/api/v2/barong/resource/otp/verify`.
         */
        readonly post: operations["verifyOtp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/api_keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List your API keys
         * @description Requires a session. Also available at `/api/v2/barong/resource/api_keys`.
         */
        readonly get: operations["listOwnApiKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description Requires the second factor and the password. The secret is shown only once. Requires a session. Also available at `/api/v2/barong/resource/api_keys`.
         */
        readonly post: operations["createOwnApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/auth/resource/api_keys/{kid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete an API key
         * @description `totp_code` may be in the query or in the body, `password` only in the body. Requires a session. Also available at `/api/v2/barong/resource/api_keys/{kid}`.
         */
        readonly delete: operations["deleteOwnApiKey"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an API key
         * @description A key that was disabled for good, by a change of your password or second factor, can only be deleted. Requires a session. Also available at `/api/v2/barong/resource/api_keys/{kid}`.
         */
        readonly patch: operations["changeOwnApiKey"];
        readonly trace?: never;
    };
    readonly "/api/v2/backend/account/faucet": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deposit worthless coins
         * @description Demo only. The deposit takes its usual course and is collected within two seconds, unless it is below the currency's minimum. Requires a key with the scope `trade`, or a session.
         */
        readonly post: operations["openFaucet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/tickers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the tickers of all markets
         * @description The last 24 hours start on a full minute: at 10:30:45, at 10:30:00 of the day before. If they contain no trade, all fields except `last`, `buy` and `sell` are zero. Also available at `/api/v2/peatio/public/markets/tickers`, `/api/v2/trade/public/markets/tickers`.
         */
        readonly get: operations["readTickers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/{market}/tickers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the ticker of a market
         * @description The last 24 hours start on a full minute: at 10:30:45, at 10:30:00 of the day before. If they contain no trade, all fields except `last`, `buy` and `sell` are zero. Also available at `/api/v2/peatio/public/markets/{market}/tickers`, `/api/v2/trade/public/markets/{market}/tickers`.
         */
        readonly get: operations["readTicker"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/{market}/k-line": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get OHLC data (k-line) of a market
         * @description Periods start at multiples of their length since 1970 in UTC: days at midnight, weeks on Thursdays. Periods without trades are omitted. With only `time_from`, returns the first points from then on, otherwise the last ones; with both times, at most 10000 points. Also available at `/api/v2/peatio/public/markets/{market}/k-line`, `/api/v2/trading/public/markets/{market}/k-line`, `/api/v2/trade/public/markets/{market}/k-line`, `/api/v2/finex/public/markets/{market}/k-line`.
         */
        readonly get: operations["readKLine"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/{market}/trades": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the recent trades of a market
         * @description By id, which grows with time. Many trades may share a second, and a millisecond: to read them all, each once, walk by `from_id` and `order_by=asc`, or back by `to_id`. Also available at `/api/v2/peatio/public/markets/{market}/trades`, `/api/v2/trade/public/markets/{market}/trades`.
         */
        readonly get: operations["listMarketTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/{market}/depth": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the depth of a market
         * @description Returns the levels nearest to the spread; both sides from the highest price to the lowest. Messages of the book's streams with a greater `event` come on top of it. Also available at `/api/v2/peatio/public/markets/{market}/depth`, `/api/v2/trade/public/markets/{market}/depth`.
         */
        readonly get: operations["readDepth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets/{market}/order-book": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the order book of a market
         * @description Under `/api/v2/peatio` the order book is returned directly, not in a list. Also available at `/api/v2/peatio/public/markets/{market}/order-book`, `/api/v2/trade/public/markets/{market}/order-book`.
         */
        readonly get: operations["readOrderBook"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/markets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List markets
         * @description Also available at `/api/v2/trading/public/markets`, `/api/v2/peatio/public/markets`, `/api/v2/finex/public/markets`, `/api/v2/trade/public/markets`.
         */
        readonly get: operations["listMarkets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/currencies": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List currencies
         * @description Also available at `/api/v2/trading/public/currencies`, `/api/v2/peatio/public/currencies`, `/api/v2/finex/public/currencies`, `/api/v2/trade/public/currencies`.
         */
        readonly get: operations["listCurrencies"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/currencies/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a currency
         * @description Also available at `/api/v2/trading/public/currencies/{id}`, `/api/v2/peatio/public/currencies/{id}`, `/api/v2/finex/public/currencies/{id}`, `/api/v2/trade/public/currencies/{id}`.
         */
        readonly get: operations["readCurrency"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coingecko/pairs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the pairs, for CoinGecko */
        readonly get: operations["listCoingeckoPairs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coingecko/tickers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the tickers, for CoinGecko */
        readonly get: operations["listCoingeckoTickers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coingecko/orderbook": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get an order book, for CoinGecko */
        readonly get: operations["readCoingeckoBook"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coingecko/historical_trades": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List trades, for CoinGecko */
        readonly get: operations["listCoingeckoTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coinmarketcap/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the markets, for CoinMarketCap */
        readonly get: operations["listCoinmarketcapSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coinmarketcap/assets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the currencies, for CoinMarketCap */
        readonly get: operations["listCoinmarketcapAssets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coinmarketcap/ticker": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the tickers, for CoinMarketCap */
        readonly get: operations["listCoinmarketcapTickers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coinmarketcap/orderbook/{pair}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get an order book, for CoinMarketCap */
        readonly get: operations["readCoinmarketcapBook"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/coinmarketcap/trades/{pair}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List trades, for CoinMarketCap
         * @description The last 24 hours, at most 1000 trades.
         */
        readonly get: operations["listCoinmarketcapTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/udf/config": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get what charts may ask for */
        readonly get: operations["readChartConfig"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/udf/time": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get the time, for charts */
        readonly get: operations["readChartTime"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/udf/symbols": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get a market, for charts */
        readonly get: operations["readChartSymbol"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/udf/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Search markets, for charts */
        readonly get: operations["searchChartSymbols"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/udf/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Get bars, for charts */
        readonly get: operations["readChartBars"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/member-levels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the minimum member levels
         * @description Also available at `/api/v2/peatio/public/member-levels`, `/api/v2/trade/public/member-levels`.
         */
        readonly get: operations["readMemberLevels"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/trading_fees": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the fee table
         * @description The most specific row applies to an order: market and group, group, market, any. Also available at `/api/v2/peatio/public/trading_fees`, `/api/v2/trade/public/trading_fees`.
         */
        readonly get: operations["listTradingFees"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/withdraw_limits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the withdrawal limit table
         * @description The most specific row applies to a member: level and group, level, group, any. Also available at `/api/v2/peatio/public/withdraw_limits`, `/api/v2/trade/public/withdraw_limits`.
         */
        readonly get: operations["listWithdrawLimits"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/timestamp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the server time
         * @description Also available at `/api/v2/peatio/public/timestamp`, `/api/v2/trade/public/timestamp`.
         */
        readonly get: operations["readTimestamp"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/version": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the software version
         * @description Also available at `/api/v2/peatio/public/version`, `/api/v2/trade/public/version`.
         */
        readonly get: operations["readVersion"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/health/alive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check whether the process is running
         * @description Under `/api/v2/peatio` the body is just the status, `200`. Also available at `/api/v2/peatio/public/health/alive`, `/api/v2/trade/public/health/alive`.
         */
        readonly get: operations["readAlive"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/health/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check whether the process can take orders
         * @description Says nothing of markets or trading that an operator has stopped: see `status`. If the process can't, a second error after `server.not_ready` says why. Under `/api/v2/peatio` the body is just the status, `200`. Also available at `/api/v2/peatio/public/health/ready`, `/api/v2/trade/public/health/ready`.
         */
        readonly get: operations["readReady"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/backend/public/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the status of the venue
         * @description Responds as long as the process is running; for load balancers, use `health/ready`. The stream `global.status` tells the same on every change. Also available at `/api/v2/peatio/public/status`, `/api/v2/trade/public/status`.
         */
        readonly get: operations["readStatus"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List members
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMembers"];
        readonly put?: never;
        /**
         * Create a member
         * @description Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly post: operations["createMember"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a member
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readMember"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a member
         * @description Any state but `active`, and turning its second factor off, ends a member's sessions. The latter also disables the API keys that it made for good. Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly patch: operations["changeMember"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/balances": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's balances
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberBalances"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's orders
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberOrders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/trades": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's trades
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statements/trades.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of a member's trades
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportMemberTrades"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statements/orders.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of a member's orders
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportMemberOrders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/statements/transactions.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download a statement of a member's deposits and withdrawals
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportMemberTransactions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/statements/transactions.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Download all members' deposits and withdrawals
         * @description Oldest first, with a header line. If a response is incomplete, `X-Next-Cursor` says where to continue: repeat the request with it as `after` until the header is absent. A statement continued in this way contains each record once, whatever happens in between. Wherever a text would start a formula in a spreadsheet, `'` is put before it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["exportTransactions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/liabilities": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List what the venue owes, by currency
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listLiabilities"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's sessions
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberSessions"];
        readonly put?: never;
        readonly post?: never;
        /**
         * End a member's sessions
         * @description The member is told by mail. To keep it out as well, lock it. Requires an operator's key with the scope `trade`, or a session with the role `support`.
         */
        readonly delete: operations["endMemberSessions"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/sessions/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * End one of a member's sessions
         * @description Requires an operator's key with the scope `trade`, or a session with the role `support`.
         */
        readonly delete: operations["endMemberSession"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/activity/{topic}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's account activity
         * @description Topics as in the member's own list; `all` for all. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/beneficiaries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's beneficiaries
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberBeneficiaries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/beneficiaries/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a member's beneficiary
         * @description Also one that whoever made it has deleted. Nothing goes to it any more but what the rail has sent: withdrawals that were requested before lose their approval and get none again. Reject them, or report what was paid by hand just before. Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly delete: operations["disableBeneficiary"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/notes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the notes about a member
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listMemberNotes"];
        readonly put?: never;
        /**
         * Write a note about a member
         * @description For other operators: the member is not told. Notes are never changed. Requires an operator's key with the scope `trade`, or a session with the role `support`.
         */
        readonly post: operations["addMemberNote"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/email": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Change a member's email address
         * @description For a member that has lost its mailbox; make sure who asks. Its password no longer signs in: a code for a new one is sent to the new address, where the member may ask for another. As with a reset, sessions end, the API keys that the member made are disabled for good, and withdrawals are on hold. Both addresses are told. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly put: operations["changeMemberEmail"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/api_keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List a member's API keys
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /**
         * Create an API key for a member
         * @description The secret is shown only once. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/api_keys/{kid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a member's API key
         * @description The last key that operates the venue cannot be deleted: start it with another one first. Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly delete: operations["deleteApiKey"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a member's API key
         * @description Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code; for all but disabling it, `admin`.
         */
        readonly patch: operations["changeApiKey"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/operators": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the members who operate the venue
         * @description Those who were given a role, also where it is not in force. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listOperators"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/operator_role": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Give a member a role as an operator
         * @description In place of another one. The member must be active and have a second factor. The role ends when its password is reset or its second factor changes: then give it again. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly put: operations["setOperatorRole"];
        readonly post?: never;
        /**
         * Take a member's role as an operator away
         * @description Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly delete: operations["removeOperatorRole"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/approvals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List acts that wait for a second operator
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listPendingActs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/approvals/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get an act that takes two operators
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readPendingAct"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/approvals/{id}/approve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Approve what another operator has asked for
         * @description It happens then, once, and is refused for whatever would refuse it now, also if who has asked for it may not do it any more; it then goes on waiting. Who has asked for it can't approve it, nor can a key of the person who has. The member is told the reason that was given first. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["approvePendingAct"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/approvals/{id}/refuse": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Refuse what an operator has asked for
         * @description Also what one has asked for oneself. The member is told nothing. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["refusePendingAct"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/unlock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Lift a member's locks
         * @description Lifts locks for too many wrong passwords, one-time codes or pins, and for too many codes or pins sent to its mailbox. Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly post: operations["unlockMember"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/outbox": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List sent messages
         * @description Includes their codes. Demo only. Requires an operator's key with the scope `read`, or a session with the role `admin`.
         */
        readonly get: operations["listOutbox"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/currencies": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List all currencies, including hidden ones
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllCurrencies"];
        readonly put?: never;
        /**
         * Create a currency
         * @description Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["createCurrency"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/currencies/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a currency
         * @description The precision cannot change once anybody holds the currency or a deposit of it is in progress. `deposit_enabled`, `withdrawal_enabled` and `trading_enabled` take effect at once. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly patch: operations["changeCurrency"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/markets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List all markets, including disabled ones
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllMarkets"];
        readonly put?: never;
        /**
         * Create a market
         * @description Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["createMarket"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/markets/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a market
         * @description `enabled` trades, `cancel_only` only accepts cancels, `halted` accepts neither, `disabled` only accepts cancels and is not listed. Open orders stay in every state until they are cancelled; `/api/v2/admin/markets/{id}/orders/cancel` cancels all. The precisions cannot change after the first order. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly patch: operations["changeMarket"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/currencies/{id}/networks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Add a network to a currency
         * @description Members get addresses and make beneficiaries on any of a currency's networks, and have one balance. The first stays the default of calls that name none. A network is never taken away: stop its deposits and withdrawals instead. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["addCurrencyNetwork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/currencies/{id}/networks/{network}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a currency's terms on a network
         * @description They take effect at once. What the currency is there never changes. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly patch: operations["changeCurrencyNetwork"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/members/{uid}/orders/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a member's open orders
         * @description Cancels those of one market or side, if given, whatever the states of the member and of its markets. Many orders are cancelled in portions, between which the venue goes on. After a call that failed or had no answer, some may be cancelled; repeating it cancels the rest. Requires an operator's key with the scope `trade`, or a session with the role `support` and a fresh code.
         */
        readonly post: operations["cancelMemberOrders"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/markets/{id}/orders/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel all open orders of a market
         * @description Cancels those of all members, in whatever state the market is. Take it out of `enabled` before, or new orders may follow. Many orders are cancelled in portions, between which the venue goes on. After a call that failed or had no answer, some may be cancelled; repeating it cancels the rest. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["cancelMarketOrders"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/adjustments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Adjust a member's balance
         * @description Whichever way, it is worth at most `ADJUSTMENT_MAX` in the platform currency, or else refused with that `limit`; a currency without a price counts as if one were one. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["createAdjustment"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/trading_fees": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the fee table
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllTradingFees"];
        readonly put?: never;
        /**
         * Set a row of the fee table
         * @description Open orders keep the rates they were placed with. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["setTradingFee"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/trading_fees/{market_id}/{group}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a row of the fee table
         * @description The next less specific row applies to new orders; if there is none, they are free. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly delete: operations["deleteTradingFee"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/fee_income": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the venue's income from fees
         * @description What trades, deposits and withdrawals have paid since the venue began. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listFeeIncome"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/member_levels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the minimum member levels
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readAllMemberLevels"];
        /**
         * Set the minimum member levels
         * @description Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly put: operations["setMemberLevels"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/deposits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the deposits of all members
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllDeposits"];
        readonly put?: never;
        /**
         * Enter a deposit
         * @description The deposit is `submitted`; the funds become the member's once it is accepted. Refused if any output of its transaction is already known or, with `output`, if that output is. The wallet accepts the deposit when the chain confirms it with this amount and member; if the chain shows otherwise, it writes a notice and leaves the decision to you. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["enterDeposit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/deposits/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a deposit
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readAnyDeposit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/deposits/{id}/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Accept a deposit
         * @description Fiat is available at once; a coin stays locked until the rail has collected it. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["acceptDeposit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/deposits/{id}/reject": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reject a deposit
         * @description Only possible before the deposit is accepted. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["rejectDeposit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/deposits/{id}/reverse": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reverse a deposit
         * @description For one that was credited by mistake, or whose transaction is gone from its chain: a deposit of its own, with negative amount and fee, takes it back, once. The member must have as much available, since no balance becomes negative: cancel its orders first, or make up what is missing by an adjustment. Its transaction can then be entered again, for another member. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["reverseDeposit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/return": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Book a payment that came back
         * @description For a withdrawal that has succeeded and whose payment was returned: a deposit of its own gives the member what was sent, once. The fee stays with the venue. Refused if a deposit has its transaction, which no later deposit can have either. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["returnWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the withdrawals of all members
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllWithdraws"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a withdrawal
         * @description Unlike lists, it tells where the money goes, as the member entered it. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readAnyWithdraw"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/approve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Approve a withdrawal
         * @description For withdrawals above the limits or of a fiat currency. A coin then goes to its rail. Fiat is paid by hand and then succeeds or fails. A coin without a rail is paid by hand too, whatever rail comes later, and then succeeds or is rejected. It is refused while the member is locked, or withdrawals, or those of the currency, are stopped, and once an operator has deleted the beneficiary. A lock, and such a deletion, take back approvals, also of withdrawals within the limits and of fiat, unless the rail has begun to pay: what was paid by hand by then succeeds all the same. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["approveWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/hand_over": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Hand a withdrawal over to the rail
         * @description For one that `is_by_hand` and that nobody has paid: the rail pays it once it is approved. It is refused while the withdrawal could not be approved, and for a coin without a rail. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["handOverWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/reject": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reject a withdrawal
         * @description Only possible before a process has claimed it; the amount becomes available again. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["rejectWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Retry a parked withdrawal
         * @description Keeps the payout id, so that the rail never sends it twice. It is refused while the withdrawal could not be approved, and for a coin without a rail. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["retryWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/succeed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark a withdrawal as succeeded
         * @description Removes the locked amount; the venue keeps the fee. One that `is_by_hand` can succeed once it is approved; `txid` is then required. What its rail is about to send can't. After a restore, until withdrawals are open again, each can that was paid after the copy was made, approved or not, by the rail or by hand: with the `txid` that paid it. Its rail does not pay it again. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["succeedWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraws/{id}/fail": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark a withdrawal as failed
         * @description The amount becomes available again, so make sure that the payout was not sent. A withdrawal that a process is sending cannot fail until its claim expires, five seconds after the last change. If the coin has a rail, the rail is asked first: a payout that it has sent fails only if the chain has given it up, and one whose fate it does not know cannot fail; `details.value` is `sent` or `unknown`, or `processing` while a process may be sending it. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["failWithdraw"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraw_limits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the withdrawal limit table
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listAllWithdrawLimits"];
        readonly put?: never;
        /**
         * Set a row of the withdrawal limit table
         * @description The most specific row applies to a member: level and group, level, group, any. A withdrawal above the limit waits for an operator, as does any withdrawal of a currency whose price is 0. A limit of 0 lets nothing leave without an operator, null is no limit. Withdrawals already requested are not affected. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["setWithdrawLimit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/withdraw_limits/{kyc_level}/{group}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a row of the withdrawal limit table
         * @description The next less specific row applies from then on; if there is none, no limit. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly delete: operations["deleteWithdrawLimit"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/switches": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the venue-wide switches
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readSwitches"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Stop or resume trading or withdrawals
         * @description Takes effect on every process at once. To stop a single currency, use its own fields; a market or a member, its state. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly patch: operations["setSwitches"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/member_classes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the groups and levels that members may have
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readMemberClasses"];
        /**
         * Define the groups and levels that members may have
         * @description Members, trading fees and withdrawal limits take no other ones. A venue that has defined none has those in use, and the levels 0 to 3. One that is in use can't be left out. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly put: operations["setMemberClasses"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/settings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the settings of the whole venue
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readSettings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change settings of the whole venue
         * @description All processes obey them, whatever they were started with. Orders, sessions and withdrawals that there are already keep what they were given. A change after which your own calls need a body signature has to have one itself, so that it can be taken back. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly patch: operations["setSettings"];
        readonly trace?: never;
    };
    readonly "/api/v2/admin/acts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List acts
         * @description The audit trail: every accepted operator request that changes something, with who, when, what and why. Each act is written in the same commit as its effect and never changes. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listActs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/wallet/notices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List wallet notices
         * @description Deposits, payouts and networks that need the operator's attention. Each notice is written once and stays; that of a network once a day. That of a payout that waits is written anew, in its place, when the reason changes; each kind of reason once an hour at most. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listWalletNotices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/sandbox/deposits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pay to a member's address in the sandbox
         * @description Only if the wallet's rail is the sandbox. The deposit appears once the wallet sees the payment. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["paySandboxDeposit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/sandbox/reorganise": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Drop the last blocks of a sandbox chain
         * @description Only if the wallet's rail is the sandbox. Transactions waiting for a block are dropped too. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["reorganiseSandbox"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/sandbox/payouts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Set how payouts in the sandbox end
         * @description Only if the wallet's rail is the sandbox. Requires an operator's key with the scope `trade`, or a session with the role `finance` and a fresh code.
         */
        readonly post: operations["setSandboxPayouts"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/wallets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List what chains hold beside what members have
         * @description One record for each currency that lives on networks, in the venue's order. The nodes are asked now. What a network can't tell is null, and its `fault` says why. Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["listWallets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/wallets/networks/{network}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Go on with a network whose final blocks were replaced
         * @description While blocks are replaced that counted as final (`reorganised`), nothing of the network is read or paid. Stop all withdrawals, since credited deposits may be gone, and name a block that is still there, before the first that was replaced: the last that is known to be is `kept` in `…/admin/metrics`, and later ones are refused (422 `admin.network.replaced_block`). Deposits that are seen again are known by their transactions; payouts that had arrived are sent again. Which credited deposits are gone, notices tell once it is certain (`deposit_lost`, `deposit_mismatched`): reverse these then. A node of Ethereum's kind needs the balances of that block: without them it is 422 `admin.network.no_state`, and the network stands still as before. Requires an operator's key with the scope `trade`, or a session with the role `admin` and a fresh code.
         */
        readonly post: operations["resumeNetwork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v2/admin/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get engine metrics
         * @description Requires an operator's key with the scope `read`, or a session with the role `viewer`.
         */
        readonly get: operations["readMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An order to place. */
        readonly OrderInput: {
            /** @description Market id. */
            readonly market: string;
            /**
             * @description Side of the order.
             * @enum {string}
             */
            readonly side: "buy" | "sell";
            /** @description Volume in the base currency. */
            readonly amount: string;
            /**
             * @description Order type. `fill_or_kill` means `limit` with `time_in_force` `fok`. `stop` and `stop_limit` become a market or limit order once triggered, but keep their type.
             * @enum {string}
             */
            readonly type: "limit" | "market" | "post_only" | "stop" | "stop_limit" | "fill_or_kill";
            /** @description Limit price; omit for market and stop orders. */
            readonly price?: string;
            /** @description Price that triggers a stop or stop_limit order: a buy as soon as the market trades at it or above, a sell at it or below. If the last trade was there already, at once: a sell with a trigger above the market, or a buy with one below, protects nothing but trades now. */
            readonly trigger_price?: string;
            /**
             * @description How long a limit order stays active: `gtc`, the default, until it is filled or cancelled; `ioc` fills at once as far as it can, the rest is cancelled; `fok` fills at once and completely, or is cancelled completely.
             * @enum {string}
             */
            readonly time_in_force?: "gtc" | "ioc" | "fok";
            /** @description `true` turns type `limit` into `post_only`. */
            readonly post_only?: boolean;
            /**
             * @description What happens if the order would match an order of the same member. Default `cancel_newest`.
             * @enum {string}
             */
            readonly self_trade_prevention?: "cancel_newest" | "cancel_oldest" | "cancel_both" | "none";
            /** @description Your own id of the order, unique within 24 hours. Repeating the same order returns the first response again, not the order's present state, and places nothing (with `response` `result`: its present state and trades); another order under this id is `market.order.duplicate_client_order_id`. You may use 1,000,000 in that time, and all members together as many as the venue allows. */
            readonly client_order_id?: string;
            /**
             * @description `ack`, the default, is answered with the order as it was accepted; `result` with what has become of it by the end of its own commit, and with its `trades`. Its `state` is then `pending` only if matching goes on in the next commit.
             * @enum {string}
             */
            readonly response?: "ack" | "result";
        };
        /** @description An order that was submitted and awaits processing. */
        readonly CreatedOrder: {
            /** @enum {string} */
            readonly type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
            /** @description Market id. */
            readonly market_id: string;
            /** @description Volume ordered. */
            readonly volume: string;
            /**
             * Format: uuid
             * @description Uuid of the order.
             */
            readonly uuid: string;
            /**
             * Format: int64
             * @description Id of the order.
             */
            readonly id: number;
            /** @enum {string} */
            readonly side: "buy" | "sell";
            /** @description Market id. */
            readonly market: string;
            /** @enum {string} */
            readonly ord_type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
            readonly price: string | null;
            readonly trigger_price: string | null;
            /** @enum {string} */
            readonly time_in_force: "gtc" | "ioc" | "fok";
            /** @enum {string} */
            readonly self_trade_prevention: "cancel_newest" | "cancel_oldest" | "cancel_both" | "none";
            /** @description The member's own id of the order; null if none was given. */
            readonly client_order_id: string | null;
            /** @description Under `/api/v2/peatio` only: the older name of `client_order_id`. */
            readonly client_id?: string | null;
            /** @description Volume ordered. */
            readonly origin_volume: string;
            /** @description Volume not yet filled. */
            readonly remaining_volume: string;
            /** @description Volume filled. */
            readonly executed_volume: string;
            /** @description Average price of the fills, with up to 16 digits after the point, cut off there; 0 before the first. For exact money see `executed_total`. */
            readonly avg_price: string;
            /** @description Price × amount of all fills, in the quote currency. */
            readonly executed_total: string;
            /** @description The fees paid so far, by currency: of the base for a buy, of the quote for a sell. Empty if none were; null for orders from before 2026-12 whose fees can't be told any more. */
            readonly fees: {
                readonly [key: string]: string;
            } | null;
            /**
             * Format: int64
             * @description Number of fills.
             */
            readonly trades_count: number;
            /** @description Maker fee rate, fixed at creation: the share that is deducted from what a fill brings (buy: base, sell: quote). */
            readonly maker_fee: string;
            /** @description Taker fee rate, fixed at creation. */
            readonly taker_fee: string;
            /**
             * Format: int64
             * @description Time of creation, in Unix seconds; under `/api/v2/peatio` ISO 8601, as a string.
             */
            readonly created_at: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix seconds.
             */
            readonly updated_at: number;
            /**
             * Format: int64
             * @description Time of creation, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix milliseconds.
             */
            readonly updated_at_ms: number;
            /**
             * @description `pending`, unless the request asked for `response: "result"`.
             * @enum {string}
             */
            readonly state: "pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait";
            /** @description Null, since this is the order as it was accepted, before anything could reject it: read the order to find out. With `response: "result"` as it is read. */
            readonly reject_reason: ("self_trade" | "would_take" | "not_fillable" | "insufficient_market_liquidity" | "insufficient_balance" | "time_in_force" | "level_full" | "timer" | "disconnected") | null;
            /** @description With `response: "result"` only: its trades, oldest first. */
            readonly trades?: readonly components["schemas"]["Trade"][];
        };
        /** @description A trade of the member. */
        readonly Trade: {
            /** Format: int64 */
            readonly id: number;
            /** @description Price. */
            readonly price: string;
            /** @description Volume in the base currency; under `/api/v2/peatio` also as `volume`. */
            readonly amount: string;
            /** @description Price × amount, in the quote currency; under `/api/v2/peatio` also as `funds`. */
            readonly total: string;
            /** @description Currency of the fee: the base for a buy, the quote for a sell. */
            readonly fee_currency: string;
            /** @description Fee rate. */
            readonly fee: string;
            /** @description Fee, deducted from what you receive: `fee` × `amount` for a buy, `fee` × `total` for a sell, exact, not rounded. */
            readonly fee_amount: string;
            readonly market: string;
            /**
             * Format: date-time
             * @description Time of execution.
             */
            readonly created_at: string;
            /**
             * Format: int64
             * @description Time of execution, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * @description Side of the taker.
             * @enum {string}
             */
            readonly taker_type: "buy" | "sell";
            /**
             * @description Side of the member.
             * @enum {string}
             */
            readonly side: "buy" | "sell";
            /**
             * Format: int64
             * @description Id of the member's order.
             */
            readonly order_id: number;
            /** @enum {string} */
            readonly liquidity: "maker" | "taker";
        };
        /** @description Body of every 4xx and 5xx response. */
        readonly Error: {
            /** @description Dotted identifiers of what went wrong. */
            readonly errors: readonly string[];
            /**
             * Format: int64
             * @description Zero-based index of the failing item of a bulk request.
             */
            readonly index?: number;
            /** @description The field, and its value or the limit it violates. */
            readonly details?: {
                readonly field?: string;
                readonly value?: string;
                readonly limit?: string;
                /**
                 * @description Which rule the field breaks. The limit of `precision` is a number of digits after the point; an amount has to be more than that of `fee`, and a fee less than that of `below`; `forbidden` means that orders of this type have no such field, or a list no such page beside an id. With `state` the value is the state that something is in.
                 * @enum {string}
                 */
                readonly rule?: "precision" | "minimum" | "maximum" | "below" | "minimum_total" | "fee" | "nonzero" | "required" | "forbidden" | "format" | "positive" | "length" | "known" | "unique" | "state" | "band" | "funds";
                /** @description Unit of the limit of a time. */
                readonly unit?: string;
                /** @description Type of the order at fault, as it was sent. */
                readonly type?: string;
                /** @description The type of an order that has the field, if it is another one. */
                readonly use?: string;
                /**
                 * Format: date-time
                 * @description With `market.order.untraded_orders_limit`: when the limit counts anew.
                 */
                readonly resets_at?: string;
                /**
                 * Format: date-time
                 * @description With `account.beneficiary.on_hold`: when a withdrawal to it is possible.
                 */
                readonly held_until?: string;
                /** @description Code of the currency that lacks what was asked for. */
                readonly currency?: string;
                /** @description With `authz.ip_not_permitted`: the address that the call was seen to come from. */
                readonly address?: string;
                /** @description With `server.unknown_field`: the field that was probably meant; with a group or level that the venue has not defined, the defined one; with a field of few words, the word. */
                readonly nearest?: string;
                /** @description The funds that an order would lock; for a market buy, what the asks cost. */
                readonly needed?: string;
                /** @description The funds that are free for it, behind the earlier orders of its bulk. */
                readonly available?: string;
            };
            /**
             * Format: date-time
             * @description If resending a pin is refused: when the last one was sent.
             */
            readonly sent_at?: string;
            /**
             * Format: int64
             * @description With nonce errors: the server's clock, in Unix milliseconds.
             */
            readonly server_time?: number;
            /** @description With `server.outcome_unknown`: uuid to look the order up by. A new order without this and without `client_order_id` was not placed. */
            readonly uuid?: string;
            /** @description The same for several orders. */
            readonly uuids?: readonly string[];
            /** @description With `server.outcome_unknown`: your own id to look the order up by. */
            readonly client_order_id?: string;
            /** @description The same for several orders. */
            readonly client_order_ids?: readonly string[];
        };
        /** @description An order, as its member sees it. */
        readonly Order: {
            /**
             * Format: uuid
             * @description Uuid of the order.
             */
            readonly uuid: string;
            /**
             * Format: int64
             * @description Id of the order.
             */
            readonly id: number;
            /** @enum {string} */
            readonly side: "buy" | "sell";
            /** @description Market id. */
            readonly market: string;
            /** @enum {string} */
            readonly ord_type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
            readonly price: string | null;
            readonly trigger_price: string | null;
            /** @enum {string} */
            readonly time_in_force: "gtc" | "ioc" | "fok";
            /** @enum {string} */
            readonly self_trade_prevention: "cancel_newest" | "cancel_oldest" | "cancel_both" | "none";
            /** @description The member's own id of the order; null if none was given. */
            readonly client_order_id: string | null;
            /** @description Under `/api/v2/peatio` only: the older name of `client_order_id`. */
            readonly client_id?: string | null;
            /** @description Volume ordered. */
            readonly origin_volume: string;
            /** @description Volume not yet filled. */
            readonly remaining_volume: string;
            /** @description Volume filled. */
            readonly executed_volume: string;
            /** @description Average price of the fills, with up to 16 digits after the point, cut off there; 0 before the first. For exact money see `executed_total`. */
            readonly avg_price: string;
            /** @description Price × amount of all fills, in the quote currency. */
            readonly executed_total: string;
            /** @description The fees paid so far, by currency: of the base for a buy, of the quote for a sell. Empty if none were; null for orders from before 2026-12 whose fees can't be told any more. */
            readonly fees: {
                readonly [key: string]: string;
            } | null;
            /**
             * Format: int64
             * @description Number of fills.
             */
            readonly trades_count: number;
            /** @description Maker fee rate, fixed at creation: the share that is deducted from what a fill brings (buy: base, sell: quote). */
            readonly maker_fee: string;
            /** @description Taker fee rate, fixed at creation. */
            readonly taker_fee: string;
            /**
             * Format: int64
             * @description Time of creation, in Unix seconds; under `/api/v2/peatio` ISO 8601, as a string.
             */
            readonly created_at: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix seconds.
             */
            readonly updated_at: number;
            /**
             * Format: int64
             * @description Time of creation, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix milliseconds.
             */
            readonly updated_at_ms: number;
            /**
             * @description Current state.
             * @enum {string}
             */
            readonly state: "pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait";
            /** @description Why the venue rejected or cancelled the order, or what was left of it; null otherwise, as for orders that you cancelled. `self_trade`: an order that would have traded with another of the same member; `would_take`: a `post_only` order that would have taken from the book; `not_fillable`: a fill or kill order that could not fill completely, and so not at all; `insufficient_market_liquidity`: a market or stop order that found nothing more in the book; `insufficient_balance`: a stop buy that the balance did not pay for, or a market buy behind a sell of its bulk; `time_in_force`: what an `ioc` order could not fill at once; `level_full`: the book can hold no more volume at its price; `timer`: the cancel timer of a key fired; `disconnected`: a socket with `cancel_on_disconnect` ended. With `would_take`, and with `insufficient_…` before the first fill, the state is `reject`, else `cancel`. (Until 2026-11 it was `reject` with `not_fillable`, too.) */
            readonly reject_reason: ("self_trade" | "would_take" | "not_fillable" | "insufficient_market_liquidity" | "insufficient_balance" | "time_in_force" | "level_full" | "timer" | "disconnected") | null;
        };
        /** @description Which open orders to cancel; both fields are optional, but neither may be null. */
        readonly CancelFilter: {
            /** @description Market id. */
            readonly market?: string;
            /**
             * @description Side of the order.
             * @enum {string}
             */
            readonly side?: "buy" | "sell";
        };
        /** @description A cancel timer after the request. */
        readonly CancelTimer: {
            /** @description The venue's time, from which the timeout counts. */
            readonly current_time: string;
            /** @description Time when all orders are cancelled; null if the timer is cleared. */
            readonly trigger_time: string | null;
        };
        /** @description An order with its trades. */
        readonly OrderWithTrades: {
            /**
             * Format: uuid
             * @description Uuid of the order.
             */
            readonly uuid: string;
            /**
             * Format: int64
             * @description Id of the order.
             */
            readonly id: number;
            /** @enum {string} */
            readonly side: "buy" | "sell";
            /** @description Market id. */
            readonly market: string;
            /** @enum {string} */
            readonly ord_type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
            readonly price: string | null;
            readonly trigger_price: string | null;
            /** @enum {string} */
            readonly time_in_force: "gtc" | "ioc" | "fok";
            /** @enum {string} */
            readonly self_trade_prevention: "cancel_newest" | "cancel_oldest" | "cancel_both" | "none";
            /** @description The member's own id of the order; null if none was given. */
            readonly client_order_id: string | null;
            /** @description Under `/api/v2/peatio` only: the older name of `client_order_id`. */
            readonly client_id?: string | null;
            /** @description Volume ordered. */
            readonly origin_volume: string;
            /** @description Volume not yet filled. */
            readonly remaining_volume: string;
            /** @description Volume filled. */
            readonly executed_volume: string;
            /** @description Average price of the fills, with up to 16 digits after the point, cut off there; 0 before the first. For exact money see `executed_total`. */
            readonly avg_price: string;
            /** @description Price × amount of all fills, in the quote currency. */
            readonly executed_total: string;
            /** @description The fees paid so far, by currency: of the base for a buy, of the quote for a sell. Empty if none were; null for orders from before 2026-12 whose fees can't be told any more. */
            readonly fees: {
                readonly [key: string]: string;
            } | null;
            /**
             * Format: int64
             * @description Number of fills.
             */
            readonly trades_count: number;
            /** @description Maker fee rate, fixed at creation: the share that is deducted from what a fill brings (buy: base, sell: quote). */
            readonly maker_fee: string;
            /** @description Taker fee rate, fixed at creation. */
            readonly taker_fee: string;
            /**
             * Format: int64
             * @description Time of creation, in Unix seconds; under `/api/v2/peatio` ISO 8601, as a string.
             */
            readonly created_at: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix seconds.
             */
            readonly updated_at: number;
            /**
             * Format: int64
             * @description Time of creation, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix milliseconds.
             */
            readonly updated_at_ms: number;
            /**
             * @description Current state.
             * @enum {string}
             */
            readonly state: "pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait";
            /** @description Why the venue rejected or cancelled the order, or what was left of it; null otherwise, as for orders that you cancelled. `self_trade`: an order that would have traded with another of the same member; `would_take`: a `post_only` order that would have taken from the book; `not_fillable`: a fill or kill order that could not fill completely, and so not at all; `insufficient_market_liquidity`: a market or stop order that found nothing more in the book; `insufficient_balance`: a stop buy that the balance did not pay for, or a market buy behind a sell of its bulk; `time_in_force`: what an `ioc` order could not fill at once; `level_full`: the book can hold no more volume at its price; `timer`: the cancel timer of a key fired; `disconnected`: a socket with `cancel_on_disconnect` ended. With `would_take`, and with `insufficient_…` before the first fill, the state is `reject`, else `cancel`. (Until 2026-11 it was `reject` with `not_fillable`, too.) */
            readonly reject_reason: ("self_trade" | "would_take" | "not_fillable" | "insufficient_market_liquidity" | "insufficient_balance" | "time_in_force" | "level_full" | "timer" | "disconnected") | null;
            /** @description Trades, from this order's side. */
            readonly trades: readonly components["schemas"]["Trade"][];
        };
        /** @description A member's balance of one currency. */
        readonly Account: {
            readonly currency: string;
            /** @description Amount free to use. */
            readonly balance: string;
            /** @description Amount held by open orders, open withdrawals and deposits not yet collected. */
            readonly locked: string;
        };
        /** @description The fees that a member pays, and its volumes. */
        readonly OwnFees: {
            /** @description The member's group. */
            readonly group: string;
            readonly markets: readonly {
                /** @description Market id. */
                readonly market_id: string;
                /** @description Fee rate of orders that rest. */
                readonly maker: string;
                /** @description Fee rate of orders that take. */
                readonly taker: string;
                /** @description What was traded in 30 days, in the base currency. */
                readonly volume_30d: string;
                /** @description What was traded in 30 days, in the quote currency. */
                readonly total_30d: string;
            }[];
        };
        /** @description Profit and loss of a member in one currency. */
        readonly Pnl: {
            /** @description Currency of the row. */
            readonly currency: string;
            /** @description Currency of the values. */
            readonly pnl_currency: string;
            /** @description Total credited, net of fees. */
            readonly total_credit: string;
            /** @description Total debited, net of fees. */
            readonly total_debit: string;
            /** @description Value of the credits. */
            readonly total_credit_value: string;
            /** @description Value of the debits, fees included. */
            readonly total_debit_value: string;
            readonly average_buy_price: string | null;
            readonly average_sell_price: string | null;
            /** @description Cost per coin of what is left. */
            readonly average_balance_price: string;
            /** @description Cost of what is left. */
            readonly total_balance_value: string;
        };
        /** @description A deposit or a withdrawal. */
        readonly Transaction: {
            /**
             * Format: int64
             * @description Id of the deposit or withdrawal, among those of its `type`.
             */
            readonly id: number;
            /** @description Where it went: for a deposit your address, for a withdrawal its `rid`; with its tag if it has one. */
            readonly address: string | null;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Amount, excluding the fee. */
            readonly amount: string;
            /** @description Fee. */
            readonly fee: string;
            /** @description Transaction id; null if there is none. */
            readonly txid: string | null;
            /** @enum {string} */
            readonly state: "submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding" | "prepared" | "to_reject" | "succeed" | "failed" | "confirming" | "under_review";
            /** @description The member's note on a withdrawal. */
            readonly note: string | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            /** @enum {string} */
            readonly type: "Deposit" | "Withdraw";
            readonly reverses?: components["schemas"]["Reversed"];
        };
        /** @description What a deposit takes back: another deposit, with a negative amount, or a withdrawal whose payment came back. */
        readonly Reversed: {
            /** @enum {string} */
            readonly type: "deposit" | "withdraw";
            /** Format: int64 */
            readonly id: number;
        };
        /** @description The statement of an account. */
        readonly AccountStatement: {
            readonly time_from: string | null;
            /**
             * Format: date-time
             * @description When it ends: the time asked for, or now.
             */
            readonly time_to: string;
            /** @description By currency; of one that is missing there was nothing at both ends. */
            readonly balances: readonly components["schemas"]["StatementBalance"][];
            /** @description Oldest first. */
            readonly movements: readonly components["schemas"]["StatementMovement"][];
        };
        /** @description A balance at both ends of a statement. */
        readonly StatementBalance: {
            /** @description Currency code. */
            readonly currency: string;
            /** @description Available and locked, at the beginning. */
            readonly opening: string;
            /** @description Available and locked, at the end. */
            readonly closing: string;
        };
        /** @description A change of a balance. */
        readonly StatementMovement: {
            /** @enum {string} */
            readonly type: "Trade" | "Deposit" | "Withdraw" | "Adjustment";
            /**
             * Format: int64
             * @description Id of the trade, deposit, withdrawal or adjustment.
             */
            readonly id: number;
            /**
             * Format: date-time
             * @description When the balance changed.
             */
            readonly created_at: string;
            /** @description Currency code. */
            readonly currency: string;
            /** @description What came in; negative for what went out. */
            readonly gross: string;
            /** @description What the venue kept of it, or took on top. */
            readonly fee: string;
            /** @description By how much the balance has changed: `gross` - `fee`. */
            readonly net: string;
        };
        /** @description A change of a balance. */
        readonly LedgerLine: {
            /** @description Names the line. */
            readonly id: string;
            /** @enum {string} */
            readonly type: "Trade" | "Deposit" | "Withdraw" | "Adjustment";
            /**
             * Format: int64
             * @description Id of the trade, deposit, withdrawal or adjustment.
             */
            readonly reference: number;
            /**
             * Format: date-time
             * @description When the balance changed.
             */
            readonly created_at: string;
            /**
             * Format: int64
             * @description When the balance changed, in ms since 1970.
             */
            readonly created_at_ms: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description What came in; negative for what went out. */
            readonly gross: string;
            /** @description What the venue kept of it, or took on top. */
            readonly fee: string;
            /** @description By how much the balance has changed: `gross` - `fee`. */
            readonly amount: string;
            /** @description What there is of the currency behind it. */
            readonly balance: string;
        };
        /** @description A change of a balance by an operator. */
        readonly MemberAdjustment: {
            /**
             * Format: int64
             * @description Number of the adjustment.
             */
            readonly id: number;
            readonly currency: string;
            /** @description What was added; negative for what was taken. */
            readonly amount: string;
            readonly reason: string;
            /**
             * Format: date-time
             * @description Time of the adjustment.
             */
            readonly created_at: string;
        };
        /** @description Where to deposit a currency. */
        readonly DepositAddress: {
            /** @description Always null. */
            readonly id: number | null;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Always zero. */
            readonly amount: string;
            /** @description Always zero. */
            readonly fee: string;
            /** @description Always null. */
            readonly txid: string | null;
            /**
             * Format: int64
             * @description Always zero.
             */
            readonly confirmations: number;
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /** @description Always null. */
            readonly created_at: string | null;
            /** @description Always null. */
            readonly completed_at: string | null;
            /** @description Always null. */
            readonly tid: string | null;
            /** @description All currencies accepted by the address. */
            readonly currencies: readonly string[];
            /** @description Deposit address; null while it is being created: try again. */
            readonly address: string | null;
            /** @description Your tag at the address, which all members share: a payment without it is not credited. Null while the address is; absent for a currency without a `tag`. */
            readonly tag?: string | null;
            /** @enum {string} */
            readonly state: "pending" | "active";
        };
        /** @description A deposit from outside the venue. */
        readonly Deposit: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Amount credited to the member: the amount received less the fee. */
            readonly amount: string;
            /** @description Deposit fee. */
            readonly fee: string;
            /** @description Transaction id; null if there is none. */
            readonly txid: string | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /** @enum {string} */
            readonly state: "submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding";
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /**
             * Format: date-time
             * @description Time when the deposit was first seen.
             */
            readonly created_at: string;
            readonly completed_at: string | null;
            /** @description Public id of the deposit. */
            readonly tid: string;
            readonly reverses?: components["schemas"]["Reversed"];
        };
        /** @description A beneficiary to create. */
        readonly BeneficiaryInput: {
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description One of the currency's networks; its first by default. */
            readonly network?: string;
            /** @description Your name for the beneficiary. */
            readonly name: string;
            /** @description Empty by default. */
            readonly description?: string;
            /** @description `address` for a coin. One with a `tag` may have that beside it, under its name (`"destination_tag": 7`); many recipients need none. Anything else is refused, since no payout would carry it. `full_name` and what the bank needs for fiat. May also be the text of this object. */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        /** @description A destination for withdrawals. */
        readonly Beneficiary: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Uid of the member. */
            readonly uid: string;
            readonly name: string;
            readonly description: string;
            /** @description For a coin: `address`, and the tag if it has one, under the name of the currency's `tag`. For a bank account: `full_name` and other details, with the account number masked. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly state: "pending" | "active";
            /**
             * Format: date-time
             * @description Time when the last pin was sent.
             */
            readonly sent_at: string;
            readonly held_until: string | null;
        };
        /** @description The pin of a beneficiary. */
        readonly Activation: {
            /**
             * Format: int64
             * @description Pin from the message.
             */
            readonly pin: number;
        };
        /** @description A withdrawal to request. */
        readonly WithdrawInput: {
            /** @description One-time code of six digits; leading zeros may be missing. */
            readonly otp: number;
            /**
             * Format: int64
             * @description Id of an active beneficiary of this currency.
             */
            readonly beneficiary_id: number;
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description Amount, including the fee. */
            readonly amount: string;
            /** @description Your note on the withdrawal. */
            readonly note?: string;
        };
        /** @description A withdrawal to a beneficiary. */
        readonly Withdraw: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @enum {string} */
            readonly type: "fiat" | "coin";
            /** @description Requested amount, including the fee. */
            readonly amount: string;
            /** @description Withdrawal fee, deducted from the amount. */
            readonly fee: string;
            /** @description Transaction id; null until the withdrawal is sent. */
            readonly blockchain_txid: string | null;
            /** @description Destination: an address, with its tag if it has one (`address destination_tag=7`), or the name of a bank beneficiary. Empty in the answer to a change by a process that can't open it. */
            readonly rid: string;
            /** @enum {string} */
            readonly state: "prepared" | "accepted" | "skipped" | "to_reject" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming" | "under_review";
            /** @description What an `accepted` withdrawal waits for: the operator's approval, or to be paid; null in all other states. */
            readonly waits_for: ("approval" | "payout") | null;
            /** @description Why it waits for approval: it is above a limit of its currency or of its member, its currency has no price to compare with the member's limit, it goes to a bank, or it was approved and then its member locked or its beneficiary disabled. Null if it does not wait, or was requested before reasons were kept. */
            readonly approval_reason: ("currency_limit" | "member_limit" | "no_price" | "fiat" | "member_locked" | "beneficiary_disabled") | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /** @description The member's note. */
            readonly note: string | null;
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /**
             * Format: date-time
             * @description Time of the request.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            readonly done_at: string | null;
        };
        /** @description Totals in the platform currency. */
        readonly WithdrawSums: {
            /** @description Total of the last 4 hours. */
            readonly last_4_hours: string;
            /** @description Total of the last 24 hours. */
            readonly last_24_hours: string;
            /** @description Total since the same UTC time on the same day of the previous month, or on its last day if it is shorter. */
            readonly last_1_month: string;
        };
        /** @description What signing up and signing in require. */
        readonly IdentitySettings: {
            /**
             * @description Kind of captcha.
             * @constant
             */
            readonly captcha_type: "none";
            /**
             * Format: int64
             * @description Minimum entropy of a password, in bits.
             */
            readonly password_min_entropy: number;
        };
        /** @description A password to rate. */
        readonly PasswordInput: {
            /** @description Password to rate. */
            readonly password: string;
        };
        /** @description Strength of a password. */
        readonly PasswordStrength: {
            /**
             * Format: int64
             * @description Entropy in bits; below the minimum if the password would be refused.
             */
            readonly entropy: number;
        };
        /** @description A person who signs up. */
        readonly UserInput: {
            /** @description Email address. */
            readonly email: string;
            /** @description Password, with at least one upper-case letter, one lower-case letter and one digit. */
            readonly password: string;
        };
        /** @description A member's own account. */
        readonly User: {
            readonly uid: string;
            readonly email: string | null;
            /**
             * @description What it may do as an operator in its sessions; `member` for nothing.
             * @enum {string}
             */
            readonly role: "member" | "viewer" | "support" | "finance" | "admin";
            /** Format: int64 */
            readonly level: number;
            /** @description Whether the second factor is on. */
            readonly otp: boolean;
            /** @enum {string} */
            readonly state: "pending" | "active" | "locked" | "banned";
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
        };
        /** @description Where to send a code. */
        readonly CodeRequest: {
            /** @description Email address. */
            readonly email: string;
        };
        /** @description An empty object: the request succeeded. */
        readonly Done: Record<string, never>;
        /** @description What confirms an email address: code and password of its sign-up. */
        readonly EmailConfirmation: {
            /** @description Code from the message. */
            readonly token: string;
            /** @description Password of the sign-up that the message belongs to, the latest with this address. */
            readonly password: string;
        };
        /** @description A new password in place of a forgotten one. */
        readonly PasswordReset: {
            /** @description Code from the message. */
            readonly reset_password_token: string;
            /** @description New password. */
            readonly password: string;
            /** @description New password, repeated. */
            readonly confirm_password: string;
            /** @description Whether to turn off the second factor, which must be on for less than 48 hours. */
            readonly disable_otp?: boolean;
        };
        /** @description Credentials of a sign-in. */
        readonly SessionInput: {
            /** @description Email address. */
            readonly email: string;
            /** @description Password. */
            readonly password: string;
            /** @description One-time code or recovery code, if the second factor is on. */
            readonly otp_code?: string;
        };
        /** @description The signed-in member, with the token of the session. */
        readonly UserInSession: {
            readonly uid: string;
            readonly email: string | null;
            /**
             * @description What it may do as an operator in its sessions; `member` for nothing.
             * @enum {string}
             */
            readonly role: "member" | "viewer" | "support" | "finance" | "admin";
            /** Format: int64 */
            readonly level: number;
            /** @description Whether the second factor is on. */
            readonly otp: boolean;
            /** @enum {string} */
            readonly state: "pending" | "active" | "locked" | "banned";
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /** @description Token to send in `X-CSRF-Token` with requests that use the cookie. */
            readonly csrf_token: string;
            readonly confirmed_until: string | null;
        };
        /** @description A session of the member. */
        readonly Session: {
            readonly id: string;
            readonly user_ip: string;
            readonly user_agent: string;
            /** @description Whether this is the session of the request. */
            readonly current: boolean;
            /**
             * Format: date-time
             * @description Time of the sign-in.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last request.
             */
            readonly last_seen_at: string;
            /**
             * Format: date-time
             * @description Time when the session ends at the latest.
             */
            readonly expires_at: string;
        };
        /** @description A one-time code from an authenticator. */
        readonly OtpCode: {
            /** @description One-time code from the authenticator. */
            readonly code: string;
        };
        /** @description A session that was given a one-time code. */
        readonly ConfirmedSession: {
            /**
             * Format: date-time
             * @description Until when the code is fresh.
             */
            readonly confirmed_until: string;
        };
        /** @description Number of sessions that ended. */
        readonly SessionsEnded: {
            /** Format: int64 */
            readonly ended: number;
        };
        /** @description The caller. `email`, `role`, `otp`, `created_at` and the `csrf_token` and `confirmed_until` of the session only in a session. */
        readonly Me: {
            readonly uid: string;
            /** Format: int64 */
            readonly level: number;
            /** @description Group of the trading fees and withdrawal limits. */
            readonly group: string;
            /** @enum {string} */
            readonly state: "pending" | "active" | "locked" | "banned";
            readonly limits: components["schemas"]["MemberLimits"];
            readonly email?: string | null;
            /**
             * @description What it may do as an operator in its sessions; `member` for nothing.
             * @enum {string}
             */
            readonly role?: "member" | "viewer" | "support" | "finance" | "admin";
            /** @description Whether the second factor is on. */
            readonly otp?: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at?: string;
            /** @description Token to send in `X-CSRF-Token` with requests that use the cookie. */
            readonly csrf_token?: string;
            readonly confirmed_until?: string | null;
        };
        /** @description What the member may do. Withdrawals above a limit wait for the operator. */
        readonly MemberLimits: {
            /**
             * Format: int64
             * @description Open orders per market.
             */
            readonly open_orders_max: number;
            /**
             * Format: int64
             * @description Orders per bulk call.
             */
            readonly bulk_orders_max: number;
            /** @description Orders a day (UTC) that may end without a trade; `null` for no limit. */
            readonly untraded_orders_max: number | null;
            readonly withdraw_24_hour: string | null;
            readonly withdraw_1_month: string | null;
        };
        /** @description What an operator did to your account. */
        readonly OwnAct: {
            /**
             * Format: int64
             * @description Number of the act.
             */
            readonly id: number;
            /** @description Operation id of the operator's request. */
            readonly action: string;
            /** @description Why; null if none was given. */
            readonly reason: string | null;
            /**
             * Format: date-time
             * @description Time of the act.
             */
            readonly at: string;
        };
        /** @description A new password in place of the current one. */
        readonly PasswordChange: {
            /** @description Current password. */
            readonly old_password: string;
            /** @description New password. */
            readonly new_password: string;
            /** @description New password, repeated. */
            readonly confirm_password: string;
            /** @description Access keys of the API keys to keep; all others that you made are disabled. */
            readonly keep_keys?: readonly string[] | null;
            /** @description One-time code; required to keep keys. */
            readonly totp_code?: string;
        };
        /** @description An event on the account. */
        readonly Activity: {
            readonly user_ip: string;
            readonly user_agent: string;
            /** @enum {string} */
            readonly topic: "account" | "session" | "password" | "otp" | "api_key" | "beneficiary" | "withdraw";
            readonly action: string;
            /** @enum {string} */
            readonly result: "succeed" | "failed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            readonly created_at: string;
        };
        /** @description A secret for an authenticator that is not yet in force. */
        readonly OtpSecret: {
            readonly data: {
                /** @description URI for the authenticator: `otpauth://…`. */
                readonly url: string;
                /** @description Secret in Base32. */
                readonly secret: string;
                /** @description QR code as the URL of an image. */
                readonly barcode: string;
                /** @description The secret as a QR code. */
                readonly svg: string;
            };
        };
        /** @description The first code of a new secret, and a proof that the member enters it. */
        readonly FirstOtpCode: {
            /** @description One-time code from the authenticator. */
            readonly code: string;
            /** @description Current password; required without `email_code`. */
            readonly password?: string;
            /** @description Code sent to the member's address, in place of the password. */
            readonly email_code?: string;
        };
        /** @description Codes for when the authenticator is lost. */
        readonly OtpRecovery: {
            /** @description Codes that each work once, to sign in or to turn off the second factor; shown only once. */
            readonly recovery_codes: readonly string[];
        };
        /** @description A one-time code or recovery code. */
        readonly OtpOrRecoveryCode: {
            /** @description One-time code or recovery code. */
            readonly code: string;
            /** @description Current password; required without `email_code`. */
            readonly password?: string;
            /** @description Code sent to the member's address, in place of the password. */
            readonly email_code?: string;
        };
        /** @description An API key to create. */
        readonly OwnApiKeyInput: {
            /** @description One-time code; required. */
            readonly totp_code?: string;
            /** @description Current password; required without `email_code`. */
            readonly password?: string;
            /** @description Code sent to the member's address, in place of the password. */
            readonly email_code?: string;
            /**
             * @description Signature algorithm.
             * @enum {string}
             */
            readonly algorithm?: "HS256";
            /** @description Scopes of the key. */
            readonly scope?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Alias of `scope`; refused if both are given and differ. */
            readonly scopes?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Addresses and address ranges that may use the key; empty for all. */
            readonly ip_allow_list?: readonly string[];
            /**
             * @description With `request`, a nonce may be reused for a different request.
             * @enum {string}
             */
            readonly nonce_mode?: "single" | "request";
        };
        /** @description A new API key with its secret. */
        readonly CreatedOwnApiKey: {
            /** @description Access key. */
            readonly kid: string;
            /** @constant */
            readonly algorithm: "HS256";
            readonly scope: readonly ("read" | "trade" | "withdraw")[];
            /** @enum {string} */
            readonly state: "active" | "disabled";
            /** @enum {string} */
            readonly nonce_mode: "single" | "request";
            readonly ip_allow_list: readonly string[];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            /** @description Secret of the key; shown only once. */
            readonly secret: string;
        };
        /** @description An API key of the member, without its secret. */
        readonly OwnApiKey: {
            /** @description Access key. */
            readonly kid: string;
            /** @constant */
            readonly algorithm: "HS256";
            readonly scope: readonly ("read" | "trade" | "withdraw")[];
            /** @enum {string} */
            readonly state: "active" | "disabled";
            /** @enum {string} */
            readonly nonce_mode: "single" | "request";
            readonly ip_allow_list: readonly string[];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly OwnApiKeyChanges: {
            /** @description One-time code; required. */
            readonly totp_code?: string;
            /** @description Current password; required without `email_code`. */
            readonly password?: string;
            /** @description Code sent to the member's address, in place of the password. */
            readonly email_code?: string;
            /**
             * @description Key state.
             * @enum {string}
             */
            readonly state?: "active" | "disabled";
            /** @description Scopes of the key. */
            readonly scope?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Alias of `scope`; refused if both are given and differ. */
            readonly scopes?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Addresses and address ranges that may use the key; empty for all. */
            readonly ip_allow_list?: readonly string[] | null;
        };
        /** @description Proof of the second factor, and that the member itself is there. */
        readonly ApiKeyProof: {
            /** @description One-time code; required. */
            readonly totp_code?: string;
            /** @description Current password; required without `email_code`. */
            readonly password?: string;
            /** @description Code sent to the member's address, in place of the password. */
            readonly email_code?: string;
        };
        /** @description A deposit from the faucet. */
        readonly FaucetDepositInput: {
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description One of the currency's networks; its first by default. */
            readonly network?: string;
            /** @description Amount in coins. */
            readonly amount: string;
        };
        /** @description Rolling 24 hours of a market. */
        readonly MarketTicker: {
            /**
             * Format: int64
             * @description Time of the response, in Unix seconds.
             */
            readonly at: number;
            readonly ticker: {
                /**
                 * Format: int64
                 * @description Time of the response, in Unix seconds.
                 */
                readonly at: number;
                /** @description Lowest price in the last 24 hours. */
                readonly low: string;
                /** @description Highest price in the last 24 hours. */
                readonly high: string;
                /** @description First price in the last 24 hours. */
                readonly open: string;
                /** @description Last price, however old. */
                readonly last: string;
                /** @description Volume in the last 24 hours, in the quote currency. */
                readonly volume: string;
                /** @description Same as `volume`. */
                readonly vol: string;
                /** @description Volume in the last 24 hours, in the base currency. */
                readonly amount: string;
                /** @description Volume-weighted average price in the last 24 hours. */
                readonly avg_price: string;
                /** @description Change from `open` to `last`, in percent. */
                readonly price_change_percent: string;
                /** @description Best bid. */
                readonly buy: string;
                /** @description Best ask. */
                readonly sell: string;
            };
        };
        /** @description A trade on a market. */
        readonly PublicTrade: {
            /** Format: int64 */
            readonly id: number;
            /** @description Price. */
            readonly price: string;
            /** @description Volume in the base currency; under `/api/v2/peatio` also as `volume`. */
            readonly amount: string;
            /** @description Price × amount, in the quote currency; under `/api/v2/peatio` also as `funds`. */
            readonly total: string;
            readonly market: string;
            /**
             * Format: date-time
             * @description Time of execution.
             */
            readonly created_at: string;
            /**
             * Format: int64
             * @description Time of execution, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * @description Side of the taker.
             * @enum {string}
             */
            readonly taker_type: "buy" | "sell";
        };
        /** @description Volume of a market's book by price. */
        readonly Depth: {
            /**
             * Format: int64
             * @description Time of the response, in Unix seconds.
             */
            readonly timestamp: number;
            /** @description Levels `[price, volume]`, from the highest price to the lowest. */
            readonly asks: readonly (readonly string[])[];
            /** @description Levels `[price, volume]`, from the highest price to the lowest. */
            readonly bids: readonly (readonly string[])[];
            /**
             * Format: int64
             * @description Number, in the venue's log, of the last event that changed the book, or of a later one up to which none did. Messages of its streams with a greater `event` come on top of it.
             */
            readonly event: number;
            /**
             * Format: int64
             * @description If the query asks for it: the CRC32 of the ten best asks, then the ten best bids, best first, each as `price:volume` with at least one digit after each point, all joined with `:`.
             */
            readonly checksum?: number;
        };
        /** @description Open orders of a market, best first. */
        readonly OrderBook: {
            readonly asks: readonly components["schemas"]["BookOrder"][];
            readonly bids: readonly components["schemas"]["BookOrder"][];
        };
        /** @description An open order of an undisclosed member. */
        readonly BookOrder: {
            /**
             * Format: int64
             * @description Id of the order.
             */
            readonly id: number;
            /**
             * Format: uuid
             * @description Uuid of the order.
             */
            readonly uuid: string;
            /** @enum {string} */
            readonly side: "buy" | "sell";
            /** @enum {string} */
            readonly ord_type: "limit" | "market" | "post_only" | "stop" | "stop_limit";
            readonly price: string | null;
            /** @description Average price of the fills, with up to 16 digits after the point, cut off there; 0 before the first. For exact money see `executed_total`. */
            readonly avg_price: string;
            /**
             * @description Current state.
             * @enum {string}
             */
            readonly state: "pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait";
            /** @description Market id. */
            readonly market: string;
            /**
             * Format: int64
             * @description Time of creation, in Unix seconds; under `/api/v2/peatio` ISO 8601, as a string.
             */
            readonly created_at: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix seconds.
             */
            readonly updated_at: number;
            /**
             * Format: int64
             * @description Time of creation, in Unix milliseconds.
             */
            readonly created_at_ms: number;
            /**
             * Format: int64
             * @description Time of the last change, in Unix milliseconds.
             */
            readonly updated_at_ms: number;
            /** @description Volume ordered. */
            readonly origin_volume: string;
            /** @description Volume not yet filled. */
            readonly remaining_volume: string;
            /** @description Volume filled. */
            readonly executed_volume: string;
            /**
             * Format: int64
             * @description Number of fills.
             */
            readonly trades_count: number;
        };
        /** @description A market. */
        readonly Market: {
            readonly id: string;
            readonly name: string;
            readonly base_unit: string;
            readonly quote_unit: string;
            /** @description Minimum order price. */
            readonly min_price: string;
            /** @description Maximum order price; 0 for none. */
            readonly max_price: string;
            /** @description Minimum order volume. */
            readonly min_amount: string;
            /** @description Minimum price × volume of an order; 0 for none. */
            readonly min_total: string;
            /** Format: int64 */
            readonly amount_precision: number;
            /** Format: int64 */
            readonly price_precision: number;
            /** @enum {string} */
            readonly state: "enabled" | "cancel_only" | "halted" | "disabled";
            /** Format: int64 */
            readonly position: number;
        };
        /** @description A currency. */
        readonly Currency: {
            readonly id: string;
            readonly name?: string;
            readonly description: string | null;
            readonly homepage: string | null;
            /** @description Price of one coin in the platform currency. */
            readonly price: string;
            readonly explorer_transaction?: string;
            readonly explorer_address?: string;
            /** @enum {string} */
            readonly type: "coin" | "fiat";
            readonly deposit_enabled: boolean;
            readonly withdrawal_enabled: boolean;
            /** @description Deposit fee. */
            readonly deposit_fee: string;
            /** @description Minimum deposit. */
            readonly min_deposit_amount: string;
            /** @description Withdrawal fee. */
            readonly withdraw_fee: string;
            /** @description Minimum withdrawal. */
            readonly min_withdraw_amount: string;
            readonly withdraw_limit_24h: string | null;
            readonly withdraw_limit_72h: string | null;
            /** @description 10 to the power of `precision`. */
            readonly base_factor: number;
            /** Format: int64 */
            readonly precision: number;
            /** Format: int64 */
            readonly position: number;
            readonly icon_url?: string;
            /** Format: int64 */
            readonly min_confirmations?: number;
            /** @description Networks that a coin lives on; the first is its default. Coins only. */
            readonly networks?: readonly components["schemas"]["CurrencyNetwork"][];
            readonly tag?: components["schemas"]["CurrencyTag"];
        };
        /** @description A currency on one of its networks. */
        readonly CurrencyNetwork: {
            /** @description Name of the network. */
            readonly network: string;
            /** @description Address of a token's contract; null for the network's own coin. */
            readonly contract: string | null;
            readonly deposit_enabled: boolean;
            readonly withdrawal_enabled: boolean;
            /** @description Withdrawal fee on this network. */
            readonly withdraw_fee: string;
            /** Format: int64 */
            readonly min_confirmations: number;
        };
        /** @description What stands beside the addresses of a coin: its name as a field of a beneficiary's `data`, and whether it is a number of 32 bits or a text of 1 to 64 printable characters of ASCII. Absent for a currency without tags. */
        readonly CurrencyTag: {
            /** @enum {string} */
            readonly name: "destination_tag" | "memo" | "memo_id" | "comment";
            /** @enum {string} */
            readonly kind: "number" | "text";
        };
        /** @description Minimum member level for each privilege. */
        readonly MemberLevels: {
            readonly deposit: {
                /** Format: int64 */
                readonly minimum_level: number;
            };
            readonly withdraw: {
                /** Format: int64 */
                readonly minimum_level: number;
            };
            readonly trading: {
                /** Format: int64 */
                readonly minimum_level: number;
            };
        };
        /** @description A row of the fee table. Rates are shares of what a trade brings (buy: base, sell: quote). */
        readonly TradingFee: {
            /**
             * Format: int64
             * @description Names the row for as long as it is there; follows from what it is for.
             */
            readonly id: number;
            /** @description Market id, or `any`. */
            readonly market_id: string;
            /** @description Member group, or `any`. */
            readonly group: string;
            /** @description Maker fee rate. */
            readonly maker: string;
            /** @description Taker fee rate. */
            readonly taker: string;
        };
        /** @description What a member may withdraw without an operator's approval: with 0 nothing, with null any sum. */
        readonly WithdrawLimit: {
            /**
             * Format: int64
             * @description Names the row for as long as it is there; follows from what it is for.
             */
            readonly id: number;
            /** @description Member group, or `any`. */
            readonly group: string;
            /** @description Member level, or `any`. */
            readonly kyc_level: string;
            readonly limit_24_hour: string | null;
            readonly limit_1_month: string | null;
        };
        readonly BuildInfo: {
            readonly version: string;
            /** @description The commit that runs; null if unknown. */
            readonly build: string | null;
            /** @description The formats of log and rows that it writes. */
            readonly formats: {
                /** Format: int64 */
                readonly log: number;
                /** Format: int64 */
                readonly rows: number;
            };
        };
        /** @description A member to create. */
        readonly MemberInput: {
            /** @description Email address; unique among members. */
            readonly email: string;
            /** @description Member level. Default `0`. */
            readonly level?: number;
            /** @description Member group. Default `any`. */
            readonly group?: string;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A member of the venue. */
        readonly Member: {
            readonly uid: string;
            /** @description Email address; null if unknown, or in the answer to a change by a process that can't open it. */
            readonly email: string | null;
            /** Format: int64 */
            readonly level: number;
            readonly group: string;
            /**
             * @description `active` may do everything that its level allows. `pending` has yet to confirm its email address, by signing up with it: it cannot sign in, but its keys work. `locked` and `banned`, which differ only in what signing in answers, have no access: sessions, keys and sockets are refused, and withdrawals wait. In every state, open orders stay and trade until they are cancelled, if need be by `POST /api/v2/admin/members/{uid}/orders/cancel`.
             * @enum {string}
             */
            readonly state: "pending" | "active" | "locked" | "banned";
            /** Format: int64 */
            readonly bulk_orders_max: number;
            /** Format: int64 */
            readonly open_orders_max: number;
            /** Format: int64 */
            readonly untraded_orders_max: number;
            readonly market_orders_enabled: boolean;
            /** @description Whether the second factor is on. */
            readonly otp: boolean;
            /** @description What it was given to do as an operator; null if nothing. */
            readonly operator_role: ("viewer" | "support" | "finance" | "admin") | null;
            /** @description Whether that is in force. A change of its password or second factor that its member has not made with the old password ends it, until it is given again. */
            readonly operator_role_active: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly MemberChanges: {
            /** @description Member level. */
            readonly level?: number;
            /** @description Member group. */
            readonly group?: string;
            /**
             * @description `active` may do everything that its level allows. `pending` has yet to confirm its email address, by signing up with it: it cannot sign in, but its keys work. `locked` and `banned`, which differ only in what signing in answers, have no access: sessions, keys and sockets are refused, and withdrawals wait. In every state, open orders stay and trade until they are cancelled, if need be by `POST /api/v2/admin/members/{uid}/orders/cancel`.
             * @enum {string}
             */
            readonly state?: "pending" | "active" | "locked" | "banned";
            /** @description Maximum orders per bulk request; 0 for the venue's setting. */
            readonly bulk_orders_max?: number;
            /** @description Maximum open orders per market; 0 for the venue's default. */
            readonly open_orders_max?: number;
            /** @description Maximum orders that may end without a trade on a day (UTC); 0 for the venue's setting. */
            readonly untraded_orders_max?: number;
            /** @description Whether market orders are accepted. */
            readonly market_orders_enabled?: boolean;
            /** @description `false` turns off the second factor of a member who has lost it; an operator cannot turn it on. */
            readonly otp?: boolean;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description What the venue owes in one currency. */
        readonly Liability: {
            /** @description Currency code. */
            readonly currency: string;
            /** @description What all members have: available and locked. */
            readonly members: string;
            /** @description The part of it that orders, deposits and withdrawals hold. */
            readonly locked: string;
            /** @description What the venue has earned; no call takes it out. */
            readonly fees: string;
            /**
             * Format: int64
             * @description How many members have any.
             */
            readonly holders: number;
        };
        /** @description Reason for an act that touches a member. */
        readonly MemberActReason: {
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description A note about a member. */
        readonly MemberNoteInput: {
            /** @description What other operators should know; the member never sees it. */
            readonly text: string;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A note of an operator about a member. */
        readonly MemberNote: {
            /**
             * Format: int64
             * @description Number of the act that made it.
             */
            readonly id: number;
            readonly text: string;
            /** @description The operator. */
            readonly uid: string;
            /** @description Its access key; null for a session. */
            readonly kid: string | null;
            /**
             * Format: date-time
             * @description Time of the note.
             */
            readonly created_at: string;
        };
        /** @description A member's new email address. */
        readonly MemberEmailInput: {
            /** @description Email address; unique among members. */
            readonly email: string;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description An API key to create. */
        readonly ApiKeyInput: {
            /** @description Scopes of the key. */
            readonly scopes?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Addresses and address ranges that may use the key; empty for all. */
            readonly ip_allow_list?: readonly string[];
            /**
             * @description With `request`, a nonce may be reused for a different request. Default `single`.
             * @enum {string}
             */
            readonly nonce_mode?: "single" | "request";
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description A new API key with its secret. */
        readonly CreatedApiKey: {
            /** @description Access key. */
            readonly kid: string;
            /** @constant */
            readonly algorithm: "HS256";
            readonly scopes: readonly ("read" | "trade" | "withdraw")[];
            /** @enum {string} */
            readonly state: "active" | "disabled" | "deleted";
            /** @enum {string} */
            readonly role: "member" | "operator";
            /** @enum {string} */
            readonly nonce_mode: "single" | "request";
            readonly ip_allow_list: readonly string[];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            /** @description Secret of the key; shown only once. */
            readonly secret: string;
        };
        /** @description An API key, without its secret. */
        readonly ApiKey: {
            /** @description Access key. */
            readonly kid: string;
            /** @constant */
            readonly algorithm: "HS256";
            readonly scopes: readonly ("read" | "trade" | "withdraw")[];
            /** @enum {string} */
            readonly state: "active" | "disabled" | "deleted";
            /** @enum {string} */
            readonly role: "member" | "operator";
            /** @enum {string} */
            readonly nonce_mode: "single" | "request";
            readonly ip_allow_list: readonly string[];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly ApiKeyChanges: {
            /**
             * @description Key state.
             * @enum {string}
             */
            readonly state?: "active" | "disabled";
            /** @description Scopes of the key. */
            readonly scopes?: readonly ("read" | "trade" | "withdraw")[] | null;
            /** @description Addresses and address ranges that may use the key; empty for all. */
            readonly ip_allow_list?: readonly string[] | null;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description A role as an operator. */
        readonly OperatorRoleInput: {
            /**
             * @description `viewer` reads, `support` also cares for members, `finance` also moves money, and `admin` may do everything.
             * @enum {string}
             */
            readonly role: "viewer" | "support" | "finance" | "admin";
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description An act that takes two operators. */
        readonly PendingAct: {
            /**
             * Format: int64
             * @description Number of the act that asked for it.
             */
            readonly id: number;
            /** @enum {string} */
            readonly state: "pending" | "approved" | "refused";
            /** @description Operation id of the request. */
            readonly action: string;
            /** @description Path parameters. */
            readonly target: {
                readonly [key: string]: string;
            };
            /** @description Body fields. */
            readonly changes: {
                readonly [key: string]: unknown;
            };
            /** @description The member that it touches. */
            readonly member: string;
            /** @description Reason given; null if none. */
            readonly reason: string | null;
            readonly first: components["schemas"]["FirstOperator"];
            readonly second: components["schemas"]["SecondOperator"];
            /**
             * Format: date-time
             * @description Time when it was asked for.
             */
            readonly created_at: string;
        };
        /** @description Who has asked for it. */
        readonly FirstOperator: {
            /** @description The operator. */
            readonly uid: string;
            /** @description Email address that it has now. */
            readonly email: string | null;
            /** @description Access key that signed; null if the operator acted in a session. */
            readonly kid: string | null;
        };
        /** @description Who has decided; null if nobody has. */
        readonly SecondOperator: {
            /** @description The operator. */
            readonly uid: string;
            /** @description Email address that it has now. */
            readonly email: string | null;
            /** @description Access key that signed; null if the operator acted in a session. */
            readonly kid: string | null;
            /**
             * Format: int64
             * @description Number of its act.
             */
            readonly act: number;
            /** @description Reason given; null if none. */
            readonly reason: string | null;
            /**
             * Format: date-time
             * @description Time of the decision.
             */
            readonly at: string;
        } | null;
        /** @description Reason for an act that touches a member, and your name for it. */
        readonly MemberOnceInput: {
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
            /** @description Your own name for this call, never used for another. Sent again with it and the same fields, the call is answered as the first time and nothing happens, however much later. */
            readonly idempotency_key?: string;
        };
        /** @description A message that was sent. */
        readonly OutboxMessage: {
            /** Format: int64 */
            readonly id: number;
            readonly uid: string;
            /** @description Recipient's email address. */
            readonly to: string;
            readonly kind: string;
            /** @description Code or pin; null for a mere notice. */
            readonly code: string | null;
            /**
             * Format: date-time
             * @description Time when the message was sent.
             */
            readonly created_at: string;
        };
        /** @description A currency to create. */
        readonly CurrencyInput: {
            /** @description Currency code, in lower case. */
            readonly id: string;
            /**
             * @description Default `coin`.
             * @enum {string}
             */
            readonly type?: "coin" | "fiat";
            /**
             * @description How txids and addresses are compared. `common`, for coins by default: hexadecimal ones in lower case and without `0x`, bech32 ones in lower case, all others as they are. `cash`: the same, and both forms of an address of Bitcoin Cash are one. `exact`, for fiat by default: as they are. It can't be changed later.
             * @enum {string}
             */
            readonly name_form?: "common" | "cash" | "exact";
            /** @description Decimal places of deposits and withdrawals. Default `8`. */
            readonly precision?: number;
            readonly name?: string;
            readonly description?: string;
            /** @description The currency's page: an `http` or `https` URL, or empty. */
            readonly homepage?: string;
            /** @description Price of one coin in the platform currency; 0 for none, in which case withdrawals subject to a withdrawal limit wait for an operator. */
            readonly price?: string;
            readonly position?: number;
            /** @description Whether the currency is listed. While it is not, members get no address, beneficiary or withdrawal of it; holders still see it, and its markets keep trading. */
            readonly visible?: boolean;
            readonly deposit_enabled?: boolean;
            readonly withdrawal_enabled?: boolean;
            /** @description Whether new orders are accepted on markets of this currency. */
            readonly trading_enabled?: boolean;
            /** @description Deposit fee. */
            readonly deposit_fee?: string;
            /** @description Minimum deposit. */
            readonly min_deposit_amount?: string;
            /** @description Withdrawal fee. */
            readonly withdraw_fee?: string;
            /** @description Minimum withdrawal. */
            readonly min_withdraw_amount?: string;
            readonly min_confirmations?: number;
            /** @description Where its transactions are shown: an `http` or `https` URL, or empty. */
            readonly explorer_transaction?: string;
            /** @description Where its addresses are shown: an `http` or `https` URL, or empty. */
            readonly explorer_address?: string;
            /** @description Its icon: an `http` or `https` URL, or empty. */
            readonly icon_url?: string;
            /** @description Amount of this currency that a member may withdraw per 24 hours without an operator's approval; 0 lets nothing leave without it, and null is no limit. */
            readonly withdraw_limit_24h?: string | null;
            /** @description The same per 72 hours; not below that per 24 hours. */
            readonly withdraw_limit_72h?: string | null;
            /**
             * @description Network that a coin lives on, for wallets with rails to networks (`WALLET_RAIL`). What it is there can't be changed. `min_confirmations` is there at most what makes a block final.
             * @enum {string}
             */
            readonly network?: "ethereum" | "sepolia" | "anvil" | "anvil-second" | "bitcoin" | "bitcoin-testnet" | "bitcoin-testnet4" | "bitcoin-signet" | "bitcoin-regtest" | "litecoin" | "litecoin-testnet" | "litecoin-regtest" | "dogecoin-testnet" | "dogecoin-regtest" | "bitcoin-cash-testnet" | "bitcoin-cash-regtest";
            /** @description Address of a token's contract; absent for the network's own coin. */
            readonly contract?: string;
            /** @description Decimal places of a token's smallest unit, as its contract says: 6 for most dollars. The network's own coin has those of the network. */
            readonly network_digits?: number;
            /** @description How a coin's addresses have tags; absent if they have none. It can't be changed later, and such a coin lives on no `network`. */
            readonly tag?: {
                /**
                 * @description What its chain calls it; beneficiaries' `data` has a field of this name.
                 * @enum {string}
                 */
                readonly name: "destination_tag" | "memo" | "memo_id" | "comment";
                /**
                 * @description `number`: of 32 bits. `text`: 1 to 64 printable characters of ASCII.
                 * @enum {string}
                 */
                readonly kind: "number" | "text";
            };
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A currency, listed or not. */
        readonly AdminCurrency: {
            readonly id: string;
            readonly name?: string;
            readonly description: string | null;
            readonly homepage: string | null;
            /** @description Price of one coin in the platform currency. */
            readonly price: string;
            readonly explorer_transaction?: string;
            readonly explorer_address?: string;
            /** @enum {string} */
            readonly type: "coin" | "fiat";
            readonly deposit_enabled: boolean;
            readonly withdrawal_enabled: boolean;
            /** @description Deposit fee. */
            readonly deposit_fee: string;
            /** @description Minimum deposit. */
            readonly min_deposit_amount: string;
            /** @description Withdrawal fee. */
            readonly withdraw_fee: string;
            /** @description Minimum withdrawal. */
            readonly min_withdraw_amount: string;
            readonly withdraw_limit_24h: string | null;
            readonly withdraw_limit_72h: string | null;
            /** @description 10 to the power of `precision`. */
            readonly base_factor: number;
            /** Format: int64 */
            readonly precision: number;
            /** Format: int64 */
            readonly position: number;
            readonly icon_url?: string;
            /** Format: int64 */
            readonly min_confirmations?: number;
            /** @description Networks that a coin lives on, the first by default; none if no rail to one is to serve it. */
            readonly networks: readonly components["schemas"]["AdminCurrencyNetwork"][];
            readonly tag?: components["schemas"]["CurrencyTag"];
            /**
             * @description How txids and addresses are compared.
             * @enum {string}
             */
            readonly name_form: "common" | "cash" | "exact";
            readonly visible: boolean;
            /** @description Whether new orders are accepted on markets of this currency. */
            readonly trading_enabled: boolean;
            /** @description Market that the price follows; null if an operator sets it. */
            readonly price_market: string | null;
            /** @description What the operator should know of the currency. Withdrawal limits and the bound of adjustments count by its `price`. A market tells it by the price of its other currency. */
            readonly warnings: readonly {
                /**
                 * @description The `price` is more than 20 % from that of the market's last trade.
                 * @constant
                 */
                readonly warning: "admin.currency.far_price";
                /** @description Market id. */
                readonly market: string;
                /** @description Price of one coin in the platform currency by the market's last trade. */
                readonly market_price: string;
            }[];
        };
        /** @description A currency on a network, for operators. */
        readonly AdminCurrencyNetwork: {
            /** @description Name of the network. */
            readonly network: string;
            /** @description Address of a token's contract; null for the network's own coin. */
            readonly contract: string | null;
            readonly deposit_enabled: boolean;
            readonly withdrawal_enabled: boolean;
            /** @description Withdrawal fee on this network. */
            readonly withdraw_fee: string;
            /** Format: int64 */
            readonly min_confirmations: number;
            /**
             * Format: int64
             * @description Decimal places of its smallest unit on the network.
             */
            readonly network_digits: number;
            readonly hot_limit: string | null;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly CurrencyChanges: {
            readonly name?: string;
            readonly description?: string;
            /** @description The currency's page: an `http` or `https` URL, or empty. */
            readonly homepage?: string;
            /** @description Price of one coin in the platform currency; 0 for none, in which case withdrawals subject to a withdrawal limit wait for an operator. */
            readonly price?: string;
            readonly position?: number;
            /** @description Whether the currency is listed. While it is not, members get no address, beneficiary or withdrawal of it; holders still see it, and its markets keep trading. */
            readonly visible?: boolean;
            readonly deposit_enabled?: boolean;
            readonly withdrawal_enabled?: boolean;
            /** @description Whether new orders are accepted on markets of this currency. */
            readonly trading_enabled?: boolean;
            /** @description Deposit fee. */
            readonly deposit_fee?: string;
            /** @description Minimum deposit. */
            readonly min_deposit_amount?: string;
            /** @description Withdrawal fee. */
            readonly withdraw_fee?: string;
            /** @description Minimum withdrawal. */
            readonly min_withdraw_amount?: string;
            readonly min_confirmations?: number;
            /** @description Where its transactions are shown: an `http` or `https` URL, or empty. */
            readonly explorer_transaction?: string;
            /** @description Where its addresses are shown: an `http` or `https` URL, or empty. */
            readonly explorer_address?: string;
            /** @description Its icon: an `http` or `https` URL, or empty. */
            readonly icon_url?: string;
            /** @description Amount of this currency that a member may withdraw per 24 hours without an operator's approval; 0 lets nothing leave without it, and null is no limit. */
            readonly withdraw_limit_24h?: string | null;
            /** @description The same per 72 hours; not below that per 24 hours. */
            readonly withdraw_limit_72h?: string | null;
            /** @description Market that the `price` follows: once an hour it moves by up to 10 % towards the average price, by volume, of the last 24 hours. It has to trade the currency for one whose price is set by an operator. Null, the default, lets the price stay. */
            readonly price_market?: null;
            /** @description Decimal places of deposits and withdrawals. */
            readonly precision?: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A market to create. */
        readonly MarketInput: {
            /** @description Market id, of 2 to 32 lower-case letters and digits, with `_` or `-` between them. By default the two codes, one after the other; choose another where these are another market's already, as those of `pax`/`gusd` are of `paxg`/`usd`. */
            readonly id?: string;
            readonly base_unit: string;
            readonly quote_unit: string;
            /** @description Decimal places; price and amount together at most 10. */
            readonly price_precision: number;
            /** @description Decimal places; price and amount together at most 10. */
            readonly amount_precision: number;
            /** @description Minimum order price. */
            readonly min_price?: string;
            /** @description Maximum order price; 0 for none. */
            readonly max_price?: string;
            /** @description Minimum order volume. */
            readonly min_amount?: string;
            /** @description Minimum price × volume of an order; 0 for none. */
            readonly min_total?: string;
            /**
             * @description Market state.
             * @enum {string}
             */
            readonly state?: "enabled" | "cancel_only" | "halted" | "disabled";
            readonly position?: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A market, listed or not. */
        readonly AdminMarket: {
            readonly id: string;
            readonly name: string;
            readonly base_unit: string;
            readonly quote_unit: string;
            /** @description Minimum order price. */
            readonly min_price: string;
            /** @description Maximum order price; 0 for none. */
            readonly max_price: string;
            /** @description Minimum order volume. */
            readonly min_amount: string;
            /** @description Minimum price × volume of an order; 0 for none. */
            readonly min_total: string;
            /** Format: int64 */
            readonly amount_precision: number;
            /** Format: int64 */
            readonly price_precision: number;
            /** @enum {string} */
            readonly state: "enabled" | "cancel_only" | "halted" | "disabled";
            /** Format: int64 */
            readonly position: number;
            /** @description What the operator should know of the market. A member that withdraws a whole balance pays what is too small to leave as part of the fee. */
            readonly warnings: readonly {
                /**
                 * @description Trades move parts of the currency that are too small to be withdrawn.
                 * @constant
                 */
                readonly warning: "admin.market.dust";
                /** @description Currency code. */
                readonly currency: string;
                /**
                 * Format: int64
                 * @description Decimal places of what a trade moves.
                 */
                readonly digits: number;
                /**
                 * Format: int64
                 * @description Decimal places of the currency.
                 */
                readonly precision: number;
            }[];
        };
        /** @description Fields to change; all others stay as they are. */
        readonly MarketChanges: {
            /** @description Minimum order price. */
            readonly min_price?: string;
            /** @description Maximum order price; 0 for none. */
            readonly max_price?: string;
            /** @description Minimum order volume. */
            readonly min_amount?: string;
            /** @description Minimum price × volume of an order; 0 for none. */
            readonly min_total?: string;
            /**
             * @description Market state.
             * @enum {string}
             */
            readonly state?: "enabled" | "cancel_only" | "halted" | "disabled";
            readonly position?: number;
            /** @description Decimal places; price and amount together at most 10. */
            readonly price_precision?: number;
            /** @description Decimal places; price and amount together at most 10. */
            readonly amount_precision?: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A network to add to those that a currency lives on. */
        readonly CurrencyNetworkInput: {
            /**
             * @description Network that a coin lives on, for wallets with rails to networks (`WALLET_RAIL`). What it is there can't be changed. `min_confirmations` is there at most what makes a block final.
             * @enum {string}
             */
            readonly network: "ethereum" | "sepolia" | "anvil" | "anvil-second" | "bitcoin" | "bitcoin-testnet" | "bitcoin-testnet4" | "bitcoin-signet" | "bitcoin-regtest" | "litecoin" | "litecoin-testnet" | "litecoin-regtest" | "dogecoin-testnet" | "dogecoin-regtest" | "bitcoin-cash-testnet" | "bitcoin-cash-regtest";
            /** @description Address of a token's contract; absent for the network's own coin. */
            readonly contract?: string;
            /** @description Decimal places of a token's smallest unit, as its contract says: 6 for most dollars. The network's own coin has those of the network. */
            readonly network_digits?: number;
            /** @description The most that the wallet keeps ready for payouts on the network: what is beyond it goes to the network's cold address (`WALLET_COLD`). Null, the default, is any amount. */
            readonly hot_limit?: string | null;
            /** @description Whether deposits are open on the network while they are for the currency. */
            readonly deposit_enabled?: boolean;
            /** @description Whether withdrawals are open on the network while they are for the currency. */
            readonly withdrawal_enabled?: boolean;
            /** @description Withdrawal fee on the network; null, the default, for the currency's own. */
            readonly withdraw_fee?: string | null;
            /** @description Confirmations that a deposit needs there; null, the default, for as many as the currency says. */
            readonly min_confirmations?: number | null;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description Terms to change; all others stay as they are. */
        readonly CurrencyNetworkChanges: {
            /** @description The most that the wallet keeps ready for payouts on the network: what is beyond it goes to the network's cold address (`WALLET_COLD`). Null, the default, is any amount. */
            readonly hot_limit?: string | null;
            /** @description Whether deposits are open on the network while they are for the currency. */
            readonly deposit_enabled?: boolean;
            /** @description Whether withdrawals are open on the network while they are for the currency. */
            readonly withdrawal_enabled?: boolean;
            /** @description Withdrawal fee on the network; null, the default, for the currency's own. */
            readonly withdraw_fee?: string | null;
            /** @description Confirmations that a deposit needs there; null, the default, for as many as the currency says. */
            readonly min_confirmations?: number | null;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description Which open orders to cancel; both fields are optional. */
        readonly SweepFilter: {
            /** @description Market id. */
            readonly market?: string;
            /**
             * @description Side of the order.
             * @enum {string}
             */
            readonly side?: "buy" | "sell";
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description Orders cancelled by an operator. */
        readonly OrdersCancelled: {
            /**
             * Format: int64
             * @description Number of orders that the call cancelled.
             */
            readonly cancelled: number;
        };
        /** @description An adjustment to make. */
        readonly AdjustmentInput: {
            readonly uid: string;
            readonly currency: string;
            /** @description Positive to credit the member, negative to debit. */
            readonly amount: string;
            /** @description Reason, kept in the audit trail. */
            readonly reason: string;
            /** @description Your own name for this call, never used for another. Sent again with it and the same fields, the call is answered as the first time and nothing happens, however much later. */
            readonly idempotency_key?: string;
        };
        /** @description An adjustment of a member's balance. */
        readonly Adjustment: {
            /** Format: int64 */
            readonly id: number;
            readonly uid: string;
            readonly currency: string;
            /** @description Amount credited or debited. */
            readonly amount: string;
            /** @description The member's balance after the adjustment. */
            readonly balance: string;
            readonly reason: string;
        };
        /** @description A row of the fee table. */
        readonly TradingFeeInput: {
            /** @description Market id, or `any`. Default `any`. */
            readonly market_id?: string;
            /** @description Member group, or `any`. Default `any`. */
            readonly group?: string;
            /** @description Fee rate of the maker, at most 0.5. */
            readonly maker: string;
            /** @description Fee rate of the taker, at most 0.5. */
            readonly taker: string;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description Reason for an act. */
        readonly ActReason: {
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description The venue's income from fees in one currency. */
        readonly FeeIncome: {
            /** @description Currency code. */
            readonly currency: string;
            /** @description All fees paid in it so far. */
            readonly amount: string;
        };
        /** @description Minimum member levels. */
        readonly MemberLevelsInput: {
            /** @description Minimum member level. */
            readonly deposit: number;
            /** @description Minimum member level. */
            readonly withdraw: number;
            /** @description Minimum member level. */
            readonly trading: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A deposit of any member. */
        readonly AdminDeposit: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Amount credited to the member: the amount received less the fee. */
            readonly amount: string;
            /** @description Deposit fee. */
            readonly fee: string;
            /** @description Transaction id; null if there is none. */
            readonly txid: string | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /** @enum {string} */
            readonly state: "submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding";
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /**
             * Format: date-time
             * @description Time when the deposit was first seen.
             */
            readonly created_at: string;
            readonly completed_at: string | null;
            /** @description Public id of the deposit. */
            readonly tid: string;
            /** @description What this deposit takes back; null for all others. */
            readonly reverses: components["schemas"]["Reversed"] | null;
            /** @description Uid of the member. */
            readonly uid: string;
            /** @description Amount received, including the fee. */
            readonly received: string;
            /** @description Index of the output in its transaction; null if the operator gave none. */
            readonly output: number | null;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
        };
        /** @description A deposit to enter. */
        readonly DepositInput: {
            readonly uid: string;
            /** @description Currency code. */
            readonly currency: string;
            /** @description One of the currency's networks; its first by default. Required with a `txid` where there are several, as each has its own transactions. */
            readonly network?: string;
            /** @description Amount received, including the fee. */
            readonly amount: string;
            /** @description Transaction id; a transfer with the same id cannot be entered twice. */
            readonly txid?: string;
            /**
             * Format: int64
             * @description Index of the output in its transaction, if several of its outputs are deposits; requires `txid`. If absent, the transaction is one deposit.
             */
            readonly output?: number;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
            /** @description Your own name for this call, never used for another. Sent again with it and the same fields, the call is answered as the first time and nothing happens, however much later. */
            readonly idempotency_key?: string;
        };
        /** @description How the payment of a withdrawal came back. */
        readonly WithdrawReturn: {
            /** @description Transfer by which the payment came back. */
            readonly txid?: string;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
            /** @description Your own name for this call, never used for another. Sent again with it and the same fields, the call is answered as the first time and nothing happens, however much later. */
            readonly idempotency_key?: string;
        };
        /** @description A withdrawal of any member. */
        readonly AdminWithdraw: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @enum {string} */
            readonly type: "fiat" | "coin";
            /** @description Requested amount, including the fee. */
            readonly amount: string;
            /** @description Withdrawal fee, deducted from the amount. */
            readonly fee: string;
            /** @description Transaction id; null until the withdrawal is sent. */
            readonly blockchain_txid: string | null;
            /** @description Destination: an address, with its tag if it has one (`address destination_tag=7`), or the name of a bank beneficiary. Empty in the answer to a change by a process that can't open it. */
            readonly rid: string;
            /** @enum {string} */
            readonly state: "prepared" | "accepted" | "skipped" | "to_reject" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming" | "under_review";
            /** @description What an `accepted` withdrawal waits for: the operator's approval, or to be paid; null in all other states. */
            readonly waits_for: ("approval" | "payout") | null;
            /** @description Why it waits for approval: it is above a limit of its currency or of its member, its currency has no price to compare with the member's limit, it goes to a bank, or it was approved and then its member locked or its beneficiary disabled. Null if it does not wait, or was requested before reasons were kept. */
            readonly approval_reason: ("currency_limit" | "member_limit" | "no_price" | "fiat" | "member_locked" | "beneficiary_disabled") | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /** @description The member's note. */
            readonly note: string | null;
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /**
             * Format: date-time
             * @description Time of the request.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            readonly done_at: string | null;
            /** @description Uid of the member. */
            readonly uid: string;
            /**
             * @description State of the member: look before you pay one that is `locked` or `banned`.
             * @enum {string}
             */
            readonly member_state: "pending" | "active" | "locked" | "banned";
            /** Format: int64 */
            readonly beneficiary_id: number;
            /**
             * @description `archived` if the member has deleted it, `disabled` if an operator has.
             * @enum {string}
             */
            readonly beneficiary_state: "pending" | "active" | "archived" | "disabled";
            /** @description Whether the withdrawal is within the limits or approved by an operator. */
            readonly is_approved: boolean;
            /** @description What it waits for: `approval`, `payment_by_hand`, which an operator makes and then reports as succeeded, its `rail`, a `decision` of an operator since its payout is parked or its beneficiary disabled, or the end of a `hold`: its member is locked, or withdrawals, or those of its currency, are stopped. Null if it has ended. */
            readonly waiting_for: ("approval" | "payment_by_hand" | "rail" | "decision" | "hold") | null;
            /** @description Whether the coin is paid by hand, since the venue had no rail for it, if only for a while, after it was requested: none pays it unless an operator hands it over. */
            readonly is_by_hand: boolean;
            /**
             * Format: int64
             * @description Number of times a process has claimed the payout.
             */
            readonly claims: number;
        };
        /** @description A withdrawal of any member, with where it goes. */
        readonly AdminWithdrawDetail: {
            /** Format: int64 */
            readonly id: number;
            /** @description Currency code. */
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @enum {string} */
            readonly type: "fiat" | "coin";
            /** @description Requested amount, including the fee. */
            readonly amount: string;
            /** @description Withdrawal fee, deducted from the amount. */
            readonly fee: string;
            /** @description Transaction id; null until the withdrawal is sent. */
            readonly blockchain_txid: string | null;
            /** @description Destination: an address, with its tag if it has one (`address destination_tag=7`), or the name of a bank beneficiary. Empty in the answer to a change by a process that can't open it. */
            readonly rid: string;
            /** @enum {string} */
            readonly state: "prepared" | "accepted" | "skipped" | "to_reject" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming" | "under_review";
            /** @description What an `accepted` withdrawal waits for: the operator's approval, or to be paid; null in all other states. */
            readonly waits_for: ("approval" | "payout") | null;
            /** @description Why it waits for approval: it is above a limit of its currency or of its member, its currency has no price to compare with the member's limit, it goes to a bank, or it was approved and then its member locked or its beneficiary disabled. Null if it does not wait, or was requested before reasons were kept. */
            readonly approval_reason: ("currency_limit" | "member_limit" | "no_price" | "fiat" | "member_locked" | "beneficiary_disabled") | null;
            /**
             * Format: int64
             * @description Number of confirmations on the chain; coins only.
             */
            readonly confirmations?: number;
            /** @description The member's note. */
            readonly note: string | null;
            /** @enum {string} */
            readonly transfer_type: "fiat" | "crypto";
            /**
             * Format: date-time
             * @description Time of the request.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            readonly done_at: string | null;
            /** @description Uid of the member. */
            readonly uid: string;
            /**
             * @description State of the member: look before you pay one that is `locked` or `banned`.
             * @enum {string}
             */
            readonly member_state: "pending" | "active" | "locked" | "banned";
            /** Format: int64 */
            readonly beneficiary_id: number;
            /**
             * @description `archived` if the member has deleted it, `disabled` if an operator has.
             * @enum {string}
             */
            readonly beneficiary_state: "pending" | "active" | "archived" | "disabled";
            /** @description Whether the withdrawal is within the limits or approved by an operator. */
            readonly is_approved: boolean;
            /** @description What it waits for: `approval`, `payment_by_hand`, which an operator makes and then reports as succeeded, its `rail`, a `decision` of an operator since its payout is parked or its beneficiary disabled, or the end of a `hold`: its member is locked, or withdrawals, or those of its currency, are stopped. Null if it has ended. */
            readonly waiting_for: ("approval" | "payment_by_hand" | "rail" | "decision" | "hold") | null;
            /** @description Whether the coin is paid by hand, since the venue had no rail for it, if only for a while, after it was requested: none pays it unless an operator hands it over. */
            readonly is_by_hand: boolean;
            /**
             * Format: int64
             * @description Number of times a process has claimed the payout.
             */
            readonly claims: number;
            /** @description Where it goes; null, with an empty `rid`, if the store does not have that as it was entered. */
            readonly beneficiary: components["schemas"]["AdminBeneficiary"] | null;
        };
        /** @description A destination of withdrawals, unmasked. */
        readonly AdminBeneficiary: {
            /** Format: int64 */
            readonly id: number;
            /** @description The member's name for it. */
            readonly name: string;
            /**
             * @description `archived` if the member has deleted it, `disabled` if an operator has.
             * @enum {string}
             */
            readonly state: "pending" | "active" | "archived" | "disabled";
            /** @description What the member entered, with the whole account number. */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        /** @description How a withdrawal was paid. */
        readonly WithdrawSuccess: {
            /** @description Transaction that paid the withdrawal, if the rail did not report it. */
            readonly txid?: string;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
            /** @description Your own name for this call, never used for another. Sent again with it and the same fields, the call is answered as the first time and nothing happens, however much later. */
            readonly idempotency_key?: string;
        };
        /** @description A row of the withdrawal limit table. */
        readonly WithdrawLimitInput: {
            /** @description Member level, as text or number; `any` by default. */
            readonly kyc_level?: string;
            /** @description Alias of `kyc_level`; refused if both are given and differ. */
            readonly level?: string;
            /** @description Member group, or `any`. Default `any`. */
            readonly group?: string;
            /** @description Limit per 24 hours, in the platform currency; 0 lets nothing leave without an operator, and null is no limit. */
            readonly limit_24_hour: string | null;
            /** @description Limit since the same time one month ago (counted as in `last_1_month` of the withdrawal sums), in the platform currency. Not below that per 24 hours; 0 lets nothing leave without an operator, and null is no limit. */
            readonly limit_1_month: string | null;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description Venue-wide switches; `false` means stopped. */
        readonly Switches: {
            /** @description Whether new orders are accepted. */
            readonly trading: boolean;
            /** @description Whether new withdrawals are accepted and payouts sent. */
            readonly withdrawals: boolean;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly SwitchChanges: {
            /** @description Whether new orders are accepted; cancels always are. */
            readonly trading?: boolean;
            /** @description Whether new withdrawals are accepted and payouts sent. */
            readonly withdrawals?: boolean;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description The groups and levels that members may have. */
        readonly MemberClasses: {
            /** @description Groups besides `any`. */
            readonly groups: readonly string[];
            /**
             * Format: int64
             * @description Levels go from 0 to this one.
             */
            readonly level_max: number;
        };
        /** @description Groups and levels to define. */
        readonly MemberClassesInput: {
            /** @description Names of groups; `any` is always one. */
            readonly groups: readonly string[];
            /** @description The highest level; the lowest is 0. */
            readonly level_max: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description Settings of the whole venue, which all its processes obey. */
        readonly VenueSettings: {
            /** @description How far a call's nonce may be from the venue's time. A narrower one counts at once, a wider one at each process from its next start on. */
            readonly nonce_window_ms: number;
            /**
             * @description Which signed calls need a body signature: none, those of operators' keys and of keys that may withdraw, or all.
             * @enum {string}
             */
            readonly body_signatures: "off" | "withdraw" | "all";
            /** @description The most orders in one bulk call, unless the member has its own limit. */
            readonly orders_per_bulk_max: number;
            /** @description The most open orders of a member on a market, unless it has its own limit. */
            readonly open_orders_max: number;
            /** @description The most orders of a member that may end without a trade on a day, unless it has its own limit; or `off`. */
            readonly untraded_orders_max: string;
            /** @description How far from a market's last price an order may trade to its member's harm, in percent with up to 2 decimals; or `off`. */
            readonly price_band: string;
            /**
             * @description Whether members' keys that may withdraw need a list of addresses.
             * @enum {string}
             */
            readonly withdraw_ip_lists: "optional" | "required";
            /** @description The most that one adjustment may be worth, in the platform currency; or `off`. */
            readonly adjustment_max: string;
            /**
             * @description How coins come in and go out. Another rail counts at each process from its next start on. Without one nothing is paid from now on but by hand: what was approved and not paid is left to that, also if a rail comes back, unless it is handed over.
             * @enum {string}
             */
            readonly wallet_rail: "none" | "sandbox" | "networks";
            /** @description Currencies in which profit and loss is shown. One that is no longer named is kept on, unseen, as one of the last 8 that were, and is whole when it is named again. */
            readonly pnl_currencies: readonly string[];
            /** @description How long a new beneficiary has to wait for its first withdrawal. */
            readonly beneficiary_hold_hours: number;
            /** @description How long a beneficiary has to wait after a change of password or second factor, unless it is twice as old as that. */
            readonly credential_hold_hours: number;
            /** @description How long a person stays signed in. */
            readonly session_hours: number;
            /** @description How long a person stays signed in without making a call. */
            readonly session_idle_minutes: number;
        };
        /** @description Fields to change; all others stay as they are. */
        readonly SettingChanges: {
            /** @description How far a call's nonce may be from the venue's time. A narrower one counts at once, a wider one at each process from its next start on. */
            readonly nonce_window_ms?: number;
            /**
             * @description Which signed calls need a body signature: none, those of operators' keys and of keys that may withdraw, or all.
             * @enum {string}
             */
            readonly body_signatures?: "off" | "withdraw" | "all";
            /** @description The most orders in one bulk call, unless the member has its own limit. */
            readonly orders_per_bulk_max?: number;
            /** @description The most open orders of a member on a market, unless it has its own limit. */
            readonly open_orders_max?: number;
            /** @description The most orders of a member that may end without a trade on a day, unless it has its own limit; or `off`. */
            readonly untraded_orders_max?: string;
            /** @description How far from a market's last price an order may trade to its member's harm, in percent with up to 2 decimals; or `off`. */
            readonly price_band?: string;
            /**
             * @description Whether members' keys that may withdraw need a list of addresses.
             * @enum {string}
             */
            readonly withdraw_ip_lists?: "optional" | "required";
            /** @description The most that one adjustment may be worth, in the platform currency; or `off`. */
            readonly adjustment_max?: string;
            /**
             * @description How coins come in and go out. Another rail counts at each process from its next start on. Without one nothing is paid from now on but by hand: what was approved and not paid is left to that, also if a rail comes back, unless it is handed over.
             * @enum {string}
             */
            readonly wallet_rail?: "none" | "sandbox" | "networks";
            /** @description Currencies in which profit and loss is shown. One that is no longer named is kept on, unseen, as one of the last 8 that were, and is whole when it is named again. */
            readonly pnl_currencies?: readonly string[];
            /** @description How long a new beneficiary has to wait for its first withdrawal. */
            readonly beneficiary_hold_hours?: number;
            /** @description How long a beneficiary has to wait after a change of password or second factor, unless it is twice as old as that. */
            readonly credential_hold_hours?: number;
            /** @description How long a person stays signed in. */
            readonly session_hours?: number;
            /** @description How long a person stays signed in without making a call. */
            readonly session_idle_minutes?: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description An act of an operator. The log numbers acts; if only the log knows of one, only its number is shown. */
        readonly Act: {
            /**
             * Format: int64
             * @description Number of the act; numbers have no gaps.
             */
            readonly id: number;
            /** @description The operator; null if a command of the venue acted. */
            readonly uid: string | null;
            /** @description Email address that the operator has now; null if there is none. */
            readonly email: string | null;
            /** @description Access key that signed the request; null if the operator acted in a session. */
            readonly kid: string | null;
            /** @description Operation id of the request; `addOperatorKey` or `restoreVenue` of a command. */
            readonly action: string | null;
            /** @description Path parameters. */
            readonly target: {
                readonly [key: string]: string;
            };
            /** @description Body fields, without secrets and personal data. */
            readonly changes: {
                readonly [key: string]: unknown;
            };
            /** @description The member that it touched. */
            readonly member: string | null;
            /** @description Id of what it made. */
            readonly made: string | null;
            /** @description The fields that it changed, as they were; null if it made something. */
            readonly before: {
                readonly [key: string]: unknown;
            } | null;
            /** @description The same fields as they are since; null if it made something. */
            readonly after: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Reason given; null if none. */
            readonly reason: string | null;
            /** @description Present if it took two operators. */
            readonly approval: {
                /**
                 * Format: int64
                 * @description Number of the act that asked for it.
                 */
                readonly id: number;
                /**
                 * @description Whether this act asked for it, had it happen, or refused it.
                 * @enum {string}
                 */
                readonly state: "pending" | "approved" | "refused";
                /** @description Operation id of what was asked for. */
                readonly action: string;
                /** @description Its body fields. */
                readonly changes: {
                    readonly [key: string]: unknown;
                };
                /** @description Reason given for it; null if none. */
                readonly reason: string | null;
                /** @description Who asked for it. */
                readonly first: {
                    readonly uid: string;
                    readonly kid: string | null;
                };
            } | null;
            readonly at: string | null;
        };
        /** @description A deposit, payout or network that needs the operator's attention. */
        readonly WalletNotice: {
            /**
             * @description `deposit_lost`: the transaction of a credited deposit is gone. `deposit_returned`: the transaction of a deposit that was given up or `reversed` is there after all: enter it again if its member is to be credited; or of one that was told to be `lost`, or of another amount, and stands: don't reverse it. `deposit_refused`: the venue cannot record the deposit. `deposit_untagged`: coins came to the address that all members share, without a tag (`no_tag`) or with nobody's (`unknown_tag`): find out whose they are, and enter the deposit. `deposit_mismatched`: the deposit was entered, or credited by a block that is gone, with an amount or member that differs from the chain, or entered as a whole although several outputs pay. `payout_waits`: the payout can't be made yet and is tried again; the `reason` says why now, and what to do. `payout_parked`: it is unknown whether the payout was sent. `payout_missing`: the payout was sent but cannot be found, never arrives or may not: the `reason` says what to do. `payout_returned`: a payout that was told to be missing was mined after all: if its amount was given back or paid by hand, take that back. `payout_unbooked`: the payout was sent, but its withdrawal has ended otherwise. `network_reorganised`: blocks of the network were replaced below what has been credited, and nothing of it is read or paid until an operator says where to go on. `network_mistaken`: the node is of another network. `moved_to_cold`: what the wallet had beyond a coin's limit goes to the cold address.
             * @enum {string}
             */
            readonly kind: "deposit_lost" | "deposit_returned" | "deposit_refused" | "deposit_untagged" | "deposit_mismatched" | "payout_waits" | "payout_parked" | "payout_missing" | "payout_returned" | "payout_unbooked" | "network_reorganised" | "network_mistaken" | "moved_to_cold";
            /** @description Null if it is about a network. */
            readonly currency: string | null;
            /** @description The network that it is about; null where the currency lives on none. */
            readonly network: string | null;
            /** @description Id of the deposit or withdrawal. */
            readonly id: number | null;
            readonly txid: string | null;
            readonly reason: string;
            /**
             * Format: date-time
             * @description Time when it was noticed.
             */
            readonly created_at: string;
        };
        /** @description A payment to make on the sandbox chain. */
        readonly SandboxDepositInput: {
            /** @description Uid of the member to pay. */
            readonly uid: string;
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description One of the currency's networks; its first by default. */
            readonly network?: string;
            /** @description Amount in coins. */
            readonly amount: string;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description A payment on the sandbox chain. */
        readonly SandboxDeposit: {
            readonly uid: string;
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** @description Amount paid. */
            readonly amount: string;
            /** @description Address paid to. */
            readonly address: string;
            /** @description The member's tag at it; absent for a currency without a `tag`. */
            readonly tag?: string;
            /** @description Transaction id. */
            readonly txid: string;
        };
        /** @description Blocks to drop. */
        readonly ReorganisationInput: {
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description One of the currency's networks; its first by default. */
            readonly network?: string;
            /** @description Number of blocks to drop from the end of the chain. Default `120`. */
            readonly blocks?: number;
            /**
             * @description What happens to the transactions of these blocks. `drop`: they are gone for good. `replay`: the next block contains them. Default `drop`.
             * @enum {string}
             */
            readonly transactions?: "drop" | "replay";
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description The blocks that were dropped. */
        readonly Reorganised: {
            readonly currency: string;
            /** @description Network that it goes by; absent where the currency lives on none. */
            readonly network?: string;
            /** Format: int64 */
            readonly blocks: number;
            /** @description Transactions of the dropped blocks. */
            readonly txids: readonly string[];
        };
        /** @description How payouts in the sandbox end. */
        readonly PayoutRule: {
            /** @description Currency code, case-insensitive. */
            readonly currency: string;
            /** @description Only payouts to this address; `*` for all without a rule of their own. Default `*`. */
            readonly address?: string;
            /**
             * @description `confirm`: they arrive. `refuse`: they are not sent. `fail`: they are sent but have no effect. `lose_answer`: they are sent, but the response is lost. `lose_request`: they are lost on the way. `hide`: they are sent, the response is lost, and no look-up finds them until the rule changes.
             * @enum {string}
             */
            readonly outcome: "confirm" | "refuse" | "fail" | "lose_answer" | "lose_request" | "hide";
            /** @description Number of payouts the rule applies to; 0 for all. `hide` always applies to all. Default `0`. */
            readonly times?: number;
            /** @description Reason, kept in the audit trail. */
            readonly reason?: string;
        };
        /** @description How payouts in the sandbox end from now on. */
        readonly PayoutRuleSet: {
            readonly currency: string;
            readonly address: string;
            /** @enum {string} */
            readonly outcome: "confirm" | "refuse" | "fail" | "lose_answer" | "lose_request" | "hide";
            /** Format: int64 */
            readonly times: number;
        };
        /** @description What chains hold of a currency, and what members have. */
        readonly Wallet: {
            /** @description Currency code. */
            readonly currency: string;
            readonly networks: readonly {
                readonly network: string;
                /** @description The wallet's own address, to which coins for payouts and their fees are paid; null without a node. */
                readonly address: string | null;
                /** @description Where what is over the hot limit goes, as this process has it; null without one. */
                readonly cold_address: string | null;
                /** @description Height of the block as of which it is told. */
                readonly height: number | null;
                /** @description Why the network tells nothing now. `no_node`: this process has no node of it, or no process with `WALLET_SEED` has begun it yet. `other_coin`: its contract is none, or has other digits than the currency says. */
                readonly fault: ("unreachable" | "other_network" | "behind" | "reorganised" | "contradicting" | "no_node" | "other_coin") | null;
                /** @description What payouts can be made of. */
                readonly hot: string | null;
                /** @description What is at members' addresses and was not moved yet; on networks of Bitcoin's family, where that pays as soon as it is final and then is `hot`, what is not final yet. */
                readonly deposits: string | null;
                /** @description What is at the cold address; null also if there is none. */
                readonly cold: string | null;
                /** @description What one payout costs now, in the network's own coin; null while the network has a `fault`, or its node does not tell. */
                readonly fee: string | null;
                /** @description What members have paid that is too small for the ledger, a part of the `difference`; null while the network has a `fault`, or it can't be told. */
                readonly rests: string | null;
            }[];
            /** @description What all of them hold; null while one of them has a `fault`. */
            readonly chain: string | null;
            /** @description What is on its way; null if it can't be told. */
            readonly in_flight: {
                /** @description In a block, and not credited yet. */
                readonly deposits: string;
                /** @description Withdrawals that a block has paid, locked in the ledger yet. */
                readonly paid: string;
                /** @description Payouts that no block holds yet. */
                readonly sent: string;
            } | null;
            /** @description What members can use. */
            readonly free: string;
            /** @description What orders, deposits and withdrawals of members hold. */
            readonly locked: string;
            /** @description What the venue has earned; it owes that to nobody. */
            readonly fees: string;
            /** @description `chain` without `in_flight.deposits`, with `in_flight.paid`, and without `free` and `locked`: below zero the venue owes more than it has. Null while `chain` or `in_flight` is. */
            readonly difference: string | null;
        };
        /** @description Where a network is to be read from. */
        readonly NetworkResumption: {
            /**
             * Format: int64
             * @description Height of a block of the present chain: those above it are read again.
             */
            readonly from_height: number;
            /** @description Reason, kept in the audit trail, and shown to the member. */
            readonly reason: string;
        };
        /** @description Where a network is read from now. */
        readonly ResumedNetwork: {
            readonly network: string;
            /** Format: int64 */
            readonly from_height: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly createOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrderInput"];
            };
        };
        readonly responses: {
            /** @description The order, submitted and awaiting processing; with `response: "result"` what has become of it. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedOrder"];
                };
            };
        };
    };
    readonly cancelOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Order id, uuid, or `client:` followed by your own id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The order in its current state. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    readonly cancelOrders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelFilter"];
            };
        };
        readonly responses: {
            /** @description The cancelled orders. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Order"][];
                };
            };
        };
    };
    readonly createOrders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["OrderInput"][];
            };
        };
        readonly responses: {
            /** @description The orders, in the order of the request. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CreatedOrder"][];
                };
            };
        };
    };
    readonly cancelOrdersByUuid: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly string[];
            };
        };
        readonly responses: {
            /** @description Submitted. Orders that are unknown, not yours, ended or on a halted market are skipped. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": "orders.cancel.accepted";
                };
            };
        };
    };
    readonly cancelOrdersById: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly number[];
            };
        };
        readonly responses: {
            /** @description Submitted. Orders that are unknown, not yours, ended or on a halted market are skipped. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": "orders.cancel.accepted";
                };
            };
        };
    };
    readonly cancelAllAfter: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Seconds from now, with up to three decimals: 1 to 86400; 0 clears the timer. */
                    readonly timeout: string;
                };
            };
        };
        readonly responses: {
            /** @description The timer after the request. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CancelTimer"];
                };
            };
        };
    };
    readonly listOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description One or more market ids. */
                readonly market?: string;
                /** @description Only markets with this base currency. */
                readonly base_unit?: string;
                /** @description Only markets with this quote currency. */
                readonly quote_unit?: string;
                /** @description One or more states. */
                readonly state?: readonly ("pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait")[];
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description One or more order types. */
                readonly ord_type?: readonly ("limit" | "market" | "post_only" | "stop" | "stop_limit")[];
                /** @description Side of the order. */
                readonly type?: "buy" | "sell";
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Orders by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Order"][];
                };
            };
        };
    };
    readonly readOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Order id, uuid, or `client:` followed by your own id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The order. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrderWithTrades"];
                };
            };
        };
    };
    readonly listTrades: {
        readonly parameters: {
            readonly query?: {
                /** @description One or more market ids. */
                readonly market?: string;
                /** @description Side of the member. */
                readonly type?: "buy" | "sell";
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Trades, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Trade"][];
                };
            };
        };
    };
    readonly readBalance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly currency: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The balance; zeros if you never had any. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    readonly listBalances: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Whether to omit zero balances. */
                readonly nonzero?: boolean;
                /** @description The searches below as one JSON object. */
                readonly search?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[currency_code]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[currency_name]"?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Balances: first those that are not zero, then the others, each by position of the currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Account"][];
                };
            };
        };
    };
    readonly readOwnFees: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rates, by market. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OwnFees"];
                };
            };
        };
    };
    readonly readPnl: {
        readonly parameters: {
            readonly query?: {
                /** @description Only rows valued in this currency; case-insensitive. */
                readonly pnl_currency?: string;
                /** @description Number of items per page; if absent, all rows are returned as one page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One row for each currency that you ever had and each currency it is valued in. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Pnl"][];
                };
            };
        };
    };
    readonly listTransactions: {
        readonly parameters: {
            readonly query?: {
                /** @description Currency code, case-insensitive. */
                readonly currency?: string;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Only deposits in these states; withdrawals are listed regardless. */
                readonly deposit_state?: readonly ("submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding")[];
                /** @description Only withdrawals in these states; deposits are listed regardless. */
                readonly withdraw_state?: readonly ("prepared" | "accepted" | "skipped" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming")[];
                /** @description Only records with this transaction. */
                readonly txid?: string;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous answer, to a call with the same `order_by` and filters. Beside it there is no `page` but the first. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deposits and withdrawals. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Transaction"][];
                };
            };
        };
    };
    readonly sendTradeStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this market. */
                readonly market?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly sendOrderStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this market. */
                readonly market?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly sendTransactionStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly readAccountStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of movements. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The statement. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountStatement"];
                };
            };
        };
    };
    readonly sendAccountStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly readMemberStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of movements. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The statement. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountStatement"];
                };
            };
        };
    };
    readonly exportMemberStatement: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly readLedger: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of movements. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Lines of the ledger. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerLine"][];
                };
            };
        };
    };
    readonly sendLedger: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly readMemberLedger: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of movements. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Lines of the ledger. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerLine"][];
                };
            };
        };
    };
    readonly exportMemberLedger: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly listAdjustments: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Adjustments by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["MemberAdjustment"][];
                };
            };
        };
    };
    readonly listMemberAdjustments: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Adjustments by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["MemberAdjustment"][];
                };
            };
        };
    };
    readonly readDepositAddress: {
        readonly parameters: {
            readonly query?: {
                /** @description One of the currency's networks; its first by default. */
                readonly network?: string;
                /** @description Form of the address. Every coin has `legacy`; `cash` is CashAddr, with its prefix, for coins whose addresses have that form too. */
                readonly address_format?: "legacy" | "cash";
            };
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly currency: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The address, in the shape of a deposit. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DepositAddress"];
                };
            };
        };
    };
    readonly readDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Transaction id. */
                readonly txid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The deposit. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Deposit"];
                };
            };
        };
    };
    readonly listDeposits: {
        readonly parameters: {
            readonly query?: {
                /** @description Currency code, case-insensitive. */
                readonly currency?: string;
                /** @description One or more states. */
                readonly state?: readonly ("submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding")[];
                /** @description Only deposits with this transaction. */
                readonly txid?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deposits by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Deposit"][];
                };
            };
        };
    };
    readonly listBeneficiaries: {
        readonly parameters: {
            readonly query?: {
                /** @description Currency code, case-insensitive. */
                readonly currency?: string;
                /** @description One or more states: `pending` until confirmed by the pin. */
                readonly state?: readonly ("pending" | "active")[];
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Beneficiaries, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Beneficiary"][];
                };
            };
        };
    };
    readonly createBeneficiary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BeneficiaryInput"];
            };
        };
        readonly responses: {
            /** @description The beneficiary. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Beneficiary"];
                };
            };
        };
    };
    readonly readBeneficiary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Beneficiary id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The beneficiary. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Beneficiary"];
                };
            };
        };
    };
    readonly deleteBeneficiary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Beneficiary id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The beneficiary is deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly activateBeneficiary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Beneficiary id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Activation"];
            };
        };
        readonly responses: {
            /** @description The active beneficiary. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Beneficiary"];
                };
            };
        };
    };
    readonly resendPin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Beneficiary id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The beneficiary. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Beneficiary"];
                };
            };
        };
    };
    readonly listWithdraws: {
        readonly parameters: {
            readonly query?: {
                /** @description Currency code, case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description One or more states. */
                readonly state?: readonly ("prepared" | "accepted" | "skipped" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming")[];
                /** @description Only withdrawals to this destination, as `rid` has it. */
                readonly rid?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Withdrawals by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Withdraw"][];
                };
            };
        };
    };
    readonly createWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WithdrawInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal, with its amount locked. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    readonly readWithdrawSums: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The totals. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WithdrawSums"];
                };
            };
        };
    };
    readonly readWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    readonly cancelWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The withdrawal, `canceled`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Withdraw"];
                };
            };
        };
    };
    readonly readIdentitySettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The settings. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IdentitySettings"];
                };
            };
        };
    };
    readonly measurePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordInput"];
            };
        };
        readonly responses: {
            /** @description The password's strength. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasswordStrength"];
                };
            };
        };
    };
    readonly signUp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserInput"];
            };
        };
        readonly responses: {
            /** @description The member that it is going to be. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly sendEmailCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CodeRequest"];
            };
        };
        readonly responses: {
            /** @description An empty object, whether or not the address belongs to a member. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly confirmEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmailConfirmation"];
            };
        };
        readonly responses: {
            /** @description The member, now active. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly sendResetCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CodeRequest"];
            };
        };
        readonly responses: {
            /** @description An empty object, whether or not the address belongs to a member. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly resetPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordReset"];
            };
        };
        readonly responses: {
            /** @description An empty object. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly signIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SessionInput"];
            };
        };
        readonly responses: {
            /** @description The member; the session cookie is set. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserInSession"];
                };
            };
        };
    };
    readonly signOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The session has ended; the cookie is removed. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Open sessions, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Session"][];
                };
            };
        };
    };
    readonly endOtherSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The number of sessions ended. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionsEnded"];
                };
            };
        };
    };
    readonly confirmSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OtpCode"];
            };
        };
        readonly responses: {
            /** @description Until when the code is fresh. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConfirmedSession"];
                };
            };
        };
    };
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Session id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The session has ended. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly readMe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The member, and in a session its `csrf_token`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    readonly listOwnActs: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Acts, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OwnAct"][];
                };
            };
        };
    };
    readonly changePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordChange"];
            };
        };
        readonly responses: {
            /** @description An empty object. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly sendOwnerCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An empty object. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly listActivity: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Topic of the events, or `all`. */
                readonly topic: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Activity"][];
                };
            };
        };
    };
    readonly generateOtpSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The secret, also as a QR code. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OtpSecret"];
                };
            };
        };
    };
    readonly enableOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FirstOtpCode"];
            };
        };
        readonly responses: {
            /** @description Recovery codes, shown only once. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OtpRecovery"];
                };
            };
        };
    };
    readonly disableOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OtpOrRecoveryCode"];
            };
        };
        readonly responses: {
            /** @description An empty object. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly verifyOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OtpCode"];
            };
        };
        readonly responses: {
            /** @description An empty object. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly listOwnApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description API keys that are not deleted, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OwnApiKey"][];
                };
            };
        };
    };
    readonly createOwnApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["OwnApiKeyInput"];
            };
        };
        readonly responses: {
            /** @description The API key with its secret. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedOwnApiKey"];
                };
            };
        };
    };
    readonly deleteOwnApiKey: {
        readonly parameters: {
            readonly query?: {
                /** @description One-time code; required. */
                readonly totp_code?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Access key. */
                readonly kid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyProof"];
            };
        };
        readonly responses: {
            /** @description The API key is deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly changeOwnApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Access key. */
                readonly kid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["OwnApiKeyChanges"];
            };
        };
        readonly responses: {
            /** @description The API key. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OwnApiKey"];
                };
            };
        };
    };
    readonly openFaucet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FaucetDepositInput"];
            };
        };
        readonly responses: {
            /** @description The deposit, as first seen. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Deposit"];
                };
            };
        };
    };
    readonly readTickers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Tickers by market id. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: components["schemas"]["MarketTicker"];
                    };
                };
            };
        };
    };
    readonly readTicker: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly market: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The ticker of the last 24 hours. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MarketTicker"];
                };
            };
        };
    };
    readonly readKLine: {
        readonly parameters: {
            readonly query?: {
                /** @description Length of a period, in minutes. */
                readonly period?: 1 | 5 | 15 | 30 | 60 | 120 | 240 | 360 | 720 | 1440 | 4320 | 10080;
                /** @description Earliest start of a period, in Unix seconds. */
                readonly time_from?: number;
                /** @description Latest start of a period, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of points; ignored if both times are given. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly market: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Points, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly (readonly number[])[];
                };
            };
        };
    };
    readonly listMarketTrades: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of trades. */
                readonly limit?: number;
                /** @description Only trades executed before this time, in Unix seconds; the same as `time_to`. */
                readonly timestamp?: number;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly market: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Trades, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PublicTrade"][];
                };
            };
        };
    };
    readonly readDepth: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of price levels per side. */
                readonly limit?: number;
                /** @description Adds a `checksum`; both words mean the same. */
                readonly checksum?: "crc32" | "true";
            };
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly market: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Volume by price. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Depth"];
                };
            };
        };
    };
    readonly readOrderBook: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of sell orders. */
                readonly asks_limit?: number;
                /** @description Number of buy orders. */
                readonly bids_limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly market: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A list with one order book; orders are sorted best first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OrderBook"][];
                };
            };
        };
    };
    readonly listMarkets: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Sort order. */
                readonly ordering?: "asc" | "desc";
                /** @description Field to sort by. */
                readonly order_by?: "id" | "name" | "base_unit" | "quote_unit" | "min_price" | "max_price" | "min_amount" | "min_total" | "amount_precision" | "price_precision" | "state" | "position";
                /** @description Currency code, case-sensitive. */
                readonly base_unit?: string;
                /** @description Currency code, case-sensitive. */
                readonly quote_unit?: string;
                /** @description The searches below as one JSON object. */
                readonly search?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[base_code]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[quote_code]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[base_name]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[quote_name]"?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Markets, without disabled ones. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Market"][];
                };
            };
        };
    };
    readonly listCurrencies: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Kind of currency. */
                readonly type?: "coin" | "fiat";
                /** @description The searches below as one JSON object. */
                readonly search?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[code]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[name]"?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Listed currencies, by position. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Currency"][];
                };
            };
        };
    };
    readonly readCurrency: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Currency"];
                };
            };
        };
    };
    readonly listCoingeckoPairs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The listed markets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly ticker_id: string;
                        readonly base: string;
                        readonly target: string;
                    }[];
                };
            };
        };
    };
    readonly listCoingeckoTickers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The last 24 hours of all markets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly ticker_id: string;
                        readonly base_currency: string;
                        readonly target_currency: string;
                        /** @description Last price. */
                        readonly last_price: string;
                        /** @description Volume of 24 hours, in the base currency. */
                        readonly base_volume: string;
                        /** @description Volume of 24 hours, in the quote currency. */
                        readonly target_volume: string;
                        /** @description Best bid; 0 if there is none. */
                        readonly bid: string;
                        /** @description Best ask; 0 if there is none. */
                        readonly ask: string;
                        /** @description Highest price of 24 hours. */
                        readonly high: string;
                        /** @description Lowest price of 24 hours. */
                        readonly low: string;
                    }[];
                };
            };
        };
    };
    readonly readCoingeckoBook: {
        readonly parameters: {
            readonly query?: {
                /** @description A pair, such as `BTC_USDT`. */
                readonly ticker_id?: string;
                /** @description Levels of both sides together: 100 are 50 of each side, and 0 all, which are up to 1000 of each. */
                readonly depth?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The book, both sides best first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly ticker_id: string;
                        /**
                         * Format: int64
                         * @description In ms since 1970.
                         */
                        readonly timestamp: number;
                        readonly bids: readonly (readonly string[])[];
                        readonly asks: readonly (readonly string[])[];
                    };
                };
            };
        };
    };
    readonly listCoingeckoTrades: {
        readonly parameters: {
            readonly query?: {
                /** @description Only trades whose taker bought, or sold. */
                readonly type?: "buy" | "sell";
                /** @description A pair, such as `BTC_USDT`. */
                readonly ticker_id?: string;
                /** @description Number of trades, the last ones; 0 for all, which are up to 1000. */
                readonly limit?: number;
                /** @description Only trades at this time or later, in Unix seconds. */
                readonly start_time?: number;
                /** @description Only trades at this time or earlier, in Unix seconds. */
                readonly end_time?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Trades by the taker's side, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly buy: readonly {
                            /** Format: int64 */
                            readonly trade_id: number;
                            /** @description Price. */
                            readonly price: string;
                            /** @description Volume in the base currency. */
                            readonly base_volume: string;
                            /** @description Volume in the quote currency. */
                            readonly target_volume: string;
                            /**
                             * Format: int64
                             * @description In ms since 1970.
                             */
                            readonly trade_timestamp: number;
                            /** @enum {string} */
                            readonly type: "buy" | "sell";
                        }[];
                        readonly sell: readonly {
                            /** Format: int64 */
                            readonly trade_id: number;
                            /** @description Price. */
                            readonly price: string;
                            /** @description Volume in the base currency. */
                            readonly base_volume: string;
                            /** @description Volume in the quote currency. */
                            readonly target_volume: string;
                            /**
                             * Format: int64
                             * @description In ms since 1970.
                             */
                            readonly trade_timestamp: number;
                            /** @enum {string} */
                            readonly type: "buy" | "sell";
                        }[];
                    };
                };
            };
        };
    };
    readonly listCoinmarketcapSummary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The last 24 hours of all markets. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly trading_pairs: string;
                        readonly base_currency: string;
                        readonly quote_currency: string;
                        readonly last_price: number;
                        readonly lowest_ask: number;
                        readonly highest_bid: number;
                        readonly base_volume: number;
                        readonly quote_volume: number;
                        readonly price_change_percent_24h: number;
                        readonly highest_price_24h: number;
                        readonly lowest_price_24h: number;
                    }[];
                };
            };
        };
    };
    readonly listCoinmarketcapAssets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The currencies by code. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: {
                            readonly name: string;
                            readonly can_withdraw: boolean;
                            readonly can_deposit: boolean;
                            readonly min_withdraw: number;
                            readonly maker_fee?: number;
                            readonly taker_fee?: number;
                        };
                    };
                };
            };
        };
    };
    readonly listCoinmarketcapTickers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The tickers by pair. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: {
                            readonly last_price: number;
                            readonly base_volume: number;
                            readonly quote_volume: number;
                            /** @enum {string} */
                            readonly isFrozen: "0" | "1";
                        };
                    };
                };
            };
        };
    };
    readonly readCoinmarketcapBook: {
        readonly parameters: {
            readonly query?: {
                /** @description Levels of both sides together: 100 are 50 of each side, and 0 all, which are up to 1000 of each. */
                readonly depth?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description A market's currencies, with `_` between them. */
                readonly pair: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The book, both sides best first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /**
                         * Format: int64
                         * @description In ms since 1970.
                         */
                        readonly timestamp: number;
                        readonly bids: readonly (readonly string[])[];
                        readonly asks: readonly (readonly string[])[];
                    };
                };
            };
        };
    };
    readonly listCoinmarketcapTrades: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description A market's currencies, with `_` between them. */
                readonly pair: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Trades, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        /** Format: int64 */
                        readonly trade_id: number;
                        readonly price: number;
                        readonly base_volume: number;
                        readonly quote_volume: number;
                        /**
                         * Format: int64
                         * @description In ms since 1970.
                         */
                        readonly timestamp: number;
                        /** @enum {string} */
                        readonly type: "buy" | "sell";
                    }[];
                };
            };
        };
    };
    readonly readChartConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What the datafeed has. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly supports_search: boolean;
                        readonly supports_group_request: boolean;
                        readonly supports_marks: boolean;
                        readonly supports_timescale_marks: boolean;
                        readonly supports_time: boolean;
                        readonly supported_resolutions: readonly string[];
                        readonly exchanges: readonly {
                            readonly value: string;
                            readonly name: string;
                            readonly desc: string;
                        }[];
                        readonly symbols_types: readonly {
                            readonly value: string;
                            readonly name: string;
                        }[];
                    };
                };
            };
        };
    };
    readonly readChartTime: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The time, in Unix seconds. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly readChartSymbol: {
        readonly parameters: {
            readonly query?: {
                /** @description A market's name or id, with or without the exchange before it. */
                readonly symbol?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The market. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly name: string;
                        readonly ticker: string;
                        readonly description: string;
                        readonly type: string;
                        readonly session: string;
                        readonly timezone: string;
                        readonly exchange: string;
                        readonly listed_exchange: string;
                        /** Format: int64 */
                        readonly minmov: number;
                        /** Format: int64 */
                        readonly pricescale: number;
                        readonly format: string;
                        readonly has_intraday: boolean;
                        readonly has_daily: boolean;
                        readonly has_weekly_and_monthly: boolean;
                        readonly supported_resolutions: readonly string[];
                        readonly intraday_multipliers: readonly string[];
                        /** Format: int64 */
                        readonly volume_precision: number;
                        readonly data_status: string;
                    };
                };
            };
        };
    };
    readonly searchChartSymbols: {
        readonly parameters: {
            readonly query?: {
                /** @description A part of a market's name or id, in any case. */
                readonly query?: string;
                /** @description Kind of symbols; all are `crypto`. */
                readonly type?: string;
                /** @description Name of an exchange; there is one. */
                readonly exchange?: string;
                /** @description Most symbols. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Markets by position. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly symbol: string;
                        readonly full_name: string;
                        readonly description: string;
                        readonly exchange: string;
                        readonly ticker: string;
                        readonly type: string;
                    }[];
                };
            };
        };
    };
    readonly readChartBars: {
        readonly parameters: {
            readonly query?: {
                /** @description Length of a bar. */
                readonly resolution?: "1" | "5" | "15" | "30" | "60" | "120" | "240" | "360" | "720" | "D" | "1D" | "3D" | "W" | "1W";
                /** @description A market's name or id, with or without the exchange before it. */
                readonly symbol?: string;
                /** @description Earliest start of a bar, in Unix seconds; ignored if there is a `countback`. */
                readonly from?: number;
                /** @description End of the bars' starts, itself not included, in Unix seconds. */
                readonly to?: number;
                /** @description Number of bars before `to`. */
                readonly countback?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Bars as columns, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {string} */
                        readonly s: "ok" | "no_data";
                        /** @description Starts of the bars, in Unix seconds. */
                        readonly t?: readonly number[];
                        readonly o?: readonly number[];
                        readonly h?: readonly number[];
                        readonly l?: readonly number[];
                        readonly c?: readonly number[];
                        readonly v?: readonly number[];
                        /**
                         * Format: int64
                         * @description Without bars: start of the last one before `from`.
                         */
                        readonly nextTime?: number;
                    };
                };
            };
        };
    };
    readonly readMemberLevels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The minimum member level for each privilege. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberLevels"];
                };
            };
        };
    };
    readonly listTradingFees: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows of the table. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["TradingFee"][];
                };
            };
        };
    };
    readonly listWithdrawLimits: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows of the table. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["WithdrawLimit"][];
                };
            };
        };
    };
    readonly readTimestamp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The time, in ISO 8601 with milliseconds. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": string;
                };
            };
        };
    };
    readonly readVersion: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The version. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BuildInfo"];
                };
            };
        };
    };
    readonly readAlive: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process is running. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "alive";
                    };
                };
            };
        };
    };
    readonly readReady: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process can take orders. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ready";
                        /** @description What an operator has to look at although orders are taken: the mail server takes nothing, payouts wait for the operator's decision, the disk is nearly full, the last backup is old, this process was started with settings that the venue does not have, a currency's price is far from its market's, or a network can't be relied on: its coins neither come nor go. Absent if there is nothing. */
                        readonly degraded?: readonly ("mail_failing" | "payouts_parked" | "disk_nearly_full" | "backup_old" | "settings_differ" | "price_far" | "network_fault")[];
                    };
                };
            };
        };
    };
    readonly readStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Status of the venue, its markets and its currencies. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /**
                         * @description `operational`: everything is on. `stopped`: no market accepts orders. `degraded`: some markets do, and something is off.
                         * @enum {string}
                         */
                        readonly state: "operational" | "degraded" | "stopped";
                        /** @description Whether the venue accepts orders, if their market does. */
                        readonly trading: boolean;
                        /** @description Whether the venue accepts withdrawals, if their currency does. */
                        readonly withdrawals: boolean;
                        /** @description States of the listed markets; one whose currencies are not traded only accepts cancels. */
                        readonly markets: {
                            readonly [key: string]: "enabled" | "cancel_only" | "halted" | "disabled";
                        };
                        readonly currencies: {
                            readonly [key: string]: {
                                readonly deposit_enabled: boolean;
                                readonly withdrawal_enabled: boolean;
                                /** @description The same on each network that it lives on; absent if it lives on none. */
                                readonly networks?: {
                                    readonly [key: string]: {
                                        readonly deposit_enabled: boolean;
                                        readonly withdrawal_enabled: boolean;
                                    };
                                };
                            };
                        };
                        /** Format: date-time */
                        readonly time: string;
                    };
                };
            };
        };
    };
    readonly listMembers: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Only the member with this address. */
                readonly email?: string;
                /** @description One or more states. */
                readonly state?: readonly ("pending" | "active" | "locked" | "banned")[];
                /** @description Member level. */
                readonly level?: number;
                /** @description Member group. */
                readonly group?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Members, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Member"][];
                };
            };
        };
    };
    readonly createMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberInput"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly readMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly changeMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberChanges"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly listMemberBalances: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Whether to omit zero balances. */
                readonly nonzero?: boolean;
                /** @description The searches below as one JSON object. */
                readonly search?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[currency_code]"?: string;
                /** @description Pattern of SQL's LIKE, case-insensitive: `%` stands for any characters, `_` for one, and `\` before either for itself. Without them, a part of the value. Several searches are combined with OR. */
                readonly "search[currency_name]"?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Balances, by position of the currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Account"][];
                };
            };
        };
    };
    readonly listMemberOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description One or more market ids. */
                readonly market?: string;
                /** @description Only markets with this base currency. */
                readonly base_unit?: string;
                /** @description Only markets with this quote currency. */
                readonly quote_unit?: string;
                /** @description One or more states. */
                readonly state?: readonly ("pending" | "wait" | "done" | "cancel" | "reject" | "trigger_wait")[];
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description One or more order types. */
                readonly ord_type?: readonly ("limit" | "market" | "post_only" | "stop" | "stop_limit")[];
                /** @description Side of the order. */
                readonly type?: "buy" | "sell";
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Orders by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Order"][];
                };
            };
        };
    };
    readonly listMemberTrades: {
        readonly parameters: {
            readonly query?: {
                /** @description One or more market ids. */
                readonly market?: string;
                /** @description Side of the member. */
                readonly type?: "buy" | "sell";
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Trades, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Trade"][];
                };
            };
        };
    };
    readonly exportMemberTrades: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this market. */
                readonly market?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly exportMemberOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this market. */
                readonly market?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly exportMemberTransactions: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly exportTransactions: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this currency; case-insensitive. */
                readonly currency?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Maximum number of lines, without the header line. */
                readonly limit?: number;
                /** @description Where to continue: the `X-Next-Cursor` of the previous response. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description CSV (RFC 4180), at most 10000 lines. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly listLiabilities: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Liabilities by position of the currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Liability"][];
                };
            };
        };
    };
    readonly listMemberSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Open sessions, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Session"][];
                };
            };
        };
    };
    readonly endMemberSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The number of sessions ended. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionsEnded"];
                };
            };
        };
    };
    readonly endMemberSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
                /** @description Session id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The number of sessions ended. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionsEnded"];
                };
            };
        };
    };
    readonly listMemberActivity: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
                /** @description Topic of the events, or `all`. */
                readonly topic: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Activity"][];
                };
            };
        };
    };
    readonly listMemberBeneficiaries: {
        readonly parameters: {
            readonly query?: {
                /** @description Currency code, case-insensitive. */
                readonly currency?: string;
                /** @description One or more states: `pending` until confirmed by the pin. */
                readonly state?: readonly ("pending" | "active")[];
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Beneficiaries, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Beneficiary"][];
                };
            };
        };
    };
    readonly disableBeneficiary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
                /** @description Beneficiary id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description It is deleted for good. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listMemberNotes: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Notes, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["MemberNote"][];
                };
            };
        };
    };
    readonly addMemberNote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberNoteInput"];
            };
        };
        readonly responses: {
            /** @description The note. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberNote"];
                };
            };
        };
    };
    readonly changeMemberEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberEmailInput"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description API keys that are not deleted, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        readonly responses: {
            /** @description The API key with its secret. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    readonly deleteApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
                /** @description Access key. */
                readonly kid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The API key. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    readonly changeApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
                /** @description Access key. */
                readonly kid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyChanges"];
            };
        };
        readonly responses: {
            /** @description The API key. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    readonly listOperators: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Members, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Member"][];
                };
            };
        };
    };
    readonly setOperatorRole: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OperatorRoleInput"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly removeOperatorRole: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly listPendingActs: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
                /** @description Those that wait, by default, or those that were decided on. */
                readonly state?: "pending" | "decided";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Acts, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PendingAct"][];
                };
            };
        };
    };
    readonly readPendingAct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Number of the act that asked for it. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The act. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingAct"];
                };
            };
        };
    };
    readonly approvePendingAct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Number of the act that asked for it. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The act. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingAct"];
                };
            };
        };
    };
    readonly refusePendingAct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Number of the act that asked for it. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The act. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingAct"];
                };
            };
        };
    };
    readonly unlockMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description The member. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly listOutbox: {
        readonly parameters: {
            readonly query?: {
                /** @description Only messages to this member. */
                readonly uid?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Messages, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OutboxMessage"][];
                };
            };
        };
    };
    readonly listAllCurrencies: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Currencies, by position. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AdminCurrency"][];
                };
            };
        };
    };
    readonly createCurrency: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CurrencyInput"];
            };
        };
        readonly responses: {
            /** @description The currency. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminCurrency"];
                };
            };
        };
    };
    readonly changeCurrency: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CurrencyChanges"];
            };
        };
        readonly responses: {
            /** @description The currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminCurrency"];
                };
            };
        };
    };
    readonly listAllMarkets: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Markets, by position. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AdminMarket"][];
                };
            };
        };
    };
    readonly createMarket: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MarketInput"];
            };
        };
        readonly responses: {
            /** @description The market. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminMarket"];
                };
            };
        };
    };
    readonly changeMarket: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["MarketChanges"];
            };
        };
        readonly responses: {
            /** @description The market. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminMarket"];
                };
            };
        };
    };
    readonly addCurrencyNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CurrencyNetworkInput"];
            };
        };
        readonly responses: {
            /** @description The currency. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminCurrency"];
                };
            };
        };
    };
    readonly changeCurrencyNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Currency code. */
                readonly id: string;
                /** @description Name of a network. */
                readonly network: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CurrencyNetworkChanges"];
            };
        };
        readonly responses: {
            /** @description The currency. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminCurrency"];
                };
            };
        };
    };
    readonly cancelMemberOrders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Uid of the member. */
                readonly uid: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SweepFilter"];
            };
        };
        readonly responses: {
            /** @description How many orders were cancelled. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrdersCancelled"];
                };
            };
        };
    };
    readonly cancelMarketOrders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Market id. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberActReason"];
            };
        };
        readonly responses: {
            /** @description How many orders were cancelled. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OrdersCancelled"];
                };
            };
        };
    };
    readonly createAdjustment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AdjustmentInput"];
            };
        };
        readonly responses: {
            /** @description The adjustment. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Adjustment"];
                };
            };
            /** @description With `APPROVALS=2`: nothing has happened yet. A second operator has to approve it. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingAct"];
                };
            };
        };
    };
    readonly listAllTradingFees: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows of the table. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["TradingFee"][];
                };
            };
        };
    };
    readonly setTradingFee: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TradingFeeInput"];
            };
        };
        readonly responses: {
            /** @description The row. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TradingFee"];
                };
            };
        };
    };
    readonly deleteTradingFee: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Market id, or `any`. */
                readonly market_id: string;
                /** @description Member group, or `any`. */
                readonly group: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ActReason"];
            };
        };
        readonly responses: {
            /** @description The row as it was. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TradingFee"];
                };
            };
        };
    };
    readonly listFeeIncome: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Income by position of the currency, also where it is zero. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["FeeIncome"][];
                };
            };
        };
    };
    readonly readAllMemberLevels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The minimum member levels. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberLevels"];
                };
            };
        };
    };
    readonly setMemberLevels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberLevelsInput"];
            };
        };
        readonly responses: {
            /** @description The minimum member levels. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberLevels"];
                };
            };
        };
    };
    readonly listAllDeposits: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this member. */
                readonly uid?: string;
                /** @description Currency code. */
                readonly currency?: string;
                /** @description Only records with this transaction. */
                readonly txid?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description One or more states. */
                readonly state?: readonly ("submitted" | "canceled" | "rejected" | "accepted" | "aml_processing" | "aml_suspicious" | "processing" | "fee_processing" | "skipped" | "collected" | "errored" | "refunding")[];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deposits by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AdminDeposit"][];
                };
            };
        };
    };
    readonly enterDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DepositInput"];
            };
        };
        readonly responses: {
            /** @description The deposit. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly readAnyDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Deposit id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The deposit. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly acceptDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Deposit id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The deposit. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly rejectDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Deposit id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The deposit. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly reverseDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Deposit id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The reversal. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly returnWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WithdrawReturn"];
            };
        };
        readonly responses: {
            /** @description The deposit. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminDeposit"];
                };
            };
        };
    };
    readonly listAllWithdraws: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records of this member. */
                readonly uid?: string;
                /** @description Currency code. */
                readonly currency?: string;
                /** @description Only records with this transaction. */
                readonly txid?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number; beside an id only the first. */
                readonly page?: number;
                /** @description Only items with this id or a higher one. To walk upwards, ask for the oldest first, and then each time from one more than the highest id that you have. */
                readonly from_id?: number;
                /** @description Only items with this id or a lower one. To walk downwards, ask for the newest first, and then each time up to one less than the lowest id that you have. */
                readonly to_id?: number;
                /** @description Sort order: `asc` for oldest first, `desc` for newest first. */
                readonly order_by?: "asc" | "desc";
                /** @description One or more states. */
                readonly state?: readonly ("prepared" | "accepted" | "skipped" | "to_reject" | "rejected" | "processing" | "succeed" | "canceled" | "failed" | "errored" | "confirming" | "under_review")[];
                /** @description Only those that wait for one of these; name them all for all that wait. */
                readonly waiting_for?: readonly ("approval" | "payment_by_hand" | "rail" | "decision" | "hold")[];
                /** @description With `false` and the state `accepted`: those that wait for you. */
                readonly is_approved?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Withdrawals by id, newest first by default. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AdminWithdraw"][];
                };
            };
        };
    };
    readonly readAnyWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdrawDetail"];
                };
            };
        };
    };
    readonly approveWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
            /** @description With `APPROVALS=2`: nothing has happened yet. A second operator has to approve it. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingAct"];
                };
            };
        };
    };
    readonly handOverWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
        };
    };
    readonly rejectWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
        };
    };
    readonly retryWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
        };
    };
    readonly succeedWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WithdrawSuccess"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
        };
    };
    readonly failWithdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Withdrawal id. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberOnceInput"];
            };
        };
        readonly responses: {
            /** @description The withdrawal. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdminWithdraw"];
                };
            };
        };
    };
    readonly listAllWithdrawLimits: {
        readonly parameters: {
            readonly query?: {
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows of the table. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["WithdrawLimit"][];
                };
            };
        };
    };
    readonly setWithdrawLimit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WithdrawLimitInput"];
            };
        };
        readonly responses: {
            /** @description The row. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WithdrawLimit"];
                };
            };
        };
    };
    readonly deleteWithdrawLimit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Member level, or `any`. */
                readonly kyc_level: string;
                /** @description Member group, or `any`. */
                readonly group: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ActReason"];
            };
        };
        readonly responses: {
            /** @description The row as it was. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WithdrawLimit"];
                };
            };
        };
    };
    readonly readSwitches: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The switches. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Switches"];
                };
            };
        };
    };
    readonly setSwitches: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SwitchChanges"];
            };
        };
        readonly responses: {
            /** @description The switches. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Switches"];
                };
            };
        };
    };
    readonly readMemberClasses: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The groups and levels. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberClasses"];
                };
            };
        };
    };
    readonly setMemberClasses: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MemberClassesInput"];
            };
        };
        readonly responses: {
            /** @description The groups and levels. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberClasses"];
                };
            };
        };
    };
    readonly readSettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The settings. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VenueSettings"];
                };
            };
        };
    };
    readonly setSettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SettingChanges"];
            };
        };
        readonly responses: {
            /** @description The settings. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VenueSettings"];
                };
            };
        };
    };
    readonly listActs: {
        readonly parameters: {
            readonly query?: {
                /** @description Only acts of this operator. */
                readonly uid?: string;
                /** @description Only acts that this access key has signed: operators may share a uid. */
                readonly kid?: string;
                /** @description Only acts of this kind: the operation id of the request. */
                readonly action?: string;
                /** @description Only acts that touched this member. */
                readonly member?: string;
                /** @description Only items created at or after this time, in Unix seconds. */
                readonly time_from?: number;
                /** @description Only items created before this time, in Unix seconds. */
                readonly time_to?: number;
                /** @description Number of items per page. */
                readonly limit?: number;
                /** @description Page number. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Acts, newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Act"][];
                };
            };
        };
    };
    readonly listWalletNotices: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Notices, latest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["WalletNotice"][];
                };
            };
        };
    };
    readonly paySandboxDeposit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SandboxDepositInput"];
            };
        };
        readonly responses: {
            /** @description The payment. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxDeposit"];
                };
            };
        };
    };
    readonly reorganiseSandbox: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReorganisationInput"];
            };
        };
        readonly responses: {
            /** @description The blocks that were dropped. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Reorganised"];
                };
            };
        };
    };
    readonly setSandboxPayouts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PayoutRule"];
            };
        };
        readonly responses: {
            /** @description The rule now in force. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PayoutRuleSet"];
                };
            };
        };
    };
    readonly listWallets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Currencies on networks. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Wallet"][];
                };
            };
        };
    };
    readonly resumeNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Name of a network. */
                readonly network: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NetworkResumption"];
            };
        };
        readonly responses: {
            /** @description The network is read again. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResumedNetwork"];
                };
            };
        };
    };
    readonly readMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Metrics of this process since the engine was opened. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /**
                         * Format: int64
                         * @description Commits sent, of log and rows.
                         */
                        readonly commits: number;
                        /**
                         * Format: int64
                         * @description Mutations that responses waited for.
                         */
                        readonly log_mutations: number;
                        /**
                         * Format: int64
                         * @description Mutations of rows, written after the log.
                         */
                        readonly fold_mutations: number;
                        /**
                         * Format: int64
                         * @description Sequence of the last durable event.
                         */
                        readonly events: number;
                        /**
                         * Format: int64
                         * @description Events not yet folded into rows.
                         */
                        readonly unfolded_events: number;
                        /**
                         * Format: int64
                         * @description How long the oldest of them has waited, in ms.
                         */
                        readonly unfolded_ms: number;
                        /** Format: int64 */
                        readonly orders: number;
                        /** Format: int64 */
                        readonly trades: number;
                        /** Format: int64 */
                        readonly open_orders: number;
                        /** @description Commands per durable entry of the log. */
                        readonly batch_size: {
                            /**
                             * Format: int64
                             * @description Total number of values.
                             */
                            readonly count: number;
                            readonly sum: number;
                            /** @description Inclusive upper bounds of the ranges. */
                            readonly bounds: readonly number[];
                            /** @description Number of values per range; the last range has no bound. */
                            readonly counts: readonly number[];
                        };
                        /** @description Duration of commits to the log, in ms. */
                        readonly commit_ms: {
                            /**
                             * Format: int64
                             * @description Total number of values.
                             */
                            readonly count: number;
                            readonly sum: number;
                            /** @description Inclusive upper bounds of the ranges. */
                            readonly bounds: readonly number[];
                            /** @description Number of values per range; the last range has no bound. */
                            readonly counts: readonly number[];
                        };
                        /**
                         * Format: int64
                         * @description Commits lost to another process that committed first.
                         */
                        readonly conflicts: number;
                        /**
                         * Format: int64
                         * @description Commits that the store refused.
                         */
                        readonly failed_commits: number;
                        /**
                         * Format: int64
                         * @description Commits whose outcome had to be looked up.
                         */
                        readonly unknown_commits: number;
                        /**
                         * Format: int64
                         * @description Commands waiting or in flight.
                         */
                        readonly queue: number;
                        /**
                         * Format: int64
                         * @description Durable events that this process has not yet read.
                         */
                        readonly lag_events: number;
                        /**
                         * Format: int64
                         * @description Time since this process last knew all durable events, in ms.
                         */
                        readonly lag_ms: number;
                        /**
                         * Format: int64
                         * @description Open websockets.
                         */
                        readonly sockets: number;
                        /**
                         * Format: int64
                         * @description Websockets closed because they read too slowly.
                         */
                        readonly dropped_readers: number;
                        /** @description Websockets that their clients have not closed, by code and reason. */
                        readonly closed_sockets: readonly {
                            /** Format: int64 */
                            readonly code: number;
                            readonly reason: string;
                            /** Format: int64 */
                            readonly count: number;
                        }[];
                        /**
                         * Format: int64
                         * @description Signed requests refused because of the caller or its address, and failed sign-ins.
                         */
                        readonly auth_failures: number;
                        readonly ready: boolean;
                        /** @enum {string} */
                        readonly not_ready_reason: "" | "closing" | "invariant_broken" | "master_key_outdated" | "clock_behind" | "store_failing" | "clock_stepped" | "store_full" | "behind" | "standstill" | "fold_failing" | "queue_full" | "fold_behind";
                        /** @description What an operator has to look at although orders are taken: the mail server takes nothing, payouts wait for the operator's decision, the disk is nearly full, the last backup is old, this process was started with settings that the venue does not have, a currency's price is far from its market's, or a network can't be relied on: its coins neither come nor go. */
                        readonly degraded: readonly ("mail_failing" | "payouts_parked" | "disk_nearly_full" | "backup_old" | "settings_differ" | "price_far" | "network_fault")[];
                        /** @description What waits, and how long the oldest has, in ms. */
                        readonly waiting: {
                            /** @description Withdrawals that an operator has to approve. */
                            readonly approval: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                            /** @description Those that somebody pays by hand. */
                            readonly payment_by_hand: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                            /** @description Those that their rail sends, or sees confirmed; the oldest counts from when it was asked for. */
                            readonly rail: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                            /** @description Those that only an operator can bring on. */
                            readonly decision: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                            /** @description Those of locked members, or stopped. */
                            readonly hold: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                            readonly deposits: {
                                /** Format: int64 */
                                readonly count: number;
                                /** Format: int64 */
                                readonly oldest_ms: number;
                            };
                        };
                        readonly mail: {
                            /** Format: int64 */
                            readonly count: number;
                            /** Format: int64 */
                            readonly oldest_ms: number;
                            /**
                             * Format: int64
                             * @description Attempts that failed.
                             */
                            readonly failures: number;
                            /**
                             * Format: int64
                             * @description Messages that were given up.
                             */
                            readonly given_up: number;
                            /**
                             * Format: int64
                             * @description Time since the server last took one, if it fails.
                             */
                            readonly failing_ms: number;
                        };
                        readonly storage: {
                            /** @description Bytes left on the store's disk, if known. */
                            readonly disk_free: number | null;
                            readonly disk_size: number | null;
                            /** @description Age of the last backup, if known. */
                            readonly backup_age_ms: number | null;
                        };
                        /** @description The networks that this process has a node of. */
                        readonly networks: readonly {
                            readonly network: string;
                            /** @description Height of its last block; null if unknown. */
                            readonly height: number | null;
                            /** @description Why it can't be relied on: nothing is credited or paid meanwhile. */
                            readonly fault: ("unreachable" | "other_network" | "behind" | "reorganised" | "contradicting") | null;
                            /** @description A block that counted as final and is gone; absent unless it is `reorganised`. */
                            readonly replaced?: {
                                /** Format: int64 */
                                readonly height: number;
                                readonly hash: string;
                                /**
                                 * Format: int64
                                 * @description How many blocks were replaced at least.
                                 */
                                readonly depth: number;
                                /** @description Height of the last block that is known to be still there, from which the network can go on; null if none is. */
                                readonly kept: number | null;
                            };
                        }[];
                        /**
                         * Format: int64
                         * @description Resident memory of the process, in bytes.
                         */
                        readonly rss: number;
                    };
                };
            };
        };
    };
}
