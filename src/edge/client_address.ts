/** Determines the address that a call comes from, also behind proxies. */
import type { Context } from "hono";
import { parseAddress } from "../secrets/ip_address.ts";
import type { Env } from "./env.ts";

/** How many characters are kept of a proxy's unreadable entry. */
const HOP_LENGTH_MAX = 64;
/** Matches an address with a port, which some proxies add; IPv6 is in brackets then. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/** Returns the address that a call comes from. */
export type ClientAddress = (c: Context<Env>) => string;

/**
 * Creates the function that returns a call's address: that of the connection's peer or, behind the
 * given number of own proxies, what the outermost of them added to `X-Forwarded-For`. Entries to
 * the left of it come from the client and are not trusted.
 */
export function createClientAddress(proxies: number): ClientAddress {
  if (proxies === 0) return peerAddress;
  return function clientAddress(c) {
    const hops = c.req.header("x-forwarded-for")?.split(",") ?? [];
    const hop = hops[hops.length - proxies]?.trim() ?? "";
    // A call that did not pass the proxies comes from its peer.
    return hop === "" ? peerAddress(c) : hopAddress(hop);
  };
}

/** An unreadable entry is used as it is: the peer is the proxy, which may do more than a caller. */
function hopAddress(hop: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(hop) ?? [];
  const address = ipv6 ?? ipv4 ?? hop;
  return (parseAddress(address) === null ? hop : address).slice(0, HOP_LENGTH_MAX);
}

function peerAddress(c: Context<Env>): string {
  const { remoteAddr } = c.env as unknown as Deno.ServeHandlerInfo;
  // On a socket that the platform opened itself, callers have no address.
  return "hostname" in remoteAddr ? remoteAddr.hostname : remoteAddr.transport;
}
