/** Settings: the environment and the arguments, parsed once. */
import { type Arguments, readArguments } from "./arguments.ts";
import * as z from "zod";
import { countOrOff, isOff, oneOf, wholeNumber, wrong } from "../edge/setting_texts.ts";
import { SETTING_KEYS, venueSetting } from "../edge/venue_settings.ts";
import { DEMO_PNL_CURRENCIES } from "./demo/demo_venue.ts";
import { CLIENT_ORDER_IDS_MAX } from "../domain/limits.ts";
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import { parseMasterKeys } from "../secrets/vault.ts";
import { isLoopback, type MailSettings, parseSmtpUrl } from "../messages/smtp_server.ts";
import { parseWalletCold, parseWalletNodes, parseWalletSeed } from "./wallet_settings.ts";
import { ConfigError } from "./config_error.ts";

/** Log levels, least severe first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

/** Access key and secret of an operator. */
export interface OperatorKey {
  readonly kid: string;
  readonly secret: string;
}

/** Every setting of a process. */
export interface Config {
  /** The task of the process. */
  readonly command: Arguments["command"];
  /** Fills an empty store with the demo's members and markets. */
  readonly isDemo: boolean;
  /** Whether bots trade on the demo's markets. */
  readonly hasBots: boolean;
  /** Whether a new venue may begin in an empty store. */
  readonly mayBeNew: boolean;
  /** Files with lines of the venue's log, for a restore. */
  readonly logFiles: readonly string[];
  /** Whether an audit asks the nodes what the chains hold. */
  readonly asksChains: boolean;
  readonly host: string;
  readonly port: number;
  /** Port of unsigned sockets, in a thread of their own; null if they share the other one. */
  readonly publicSocketsPort: number | null;
  /** Where figures are served to Prometheus; null if they are not. */
  readonly metrics: { readonly hostname: string; readonly port: number } | null;
  /** The commit that runs, where git does not tell. */
  readonly build: string | null;
  /** The file that a backup touches when it is done; null if none is named. */
  readonly backupMark: string | null;
  /** How many of the operator's own proxies stand in front of the venue. */
  readonly proxies: number;
  /** A file, `:memory:` or the URL of a KV server; undefined for the attached database. */
  readonly kvPath: string | undefined;
  /** Newest first; null when none are given. */
  readonly masterKeys: readonly Uint8Array[] | null;
  readonly operatorKey: OperatorKey | null;
  /** How many operators it takes to adjust a balance or to approve a withdrawal. */
  readonly approvals: number;
  /** Origins whose pages may make members' calls by key. */
  readonly corsOrigins: readonly string[];
  /** How many client order ids all members together may take within 24 hours. */
  readonly clientOrderIdsMax: number;
  /** Requests per second and key. */
  readonly rateLimit: number | "off";
  /** The nodes of networks that coins live on, by name, and what signs payments there. */
  readonly walletNodes: ReadonlyMap<string, string>;
  /** Null if this process only watches. */
  readonly walletSeed: Uint8Array | null;
  /** Where goes what payouts don't need, by network: addresses whose keys are elsewhere. */
  readonly walletCold: ReadonlyMap<string, string>;
  /** Null when no mail server is given. */
  readonly mail: MailSettings | null;
  /** The settings of the whole venue, which count only where the store has none. */
  readonly settings: Settings;
  /** Which of them were given. */
  readonly givenSettings: ReadonlySet<keyof Settings>;
  readonly logLevel: LogLevel;
  /** Whether traces and figures are exported; Deno reads the rest from the same environment. */
  readonly isTelemetryOn: boolean;
}

/** What the arguments may be. */
const KNOWN =
  'none, "--new", "--demo" (and "--bots"), "audit" (and "--chain"), "rebuild" or "restore" (and "--log=FILE")';
const PORT_MAX = 65_535;
const PROXIES_MAX = 10;
const RATE_LIMIT_DEFAULT = 100;
const RATE_LIMIT_MAX = 1_000_000;
/** At 40 bytes each, this many take 4 GB. */
const CLIENT_ORDER_IDS_SETTING_MAX = 100_000_000;
const CORS_ORIGINS_MAX = 100;
const APPROVALS_MAX = 2;
const OPERATOR_SECRET_LENGTH_MIN = 16;
const OPERATOR_SECRET_LENGTH_MAX = 1024;
const KV_PATH_DEFAULT = ".data/kvenue.db";
/** What bots have done stays out of the store that programs want to themselves. */
const BOTS_KV_PATH_DEFAULT = ".data/demo.db";
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "MASTER_KEY",
  "OPERATOR_KEY",
  "SMTP_URL",
  "WALLET_NODES",
  "WALLET_SEED",
]);

