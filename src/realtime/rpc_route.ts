/** Where the RPC dialect is spoken. */
import { BULK_BODY_BYTES_MAX } from "../api/body.ts";
import { RpcConnection, type RpcParts } from "./rpc_connection.ts";
import { createRpcDialect } from "./rpc_dialect.ts";
import type { GateOptions, SocketRoute } from "./socket_gate.ts";

/** Names of the path that the family's older members have. */
const OLDER_PATHS = ["/api/v2/open_finance", "/api/v2/finex"];

/**
 * The routes; who does not sign may ask for what is public. Clients of the family's older members
 * count the elements of a frame: under its older names it has no more than the dialect's own.
 */
export function rpcRoutes(
  parts: Omit<RpcParts, "dialect" | "hasExtras">,
  clientAddress: GateOptions["clientAddress"],
): readonly SocketRoute[] {
  function route(paths: readonly string[], hasExtras: boolean): SocketRoute {
    const dialect = createRpcDialect(parts.services.engine, hasExtras);
    const whole: RpcParts = { ...parts, dialect, hasExtras };
    return {
      paths,
      access: "anybody",
      frameBytesMax: BULK_BODY_BYTES_MAX,
      connect: (c, caller) => new RpcConnection(whole, caller, clientAddress(c)),
    };
  }
  return [route(["/api/v2/trading"], true), route(OLDER_PATHS, false)];
}
