import type { Engine, MemberEvents } from "../../src/engine/engine.ts";
import { Hub } from "../../src/sockets/sending/hub.ts";
import { PrivateStreams } from "../../src/sockets/streams/private_streams.ts";
import { changedEngine, heardAtOnce } from "./changed_engine.ts";

/** Creates the private streams of an engine, whose pushes wait for nothing. */
export function streamsOf(
  test: { readonly engine: Engine },
): { readonly hub: Hub; readonly faults: unknown[] } {
  const hub = new Hub();
  const faults: unknown[] = [];
  hub.register(new PrivateStreams(heardAtOnce(test.engine), hub, (fault) => faults.push(fault)));
  return { hub, faults };
}

/** Returns the engine with `meddle` around its reads of a member's events. */
export function withMemberEvents(
  { engine }: { readonly engine: Engine },
  meddle: (read: () => Promise<MemberEvents>, member: number) => Promise<MemberEvents>,
): Engine {
  const memberEvents: Engine["memberEvents"] = (member, isEnough) =>
    meddle(() => engine.memberEvents(member, isEnough), member);
  return changedEngine(engine, { memberEvents });
}
