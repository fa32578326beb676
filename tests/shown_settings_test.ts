import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { readConfig, SETTINGS } from "../src/config.ts";
import { shownSettings } from "../src/shown_settings.ts";

const MASTER_KEY = "5e".repeat(32);

describe("shownSettings()", () => {
  it("tells what is in force where nothing is set", () => {
    assertEquals(shownSettings(readConfig({ MASTER_KEY }, [])), {
      PORT: 8000,
      HOST: "127.0.0.1",
      PROXIES: 0,
      KV_PATH: ".data/kvenue.db",
      NONCE_WINDOW_MS: 5000,
      BODY_SIGNATURES: "off",
      CORS_ORIGINS: "off",
      ORDERS_PER_BULK_MAX: 100,
      OPEN_ORDERS_MAX: 1000,
      UNTRADED_ORDERS_MAX: 200_000,
      CLIENT_ORDER_IDS_MAX: 3_000_000,
      PRICE_BAND: "off",
      PNL_CURRENCIES: "as stored",
      WITHDRAW_IP_LISTS: "optional",
      RATE_LIMIT: 100,
      WALLET_RAIL: "none",
      BENEFICIARY_HOLD_HOURS: 24,
      CREDENTIAL_HOLD_HOURS: 48,
      SMTP_URL: null,
      MAIL_FROM: null,
      SESSION_HOURS: 24,
      SESSION_IDLE_MINUTES: 120,
      LOG_LEVEL: "info",
      OTEL_DENO: false,
    });
  });

  it("tells what was set, in the same terms, and no secret", () => {
    const set = {
      PORT: "8001",
      HOST: "0.0.0.0",
      PROXIES: "1",
      NONCE_WINDOW_MS: "4000",
      BODY_SIGNATURES: "withdraw",
      CORS_ORIGINS: "https://app.example.com",
      ORDERS_PER_BULK_MAX: "50",
      OPEN_ORDERS_MAX: "60",
      UNTRADED_ORDERS_MAX: "off",
      CLIENT_ORDER_IDS_MAX: "70",
      PRICE_BAND: "12.29",
      PNL_CURRENCIES: "usdt,btc",
      WITHDRAW_IP_LISTS: "required",
      RATE_LIMIT: "off",
      WALLET_RAIL: "sandbox",
      BENEFICIARY_HOLD_HOURS: "3",
      CREDENTIAL_HOLD_HOURS: "5",
      MAIL_FROM: "venue@example.org",
      SESSION_HOURS: "7",
      SESSION_IDLE_MINUTES: "11",
      LOG_LEVEL: "warn",
      OTEL_DENO: "true",
    };
    const withSecrets = {
      KV_PATH: "http://hush:hush@127.0.0.1:4512/kv?key=hush#hush",
      MASTER_KEY,
      OPERATOR_KEY: "boss:hush-hush-hush-hush",
      SMTP_URL: "smtps://hush:hush@[2001:db8::1]",
      DENO_DEPLOYMENT_ID: "hush",
      DEMO_HOST: "hush",
    };
    const names = Object.keys({ ...set, ...withSecrets });
    assertEquals(names.toSorted(), SETTINGS.toSorted(), "every setting is set");
    const shown = shownSettings(readConfig({ ...set, ...withSecrets }, []));
    const texts = Object.entries(shown).map(([name, value]) => [name, String(value)]);
    assertEquals(Object.fromEntries(texts), {
      ...set,
      KV_PATH: "http://127.0.0.1:4512/kv",
      SMTP_URL: "smtps://[2001:db8::1]:465",
    });
    assert(!/hush|5e5e/.test(JSON.stringify(shown)));
    const off = shownSettings(readConfig({ MASTER_KEY, PNL_CURRENCIES: "off" }, []));
    assertEquals(off.PNL_CURRENCIES, "off");
  });
});
