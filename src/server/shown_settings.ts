/** The settings of the process, as the log shows them. */
import type { Config, ProcessSettingName } from "./config.ts";
import type { SmtpServer } from "../messages/smtp_server.ts";
import { withoutSecrets } from "./opening_store.ts";

/** How each setting is shown, in the terms in which it is given; null for those that are not. */
const SHOWN: { readonly [Name in ProcessSettingName]: ((config: Config) => unknown) | null } = {
  PORT: ({ port }) => port,
  HOST: ({ host }) => host,
  DEMO_HOST: null,
  PUBLIC_SOCKETS_PORT: ({ publicSocketsPort }) => publicSocketsPort,
  METRICS_PORT: ({ metrics }) => metrics && metrics.port,
  METRICS_HOST: ({ metrics }) => metrics && metrics.hostname,
  BUILD: ({ build }) => build,
  BACKUP_MARK: ({ backupMark }) => backupMark,
  PROXIES: ({ proxies }) => proxies,
  KV_PATH: ({ kvPath }) => kvPath === undefined ? null : withoutSecrets(kvPath),
  NEW_STORE: ({ mayBeNew }) => mayBeNew ? "yes" : "no",
  MASTER_KEY: null,
  OPERATOR_KEY: null,
  APPROVALS: ({ approvals }) => approvals,
  CORS_ORIGINS: ({ corsOrigins }) => corsOrigins.join(",") || "off",
  CLIENT_ORDER_IDS_MAX: ({ clientOrderIdsMax }) => clientOrderIdsMax,
  RATE_LIMIT: ({ rateLimit }) => rateLimit,
  WALLET_NODES: ({ walletNodes }) => [...walletNodes.keys()].join(",") || null,
  WALLET_SEED: ({ walletSeed }) => walletSeed === null ? null : "given",
  WALLET_COLD: ({ walletCold }) =>
    [...walletCold].map(([name, address]) => `${name}=${address}`).join(",") || null,
  SMTP_URL: ({ mail }) => mail && urlOf(mail.server),
  MAIL_FROM: ({ mail }) => mail && mail.from,
  LOG_LEVEL: ({ logLevel }) => logLevel,
  OTEL_DENO: ({ isTelemetryOn }) => isTelemetryOn,
  DENO_DEPLOYMENT_ID: null,
};

/** Returns the settings of the process by name, without secrets; null for what is not set. */
export function shownSettings(config: Config): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(SHOWN).flatMap(([name, show]) => show === null ? [] : [[name, show(config)]]),
  );
}

function urlOf({ isSecure, host, port }: SmtpServer): string {
  return `${isSecure ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
