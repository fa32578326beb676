import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { RequestLine } from "../../../src/sockets/rpc/request_line.ts";
import { currencyDefinition, marketDefinition } from "../../support/domain_venue.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { TestVenue } from "../../support/with_venue.ts";

/** Lets the next read of what others have done take a while, in which a market is made. */
function makeMarketLate({ engine }: TestVenue): void {
  const fresh: Engine["fresh"] = engine.fresh.bind(engine);
  const late: Engine["fresh"] = async () => {
    Object.assign(engine, { fresh });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await engine.submit({ kind: "create_currency", currency: currencyDefinition("xrp") }, null);
    await engine.submit({ kind: "create_market", market: marketDefinition("xrp", "usdt") }, null);
    await fresh();
  };
  Object.assign(engine, { fresh: late });
}

/** Notes what reaches the venue from now on. */
function noted({ engine }: TestVenue): string[] {
  const commands: string[] = [];
  const submit: Engine["submit"] = engine.submit.bind(engine);
  const noting: Engine["submit"] = (command, ...others) => {
    if (!command.kind.startsWith("create_")) commands.push(inShort(command));
    return submit(command, ...others);
  };
  Object.assign(engine, { submit: noting });
  return commands;
}

function inShort(command: Command): string {
  return command.kind === "place_orders" ? command.orders[0]?.clientOrderId ?? "" : command.kind;
}

function create(name: string, market = "btcusdt"): readonly unknown[] {
  return [market, "l", "buy", "1", "1", { client_order_id: name }];
}

/** Sends requests at once; returns their answers by id, from 1. */
async function pipelined(
  { stream }: RpcClient,
  requests: readonly (readonly [method: string, args: readonly unknown[]])[],
): Promise<unknown[][]> {
  for (const [i, request] of requests.entries()) stream.send([1, i + 1, ...request]);
  const answers: unknown[][] = [];
  for (let left = requests.length; left > 0; left--) {
    const answer = await stream.next((frame) => frame[0] === 2);
    answers[answer[1]] = answer.slice(2);
  }
  return answers;
}

describe("requests of one socket", () => {
  it("are decided in the order sent, whatever the first of them has to wait for", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      const commands = noted(venue);
      makeMarketLate(venue);
      const answers = await pipelined(alice, [
        ["create_bulk", [create("a", "xrpusdt"), create("b")]],
        ["create_order", create("c")],
        ["cancel_all_after", ["60"]],
        ["cancel_bulk", ["uuid", ["client:a", "client:c"]]],
        ["create_order", create("d")],
        ["cancel_order", ["all"]],
        ["create_order", create("e")],
      ]);
      assertEquals(answers.filter((answer) => answer[0] === "error"), []);
      assertEquals(commands, [
        ...["a", "b", "c", "set_cancel_timer", "cancel_orders", "cancel_orders"],
        ...["d", "cancel_all_orders", "e"],
      ]);
    }));

  it("go on behind one that is refused, but not before what it followed", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const commands = noted(served.venue);
      makeMarketLate(served.venue);
      const answers = await pipelined(alice, [
        ["create_order", create("a", "xrpusdt")],
        ["create_order", ["btcusdt"]],
        ["cancel_order", ["uuid", "client:nobody"]],
        ["create_order", create("b")],
      ]);
      assertEquals(answers.slice(1).map(([name]) => name), [
        ...["create_order", "error", "error", "create_order"],
      ]);
      assertEquals(commands, ["a", "cancel_orders", "b"]);
    }));

  it("free the funds of an order before the next one needs them", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const { balance } =
        (await served.venue.get("alice", "/api/v2/backend/account/balances/usdt")).body;
      const all = [`${Number(balance)}`, "1"];
      await alice.call("create_order", ["btcusdt", "l", "buy", ...all, { client_order_id: "m0" }]);
      for (let i = 0; i < 20; i++) {
        const next = { client_order_id: `m${i + 1}` };
        const answers = await pipelined(alice, [
          ["cancel_order", ["uuid", `client:m${i}`]],
          ["create_order", ["btcusdt", "l", "buy", ...all, next]],
        ]);
        assertEquals(answers.slice(1).map(([name]) => name), ["cancel_order", "create_order"]);
      }
    }));

  it("wait for all before them, though the last of these has ended or passed", async () => {
    const line = new RequestLine();
    const held = Promise.withResolvers<void>();
    const reached: string[] = [];
    const ask = (name: string, isPassed = false) =>
      line.run(async (turn) => {
        if (isPassed) turn.pass();
        await turn.before;
        reached.push(name);
      });
    const first = line.run(() => held.promise.then(() => void reached.push("held")));
    const refused = line.run(() => Promise.resolve());
    const asked = [first, refused, ask("a"), ask("passed", true), ask("b")];
    await refused;
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve));
    assertEquals(reached, []);
    held.resolve();
    await Promise.all(asked);
    assertEquals(reached[0], "held");
    assertEquals(reached.indexOf("a") < reached.indexOf("b"), true);
  });

  it("wait for nothing where those before have reached the venue", async () => {
    const line = new RequestLine();
    const waits: boolean[] = [];
    const answer = Promise.withResolvers<void>();
    const ask = () =>
      line.run(async (turn) => {
        waits.push(turn.before !== null);
        turn.pass();
        await answer.promise;
      });
    const asked = [ask(), ask()];
    const held = Promise.withResolvers<void>();
    const holding = line.run(() => held.promise);
    asked.push(ask());
    assertEquals(waits, [false, false, true]);
    held.resolve();
    await holding;
    await new Promise((resolve) => setTimeout(resolve));
    asked.push(ask());
    assertEquals(waits.at(-1), false);
    answer.resolve();
    await Promise.all(asked);
    assertEquals(waits.length, 4);
  });
});
