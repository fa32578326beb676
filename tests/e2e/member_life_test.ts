import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Secret, TOTP } from "otpauth";
import { readConfig } from "../../src/server/config.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { eventually } from "../support/eventually.ts";
import { Person, SignedClient } from "../support/http_clients.ts";

const EMAIL = "carol@example.org";
const PASSWORD = "Correct-horse-7";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Repeats a call until its answer is as expected. */
async function until<T>(ask: () => Promise<T>, isMet: (answer: T) => boolean): Promise<T> {
  const { answer } = await eventually("the answer that is waited for", async () => {
    const answer = await ask();
    return isMet(answer) && { answer };
  });
  return answer;
}

/** Texts that the log must not contain: passwords, codes, pins, secrets and addresses. */
const hidden = new Set<string>([EMAIL, PASSWORD, ADDRESS]);

function hide(text: string): string {
  hidden.add(text);
  return text;
}

/** Returns an authenticator's code some steps from the present one. */
function codeOf(secret: string, stepsAhead: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return hide(totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 }));
}

/** Starts the demo with the most detailed log. */
async function startDemo(kvPath: string, lines: string[]): Promise<VenueServer> {
  const config = readConfig({ PORT: "0", KV_PATH: kvPath, RATE_LIMIT: "off" }, ["--demo"]);
  return await VenueServer.start(config, new Logger("debug", (line) => lines.push(line)));
}

function assertNothingHiddenIn(lines: readonly string[]): void {
  assert(hidden.size >= 9, `only ${hidden.size} texts are looked for`);
  for (const line of lines) {
    for (const text of hidden) assert(!line.includes(text), `${text} in ${line}`);
    // A transaction's id is public, and tells after a restore what was paid.
    const others = line.replace(/"txid":"[0-9a-f]{64}"/, "");
    assert(!/[0-9a-f]{64}/.test(others), `a signature in ${line}`);
  }
}

/** Returns the latest code sent to a member. */
async function sentCode(operator: SignedClient, uid: string, kind: string): Promise<string> {
  const messages = await operator.must(200, "GET", `/admin/outbox?uid=${uid}`);
  const message = messages.find((one: { kind: string }) => one.kind === kind);
  assert(message !== undefined, `nothing of kind ${kind} was sent: ${JSON.stringify(messages)}`);
  return hide(message.code);
}

/** Signs up, confirms the address, turns on two-factor and creates a key. */
async function becomeMember(
  url: string,
  operator: SignedClient,
): Promise<{ uid: string; secret: string; client: SignedClient }> {
  const person = new Person(url);
  const { uid } = await person.must(201, "POST", "/auth/identity/users", {
    email: EMAIL,
    password: PASSWORD,
  });
  const token = await sentCode(operator, uid, "email_confirmation");
  const password = PASSWORD;
  await person.must(201, "POST", "/auth/identity/users/email/confirm_code", { token, password });
  await person.must(200, "POST", "/auth/identity/sessions", { email: EMAIL, password: PASSWORD });
  const { data } = await person.must(201, "POST", "/auth/resource/otp/generate_qrcode");
  const secret = hide(new URL(data.url).searchParams.get("secret") ?? "");
  // The previous step's code, which leaves the present one unused, is too old if a step ends now.
  const enable = () =>
    person.call("POST", "/auth/resource/otp/enable", { code: codeOf(secret, -1), password });
  const enabled = await enable();
  const { status } = enabled.status === 201 ? enabled : await enable();
  assertEquals(status, 201);
  const key = await person.must(201, "POST", "/auth/resource/api_keys", {
    totp_code: codeOf(secret, 0),
    password,
    scopes: ["read", "trade", "withdraw"],
  });
  const me = await person.must(200, "GET", "/auth/resource/users/me");
  assertEquals([me.uid, me.email, me.otp], [uid, EMAIL, true]);
  return { uid, secret, client: new SignedClient(url, key.kid, hide(key.secret)) };
}

/** Receives a deposit from the sandbox. */
async function receive(client: SignedClient, currency: string, amount: string): Promise<void> {
  await until(
    () => client.must(200, "GET", `/backend/account/deposit_address/${currency}`),
    ({ address }) => typeof address === "string" && address !== "" && hide(address) !== "",
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

/** Withdraws to a beneficiary confirmed with its pin. */
async function withdraw(
  client: SignedClient,
  operator: SignedClient,
  uid: string,
  otp: string,
): Promise<void> {
  const beneficiary = await client.must(201, "POST", "/backend/account/beneficiaries", {
    currency: "btc",
    name: "My cold wallet",
    data: JSON.stringify({ address: ADDRESS }),
  });
  assertEquals(beneficiary.state, "pending");
  const pin = await sentCode(operator, uid, "beneficiary_pin");
  const path = `/backend/account/beneficiaries/${beneficiary.id}/activate`;
  assertEquals((await client.must(200, "PATCH", path, { pin })).state, "active");
  const asked = { otp, beneficiary_id: beneficiary.id, currency: "btc", amount: "0.25" };
  const { id } = await client.must(201, "POST", "/backend/account/withdraws", asked);
  const [done] = await until(
    () => client.must(200, "GET", "/backend/account/withdraws"),
    ([newest]) => newest.state === "succeed",
  );
  assertEquals([done.id, done.amount, done.rid], [id, "0.25", ADDRESS]);
}

describe("a member's life", () => {
  it("goes from sign-up to a completed withdrawal", async () => {
    const directory = await Deno.makeTempDir();
    const kvPath = `${directory}/venue.db`;
    const lines: string[] = [];
    const server = await startDemo(kvPath, lines);
    const signed = (kid: string) => new SignedClient(server.url, kid, `${kid}-secret`);
    const operator = signed("demo-operator");
    try {
      const { uid, secret, client } = await becomeMember(server.url, operator);
      await receive(client, "usdt", "15000");
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
      await withdraw(client, operator, uid, codeOf(secret, 1));
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
    assertNothingHiddenIn(lines);
    const { differences } = await runAudit(kvPath);
    assertEquals(differences, []);
    await Deno.remove(directory, { recursive: true });
  });
});
