/** Schema of the fees that a member pays. */
import * as z from "zod";
import { decimalText } from "./answers.ts";

/** The rates of a member, and what it has traded, by market. */
export const OWN_FEES = z.object({
  group: z.string().meta({ description: "The member's group.", examples: ["vip-0"] }),
  markets: z.array(z.object({
    market_id: z.string().meta({ description: "Market id.", examples: ["btcusdt"] }),
    maker: decimalText("Fee rate of orders that rest.", "0.002"),
    taker: decimalText("Fee rate of orders that take.", "0.002"),
    volume_30d: decimalText("What was traded in 30 days, in the base currency.", "1.5"),
    total_30d: decimalText("What was traded in 30 days, in the quote currency.", "13875.0"),
  })),
}).meta({ id: "OwnFees", description: "The fees that a member pays, and its volumes." });

/** Example of a member's fees. */
export const OWN_FEES_EXAMPLE = {
  group: "vip-0",
  markets: [{
    market_id: "btcusdt",
    maker: "0.002",
    taker: "0.002",
    volume_30d: "1.5",
    total_30d: "13875.0",
  }],
};
