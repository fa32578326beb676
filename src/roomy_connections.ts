/**
 * Has the platform send most answers in one packet. It collects an answer's head and body in a
 * buffer of the connection if both fit, and otherwise sends them one after the other, which costs
 * both ends a packet and a system call. The buffer has 512 bytes, a little less than the answer to
 * an order, until a longer head makes it grow for good. So the second answer of each connection
 * gets a long header; the first may be that of a call by hand, which no other follows.
 */

/** Name of the header. */
export const PADDING_HEADER = "X-Padding";
/** Makes room for the head and the body that one packet of Ethernet carries. */
const PADDING = "0".repeat(1_400);
/** How many connections are remembered; beyond it, those still in use are padded once more. */
export const CONNECTIONS_MAX = 10_000;

/** Wraps a handler of calls. */
export function withRoomyConnections(
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.ServeHandler<Deno.NetAddr> {
  /** By the peer's address and port: whether only one answer has been given. */
  const isFirstOnly = new Map<string, boolean>();

  function isSecond(peer: Deno.NetAddr): boolean {
    // On a socket that the platform opened itself, connections have no address.
    if (!("hostname" in peer)) return false;
    const name = `${peer.hostname} ${peer.port}`;
    const before = isFirstOnly.get(name);
    if (before === false) return false;
    if (before === undefined && isFirstOnly.size >= CONNECTIONS_MAX) isFirstOnly.clear();
    isFirstOnly.set(name, before === undefined);
    return before === true;
  }

  return function answerRoomily(request, info) {
    const answering = handler(request, info);
    return isSecond(info.remoteAddr) ? padded(answering) : answering;
  };
}

async function padded(answering: Response | Promise<Response>): Promise<Response> {
  const answer = await answering;
  // The answer that opens a websocket can't be changed.
  if (answer.status !== 101) answer.headers.set(PADDING_HEADER, PADDING);
  return answer;
}
