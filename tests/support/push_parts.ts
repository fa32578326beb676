import { FrameTurns } from "../../src/sockets/frame_turns.ts";
import type { Hub } from "../../src/sockets/sending/hub.ts";
import type { PushParts } from "../../src/sockets/push/push_connection.ts";

/** Returns what connections to a hub share where nobody logs in. */
export function pushParts(hub: Hub, onFault: PushParts["onFault"]): PushParts {
  const services = {
    get engine(): never {
      throw new Error("Nobody logs in");
    },
    onUnexpected: onFault,
  };
  return { hub, turns: new FrameTurns(), onFault, services };
}
