/** API keys: what the log knows of them. */
import type { ChangeKey, CreateKey, Outcome } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import type { ApiKey } from "./member.ts";
import { reject } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/** Makes a key. */
export function decideCreateKey(venue: Venue, command: CreateKey, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  if (venue.keyByKid.has(command.kid)) return reject("key_taken", "kid");

  const key: ApiKey = {
    index: venue.keys.length,
    kid: command.kid,
    member: holder.member.index,
    role: command.role,
    scopes: command.scopes,
    state: "active",
    nonceMode: command.nonceMode,
    createdAt: sink.at,
    updatedAt: sink.at,
  };
  sink.emit({ kind: "key_set", key });
  return { kind: "key_set", key };
}

/** Changes a key of the member; a deleted one stays deleted. */
export function decideChangeKey(venue: Venue, command: ChangeKey, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const old = venue.keyByKid.get(command.kid)?.key;
  if (old === undefined || old.member !== holder.member.index || old.state === "deleted") {
    return reject("key_not_found", "kid");
  }

  const key: ApiKey = {
    ...old,
    state: command.state ?? old.state,
    scopes: command.scopes ?? old.scopes,
    updatedAt: sink.at,
  };
  sink.emit({ kind: "key_set", key });
  return { kind: "key_set", key };
}
