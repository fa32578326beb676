/** Settings: the environment and the arguments, parsed once. */
import * as z from "zod";
import { BODY_SIGNATURES, type BodySignatures } from "./api/body_signature.ts";
import { HOUR_MS, MINUTE_MS } from "./domain/calendar.ts";
import type { OrderLimits } from "./domain/command.ts";
import {
  CLIENT_ORDER_IDS_MAX,
  OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX,
  ORDERS_PER_BULK_MAX,
  ORDERS_PER_BULK_OVERRIDE_MAX,
  PNL_CURRENCIES_MAX,
  UNTRADED_ORDERS_OVERRIDE_MAX,
  UNTRADED_ORDERS_PER_DAY_MAX,
} from "./domain/limits.ts";
import { parseMasterKeys } from "./engine/vault.ts";
import { isLoopback, type MailSettings, parseSmtpUrl } from "./messages/smtp_server.ts";

/** Log levels, least severe first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

/** Rails to chains; `sandbox` leads to no chain, and its coins are worth nothing. */
const WALLET_RAILS = ["none", "sandbox"] as const;

/** Access key and secret of an operator. */
export interface OperatorKey {
  readonly kid: string;
  readonly secret: string;
}

/** Every setting of a process. */
export interface Config {
  /** The task of the process. */
  readonly command: "serve" | "audit" | "rebuild";
  /** Fills an empty store with the demo's members and markets. */
  readonly isDemo: boolean;
  readonly host: string;
  readonly port: number;
  /** How many of the operator's own proxies stand in front of the venue. */
  readonly proxies: number;
  /** A file, `:memory:` or the URL of a KV server; undefined for the attached database. */
  readonly kvPath: string | undefined;
  /** Newest first; null when none are given. */
  readonly masterKeys: readonly Uint8Array[] | null;
  readonly operatorKey: OperatorKey | null;
  /** How far a nonce may be from the venue's time, in ms. */
  readonly nonceWindowMs: number;
  /** Which signed calls need a body signature. */
  readonly bodySignatures: BodySignatures;
  /** Origins whose pages may make members' calls by key. */
  readonly corsOrigins: readonly string[];
  readonly orderLimits: OrderLimits;
  /** How many client order ids all members together may take within 24 hours. */
  readonly clientOrderIdsMax: number;
  /** Codes of the currencies that profit and loss is kept in; null to keep those of the store. */
  readonly pnlCurrencies: readonly string[] | null;
  /** Whether keys that may withdraw need a list of the addresses that may use them. */
  readonly needsWithdrawIpLists: boolean;
  /** Requests per second and key. */
  readonly rateLimit: number | "off";
  /** How coins come in and go out; defaults to the sandbox in the demo, otherwise to none. */
  readonly walletRail: typeof WALLET_RAILS[number];
  /** How long a new beneficiary has to wait for its first withdrawal, in ms. */
  readonly beneficiaryHoldMs: number;
  /**
   * How long a beneficiary has to wait after a change of password or second factor, in ms, unless
   * it is twice as old as that.
   */
  readonly credentialHoldMs: number;
  /** Null when no mail server is given. */
  readonly mail: MailSettings | null;
  /** How long a session lasts after the sign-in, in ms. */
  readonly sessionLifeMs: number;
  /** How long a session lasts without a call, in ms. */
  readonly sessionIdleMs: number;
  readonly logLevel: LogLevel;
  /** Whether traces and figures are exported; Deno reads the rest from the same environment. */
  readonly isTelemetryOn: boolean;
}

/** A setting is wrong or missing; the message is a sentence that names it. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

const PORT_MAX = 65_535;
const PROXIES_MAX = 10;
const NONCE_WINDOW_MS_DEFAULT = 5_000;
const NONCE_WINDOW_MS_MAX = 60_000;
const RATE_LIMIT_DEFAULT = "100";
const RATE_LIMIT_MAX = 1_000_000;
const BENEFICIARY_HOLD_HOURS_DEFAULT = 24;
const HOLD_HOURS_MAX = 8760;
const CREDENTIAL_HOLD_HOURS_DEFAULT = 48;
const SESSION_HOURS_DEFAULT = 24;
const SESSION_HOURS_MAX = 720;
const SESSION_IDLE_MINUTES_DEFAULT = 120;
const SESSION_IDLE_MINUTES_MAX = 43_200;
/** At 40 bytes each, this many take 4 GB. */
const CLIENT_ORDER_IDS_SETTING_MAX = 100_000_000;
const CORS_ORIGINS_MAX = 100;
const OPERATOR_SECRET_LENGTH_MIN = 16;
const OPERATOR_SECRET_LENGTH_MAX = 1024;
const KV_PATH_DEFAULT = ".data/kvenue.db";
const SECRET_NAMES: ReadonlySet<string> = new Set(["MASTER_KEY", "OPERATOR_KEY", "SMTP_URL"]);

