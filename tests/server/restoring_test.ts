/** A restore: an older copy goes on in an epoch of its own, and pays nothing until it is opened. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { present } from "../../src/domain/assert.ts";
import { isRejection } from "../../src/domain/command.ts";
import { readActs, RESTORE_ACT } from "../../src/secrets/acts.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { LostTailError } from "../../src/engine/start/store_checks.ts";
import { MemberSessions } from "../../src/identity/member_sessions.ts";
import { logPayouts, readLogged } from "../../src/server/logged_payouts.ts";
import { Logger } from "../../src/server/logger.ts";
import { restoreVenue } from "../../src/server/restoring.ts";
import { epochKey, rowKey, sidecarKey } from "../../src/store/keys.ts";
import { RESTORES_KEY } from "../../src/store/sidecar_keys.ts";
import type { EpochRecord } from "../../src/store/log/epoch.ts";
import { StoreInUseError } from "../../src/store/file/owner_lock.ts";
import { openStore } from "../../src/store/store.ts";
import { readHead } from "../../src/store/log/venue_log.ts";
import { copyStore } from "../support/damaged_file.ts";
import { currencyDefinition } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";
import { ConfigError } from "../../src/server/config_error.ts";

function restore(path: string, ...logFiles: string[]) {
  const args = ["restore", ...logFiles.map((file) => `--log=${file}`)];
  return restoreVenue(readConfig({ KV_PATH: path }, args));
}

async function epochOf(path: string): Promise<string> {
  return (await readEpoch(path)).epoch;
}

/** Returns the epoch of a store, and the sequence that its row says it goes on from. */
async function readEpoch(path: string) {
  const store = await openStore(path);
  const { value: { epoch } } = await readHead(store);
  const { value } = await store.get<EpochRecord>(epochKey(epoch));
  store.close();
  return { epoch, after: value?.after };
}

/** A venue that went on after a copy was made, and the lines that it logged. */
class CopiedVenue {
  constructor(readonly venue: WalletVenue, readonly lines: string[], readonly copy: string) {}

  static async open(): Promise<CopiedVenue> {
    const venue = await WalletVenue.open();
    await venue.test.must({ kind: "set_settings", changes: { walletRail: "sandbox" } });
    const lines: string[] = [];
    logPayouts(venue.engine, new Logger("error", (line) => lines.push(line)));
    return new CopiedVenue(venue, lines, `${venue.file.directory}/copy.kv`);
  }

  /** Copies the store, as of now. */
  async copied(): Promise<void> {
    await this.venue.test.folded();
    await copyStore(this.venue.file.path, this.copy);
  }

  /** Ends the process, and puts the copy back in the place of its file; its mark stays. */
  async putBack(): Promise<string> {
    const { path } = this.venue.file;
    await this.venue.test.close();
    await Deno.remove(`${path}-wal`).catch(() => {});
    await Deno.remove(`${path}-shm`).catch(() => {});
    await copyStore(this.copy, path, ["", "-wal"]);
    return path;
  }

  /** Logs how far the log is, as a process does every second. */
  note(epoch: string): void {
    const { sequence } = this.venue.test.venue;
    this.lines.push(JSON.stringify({ event: "head", epoch, sequence }));
  }

  /** Writes the lines as a journal does. */
  async log(): Promise<string> {
    const file = `${this.venue.file.directory}/log`;
    await Deno.writeTextFile(file, this.lines.map((line) => `Nov 28 venue[7]: ${line}\n`).join(""));
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.venue.test.close();
    await this.venue.file[Symbol.asyncDispose]();
  }
}

