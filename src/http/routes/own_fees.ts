/** The fees that the caller pays, and what it has traded lately. */
import type * as z from "zod";
import { formatDecimal } from "../../domain/money/money.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import { OWN_FEES, OWN_FEES_EXAMPLE } from "../../edge/schemas/own_fees.ts";
import { SCAN_LIMITED } from "../../edge/schemas/lists.ts";
import { listedBooks } from "../../edge/wire/listed_markets.ts";
import { rateText } from "../../edge/wire/wire.ts";
import type { Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, ofAccount, ok } from "../endpoint_parts.ts";
import { type MemberVolumes, TradedVolumes, VOLUME_DAYS } from "../traded_volumes.ts";

async function readOwnFees(volumes: TradedVolumes, call: Call): Promise<Response> {
  const { engine, caller } = call;
  const traded = await volumes.of(engine, caller.member);
  call.chargeRecords(traded.scanned);
  const { group } = engine.venue.holder(caller.member).member;
  const json: z.infer<typeof OWN_FEES> = {
    group,
    markets: listedBooks(engine.venue).map((book) => marketJson(call, book, group, traded)),
  };
  return call.json(200, json, traded.isPartial ? SCAN_LIMITED : undefined);
}

function marketJson(
  { engine, fraction }: Call,
  { market }: MarketBook,
  group: string,
  { byMarket }: MemberVolumes,
): z.infer<typeof OWN_FEES>["markets"][number] {
  const { maker, taker } = engine.venue.fees.choose(market.index, group);
  const { lots, total } = byMarket.get(market.index) ?? { lots: 0n, total: 0n };
  const { pricePrecision, amountPrecision } = market;
  return {
    market_id: market.id,
    maker: rateText(maker, fraction),
    taker: rateText(taker, fraction),
    volume_30d: formatDecimal(lots, amountPrecision, fraction),
    total_30d: formatDecimal(total, pricePrecision + amountPrecision, fraction),
  };
}

/** Creates the endpoint, which remembers what was traded. */
export function createOwnFeesEndpoints(): readonly Endpoint[] {
  const volumes = new TradedVolumes();
  return [
    endpoint({
      id: "readOwnFees",
      method: "GET",
      paths: backendPaths("account/trading_fees"),
      ...ofAccount("read"),
      summary: "Get the fees that you pay, and what you have traded in 30 days",
      description:
        `By market, the rates that your next order gets, and your volume of today and the ` +
        `${VOLUME_DAYS} days (UTC) before; a trade with yourself counts for either side. If you have traded more often than one call reads, ` +
        "`X-Scan-Limited` is `true`, and the next calls have the rest.",
      answer: {
        ...ok("The rates, by market.", OWN_FEES, OWN_FEES_EXAMPLE),
        headers: { "X-Scan-Limited": "`true` if the volumes lack trades." },
      },
      handle: (call: Call) => readOwnFees(volumes, call),
    }),
  ];
}
