import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { VENUE_SETTINGS } from "../../src/edge/venue_settings.ts";
import { readConfig, SETTINGS } from "../../src/server/config.ts";
import { shownSettings } from "../../src/server/shown_settings.ts";

const MASTER_KEY = "5e".repeat(32);

describe("shownSettings()", () => {
  it("tells what is in force where nothing is set", () => {
    assertEquals(shownSettings(readConfig({ MASTER_KEY }, [])), {
      PORT: 8000,
      HOST: "127.0.0.1",
      PUBLIC_SOCKETS_PORT: null,
      METRICS_PORT: null,
      METRICS_HOST: null,
      BUILD: null,
      BACKUP_MARK: null,
      PROXIES: 0,
      KV_PATH: ".data/kvenue.db",
      NEW_STORE: "no",
      APPROVALS: 1,
      CORS_ORIGINS: "off",
      CLIENT_ORDER_IDS_MAX: 3_000_000,
      RATE_LIMIT: 100,
      WALLET_NODES: null,
      WALLET_SEED: null,
      WALLET_COLD: null,
      SMTP_URL: null,
      MAIL_FROM: null,
      LOG_LEVEL: "info",
      OTEL_DENO: false,
    });
  });

  it("tells what was set, in the same terms, and no secret", () => {
    const set = {
      NEW_STORE: "yes",
      PORT: "8001",
      HOST: "0.0.0.0",
      PUBLIC_SOCKETS_PORT: "8100",
      METRICS_PORT: "9100",
      METRICS_HOST: "127.0.0.2",
      BUILD: "v7",
      BACKUP_MARK: "/backups/mark",
      PROXIES: "1",
      APPROVALS: "2",
      CORS_ORIGINS: "https://app.example.com",
      CLIENT_ORDER_IDS_MAX: "70",
      RATE_LIMIT: "off",
      MAIL_FROM: "venue@example.org",
      WALLET_COLD: "anvil=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      LOG_LEVEL: "warn",
      OTEL_DENO: "true",
    };
    const withSecrets = {
      KV_PATH: "http://hush:hush@127.0.0.1:4512/kv?key=hush#hush",
      MASTER_KEY,
      OPERATOR_KEY: "boss:hush-hush-hush-hush",
      SMTP_URL: "smtps://hush:hush@[2001:db8::1]",
      WALLET_NODES: "anvil=http://hush:hush@127.0.0.1:8545,sepolia=https://example.org/hush",
      WALLET_SEED: "5e5e".repeat(8),
      DENO_DEPLOYMENT_ID: "hush",
      DEMO_HOST: "hush",
    };
    const names = [
      ...Object.keys({ ...set, ...withSecrets }),
      ...Object.values(VENUE_SETTINGS).map(({ name }) => name),
    ];
    assertEquals(names.toSorted(), SETTINGS.toSorted(), "every setting is set");
    const shown = shownSettings(readConfig({ ...set, ...withSecrets }, []));
    const texts = Object.entries(shown).map(([name, value]) => [name, String(value)]);
    assertEquals(Object.fromEntries(texts), {
      ...set,
      KV_PATH: "http://127.0.0.1:4512/kv",
      SMTP_URL: "smtps://[2001:db8::1]:465",
      WALLET_NODES: "anvil,sepolia",
      WALLET_SEED: "given",
    });
    assert(!/hush|5e5e/.test(JSON.stringify(shown)));
  });
});