describe("a restore", () => {
  it("begins an epoch with trading and withdrawals stopped, and lists what may be paid", async () => {
    await using copied = await CopiedVenue.open();
    const { venue } = copied;
    await venue.withdraw("1");
    await copied.copied();
    venue.clock.now += 1;
    const wallet = venue.wallet();
    await wallet.tick();
    await venue.mine(wallet, 3);
    const { txid, state } = await venue.sent();
    assertEquals(state, "succeed");
    await venue.withdraw("2");
    await venue.mine(wallet, 3);
    copied.note(await epochOf(venue.file.path));
    const path = await copied.putBack();
    const old = await epochOf(path);

    const { copy, lines } = await restore(path, await copied.log());

    const said = lines.join("\n");
    assertEquals([copy.isBegun, copy.audit.differences], [true, []]);
    assert(/the log was at \d+ at least: \d+ events or more are lost/.test(said), said);
    // The sandbox's chain is in the store, and of the same age.
    const first = "withdrawal 1 of alice, 1 btc, accepted in the copy: the rail did not send it";
    assert(said.includes(`${first}; the log says succeed as ${txid}`), said);
    assert(said.includes("withdrawal 2 of alice, 2 btc, not open in the copy: the log says"), said);
    const { epoch, after } = await readEpoch(path);
    assert(epoch !== old);
    assertEquals(after, copy.end.sequence);
    await using test = await EngineVenue.open({ path, clock: venue.clock });
    const { restored, ...switches } = test.venue.switches;
    assertEquals(switches, { trading: false, withdrawals: false });
    assertEquals(restored, copy.end);
    await venue.wallet(test.engine).tick();
    assertEquals(test.venue.withdraws.get(1)?.state, "accepted", "nothing is paid");
    const member = test.venue.withdraws.get(1)?.member ?? -1;
    const taken = await test.engine.submit({ kind: "cancel_withdraw", member, id: 1 }, null);
    assertEquals(isRejection(taken) && taken.rejected, "withdrawals_stopped");
    await test.must({ kind: "change_withdraw", id: 1, action: "succeed", txid });
    await test.must({ kind: "set_switches", switches: { trading: true, withdrawals: true } });
    assertEquals(test.venue.switches, { trading: true, withdrawals: true });
    await venue.wallet(test.engine).tick();
    assertEquals(venue.rail.sent, ["withdraw-1", "withdraw-2"], "nothing is paid again");
    await test.close();
    assertEquals((await runAudit(path)).differences, []);
  });

  it("says where the addresses are of those who join, if coins live on networks", async () => {
    await using copied = await CopiedVenue.open();
    await copied.copied();
    const path = await copied.putBack();
    assert(!(await restore(path)).lines.join().includes("m/…/"), "there are none");
    await using venue = await EngineVenue.open({ path, clock: copied.venue.clock });
    const networks = [{ name: "anvil", digits: 18 }];
    const currency = { ...currencyDefinition("eth", 8), networks };
    await venue.must({ kind: "create_currency", currency });
    const members = venue.venue.holders.length;
    await venue.close();

    const { lines } = await restore(path);

    const store = await openStore(path);
    const { value } = await store.get<{ branches: unknown[] }>(sidecarKey(RESTORES_KEY));
    store.close();
    const branch = Number(/m\/…\/(\d+)\/n/.exec(lines.join())?.[1]);
    assertEquals(value?.branches.at(-1), { branch, from: members });
    assert(branch > 1_700_000_000 && lines.join().includes(`n from ${members} on`), lines.join());
  });

  it("that is repeated counts the log from the copy that the first has gone on from", async () => {
    await using copied = await CopiedVenue.open();
    const { venue } = copied;
    await venue.withdraw("1");
    await copied.copied();
    venue.clock.now += 1;
    const wallet = venue.wallet();
    await wallet.tick();
    await venue.withdraw("2");
    await venue.mine(wallet, 3);
    copied.note(await epochOf(venue.file.path));
    const path = await copied.putBack();
    const once = await restore(path);
    assert(!once.lines.join().includes("withdrawal 2"), "no log was named");

    const { copy, lines: [loss, ...lines] } = await restore(path, await copied.log());

    assertEquals([copy.first, copy.end.sequence], [once.copy.end, once.copy.end.sequence + 2]);
    const { sequence } = once.copy.end;
    const counted = new RegExp(`restored before.* ends at ${sequence}, .* events or more are lost`);
    assert(counted.test(loss ?? ""), loss);
    const said = lines.join("\n");
    assert(said.includes("withdrawal 1 of alice, 1 btc, accepted in the copy"), said);
    assert(said.includes("; the log says succeed as"), said);
    assert(said.includes("withdrawal 2 of alice, 2 btc, not open in the copy"), said);

    await using test = await EngineVenue.open({ path, clock: venue.clock });
    await test.must({ kind: "change_withdraw", id: 1, action: "succeed", txid: "paid" });
    await test.close();
    const settled = (await restore(path, await copied.log())).lines.join("\n");
    assert(!settled.includes("withdrawal 1 of"), "it is settled");
    assert(settled.includes("withdrawal 2 of alice"), settled);
    await using opened = await EngineVenue.open({ path, clock: venue.clock });
    await opened.must({ kind: "set_switches", switches: { withdrawals: true } });
    await opened.close();
    const later = await restore(path, await copied.log());
    assertEquals(later.copy.first, later.copy.end);
    assert(!later.lines.join().includes("withdrawal 2 of"), "that loss is over");
  });

  it("gives payouts whose ids come again other names, which no rail has paid", async () => {
    await using copied = await CopiedVenue.open();
    const { venue } = copied;
    await venue.withdraw("1");
    await copied.copied();
    venue.clock.now += 1;
    await venue.withdraw("2");
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals(venue.rail.sent.toSorted(), ["withdraw-1", "withdraw-2"]);
    const path = await copied.putBack();
    await restore(path);
    await restore(path);
    await using next = await venue.join();
    const switches = { trading: true, withdrawals: true };
    await next.test.must({ kind: "set_switches", switches });
    next.clock.now += 1000;
    const id = await next.withdraw("3");
    assertEquals(id, 2);
    await next.wallet().tick();
    const { createdAt } = await next.sent(2);
    assertEquals(next.rail.sent.toSorted(), ["withdraw-1", `withdraw-2-${createdAt}`]);
    const found = await next.wallet().payoutOf(await next.sent(2));
    assertEquals(found?.kind, "sent");
  });

  it("is an act in the operators' list, numbered behind those of the copy", async () => {
    await using copied = await CopiedVenue.open();
    const { venue } = copied;
    await venue.test.must({ kind: "set_switches", switches: { trading: false } });
    await copied.copied();
    const { sequence } = venue.test.venue;
    const path = await copied.putBack();
    const epochs = [await epochOf(path)];
    for (let times = 1; times <= 2; times++) {
      await restore(path);
      epochs.push(await epochOf(path));
    }
    await using test = await EngineVenue.open({ path });
    const page = { offset: 0, limit: 9, direction: "desc" } as const;
    const { items, total } = await readActs(test.engine, { action: RESTORE_ACT }, page);
    assertEquals([total, test.venue.counters.acts], [null, 2]);
    const said = items.toReversed().map(({ id, act }) => [id, act?.made, act?.before, act?.after]);
    assertEquals(said, [
      [1, epochs[1], { withdrawals: true }, { withdrawals: false }],
      [2, epochs[2], undefined, undefined],
    ]);
    const first = items.at(-1)?.act;
    assertEquals([first?.uid, first?.kid, first?.action], [null, null, "restoreVenue"]);
    assertEquals(first?.target, { store: path.split("/").at(-1) ?? "" });
    const { copied_at, ...copy } = first?.changes ?? {};
    assertEquals(copy, { epoch: epochs[0], sequence });
    assert(Date.parse(String(copied_at)) <= (first?.at ?? 0), String(copied_at));
    await test.close();
    assertEquals((await runAudit(path)).differences, []);
  });

  it("ends all sessions, and says that locks and deleted keys have to be done again", async () => {
    await using copied = await CopiedVenue.open();
    const { engine } = copied.venue;
    const sessions = new MemberSessions(engine);
    const origin = { address: "10.0.0.1", device: "", userAgent: "a test" };
    for (let count = 0; count < 3; count++) await sessions.begin("alice", origin);
    const [ended, ...others] = await sessions.list("alice");
    await copied.copied();
    await sessions.end("alice", present(ended, "there is one").id);
    assertEquals(others.length, 2);
    const path = await copied.putBack();
    const { lines } = await restore(path);
    await using test = await EngineVenue.open({ path, clock: copied.venue.clock });
    assertEquals(await new MemberSessions(test.engine).list("alice"), []);
    assertEquals(await test.engine.listSidecar({ prefix: ["sessions"], limit: 1 }), []);
    const said = lines.join(" ");
    for (const text of ["All sessions have ended", "API keys that were deleted", "are let in"]) {
      assert(said.includes(text), said);
    }
  });

  it("refuses a copy that is not whole, and changes nothing", async () => {
    await using copied = await CopiedVenue.open();
    await copied.copied();
    const path = await copied.putBack();
    const kv = await Deno.openKv(path);
    await kv.delete(rowKey("currencies", 0) as Deno.KvKey);
    kv.close();
    const old = await epochOf(path);
    const { copy } = await restore(path);
    assertEquals(copy.isBegun, false);
    assert(copy.audit.differences.length > 0);
    assertEquals(await epochOf(path), old);
  });

  it("is not begun without a log that it was told to read, and says which", async () => {
    await using file = await VenueFile.create();
    const venue = await EngineVenue.open({ path: file.path });
    await venue.close();
    const epoch = await epochOf(file.path);
    const missing = `${file.directory}/journal.txt`;
    const message = `--log names "${missing}", which cannot be read`;
    await assertRejects(() => restore(file.path, missing), ConfigError, message);
    assertEquals(await epochOf(file.path), epoch);
  });

  it("is not done under a process that owns the file", async () => {
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path });
    const { value: { epoch } } = await readHead(test.store);
    await assertRejects(() => restore(file.path), StoreInUseError);
    assertEquals((await readHead(test.store)).value.epoch, epoch);
  });

  it("stops whoever still holds the old epoch, at once and for good", async () => {
    await using file = await VenueFile.create();
    const open = () => EngineVenue.open({ path: file.path, isShared: true });
    await using overlooked = await open();
    await overlooked.addUsual();
    await overlooked.folded();
    overlooked.store.areReadsFailing = true;
    await restore(file.path);
    const row = { key: ["mail", 1], value: "code" } as const;
    await assertRejects(() => overlooked.engine.writeSidecar(row));
    overlooked.store.areReadsFailing = false;
    await overlooked.health("invariant_broken");
    await using next = await open();
    assertEquals(next.venue.switches.trading, false);
  });
});

