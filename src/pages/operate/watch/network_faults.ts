/** What is wrong with networks, by the process's figures. */
import type { Tone } from "../acting/record_views.tsx";
import type { Metrics } from "./metrics.ts";

/** Why a network can't be relied on; null if it can. */
export type NetworkFault = Metrics["networks"][number]["fault"];

/** Returns why a network can't be relied on; null if it can, or this process has no node of it. */
export function networkFault(now: Metrics | null, network: string): NetworkFault {
  return now?.networks.find((one) => one.network === network)?.fault ?? null;
}

/** Returns how good it is: what passes by itself once its node is right is a warning. */
export function networkTone(fault: string | null): Tone {
  if (fault === null) return "good";
  return ["reorganised", "other_network", "contradicting"].includes(fault) ? "bad" : "warn";
}
