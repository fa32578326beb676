/** Where a call comes from, also behind proxies. */
import type { Context } from "hono";
import { parseAddress } from "../engine/ip_allow_list.ts";
import type { Env } from "./env.ts";

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
    const address = hops[hops.length - proxies]?.trim() ?? "";
    // A call that has not come by way of the proxies is its peer's own.
    return parseAddress(address) === null ? peerAddress(c) : address;
  };
}

function peerAddress(c: Context<Env>): string {
  const { remoteAddr } = c.env as unknown as Deno.ServeHandlerInfo<Deno.NetAddr>;
  return remoteAddr.hostname;
}
