/** All feeds of one application, which keep their answers together. */
import type { Endpoint } from "../contract.ts";
import { chartEndpoints } from "./chart_datafeed.ts";
import { coingeckoEndpoints } from "./coingecko.ts";
import { coinmarketcapEndpoints } from "./coinmarketcap.ts";
import { KeptTexts } from "./kept_texts.ts";

/** Creates the endpoints of feeds, whose answers are made once a second at most. */
export function createFeedEndpoints(): Endpoint[] {
  const texts = new KeptTexts();
  return [...coingeckoEndpoints(texts), ...coinmarketcapEndpoints(texts), ...chartEndpoints(texts)];
}
