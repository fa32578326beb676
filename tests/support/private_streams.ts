import type { Engine, MemberEvents } from "../../src/engine/engine.ts";
import { Hub } from "../../src/realtime/hub.ts";
import { PrivateStreams } from "../../src/realtime/private_streams.ts";
import { changedEngine } from "./changed_engine.ts";

/** The private streams of a venue. */
export function streamsOf(
  test: { readonly engine: Engine },
): { readonly hub: Hub; readonly faults: unknown[] } {
  const hub = new Hub();
  const faults: unknown[] = [];
  hub.register(new PrivateStreams(test.engine, hub, (fault) => faults.push(fault)));
  return { hub, faults };
}

/** An engine whose reading back of events is meddled with. */
export function withMemberEvents(
  { engine }: { readonly engine: Engine },
  meddle: (read: () => Promise<MemberEvents>, member: number) => Promise<MemberEvents>,
): Engine {
  const memberEvents: Engine["memberEvents"] = (member, isEnough) =>
    meddle(() => engine.memberEvents(member, isEnough), member);
  return changedEngine(engine, { memberEvents });
}
