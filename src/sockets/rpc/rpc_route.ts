/** The paths of the RPC dialect. */
import { BULK_BODY_BYTES_MAX } from "../../edge/reading/body.ts";
import { RpcConnection, type RpcParts, SINGLE_FRAME_BYTES_MAX } from "./rpc_connection.ts";
import { createRpcDialect } from "./rpc_dialect.ts";
import type { SocketRoute } from "../socket_gate.ts";

/** Paths of older interfaces of this family. */
const OLDER_PATHS = ["/api/v2/open_finance", "/api/v2/finex"];

/**
 * Returns the routes; unsigned callers may ask for public streams. Clients of the older interfaces
 * count the elements of a frame, so on the older paths frames have only the dialect's own.
 */
export function rpcRoutes(
  parts: Omit<RpcParts, "dialect" | "hasExtras">,
): readonly SocketRoute[] {
  function route(paths: readonly string[], hasExtras: boolean): SocketRoute {
    const dialect = createRpcDialect(parts.services.engine, hasExtras);
    const whole: RpcParts = { ...parts, dialect, hasExtras };
    return {
      paths,
      access: "anybody",
      frameBytesMax: (caller) => caller === null ? SINGLE_FRAME_BYTES_MAX : BULK_BODY_BYTES_MAX,
      connect: (c, caller, login) =>
        new RpcConnection(whole, caller, parts.auth.clientAddress(c), login),
    };
  }
  return [route(["/api/v2/trading"], true), route(OLDER_PATHS, false)];
}
