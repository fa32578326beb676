/** The thread of the unsigned sockets, see `socket_relay.ts`. */
import { RelayedPeers } from "./relayed_peers.ts";
import type { FromSockets, ToSockets } from "./relay_protocol.ts";

/** This thread's end; its own type would need another library than the rest of the program. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<ToSockets>) => void;
  postMessage(told: FromSockets): void;
};

const peers = new RelayedPeers((told) => thread.postMessage(told));
thread.onmessage = ({ data }) => {
  if (data.kind === "listen") peers.listen(data, data.lengthMax);
  else if (data.kind === "turn") peers.take(data);
  else void peers.stop();
};
