/** Where the RPC dialect is spoken. */
import { BULK_BODY_BYTES_MAX } from "../api/body.ts";
import { RpcConnection, type RpcParts } from "./rpc_connection.ts";
import { createRpcDialect } from "./rpc_dialect.ts";
import type { GateOptions, SocketRoute } from "./socket_gate.ts";

/** The route; who does not sign may ask for what is public. */
export function rpcRoute(
  parts: Omit<RpcParts, "dialect">,
  clientAddress: GateOptions["clientAddress"],
): SocketRoute {
  const whole: RpcParts = { ...parts, dialect: createRpcDialect(parts.services.engine) };
  return {
    paths: ["/api/v2/trading", "/api/v2/open_finance"],
    access: "anybody",
    frameBytesMax: BULK_BODY_BYTES_MAX,
    connect: (c, caller) => new RpcConnection(whole, caller, clientAddress(c)),
  };
}