const ENVIRONMENT = z.object({
  PORT: wholeNumber(0, PORT_MAX).default(8000),
  HOST: hostName().default("127.0.0.1"),
  DEMO_HOST: hostName().optional(),
  PROXIES: wholeNumber(0, PROXIES_MAX).default(0),
  KV_PATH: z.string().refine(isKvPath, 'must be a file, ":memory:" or the URL of a KV server')
    .optional(),
  MASTER_KEY: parsedBy(parseMasterKeys, "is invalid: ").optional(),
  OPERATOR_KEY: z.string().transform(operatorKeyOf).optional(),
  NONCE_WINDOW_MS: wholeNumber(1, NONCE_WINDOW_MS_MAX).default(NONCE_WINDOW_MS_DEFAULT),
  BODY_SIGNATURES: oneOf(BODY_SIGNATURES).default("off"),
  CORS_ORIGINS: z.string().default("off").transform(corsOriginsOf),
  ORDERS_PER_BULK_MAX: wholeNumber(1, ORDERS_PER_BULK_OVERRIDE_MAX).default(ORDERS_PER_BULK_MAX),
  OPEN_ORDERS_MAX: wholeNumber(1, OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX)
    .default(OPEN_ORDERS_PER_MEMBER_AND_MARKET_MAX),
  UNTRADED_ORDERS_MAX: z.string().default(String(UNTRADED_ORDERS_PER_DAY_MAX))
    .transform(untradedOrdersOf),
  CLIENT_ORDER_IDS_MAX: wholeNumber(1, CLIENT_ORDER_IDS_SETTING_MAX)
    .default(CLIENT_ORDER_IDS_MAX),
  PRICE_BAND: z.string().default("off").transform(priceBandOf),
  PNL_CURRENCIES: z.string().transform(pnlCurrenciesOf).optional(),
  WITHDRAW_IP_LISTS: oneOf(["optional", "required"]).default("optional"),
  RATE_LIMIT: z.string().default(RATE_LIMIT_DEFAULT).transform(rateLimitOf),
  WALLET_RAIL: oneOf(WALLET_RAILS).optional(),
  BENEFICIARY_HOLD_HOURS: wholeNumber(0, HOLD_HOURS_MAX).optional(),
  CREDENTIAL_HOLD_HOURS: wholeNumber(0, HOLD_HOURS_MAX).optional(),
  SMTP_URL: parsedBy(parseSmtpUrl).optional(),
  MAIL_FROM: z.email("must be an email address").optional(),
  SESSION_HOURS: wholeNumber(1, SESSION_HOURS_MAX).default(SESSION_HOURS_DEFAULT),
  SESSION_IDLE_MINUTES: wholeNumber(1, SESSION_IDLE_MINUTES_MAX).default(
    SESSION_IDLE_MINUTES_DEFAULT,
  ),
  LOG_LEVEL: oneOf(LOG_LEVELS).default("info"),
  // The same words as Deno: with any other it only warns and exports nothing.
  OTEL_DENO: oneOf(["true", "false"]).default("false"),
  DENO_DEPLOYMENT_ID: z.string().optional(),
});
type Values = z.output<typeof ENVIRONMENT>;

/** The name of a setting. */
export type SettingName = keyof Values;

