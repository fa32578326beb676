/** The clients and the oracle of a simulated venue. */
import type { Prng } from "../support/prng.ts";
import type { Judge, Source } from "./judge.ts";
import { Oracle } from "./oracle.ts";
import { Workload } from "./workload.ts";
import type { ClientHabits } from "./world_profile.ts";

/** Creates the oracle and the workload of a run. */
export function makeVenueWorkload(
  prng: Prng,
  nonceWindowMs: number,
  clients: ClientHabits,
): { readonly judge: Judge; readonly source: Source } {
  const judge = new Oracle({ nonceWindowMs });
  return { judge, source: new Workload(prng, judge, clients) };
}
