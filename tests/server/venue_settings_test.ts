/** Checks that settings take effect, each by what a caller sees. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
import { otpAt } from "../support/otp_at.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { bodySignature, signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";

const OTP_SECRET = "JBSWY3DPEHPK3PXP";
const STEP_MS = 30_000;
const ACCOUNT = "/backend/account";
const BENEFICIARY = {
  currency: "btc",
  name: "cold wallet",
  data: { address: "bc1qexampleexampleexample" },
};
const ORDER = ["btcusdt", "limit", "buy", "1", "100"];

/** A venue with the given settings, and its log. */
class ConfiguredVenue {
  #nonce = 0;

  private constructor(readonly server: VenueServer, readonly lines: readonly string[]) {}

  static async start(
    environment: Record<string, string>,
    ...args: string[]
  ): Promise<ConfiguredVenue> {
    const config = readConfig({ PORT: "0", KV_PATH: ":memory:", ...environment }, args);
    const lines: string[] = [];
    const logger = new Logger("info", (line) => lines.push(line));
    return new ConfiguredVenue(await VenueServer.start(config, logger), lines);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
  }

  headers(kid: string, secret = `${kid}-secret`): Record<string, string> {
    this.#nonce = Math.max(this.#nonce + 1, Date.now());
    return signedHeaders(kid, secret, this.#nonce);
  }

  async call(headers: Record<string, string>, method: string, path: string, json?: unknown) {
    const answer = await fetch(`${this.server.url}/api/v2${path}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const { status } = answer;
    return { status, body: await answer.json(), cookie: answer.headers.get("set-cookie") ?? "" };
  }

  /** Signs in alice with the previous step's code, which leaves the present one unused. */
  async signIn() {
    const signIn = () =>
      this.call({}, "POST", "/auth/identity/sessions", {
        email: "alice@demo.invalid",
        password: "Demo-alice-1",
        otp_code: otpAt(OTP_SECRET, Date.now() - STEP_MS),
      });
    const signedIn = await signIn();
    // The code is too old if a step ends while the password is checked.
    return signedIn.status === 200 ? signedIn : await signIn();
  }

  /** Creates a beneficiary for alice; returns its id and pin. */
  async addBeneficiary(): Promise<{ id: number; pin: string }> {
    const alice = this.headers("demo-alice");
    const { body } = await this.call(alice, "POST", `${ACCOUNT}/beneficiaries`, BENEFICIARY);
    const operator = this.headers("demo-operator");
    const { body: [message] } = await this.call(operator, "GET", "/admin/outbox");
    return { id: body.id, pin: message.code };
  }

  async activate(id: number, pin: string) {
    const path = `${ACCOUNT}/beneficiaries/${id}/activate`;
    return await this.call(this.headers("demo-alice"), "PATCH", path, { pin });
  }
}

describe("the settings of a venue", () => {
  it("cause warnings if coins are worthless or currencies missing", async () => {
    const secret = "boss-secret-of-length";
    await using venue = await ConfiguredVenue.start({
      MASTER_KEY: "01".repeat(32),
      OPERATOR_KEY: `boss:${secret}`,
      PNL_CURRENCIES: "usdt",
      WALLET_RAIL: "sandbox",
    });
    const lines = venue.lines.map((line) => JSON.parse(line));
    assertEquals(lines.filter(({ event }) => event === "wallet_is_sandbox").length, 1);
    const missing = lines.find(({ event }) => event === "pnl_currencies_missing");
    assertEquals(missing?.currencies, ["usdt"]);
    const path = "/backend/account/faucet";
    const { status } = await venue.call(venue.headers("boss", secret), "POST", path, {});
    assertEquals(status, 404, "the faucet is the demo's");
  });

  it("let a demo be reached from outside its container, with a warning", async () => {
    await using venue = await ConfiguredVenue.start({ DEMO_HOST: "0.0.0.0" }, "--demo");
    const lines = venue.lines.map((line) => JSON.parse(line));
    const warnings = lines.filter(({ level }) => level === "warn").map(({ event }) => event);
    assertEquals(warnings, ["demo_open_to_others"]);
    const settings = lines.find(({ event }) => event === "venue_settings");
    assertEquals(settings?.PNL_CURRENCIES, ["usdt", "btc"]);
    const page = await fetch(`${venue.server.url.replace("0.0.0.0", "127.0.0.1")}/docs`);
    assert((await page.text()).includes("http://127.0.0.1:"));
  });

  it("govern sessions, sockets and calls", async () => {
    await using venue = await ConfiguredVenue.start({
      ORDERS_PER_BULK_MAX: "2",
      PROXIES: "1",
      RATE_LIMIT: "20",
      SESSION_HOURS: "8",
      SESSION_IDLE_MINUTES: "15",
    }, "--demo");
    assert(!venue.lines.join().includes("wallet_is_sandbox"));
    assert(!venue.lines.join().includes("demo_open_to_others"));
    const alice = () => venue.headers("demo-alice");

    const { cookie } = await venue.signIn();
    assert(/Max-Age=28800\b/.test(cookie) && /; Secure/.test(cookie), cookie);

    const socket = await StreamClient.open(`${venue.server.url}/api/v2/trading`, alice());
    const rpc = new RpcClient(socket);
    const refused = await rpc.refusal("create_bulk", [ORDER, ORDER, ORDER]);
    assertEquals(refused, ["market.order.bulk_limit_exceeded"]);
    await socket.close();

    await eventually("a call too many", async () => {
      const calls = Array.from(
        { length: 60 },
        () => venue.call(alice(), "GET", `${ACCOUNT}/balances`),
      );
      return (await Promise.all(calls)).some(({ status }) => status === 429);
    });
  });

  it("require body signatures", async () => {
    await using venue = await ConfiguredVenue.start({ BODY_SIGNATURES: "withdraw" }, "--demo");
    const call = (headers: Record<string, string>) =>
      venue.call(headers, "GET", `${ACCOUNT}/balances`);
    const usual = venue.headers("demo-alice");
    const path = `/api/v2${ACCOUNT}/balances`;
    const covered = { ...usual, ...bodySignature("demo-alice-secret", usual, { path }) };
    assertEquals((await call(covered)).status, 200);
    const { body } = await call(venue.headers("demo-alice"));
    assertEquals(body.errors, ["authz.body_signature_required"]);
  });

  it("bind orders to a price band, over HTTP and over sockets", async () => {
    await using venue = await ConfiguredVenue.start({ PRICE_BAND: "2.5" }, "--demo");
    const alice = () => venue.headers("demo-alice");
    const terms = { amount: "1", price: "102.51", trigger_price: "100" };
    const order = { market: "btcusdt", side: "buy", type: "stop_limit", ...terms };
    const { status, body } = await venue.call(alice(), "POST", "/trading/market/orders", order);
    assertEquals(status, 422);
    const details = { field: "price", limit: "102.5", rule: "band", type: "stop_limit" };
    assertEquals(body, { errors: ["market.order.price_out_of_band"], details });

    const socket = await StreamClient.open(`${venue.server.url}/api/v2/trading`, alice());
    const rpc = new RpcClient(socket);
    const stop = ["btcusdt", "sl", "buy", "1", "102.51", { trigger_price: "100" }];
    const frame = await rpc.ask("create_order", stop);
    assertEquals(frame.slice(2), ["error", ["market.order.price_out_of_band"], { details }]);
    await rpc.call("create_order", stop.with(4, "102.5"));
    await socket.close();
  });

  it("delay withdrawals to a new beneficiary", async () => {
    const none = { BENEFICIARY_HOLD_HOURS: "0", CREDENTIAL_HOLD_HOURS: "0" };
    for (const name of Object.keys(none)) {
      await using venue = await ConfiguredVenue.start({ ...none, [name]: "7" }, "--demo");
      const { id, pin } = await venue.addBeneficiary();
      assertEquals((await venue.activate(id, pin)).status, 200);
      const { body } = await venue.call(
        venue.headers("demo-alice"),
        "POST",
        `${ACCOUNT}/withdraws`,
        {
          otp: otpAt(OTP_SECRET, Date.now()),
          beneficiary_id: id,
          currency: "btc",
          amount: "1",
        },
      );
      assertEquals(body.errors, ["account.beneficiary.on_hold"]);
    }
  });

  it("let a new master key open second factors and pins once they are resealed", async () => {
    await using file = await VenueFile.create();
    const start = (MASTER_KEY: string) =>
      ConfiguredVenue.start({ KV_PATH: file.path, MASTER_KEY }, "--demo");
    const [older, newer] = ["01".repeat(32), "02".repeat(32)];
    const first = await start(older);
    const { id, pin } = await first.addBeneficiary();
    await first.server.stop();
    const rotating = await start(`${newer},${older}`);
    await eventually("the end of the sealing", () => rotating.lines.join().includes('"resealed"'));
    await rotating.server.stop();
    await using venue = await start(newer);
    const signedIn = await venue.signIn();
    assertEquals(signedIn.status, 200, JSON.stringify(signedIn.body));
    const active = await venue.activate(id, pin);
    assertEquals(active.status, 200, JSON.stringify(active.body));
  });
});
