/** The public status of the venue. */
import type { Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { backendPaths, ok, SERVICE } from "../endpoint_parts.ts";
import { statusJson } from "../../edge/wire/status_wire.ts";
import { VENUE_STATUS, VENUE_STATUS_EXAMPLE } from "../../edge/schemas/venue_status.ts";

function readStatus(call: Call): Response {
  const { engine, services } = call;
  return call.json(200, statusJson(engine.venue, services.health().isReady, engine.now()));
}

/** Endpoint of the status. */
export const VENUE_STATUS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readStatus",
    method: "GET",
    paths: backendPaths("public/status"),
    ...SERVICE,
    summary: "Get the status of the venue",
    description:
      "Responds as long as the process is running; for load balancers, use `health/ready`. The " +
      "stream `global.status` tells the same on every change.",
    answer: ok(
      "Status of the venue, its markets and its currencies.",
      VENUE_STATUS,
      VENUE_STATUS_EXAMPLE,
    ),
    handle: readStatus,
  }),
];
