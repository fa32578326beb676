import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WalletNotices } from "../../src/wallet/wallet_notices.ts";
import { sidecarRows, WALLET_NOTICE_ROWS } from "../../src/engine/sidecar_rows.ts";
import { currencyDefinition } from "../support/domain_venue.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

describe("calls for the operator", () => {
  it("begin with the latest, however many of any kind came before", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    const notices = new WalletNotices(test.engine, { info() {}, error() {} });
    const refused = (id: number) => ({
      kind: "deposit_refused",
      currency: "btc",
      id,
      txid: "",
      reason: "deposit_disabled",
    } as const);
    for (let id = 1; id <= 1200; id++) await notices.add(refused(id));
    clock.now += 1;
    const parked = { kind: "payout_parked", currency: "btc", id: 7, txid: "", reason: "" } as const;
    await notices.add(parked);
    clock.now += 1;
    await notices.add(refused(1201));
    const listed = await notices.list();
    assertEquals(listed.slice(0, 2), [
      { ...refused(1201), at: clock.now },
      { ...parked, at: clock.now - 1 },
    ]);
    assertEquals(listed.length, 1000);
  });

  it("are deleted once their payouts wait no more, an hour after they were written", async () => {
    await using venue = await WalletVenue.open();
    const { engine, clock } = venue;
    const notices = new WalletNotices(engine, { info() {}, error() {} });
    const waits = await venue.withdraw("10");
    for (const id of [waits, 100, 101]) {
      const notice = {
        kind: "payout_waits",
        currency: "btc",
        id,
        txid: "",
        reason: "away",
      } as const;
      await notices.addWaiting(notice, "unreachable");
    }
    await notices.add({ kind: "payout_parked", currency: "btc", id: 100, txid: "", reason: "" });
    const kept = async () => {
      const listed = (await notices.list()).map(({ id }) => id).sort();
      assertEquals(listed, [waits, 100]);
      const rows = await Array.fromAsync(sidecarRows(engine, { prefix: WALLET_NOTICE_ROWS }));
      return rows.length;
    };
    assertEquals(await kept(), 4);
    clock.now += 3_599_000;
    assertEquals(await kept(), 4);
    clock.now += 2_000;
    assertEquals(await kept(), 2);
    assertEquals(await kept(), 2);
  });

  it("are one for each network and round", async () => {
    await using test = await EngineVenue.open({});
    const notices = new WalletNotices(test.engine, { info() {}, error() {} });
    const notice = (network: string) => ({
      kind: "network_reorganised",
      currency: "",
      network,
      id: 0,
      txid: "",
      reason: "reorganised",
    } as const);
    for (const network of ["anvil", "sepolia", "anvil"]) await notices.add(notice(network), 1);
    await notices.add(notice("anvil"), 2);
    const listed = (await notices.list()).map(({ network }) => network);
    assertEquals(listed.sort(), ["anvil", "anvil", "sepolia"]);
  });

  it("are logged with their network, also where that is their currency's first", async () => {
    await using test = await EngineVenue.open({});
    const networks = [{ name: "anvil", digits: 18 }];
    const currency = { ...currencyDefinition("ether", 8), networks };
    await test.engine.submit({ kind: "create_currency", currency }, null);
    const logged: unknown[] = [];
    const error = (_event: string, fields: object) => logged.push({ network: null, ...fields });
    const informed: unknown[] = [];
    const info = (event: string, { network }: { readonly network?: unknown }) =>
      informed.push([event, network]);
    const notices = new WalletNotices(test.engine, { info, error });
    const notice = { kind: "payout_waits", id: 1, txid: "", reason: "away" } as const;
    await notices.addWaiting({ ...notice, currency: "ether" }, "unreachable");
    await notices.add({ ...notice, currency: "other" });
    assertEquals(logged, [
      { ...notice, currency: "ether", network: "anvil" },
      { ...notice, currency: "other", network: null },
    ]);
    await notices.add({ ...notice, kind: "moved_to_cold", currency: "ether" });
    assertEquals([informed, logged.length], [[["moved_to_cold", "anvil"]], 2], "it is no error");
  });
});
