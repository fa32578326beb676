import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Settings } from "../../src/domain/settings.ts";
import { SETTING_KEYS, VENUE_SETTINGS } from "../../src/edge/venue_settings.ts";
import { readConfig, SETTINGS } from "../../src/server/config.ts";
import { OPERATING } from "../support/documents.ts";
import { ConfigError } from "../../src/server/config_error.ts";

const MASTER_KEY = "01".repeat(32);
const COLD = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OPERATOR_KEY = "operator:a-secret-of-sixteen";

/** What "reads every variable" sets of the venue. */
const STRICT_SETTINGS: Settings = {
  bulkOrdersMax: 7,
  openOrdersMax: 50,
  untradedOrdersMax: 0,
  adjustmentMax: 5000,
  priceBandBps: 750,
  nonceWindowMs: 60_000,
  bodySignatures: "all",
  needsWithdrawIpLists: true,
  walletRail: "sandbox",
  beneficiaryHoldMs: 48 * 60 * 60 * 1000,
  credentialHoldMs: 72 * 60 * 60 * 1000,
  sessionLifeMs: 8 * 60 * 60 * 1000,
  sessionIdleMs: 15 * 60 * 1000,
  pnlCurrencies: ["usdt", "btc"],
};

function configOf(environment: Record<string, string> = {}, args: string[] = []) {
  return readConfig({ MASTER_KEY, ...environment }, args);
}

function refusal(environment: Record<string, string>, args: string[] = []): string {
  return assertThrows(() => configOf(environment, args), ConfigError).message;
}

/** What the platform sets, or reads by itself. */
const OF_THE_PLATFORM = { set: "DENO_DEPLOYMENT_ID", read: "DENO_KV_ACCESS_TOKEN" };

/** Every variable, and none at its default. */
const EVERY_VARIABLE = {
  PORT: "0",
  HOST: "0.0.0.0",
  KV_PATH: ":memory:",
  NEW_STORE: "yes",
  MASTER_KEY: `${"02".repeat(32)},${MASTER_KEY}`,
  OPERATOR_KEY,
  NONCE_WINDOW_MS: "60000",
  BODY_SIGNATURES: "all",
  APPROVALS: "2",
  CORS_ORIGINS: "https://app.example.com, HTTP://localhost:3000",
  ORDERS_PER_BULK_MAX: "7",
  OPEN_ORDERS_MAX: "50",
  UNTRADED_ORDERS_MAX: "OFF",
  ADJUSTMENT_MAX: "5000",
  CLIENT_ORDER_IDS_MAX: "7000000",
  PRICE_BAND: "7.5",
  WITHDRAW_IP_LISTS: "Required",
  PNL_CURRENCIES: "usdt, BTC",
  PROXIES: "2",
  PUBLIC_SOCKETS_PORT: "8100",
  METRICS_PORT: "9100",
  METRICS_HOST: "127.0.0.2",
  BUILD: "v7",
  BACKUP_MARK: "/backups/mark",
  RATE_LIMIT: "off",
  WALLET_RAIL: "sandbox",
  BENEFICIARY_HOLD_HOURS: "48",
  CREDENTIAL_HOLD_HOURS: "72",
  WALLET_NODES: "sepolia=https://me:hunter2@node.example.org/rpc?a=b, anvil=http://127.0.0.1:8545",
  WALLET_SEED: "0A".repeat(16),
  WALLET_COLD: `anvil=${COLD.toLowerCase()}`,
  SMTP_URL: "smtps://venue:pass%2Fword@mail.example.org:4650",
  MAIL_FROM: "venue@example.org",
  SESSION_HOURS: "8",
  SESSION_IDLE_MINUTES: "15",
  LOG_LEVEL: "error",
  OTEL_DENO: "true",
};

