import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { Entry } from "../../../src/store/log/entry_codec.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { foldWindow } from "../../../src/engine/fold/fold_window.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { COMMIT_MUTATIONS_MAX } from "../../../src/store/kv/kv_limits.ts";
import { EMPTY_WATERMARK } from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { noPause } from "../../support/folded_events.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** More than a call takes as arguments. */
const MANY = 150_000;

it("a window may change more rows than a call takes as arguments", async () => {
  const test = new DomainVenue().withCurrencies("usdt").withMember("ann", { usdt: "1" });
  test.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } });
  test.fund("ann", "usdt", "1");
  const events = test.sink.events.map(({ event }) => event);
  const member = events.find((event) => event.kind === "member_set");
  const adjusted = events.at(-1);
  if (member?.kind !== "member_set" || adjusted?.kind !== "balance_adjusted") {
    throw new Error("A member and its funds are the events of these commands");
  }
  for (let i = 1; i <= MANY; i++) {
    const index = test.member("ann") + i;
    events.push(
      { ...member, member: { ...member.member, index } },
      { ...adjusted, id: adjusted.id + i, member: index },
    );
  }
  const { changes } = await foldWindow(
    [entryOf(events)],
    new MemoryRows(),
    EMPTY_WATERMARK,
    noPause,
  );
  assertEquals(changes.filter(({ table }) => table === "pnl").length, MANY + 1);
});

function entryOf(events: readonly VenueEvent[]): Entry {
  return { first: 1, at: 1, batchId: new Uint8Array(16), events, hash: new Uint8Array(32) };
}

it("an audit may find more differences than a call takes as arguments", async () => {
  await using file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await test.close();
  const kv = await Deno.openKv(file.path);
  for (let at = 0; at < MANY; at += COMMIT_MUTATIONS_MAX) {
    const atomic = kv.atomic();
    for (let i = at; i < Math.min(at + COMMIT_MUTATIONS_MAX, MANY); i++) {
      atomic.set(rowKey("open_orders", i) as Deno.KvKey, new Uint8Array(16).fill(255));
    }
    await atomic.commit();
  }
  kv.close();
  assertEquals((await runAudit(file.path)).differences.length, MANY);
});
