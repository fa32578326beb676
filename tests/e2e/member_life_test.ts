import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { SignedClient } from "../support/http_clients.ts";
import { HiddenTexts, until } from "../support/member_life.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Starts the demo with the most detailed log. */
async function startDemo(kvPath: string, lines: string[]): Promise<VenueServer> {
  const config = readConfig({ PORT: "0", KV_PATH: kvPath, RATE_LIMIT: "off" }, ["--demo"]);
  return await VenueServer.start(config, new Logger("debug", (line) => lines.push(line)));
}

function assertNothingHiddenIn(lines: readonly string[], hidden: HiddenTexts): void {
  assert(hidden.size >= 9, `only ${hidden.size} texts are looked for`);
  hidden.assertAbsent(lines);
  for (const line of lines) {
    // A transaction's id is public, and tells after a restore what was paid.
    const others = line.replace(/"txid":"[0-9a-f]{64}"/, "");
    assert(!/[0-9a-f]{64}/.test(others), `a signature in ${line}`);
  }
}

/** Receives a deposit from the sandbox. */
async function receive(
  client: SignedClient,
  hidden: HiddenTexts,
  currency: string,
  amount: string,
): Promise<void> {
  await until(
    () => client.must(200, "GET", `/backend/account/deposit_address/${currency}`),
    ({ address }) =>
      typeof address === "string" && address !== "" &&
      hidden.hide(address) !== "",
  );
  const deposit = await client.must(201, "POST", "/backend/account/faucet", { currency, amount });
  await until(
    () => client.must(200, "GET", `/backend/account/deposits/${deposit.txid}`),
    ({ state }) => state === "collected",
  );
}

/** Buys 0.5 btc from bob at 20,000. */
async function trade(client: SignedClient, bob: SignedClient): Promise<void> {
  const order = { market: "btcusdt", type: "limit", amount: "0.5", price: "20000" };
  await bob.must(201, "POST", "/trading/market/orders", { ...order, side: "sell" });
  await client.must(201, "POST", "/trading/market/orders", { ...order, side: "buy" });
  const trades = await client.must(200, "GET", "/backend/market/trades");
  assertEquals(trades.map((one: { amount: string }) => one.amount), ["0.5"]);
}

describe("a member's life", () => {
  it("goes from sign-up to a completed withdrawal", async () => {
    const directory = await Deno.makeTempDir();
    const kvPath = `${directory}/venue.db`;
    const lines: string[] = [];
    const hidden = new HiddenTexts();
    const server = await startDemo(kvPath, lines);
    const signed = (kid: string) => new SignedClient(server.url, kid, `${kid}-secret`);
    const operator = signed("demo-operator");
    try {
      const member = await hidden.becomeMember(server.url, operator);
      const { uid, client } = member;
      await receive(client, hidden, "usdt", "15000");
      await client.fails(403, "market.trade.not_permitted", "POST", "/trading/market/orders", {
        market: "btcusdt",
        side: "buy",
        type: "limit",
        amount: "0.5",
        price: "20000",
      });
      await operator.must(200, "PATCH", `/admin/members/${uid}`, {
        level: 3,
        reason: "papers seen",
      });
      await trade(client, signed("demo-bob"));
      const [pnl] = await client.must(
        200,
        "GET",
        "/backend/account/stats/pnl?pnl_currency=usdt",
      ).then((rows) => rows.filter((row: { currency: string }) => row.currency === "btc"));
      assertEquals(
        [pnl.total_credit, pnl.total_credit_value, pnl.average_buy_price],
        ["0.499", "9980.0", "20000.0"],
      );
      const sent = { currency: "btc", address: hidden.hide(ADDRESS), amount: "0.25" };
      const id = await hidden.withdraw(member, operator, sent);
      const [done] = await until(
        () => client.must(200, "GET", "/backend/account/withdraws"),
        ([newest]) => newest.state === "succeed",
      );
      assertEquals([done.id, done.amount, done.rid], [id, "0.25", ADDRESS]);
      const transactions = await client.must(200, "GET", "/backend/account/transactions");
      assertEquals(
        transactions.map((one: { type: string; amount: string }) => [one.type, one.amount]),
        [["Withdraw", "0.25"], ["Deposit", "15000.0"]],
      );
      const balances = await client.must(200, "GET", "/backend/account/balances/?nonzero=true");
      assertEquals(
        balances.map((one: Record<string, string>) => [one.currency, one.balance, one.locked]),
        [["btc", "0.249", "0.0"], ["usdt", "5000.0", "0.0"]],
      );
    } finally {
      await server.stop();
    }
    assertEquals(lines.map((line) => JSON.parse(line).event).slice(-1), ["stopped"]);
    assertNothingHiddenIn(lines, hidden);
    const { differences } = await runAudit(kvPath);
    assertEquals(differences, []);
    await Deno.remove(directory, { recursive: true });
  });
});
