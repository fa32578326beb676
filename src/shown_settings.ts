/** The settings in force, as the log shows them. */
import type { Config, SettingName } from "./config.ts";
import { HOUR_MS, MINUTE_MS } from "./domain/calendar.ts";
import type { SmtpServer } from "./messages/smtp_server.ts";
import { withoutSecrets } from "./opening_store.ts";

/** How each setting is shown, in the terms in which it is given; null for those that are not. */
const SHOWN: { readonly [Name in SettingName]: ((config: Config) => unknown) | null } = {
  PORT: ({ port }) => port,
  HOST: ({ host }) => host,
  DEMO_HOST: null,
  PROXIES: ({ proxies }) => proxies,
  KV_PATH: ({ kvPath }) => kvPath === undefined ? null : withoutSecrets(kvPath),
  MASTER_KEY: null,
  OPERATOR_KEY: null,
  NONCE_WINDOW_MS: ({ nonceWindowMs }) => nonceWindowMs,
  BODY_SIGNATURES: ({ bodySignatures }) => bodySignatures,
  CORS_ORIGINS: ({ corsOrigins }) => corsOrigins.join(",") || "off",
  ORDERS_PER_BULK_MAX: ({ orderLimits }) => orderLimits.bulkOrdersMax,
  OPEN_ORDERS_MAX: ({ orderLimits }) => orderLimits.openOrdersMax,
  UNTRADED_ORDERS_MAX: ({ orderLimits: { untradedOrdersMax } }) => untradedOrdersMax || "off",
  CLIENT_ORDER_IDS_MAX: ({ clientOrderIdsMax }) => clientOrderIdsMax,
  PRICE_BAND: ({ orderLimits: { priceBandBps } }) =>
    priceBandBps === 0 ? "off" : priceBandBps / 100,
  PNL_CURRENCIES: ({ pnlCurrencies }) =>
    pnlCurrencies === null ? "as stored" : pnlCurrencies.join(",") || "off",
  WITHDRAW_IP_LISTS: ({ needsWithdrawIpLists }) => needsWithdrawIpLists ? "required" : "optional",
  RATE_LIMIT: ({ rateLimit }) => rateLimit,
  WALLET_RAIL: ({ walletRail }) => walletRail,
  BENEFICIARY_HOLD_HOURS: ({ beneficiaryHoldMs }) => beneficiaryHoldMs / HOUR_MS,
  CREDENTIAL_HOLD_HOURS: ({ credentialHoldMs }) => credentialHoldMs / HOUR_MS,
  SMTP_URL: ({ mail }) => mail && urlOf(mail.server),
  MAIL_FROM: ({ mail }) => mail && mail.from,
  SESSION_HOURS: ({ sessionLifeMs }) => sessionLifeMs / HOUR_MS,
  SESSION_IDLE_MINUTES: ({ sessionIdleMs }) => sessionIdleMs / MINUTE_MS,
  LOG_LEVEL: ({ logLevel }) => logLevel,
  OTEL_DENO: ({ isTelemetryOn }) => isTelemetryOn,
  DENO_DEPLOYMENT_ID: null,
};

/** Returns the settings in force by name, without secrets; null for what is not set. */
export function shownSettings(config: Config): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(SHOWN).flatMap(([name, show]) => show === null ? [] : [[name, show(config)]]),
  );
}

function urlOf({ isSecure, host, port }: SmtpServer): string {
  return `${isSecure ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
