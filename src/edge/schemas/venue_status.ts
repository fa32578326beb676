/** Schema of the venue's status. */
import * as z from "zod";
import { MARKET_STATES } from "../../domain/trading/market.ts";

/** Whether a coin comes in and goes out. */
const OPENINGS = z.object({ deposit_enabled: z.boolean(), withdrawal_enabled: z.boolean() });

/** The venue's status. */
export const VENUE_STATUS = z.object({
  state: z.enum(["operational", "degraded", "stopped"]).meta({
    description:
      "`operational`: everything is on. `stopped`: no market accepts orders. `degraded`: some " +
      "markets do, and something is off.",
  }),
  trading: z.boolean().meta({
    description: "Whether the venue accepts orders, if their market does.",
  }),
  withdrawals: z.boolean().meta({
    description: "Whether the venue accepts withdrawals, if their currency does.",
  }),
  markets: z.record(z.string(), z.enum(MARKET_STATES)).meta({
    description:
      "States of the listed markets; one whose currencies are not traded only accepts cancels.",
  }),
  currencies: z.record(
    z.string(),
    OPENINGS.extend({
      networks: z.record(z.string(), OPENINGS).optional().meta({
        description: "The same on each network that it lives on; absent if it lives on none.",
      }),
    }),
  ),
  time: z.string().meta({ format: "date-time" }),
});

/** Example of the status. */
export const VENUE_STATUS_EXAMPLE = {
  state: "degraded",
  trading: true,
  withdrawals: true,
  markets: { btcusdt: "enabled", ethusdt: "cancel_only" },
  currencies: {
    btc: { deposit_enabled: true, withdrawal_enabled: true },
    usdt: {
      deposit_enabled: true,
      withdrawal_enabled: true,
      networks: { ethereum: { deposit_enabled: false, withdrawal_enabled: true } },
    },
  },
  time: "2020-03-02T10:51:00.000Z",
};
