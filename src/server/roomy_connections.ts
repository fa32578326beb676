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
/** Number of answers to a port after which it is padded again: another connection may have it. */
export const PADDED_EVERY = 1_024;
const PORTS = 65_536;

/** Wraps a handler of calls. */
export function withRoomyConnections(
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.ServeHandler<Deno.NetAddr> {
  /**
   * Number of answers by the peer's port, of whatever host: a connection that is padded too often,
   * or not at once, is no loss, and names of peers would take longer to make and to look up.
   */
  const answers = new Uint16Array(PORTS);

  function isDue({ port }: Deno.NetAddr): boolean {
    // On a socket that the platform opened itself, connections have no port.
    if (port === undefined) return false;
    const count = (answers[port] ?? 0) + 1;
    answers[port] = count;
    return count % PADDED_EVERY === 2;
  }

  return function answerRoomily(request, info) {
    // First, since a call that was upgraded has no address any more.
    const isPadded = isDue(info.remoteAddr);
    const answering = handler(request, info);
    return isPadded ? padded(answering) : answering;
  };
}

async function padded(answering: Response | Promise<Response>): Promise<Response> {
  const answer = await answering;
  // The answer that opens a websocket can't be changed.
  if (answer.status !== 101) answer.headers.set(PADDING_HEADER, PADDING);
  return answer;
}
