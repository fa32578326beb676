import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TASKS, tasksHtml } from "../../../src/http/docs/docs_tasks.ts";
import type { TaskCall } from "../../../src/http/docs/operators_task.ts";
import { createEndpoints } from "../../../src/http/endpoints.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../../src/domain/limits.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";
import { Withdrawer } from "../../support/withdrawals.ts";

const ADMIN = "/api/v2/admin";

/** Parks a withdrawal whose payout nobody knows the fate of; returns its id. */
async function park(venue: TestVenue, alice: Withdrawer): Promise<number> {
  const { id } = await alice.must("1");
  for (const [claims, action] of (["claim", "park"] as const).entries()) {
    const command = { kind: "change_withdraw", id, action, claims } as const;
    const outcome = await venue.engine.submit(command, null);
    assert(!isRejection(outcome), action);
  }
  venue.clock.now += CLAIM_LIFE_MS + 1;
  return id;
}

/** Has the venue go on from a copy in which a withdrawal is not paid; returns the id of that. */
async function restore(venue: TestVenue, alice: Withdrawer): Promise<number> {
  const { id } = await alice.must("1");
  const restored = { epoch: "lost", sequence: 7, at: 1, reached: 9 };
  const switches = { trading: false, withdrawals: false, restored };
  assert(!isRejection(await venue.engine.submit({ kind: "set_switches", switches }, null)));
  return id;
}

/** Makes a call of a task as it stands there; returns the id of what it made, if any. */
async function make(
  venue: TestVenue,
  { method, path, body, operation }: TaskCall,
  names: Readonly<Record<string, string>>,
): Promise<string> {
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? `no ${name}`);
  const whole = filled(path);
  const text = body === undefined ? {} : { text: filled(JSON.stringify(body)) };
  const headers = { "Content-Type": "application/json" };
  const answer = await venue.call("operator", method, ADMIN + whole, { headers, ...text });
  assert(answer.status < 300, `${operation}: ${answer.status} ${answer.text}`);
  return String(answer.body.id ?? "");
}

describe("the tasks of operators", () => {
  it("name calls by the operations that they are", () => {
    const endpoints = new Map(createEndpoints().map((one) => [one.id, one]));
    for (const { steps } of TASKS) {
      for (const { call } of steps) {
        if (call === undefined) continue;
        const endpoint = endpoints.get(call.operation);
        assertEquals(endpoint?.method, call.method, call.operation);
        const [path = ""] = call.path.split("?");
        const pattern = endpoint?.paths[0].replaceAll(/\{\w+\}/g, "[^/]+") ?? "";
        assert(new RegExp(`^${pattern}$`).test(ADMIN + path), call.path);
      }
    }
  });

  it("can be done as they are told, one after another", () =>
    withVenue(async (venue) => {
      await venue.order("bob");
      const alice = await Withdrawer.of(venue, "alice");
      const names = {
        market: "btcusdt",
        uid: UIDS.bob,
        kid: "demo-bob",
        email: "bob@demo.invalid",
        currency: "eur",
      };
      const euro = { id: "eur", name: "Euro", type: "fiat", precision: 2 };
      await venue.post("operator", `${ADMIN}/currencies`, euro);
      for (const { id: task, steps } of TASKS) {
        let made = task === "restore" ? String(await restore(venue, alice)) : "";
        const currency = task === "restore" ? "usdt" : names.currency;
        for (const { call } of steps) {
          if (call === undefined) continue;
          const isParked = task === "stuck-payout" && call.path.includes("{id}");
          const id = isParked ? String(await park(venue, alice)) : made;
          const answered = await make(venue, call, { ...names, currency, id });
          if (call.operation === "enterDeposit") made = answered;
        }
      }
      assertEquals(venue.engine.venue.bookById.get("xauusdt")?.market.state, "enabled");
      assertEquals(venue.engine.venue.switches, { trading: true, withdrawals: true });
      const bob = venue.engine.venue.holderByUid.get(UIDS.bob);
      assertEquals([bob?.member.state, bob?.member.hasTwoFactor], ["active", false]);
      assertEquals(venue.engine.venue.keyByKid.get("demo-bob")?.key.state, "deleted");
    }));

  it("are a chapter of the reference page", () => {
    const html = tasksHtml();
    for (const { title } of TASKS) assertStringIncludes(html, title);
    assertEquals(TASKS.map(({ id }) => id), [
      "open-a-market",
      "stop-a-market",
      "lost-second-factor",
      "stolen-key",
      "money-by-hand",
      "stuck-payout",
      "restore",
    ]);
  });
});
