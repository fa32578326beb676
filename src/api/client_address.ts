/** Where a call comes from, also behind proxies. */
import type { Context } from "hono";
import { parseAddress } from "../engine/ip_allow_list.ts";
import type { Env } from "./env.ts";

/** Characters that are kept of what a proxy has told and nobody can read. */
const HOP_LENGTH_MAX = 64;
/** An address with a port, which some proxies add; one of IPv6 stands in brackets then. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/** Tells the address that a call comes from. */
export type ClientAddress = (c: Context<Env>) => string;

/**
 * The peer of the connection; behind so many proxies of one's own, what the
 * outermost of them has added to `X-Forwarded-For`. What stands left of it
 * came from the client and is not believed.
 */
export function createClientAddress(proxies: number): ClientAddress {
  if (proxies === 0) return peerAddress;
  return function clientAddress(c) {
    const hops = c.req.header("x-forwarded-for")?.split(",") ?? [];
    const hop = hops[hops.length - proxies]?.trim() ?? "";
    // A call that has not come by way of the proxies is its peer's own.
    return hop === "" ? peerAddress(c) : hopAddress(hop);
  };
}

/** What can't be read stands for itself: the peer is the proxy, which may do more than a caller. */
function hopAddress(hop: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(hop) ?? [];
  const address = ipv6 ?? ipv4 ?? hop;
  return (parseAddress(address) === null ? hop : address).slice(0, HOP_LENGTH_MAX);
}

function peerAddress(c: Context<Env>): string {
  const { remoteAddr } = c.env as unknown as Deno.ServeHandlerInfo;
  // Of a socket that the platform serves on for itself, a caller without an address.
  return "hostname" in remoteAddr ? remoteAddr.hostname : remoteAddr.transport;
}