describe("the operators' table of settings", () => {
  const [, table = ""] = /^## Settings$(.*?)^##/ms.exec(OPERATING.text) ?? [];
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` *\| (?:`(.*?)`)? *\| (\w+) *\|/gm)];

  it("has all of them", () => {
    assertEquals(
      rows.map(([, name = ""]) => name).filter((name) => name !== OF_THE_PLATFORM.read).sort(),
      SETTINGS.filter((name) => name !== OF_THE_PLATFORM.set).sort(),
    );
  });

  it("tells which are the venue's, and which each process has of its own", () => {
    const named = rows.filter(([, , , of]) => of === "venue").map(([, name]) => name);
    assertEquals(named.sort(), SETTING_KEYS.map((key) => VENUE_SETTINGS[key].name).sort());
    assertEquals(rows.every(([, , , of]) => of === "venue" || of === "process"), true);
  });

  it("has their defaults", () => {
    const defaults = rows.flatMap(([, name = "", value]) =>
      value === undefined ? [] : [[name, value]]
    );
    const { givenSettings: _, ...config } = configOf(Object.fromEntries(defaults));
    const { givenSettings, ...unset } = configOf();
    assertEquals(config, unset);
    assertEquals(givenSettings.size, 0);
    assertEquals(defaults.length >= 10, true);
  });
});

describe("readConfig()", () => {
  it("has a default for everything but the keys", () => {
    assertEquals(configOf(), {
      command: "serve",
      isDemo: false,
      hasBots: false,
      mayBeNew: false,
      logFiles: [],
      asksChains: false,
      host: "127.0.0.1",
      port: 8000,
      publicSocketsPort: null,
      kvPath: ".data/kvenue.db",
      masterKeys: [new Uint8Array(32).fill(1)],
      operatorKey: null,
      clientOrderIdsMax: 3_000_000,
      approvals: 1,
      corsOrigins: [],
      proxies: 0,
      metrics: null,
      build: null,
      backupMark: null,
      rateLimit: 100,
      walletNodes: new Map(),
      walletSeed: null,
      walletCold: new Map(),
      mail: null,
      settings: {
        bulkOrdersMax: 100,
        openOrdersMax: 1000,
        untradedOrdersMax: 200_000,
        adjustmentMax: 1_000_000,
        priceBandBps: 0,
        nonceWindowMs: 5000,
        bodySignatures: "off",
        needsWithdrawIpLists: false,
        walletRail: "none",
        beneficiaryHoldMs: 24 * 60 * 60 * 1000,
        credentialHoldMs: 48 * 60 * 60 * 1000,
        sessionLifeMs: 24 * 60 * 60 * 1000,
        sessionIdleMs: 2 * 60 * 60 * 1000,
        pnlCurrencies: [],
      },
      givenSettings: new Set<keyof Settings>(),
      logLevel: "info",
      isTelemetryOn: false,
    });
  });

  it("reads every variable", () => {
    const config = configOf(EVERY_VARIABLE);
    assertEquals(config, {
      command: "serve",
      isDemo: false,
      hasBots: false,
      mayBeNew: true,
      logFiles: [],
      asksChains: false,
      host: "0.0.0.0",
      port: 0,
      publicSocketsPort: 8100,
      kvPath: ":memory:",
      masterKeys: [new Uint8Array(32).fill(2), new Uint8Array(32).fill(1)],
      operatorKey: { kid: "operator", secret: "a-secret-of-sixteen" },
      approvals: 2,
      corsOrigins: ["https://app.example.com", "http://localhost:3000"],
      clientOrderIdsMax: 7_000_000,
      proxies: 2,
      metrics: { hostname: "127.0.0.2", port: 9100 },
      build: "v7",
      backupMark: "/backups/mark",
      rateLimit: "off",
      walletNodes: new Map([
        ["sepolia", "https://me:hunter2@node.example.org/rpc?a=b"],
        ["anvil", "http://127.0.0.1:8545"],
      ]),
      walletSeed: new Uint8Array(16).fill(10),
      walletCold: new Map([["anvil", COLD]]),
      mail: {
        server: {
          host: "mail.example.org",
          port: 4650,
          isSecure: true,
          requiresTls: false,
          login: { user: "venue", password: "pass/word" },
        },
        from: "venue@example.org",
      },
      settings: STRICT_SETTINGS,
      givenSettings: new Set(SETTING_KEYS),
      logLevel: "error",
      isTelemetryOn: true,
    });
    assert(Object.isFrozen(config));
  });

  it("keeps colons in the operator's secret", () => {
    assertEquals(configOf({ OPERATOR_KEY: "op:abc:def:0123456789" }).operatorKey, {
      kid: "op",
      secret: "abc:def:0123456789",
    });
  });

  it("takes a file on a drive, and a KV server without TLS", () => {
    for (const KV_PATH of ["C:\\venue.db", "http://127.0.0.1:4512"]) {
      assertEquals(configOf({ KV_PATH }).kvPath, KV_PATH);
    }
  });

  it("treats an empty variable as absent", () => {
    assertEquals(configOf({ PORT: "", RATE_LIMIT: "", KV_PATH: "" }).port, 8000);
  });

  it("keeps no profit and loss when it is off", () => {
    assertEquals(configOf({ PNL_CURRENCIES: "off" }).settings.pnlCurrencies, []);
  });

  it("takes its words in any case", () => {
    const config = configOf({
      PNL_CURRENCIES: "Off",
      RATE_LIMIT: "OFF",
      BODY_SIGNATURES: "Withdraw",
      WALLET_RAIL: "Sandbox",
      LOG_LEVEL: "WARN",
      OTEL_DENO: "True",
    });
    assertEquals(configOf({ OTEL_DENO: "FALSE" }).isTelemetryOn, false);
    assertEquals(config.settings.pnlCurrencies, []);
    assertEquals(config.settings.bodySignatures, "withdraw");
    assertEquals([config.rateLimit, config.settings.walletRail, config.logLevel], [
      "off",
      "sandbox",
      "warn",
    ]);
    assertEquals(config.isTelemetryOn, true);
  });

  it("gives the demo the sandbox, and others only on request", () => {
    assertEquals(configOf({}, ["--demo"]).settings.walletRail, "sandbox");
    assertEquals(configOf({ WALLET_RAIL: "none" }, ["--demo"]).settings.walletRail, "none");
    assertEquals(configOf({}).settings.walletRail, "none");
    assertEquals(
      refusal({ WALLET_RAIL: "bitcoin" }),
      'WALLET_RAIL must be one of none, sandbox, networks, not "bitcoin"',
    );
  });

  it("ignores variables that are not its own", () => {
    assertEquals(configOf({ PATH: "/bin" }).port, 8000);
  });

  it("names a wrong variable, its value and what it may be", () => {
    const wrong: [string, string, string][] = [
      ["PORT", "http", "a whole number from 0 to 65535"],
      ["PORT", "65536", "a whole number from 0 to 65535"],
      ["PORT", "-1", "a whole number from 0 to 65535"],
      ["PORT", "8e3", "a whole number from 0 to 65535"],
      ["HOST", "local host", "a host name or an address"],
      ["KV_PATH", "postgres://db", "the URL of a KV server"],
      ["KV_PATH", "POSTGRES://db", "the URL of a KV server"],
      ["KV_PATH", "https://", "the URL of a KV server"],
      ["KV_PATH", "https://me:two words@example.org", "the URL of a KV server"],
      ["KV_PATH", ":memory", "the URL of a KV server"],
      ["KV_PATH", " ", "the URL of a KV server"],
      ["KV_PATH", "venue.db ", "the URL of a KV server"],
      ["KV_PATH", "data/", "the URL of a KV server"],
      ["KV_PATH", "C:\\data\\", "the URL of a KV server"],
      ["NONCE_WINDOW_MS", "0", "a whole number from 1 to 60000"],
      ["NONCE_WINDOW_MS", "60001", "a whole number from 1 to 60000"],
      ...["*", "https://a.example/", "https://a.example/b", "ftp://a.example", "a.example", ","]
        .map(
          (origins): [string, string, string] => ["CORS_ORIGINS", origins, "up to 100 origins"],
        ),
      ["BODY_SIGNATURES", "on", "one of off, withdraw, all"],
      ["ORDERS_PER_BULK_MAX", "0", "a whole number from 1 to 1000"],
      ["WITHDRAW_IP_LISTS", "on", "one of optional, required"],
      ["OPEN_ORDERS_MAX", "1001", "a whole number from 1 to 1000"],
      ["ADJUSTMENT_MAX", "0", 'a whole number from 1 to 1000000000000, or "off"'],
      ["UNTRADED_ORDERS_MAX", "0", 'a whole number from 1 to 1000000000, or "off"'],
      ["CLIENT_ORDER_IDS_MAX", "0", "a whole number from 1 to 100000000"],
      ["ORDERS_PER_BULK_MAX", "1.5", "a whole number from 1 to 1000"],
      ["PRICE_BAND", "0", 'a percentage above 0 up to 100, with at most 2 decimals, or "off"'],
      ["PRICE_BAND", "100.01", "a percentage above 0 up to 100"],
      ["PRICE_BAND", "1.234", "at most 2 decimals"],
      ["PRICE_BAND", "-5", "a percentage above 0 up to 100"],
      ["PRICE_BAND", "5%", "a percentage above 0 up to 100"],
      ["PNL_CURRENCIES", "usdt,", "up to 8 different currency codes"],
      ["PNL_CURRENCIES", "btc,usdt,BTC", "up to 8 different currency codes"],
      ["PNL_CURRENCIES", "a,b,c,d,e,f,g,h,i", "up to 8 different currency codes"],
      ["PNL_CURRENCIES", "c".repeat(33), "up to 8 different currency codes"],
      ["PROXIES", "yes", "whole number from 0 to 10"],
      ["RATE_LIMIT", "0", 'requests per second from 1 to 1000000, or "off"'],
      ["RATE_LIMIT", "1e3", 'requests per second from 1 to 1000000, or "off"'],
      ["RATE_LIMIT", "none", 'requests per second from 1 to 1000000, or "off"'],
      ["MAIL_FROM", "venue", "an email address"],
      ["SESSION_HOURS", "721", "a whole number from 1 to 720"],
      ["SESSION_IDLE_MINUTES", "0", "a whole number from 1 to 43200"],
      ["BENEFICIARY_HOLD_HOURS", "8761", "a whole number from 0 to 8760"],
      ["CREDENTIAL_HOLD_HOURS", "8761", "a whole number from 0 to 8760"],
      ["WALLET_COLD", "anvil", "an address of the network for anvil"],
      ["WALLET_COLD", "anvil=0x1", "an address of the network for anvil"],
      ["WALLET_COLD", `sandbox=${COLD}`, "network=address,…, of the networks"],
      ["WALLET_COLD", `anvil=${COLD}=1`, "network=address,…, of the networks"],
      ["WALLET_COLD", `anvil=${COLD},anvil=${COLD}`, "one address for each network"],
      ["LOG_LEVEL", "loud", "one of debug, info, warn, error"],
      ["OTEL_DENO", "yes", "one of true, false"],
      ["OTEL_DENO", "1", "one of true, false"],
    ];
    for (const [name, value, allowed] of wrong) {
      const message = refusal({ [name]: value });
      assert(message.startsWith(`${name} must be `), message);
      assert(message.includes(allowed), message);
      // A URL may contain a password after its scheme.
      const shown = name === "KV_PATH" ? value.replace(/:.*/, ":…") : value;
      assert(message.endsWith(`, not "${shown}"`), message);
    }
  });

  it("needs a sender if there is a mail server", () => {
    const SMTP_URL = "smtp://localhost";
    assert(refusal({ SMTP_URL }).startsWith("MAIL_FROM is missing"));
    const { mail } = configOf({ SMTP_URL, MAIL_FROM: "venue@example.org" });
    assertEquals(mail?.server.port, 587);
    assertEquals(configOf({ MAIL_FROM: "venue@example.org" }).mail, null);
  });

  it("does not repeat a secret that is wrong", () => {
    const wrong = [
      ["MASTER_KEY", "hunter2"],
      ["OPERATOR_KEY", "hunter2"],
      ["SMTP_URL", "http://me:hunter2@example.org"],
      ["SMTP_URL", "smtp://me:hunter2@example.org/inbox"],
      ["SMTP_URL", "smtp://me:hunter2%@example.org"],
      ["SMTP_URL", "smtp://:hunter2@example.org"],
      ["SMTP_URL", "smtp://hunter2@example.org"],
      ["SMTP_URL", "smtp://me:hunter2@example.org:0"],
      ["SMTP_URL", "smtp://me:hunter2@example%20org"],
      ["WALLET_NODES", "https://me:hunter2@example.org"],
      ["WALLET_NODES", "hunter2=https://example.org"],
      // Closed as yet.
      ["WALLET_NODES", "dogecoin=https://hunter2.example.org"],
      ["WALLET_NODES", "sepolia=ws://me:hunter2@example.org"],
      ["WALLET_NODES", "sepolia=https://me:hunter2@example.org,sepolia=https://hunter2"],
      ["WALLET_SEED", "hunter2"],
      ["WALLET_SEED", `hunter2${"0".repeat(25)}`],
      ["KV_PATH", "postgres://me:hunter2@example.org/venue"],
      ["KV_PATH", "postgres://me\nhunter2@example.org"],
      ["KV_PATH", "https://me:hunter2/@[example.org?token=hunter2"],
    ] as const;
    for (const [name, value] of wrong) {
      const message = refusal({ [name]: value });
      assert(message.startsWith(`${name} `), message);
      assert(!message.includes("hunter2"), message);
    }
    assert(refusal({ OPERATOR_KEY: "operator:short" }).includes("16 to 1024 characters"));
    for (const key of [`${"k".repeat(65)}:a-secret-of-sixteen`, "operator:a secret of sixteen"]) {
      assert(refusal({ OPERATOR_KEY: key }).includes("up to 64 letters"), key);
    }
    assert(refusal({ OPERATOR_KEY: ":a-secret-of-sixteen" }).includes("OPERATOR_KEY"));
    const longest = "x".repeat(1024);
    assertEquals(configOf({ OPERATOR_KEY: `a:${longest}` }).operatorKey?.secret, longest);
    assert(refusal({ OPERATOR_KEY: `a:${longest}x` }).includes("16 to 1024 characters"));
    assert(refusal({ MASTER_KEY: `${MASTER_KEY},${MASTER_KEY}` }).includes("twice"));
    assert(refusal({ MASTER_KEY: "0".repeat(64) }).includes("all zeros"));
    for (const bytes of [15, 65]) {
      assert(refusal({ WALLET_SEED: "ab".repeat(bytes) }).includes("16 to 64 bytes"), `${bytes}`);
    }
  });

  it("needs a master key to serve, but neither for the demo nor to audit or rebuild", () => {
    const error = assertThrows(() => readConfig({}, []), ConfigError);
    assert(error.message.startsWith("MASTER_KEY is missing"), error.message);
    assertEquals(readConfig({}, ["--demo"]).masterKeys, null);
    assertEquals(readConfig({}, ["audit"]).command, "audit");
    assertEquals(readConfig({}, ["rebuild"]).command, "rebuild");
  });

  it("has a store of its own for bots, unless one is named", () => {
    const { hasBots, kvPath } = readConfig({}, ["--demo", "--bots"]);
    assertEquals([hasBots, kvPath], [true, ".data/demo.db"]);
    assertEquals(readConfig({}, ["--demo"]).kvPath, ".data/kvenue.db");
    assertEquals(readConfig({ KV_PATH: "a.db" }, ["--demo", "--bots"]).kvPath, "a.db");
  });

  it("refuses arguments that it does not know", () => {
    for (const args of [["--dmeo"], ["audit", "now"], ["--demo", "audit"]]) {
      assert(refusal({}, args).includes(args.join(" ")));
    }
  });

  it("runs the demo on loopback addresses only", () => {
    for (const HOST of ["127.0.0.1", "127.8.9.10", "localhost", "::1"]) {
      assertEquals(configOf({ HOST }, ["--demo"]).isDemo, true);
    }
    for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "example.com", "127.0.0.1.example.com"]) {
      const message = refusal({ HOST }, ["--demo"]);
      assert(message.startsWith("HOST must be a loopback address"), message);
    }
  });

  it("runs it on another address if that is meant for the demo", () => {
    assertEquals(configOf({ DEMO_HOST: "0.0.0.0" }, ["--demo"]).host, "0.0.0.0");
    assertEquals(configOf({ DEMO_HOST: "0.0.0.0" }).host, "127.0.0.1");
    assert(refusal({ HOST: "0.0.0.0" }, ["--demo"]).includes("set DEMO_HOST"));
    assert(refusal({ DEMO_HOST: "any where" }, ["--demo"]).startsWith("DEMO_HOST must be"));
  });

  it("does not run the demo on Deno Deploy", () => {
    assert(refusal({ DENO_DEPLOYMENT_ID: "abc" }, ["--demo"]).includes("Deno Deploy"));
  });

  it("takes the attached database on Deno Deploy, or a KV server, but no file", () => {
    const deploy = { DENO_DEPLOYMENT_ID: "abc" };
    assertEquals(configOf(deploy).kvPath, undefined);
    const KV_PATH = "https://kv.example.com";
    assertEquals(configOf({ ...deploy, KV_PATH }).kvPath, KV_PATH);
    assert(refusal({ ...deploy, KV_PATH: "venue.db" }).startsWith("KV_PATH must be unset"));
    assert(refusal({ ...deploy, KV_PATH: ":memory:" }).startsWith("KV_PATH must be unset"));
  });
});