describe("an older copy of a file", () => {
  it("is refused at a start, which says what to do: its mark is further", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    const open = () => EngineVenue.open({ path });
    await using first = await open();
    await first.addUsual();
    await first.close();
    await copyStore(path, `${file.directory}/copy`, ["", "-wal"]);
    const second = await open();
    await second.placed("alice", { amount: "1", price: "10" });
    await second.close();
    await Deno.remove(`${path}-wal`).catch(() => {});
    await copyStore(`${file.directory}/copy`, path, ["", "-wal"]);
    await assertRejects(open, LostTailError, 'run "deno task restore"');
    const { lines } = await restore(path);
    assert(/the log was at \d+ at least/.test(lines.join()), lines.join());
    await using test = await open();
    const { trading, withdrawals } = test.venue.switches;
    assertEquals([trading, withdrawals], [false, false]);
  });
});

describe("lines of a log", () => {
  it("tell of payouts and heads, whatever stands before them; others are passed over", () => {
    const payout = {
      withdraw: 7,
      uid: "ID1",
      currency: "btc",
      amount: "1",
      state: "processing",
      txid: "",
      stamped: 5,
      event: "payout",
    };
    const lines = [
      JSON.stringify(payout),
      `venue[1]: ${JSON.stringify({ ...payout, state: "succeed", txid: "t" })}`,
      JSON.stringify({ event: "head", epoch: "e", sequence: 9 }),
      JSON.stringify({ event: "head", epoch: "e", sequence: 8 }),
      JSON.stringify({ event: "payout", withdraw: "8" }),
      '{"event":"payout", torn',
      "",
    ];
    const { heads, payouts } = readLogged(lines.join("\n"));
    assertEquals([...heads], [["e", 9]]);
    assertEquals([...payouts].map(([id, { state, txid }]) => [id, state, txid]), [
      [7, "succeed", "t"],
    ]);
  });
});