/** Names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(ENVIRONMENT.shape);

/**
 * Reads the settings; an empty variable counts as absent.
 *
 * @throws {ConfigError} a setting or an argument is wrong or missing
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Config {
  const values = parseEnvironment(environment);
  const { command, isDemo } = readArguments(args);
  const isDeploy = values.DENO_DEPLOYMENT_ID !== undefined;
  if (isDemo) refuseDemo(isDeploy, values);
  if (command === "serve" && !isDemo && values.MASTER_KEY === undefined) {
    throw new ConfigError(
      "MASTER_KEY is missing: set it to 32 random bytes in base64 or hex, " +
        "for example the output of `openssl rand -base64 32`",
    );
  }
  const holdHours = values.BENEFICIARY_HOLD_HOURS ??
    (isDemo ? 0 : BENEFICIARY_HOLD_HOURS_DEFAULT);
  const credentialHours = values.CREDENTIAL_HOLD_HOURS ??
    (holdHours === 0 ? 0 : CREDENTIAL_HOLD_HOURS_DEFAULT);
  return Object.freeze({
    command,
    isDemo,
    host: isDemo ? values.DEMO_HOST ?? values.HOST : values.HOST,
    port: values.PORT,
    proxies: values.PROXIES,
    kvPath: kvPathOf(values.KV_PATH, isDeploy),
    masterKeys: values.MASTER_KEY ?? null,
    operatorKey: values.OPERATOR_KEY ?? null,
    nonceWindowMs: values.NONCE_WINDOW_MS,
    bodySignatures: values.BODY_SIGNATURES,
    corsOrigins: values.CORS_ORIGINS,
    orderLimits: {
      bulkOrdersMax: values.ORDERS_PER_BULK_MAX,
      openOrdersMax: values.OPEN_ORDERS_MAX,
      untradedOrdersMax: values.UNTRADED_ORDERS_MAX,
      priceBandBps: values.PRICE_BAND,
    },
    clientOrderIdsMax: values.CLIENT_ORDER_IDS_MAX,
    pnlCurrencies: values.PNL_CURRENCIES ?? null,
    needsWithdrawIpLists: values.WITHDRAW_IP_LISTS === "required",
    rateLimit: values.RATE_LIMIT,
    walletRail: values.WALLET_RAIL ?? (isDemo ? "sandbox" : "none"),
    beneficiaryHoldMs: holdHours * HOUR_MS,
    credentialHoldMs: credentialHours * HOUR_MS,
    mail: mailOf(values),
    sessionLifeMs: values.SESSION_HOURS * HOUR_MS,
    sessionIdleMs: values.SESSION_IDLE_MINUTES * MINUTE_MS,
    logLevel: values.LOG_LEVEL,
    isTelemetryOn: values.OTEL_DENO === "true",
  });
}

/** Returns whether a KV path is the URL of a server. */
function isKvUrl(path: string): boolean {
  return /^https?:\/\/\S+$/.test(path) && URL.canParse(path);
}

function parseEnvironment(environment: Readonly<Record<string, string | undefined>>): Values {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const result = ENVIRONMENT.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0]);
  const shown = SECRET_NAMES.has(name) ? "" : `, not "${shownValue(name, given[name] ?? "")}"`;
  throw new ConfigError(`${name} ${issue?.message}${shown}`);
}

/** Hides everything after the scheme of a URL, since a password may stand anywhere in it. */
function shownValue(name: string, value: string): string {
  return name === "KV_PATH" ? value.replace(/:.*$/s, ":…") : value;
}

function readArguments(args: readonly string[]): Pick<Config, "command" | "isDemo"> {
  const [first, ...rest] = args;
  if (rest.length === 0) {
    if (first === undefined) return { command: "serve", isDemo: false };
    if (first === "--demo") return { command: "serve", isDemo: true };
    if (first === "audit" || first === "rebuild") return { command: first, isDemo: false };
  }
  throw new ConfigError(
    `Unknown arguments "${args.join(" ")}": give none, "--demo", "audit" or "rebuild"`,
  );
}

/** Refuses to serve the demo to others by chance: its secrets are printed in its documentation. */
function refuseDemo(isDeploy: boolean, { HOST, DEMO_HOST }: Values): void {
  if (isDeploy) throw new ConfigError("--demo does not run on Deno Deploy: its keys are public");
  if (DEMO_HOST !== undefined || isLoopback(HOST)) return;
  throw new ConfigError(
    `HOST must be a loopback address with --demo, whose keys are public, not "${HOST}"; in a ` +
      "container, where nobody else reaches it, set DEMO_HOST instead",
  );
}

function hostName() {
  return z.string().regex(/^[A-Za-z0-9.:_-]+$/, "must be a host name or an address");
}

function kvPathOf(path: string | undefined, isDeploy: boolean): string | undefined {
  if (!isDeploy) return path ?? KV_PATH_DEFAULT;
  if (path === undefined || isKvUrl(path)) return path;
  throw new ConfigError(
    `KV_PATH must be unset or the URL of a KV server on Deno Deploy, not "${path}"`,
  );
}

