/** Paths of trading, which the older members of this family of interfaces have under a name of its engine. */
import type { Endpoint } from "./contract.ts";

const TRADING = "/api/v2/trading/";
const FINEX = "/api/v2/finex/";

/** Whether a path is one of trading, under either name. */
export function isTradingPath(path: string): boolean {
  return path.startsWith(TRADING) || path.startsWith(FINEX);
}

/** The endpoint, whose paths of trading can be had under the older name, too. */
export function withFinexPaths(endpoint: Endpoint): Endpoint {
  const trading = endpoint.paths.filter((path) => path.startsWith(TRADING));
  const older = trading.map((path) => FINEX + path.slice(TRADING.length));
  return older.length === 0 ? endpoint : { ...endpoint, paths: [...endpoint.paths, ...older] };
}
