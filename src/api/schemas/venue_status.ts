/** The venue's status. */
import * as z from "zod";
import { MARKET_STATES } from "../../domain/market.ts";

/** What the venue says of itself. */
export const VENUE_STATUS = z.object({
  state: z.enum(["operational", "degraded", "stopped"]).meta({
    description: "`operational`: everything is on. `stopped`: no market takes orders. " +
      "`degraded`: some do, and something is off.",
  }),
  trading: z.boolean().meta({ description: "The venue takes orders, where their market does." }),
  withdrawals: z.boolean().meta({
    description: "It takes withdrawals, where their currency does.",
  }),
  markets: z.record(z.string(), z.enum(MARKET_STATES)).meta({
    description: "States of the listed markets; one whose currencies are not traded takes " +
      "cancels only.",
  }),
  currencies: z.record(
    z.string(),
    z.object({ deposit_enabled: z.boolean(), withdrawal_enabled: z.boolean() }),
  ),
  time: z.string().meta({ format: "date-time" }),
});

/** Example of it. */
export const VENUE_STATUS_EXAMPLE = {
  state: "degraded",
  trading: true,
  withdrawals: true,
  markets: { btcusdt: "enabled", ethusdt: "cancel_only" },
  currencies: { btc: { deposit_enabled: true, withdrawal_enabled: true } },
  time: "2020-03-02T10:51:00.000Z",
};