/** Refuses other URLs, directories, and names with a space at either end, which nobody means. */
function isKvPath(path: string): boolean {
  if (path === ":memory:" || isKvUrl(path)) return true;
  return path === path.trim() && !/^([a-z][a-z0-9+.-]+)?:|[/\\]$/i.test(path);
}

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d{1,15}$/, message).transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Parses one of the words, in lower or upper case, as all settings do. */
function oneOf<const T extends readonly string[]>(words: T) {
  return z.string().toLowerCase().pipe(z.enum(words, `must be one of ${words.join(", ")}`));
}

/** Parses a setting; the message of a thrown error says what is wrong with it. */
function parsedBy<T>(parse: (text: string) => T, prefix: string = "") {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return wrong(context, `${prefix}${error.message}`);
    }
  });
}

function wrong(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

function isOff(text: string): boolean {
  return text.toLowerCase() === "off";
}

function rateLimitOf(text: string, context: z.RefinementCtx): number | "off" {
  if (isOff(text)) return "off";
  const rate = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (rate >= 1 && rate <= RATE_LIMIT_MAX) return rate;
  return wrong(
    context,
    `must be a whole number of requests per second from 1 to ${RATE_LIMIT_MAX}, or "off"`,
  );
}

/** Returns how many orders may end without a trade on a day; 0 for no limit. */
function untradedOrdersOf(text: string, context: z.RefinementCtx): number {
  if (isOff(text)) return 0;
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= UNTRADED_ORDERS_OVERRIDE_MAX) return count;
  return wrong(
    context,
    `must be a whole number from 1 to ${UNTRADED_ORDERS_OVERRIDE_MAX}, or "off"`,
  );
}

/** Returns a percentage in basis points; 0 if there is no band. */
function priceBandOf(text: string, context: z.RefinementCtx): number {
  if (isOff(text)) return 0;
  const bps = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
  if (bps > 0 && bps <= 10_000) return bps;
  return wrong(
    context,
    'must be a percentage above 0 up to 100, with at most 2 decimals, or "off"',
  );
}

function corsOriginsOf(text: string, context: z.RefinementCtx): readonly string[] {
  if (isOff(text)) return [];
  const origins = text.split(",").map((origin) => origin.trim().toLowerCase());
  if (origins.length <= CORS_ORIGINS_MAX && origins.every(isWebOrigin)) return origins;
  return wrong(
    context,
    `must be up to ${CORS_ORIGINS_MAX} origins like https://app.example.com separated by commas, ` +
      'or "off"',
  );
}

/** Returns whether a text is an origin as browsers send it. */
function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function pnlCurrenciesOf(text: string, context: z.RefinementCtx): readonly string[] {
  if (isOff(text)) return [];
  const codes = text.split(",").map((code) => code.trim().toLowerCase());
  const areSound = codes.every((code) => /^[a-z0-9_-]{1,32}$/.test(code)) &&
    new Set(codes).size === codes.length && codes.length <= PNL_CURRENCIES_MAX;
  if (areSound) return codes;
  return wrong(
    context,
    `must be up to ${PNL_CURRENCIES_MAX} different currency codes separated by commas, or ` +
      '"off"',
  );
}

function mailOf({ SMTP_URL: server, MAIL_FROM: from }: Values): MailSettings | null {
  if (server === undefined) return null;
  if (from !== undefined) return { server, from };
  throw new ConfigError("MAIL_FROM is missing: set it to the address that SMTP_URL sends from");
}

function operatorKeyOf(text: string, context: z.RefinementCtx): OperatorKey {
  const match = /^([A-Za-z0-9_-]{1,64}):([\x21-\x7e]+)$/.exec(text);
  const [, kid = "", secret = ""] = match ?? [];
  const { length } = secret;
  if (length >= OPERATOR_SECRET_LENGTH_MIN && length <= OPERATOR_SECRET_LENGTH_MAX) {
    return { kid, secret };
  }
  return wrong(
    context,
    'must be "access key:secret": up to 64 letters, digits, "-" or "_", a colon, and ' +
      `${OPERATOR_SECRET_LENGTH_MIN} to ${OPERATOR_SECRET_LENGTH_MAX} characters without spaces`,
  );
}
