/** Adds the paths under which older members of this family of interfaces have the endpoints. */
import type { Endpoint } from "./contract.ts";

const TRADING = "/api/v2/trading/";
const FINEX = "/api/v2/finex/";
const AUTH = "/api/v2/auth/";
const BARONG = "/api/v2/barong/";

const OLDER_NAMES = [[TRADING, FINEX], [AUTH, BARONG]] as const;

/** Returns whether a path belongs to trading, under either name. */
export function isTradingPath(path: string): boolean {
  return path.startsWith(TRADING) || path.startsWith(FINEX);
}

/** Returns the endpoint with the older names of its trading and auth paths added. */
export function withOlderPaths(endpoint: Endpoint): Endpoint {
  const older = endpoint.paths.flatMap((path) =>
    OLDER_NAMES.filter(([name]) => path.startsWith(name))
      .map(([name, olderName]) => olderName + path.slice(name.length))
  );
  return older.length === 0 ? endpoint : { ...endpoint, paths: [...endpoint.paths, ...older] };
}