const PROCESS_SETTINGS = {
  PORT: wholeNumber(0, PORT_MAX).default(8000),
  HOST: hostName().default("127.0.0.1"),
  DEMO_HOST: hostName().optional(),
  PUBLIC_SOCKETS_PORT: wholeNumber(0, PORT_MAX).optional(),
  METRICS_PORT: wholeNumber(0, PORT_MAX).optional(),
  METRICS_HOST: hostName().default("127.0.0.1"),
  BUILD: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "must be up to 64 letters, digits, ., - or _")
    .optional(),
  BACKUP_MARK: z.string().optional(),
  PROXIES: wholeNumber(0, PROXIES_MAX).default(0),
  KV_PATH: z.string().refine(isKvPath, 'must be a file, ":memory:" or the URL of a KV server')
    .optional(),
  NEW_STORE: oneOf(["yes", "no"]).default("no"),
  MASTER_KEY: parsedBy(parseMasterKeys, "is invalid: ").optional(),
  OPERATOR_KEY: z.string().transform(operatorKeyOf).optional(),
  APPROVALS: wholeNumber(1, APPROVALS_MAX).default(1),
  CORS_ORIGINS: z.string().default("off").transform(corsOriginsOf),
  CLIENT_ORDER_IDS_MAX: wholeNumber(1, CLIENT_ORDER_IDS_SETTING_MAX)
    .default(CLIENT_ORDER_IDS_MAX),
  RATE_LIMIT: countOrOff(RATE_LIMIT_MAX, "a whole number of requests per second")
    .default(RATE_LIMIT_DEFAULT),
  WALLET_NODES: parsedBy(parseWalletNodes).optional(),
  WALLET_SEED: parsedBy(parseWalletSeed).optional(),
  WALLET_COLD: parsedBy(parseWalletCold).optional(),
  SMTP_URL: parsedBy(parseSmtpUrl).optional(),
  MAIL_FROM: z.email("must be an email address").optional(),
  LOG_LEVEL: oneOf(LOG_LEVELS).default("info"),
  // The same words as Deno: with any other it only warns and exports nothing.
  OTEL_DENO: oneOf(["true", "false"]).default("false"),
  DENO_DEPLOYMENT_ID: z.string().optional(),
};
const ENVIRONMENT = z.object({
  ...PROCESS_SETTINGS,
  ...Object.fromEntries(SETTING_KEYS.map((key) => {
    const { name, text } = venueSetting(key);
    return [name, text.optional()];
  })),
});
type Values = z.output<z.ZodObject<typeof PROCESS_SETTINGS>> & {
  /** Those of the venue that were given. */
  readonly venue: Partial<Settings>;
};

/** The name of a setting of the process. */
export type ProcessSettingName = keyof typeof PROCESS_SETTINGS;

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
  const given = readArguments(args);
  if (given === null) throw new ConfigError(`Unknown arguments "${args.join(" ")}": give ${KNOWN}`);
  const { asksChains, command, isDemo, hasBots, logFiles } = given;
  const isDeploy = values.DENO_DEPLOYMENT_ID !== undefined;
  if (isDemo) refuseDemo(isDeploy, values);
  if (command === "serve" && !isDemo && values.MASTER_KEY === undefined) {
    throw new ConfigError(
      "MASTER_KEY is missing: set it to 32 random bytes in base64 or hex, " +
        "for example the output of `openssl rand -base64 32`",
    );
  }
  return Object.freeze({
    command,
    isDemo,
    hasBots,
    mayBeNew: given.isNew || values.NEW_STORE === "yes" || values.KV_PATH === ":memory:",
    logFiles,
    asksChains,
    host: isDemo ? values.DEMO_HOST ?? values.HOST : values.HOST,
    port: values.PORT,
    publicSocketsPort: values.PUBLIC_SOCKETS_PORT ?? null,
    metrics: values.METRICS_PORT === undefined
      ? null
      : { hostname: values.METRICS_HOST, port: values.METRICS_PORT },
    build: values.BUILD ?? values.DENO_DEPLOYMENT_ID ?? null,
    backupMark: values.BACKUP_MARK ?? null,
    proxies: values.PROXIES,
    kvPath: kvPathOf(values.KV_PATH, isDeploy, hasBots),
    masterKeys: values.MASTER_KEY ?? null,
    operatorKey: values.OPERATOR_KEY ?? null,
    approvals: values.APPROVALS,
    corsOrigins: values.CORS_ORIGINS,
    clientOrderIdsMax: values.CLIENT_ORDER_IDS_MAX,
    rateLimit: values.RATE_LIMIT || "off",
    walletNodes: values.WALLET_NODES ?? new Map(),
    walletSeed: values.WALLET_SEED ?? null,
    walletCold: values.WALLET_COLD ?? new Map(),
    mail: mailOf(values),
    settings: settingsOf(values.venue, isDemo),
    givenSettings: new Set(Object.keys(values.venue) as (keyof Settings)[]),
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
  if (result.success) return { ...result.data, venue: givenOf(result.data) } as Values;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0]);
  const shown = SECRET_NAMES.has(name) ? "" : `, not "${shownValue(name, given[name] ?? "")}"`;
  throw new ConfigError(`${name} ${issue?.message}${shown}`);
}

/** Returns the settings of the venue that were given, under their names in the code. */
function givenOf(values: Readonly<Record<string, unknown>>): Partial<Settings> {
  const given = SETTING_KEYS.map((key) => [key, values[venueSetting(key).name]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Returns the settings of a venue that begins with those given. */
function settingsOf(given: Partial<Settings>, isDemo: boolean): Settings {
  const begun: Settings = isDemo
    ? {
      ...DEFAULT_SETTINGS,
      walletRail: "sandbox",
      beneficiaryHoldMs: 0,
      pnlCurrencies: DEMO_PNL_CURRENCIES,
    }
    : DEFAULT_SETTINGS;
  const settings = { ...begun, ...given };
  const isUnheld = given.credentialHoldMs === undefined && settings.beneficiaryHoldMs === 0;
  return isUnheld ? { ...settings, credentialHoldMs: 0 } : settings;
}

/** Hides everything after the scheme of a URL, since a password may stand anywhere in it. */
function shownValue(name: string, value: string): string {
  return name === "KV_PATH" ? value.replace(/:.*$/s, ":…") : value;
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

function kvPathOf(
  path: string | undefined,
  isDeploy: boolean,
  hasBots: boolean,
): string | undefined {
  if (!isDeploy) return path ?? (hasBots ? BOTS_KV_PATH_DEFAULT : KV_PATH_DEFAULT);
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
