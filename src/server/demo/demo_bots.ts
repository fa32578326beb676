/** The bots of the demo: members of its own that trade over its interface, as any client does. */
import { MarketBots } from "../../client/examples/bots/market_bots.ts";
import { formatDecimal } from "../../domain/money/money.ts";
import type { Logger } from "../logger.ts";
import {
  DEMO_CURRENCIES,
  DEMO_MAKER,
  DEMO_TAKERS,
  type DemoMember,
  demoSecret,
} from "./demo_venue.ts";

/** How often the quotes of each market move, in ms on average: four or five orders a second in all. */
const QUOTES_MS: Readonly<Record<string, number>> = {
  btcusdt: 1_500,
  ethusdt: 4_000,
  ethbtc: 6_000,
  bchusdt: 6_000,
};

/**
 * Starts the bots, on those of the demo's markets that the venue has.
 *
 * @param url where the venue listens
 */
export function startBots(
  url: string,
  markets: ReadonlySet<string>,
  logger: Pick<Logger, "info" | "warn">,
): MarketBots {
  const botOf = ({ kid, balances }: DemoMember) => ({
    key: { kid, secret: demoSecret(kid) },
    balances,
  });
  return MarketBots.start({
    url,
    maker: botOf(DEMO_MAKER),
    takers: DEMO_TAKERS.map(botOf),
    markets: Object.fromEntries(Object.entries(QUOTES_MS).filter(([id]) => markets.has(id))),
    values: Object.fromEntries(DEMO_CURRENCIES.map(({ id, price }) => [id, formatDecimal(price)])),
    onTrouble(bot, error) {
      if (error === null) logger.info("bot_goes_on", { bot });
      else logger.warn("bot_waits", { bot, error });
    },
  });
}
