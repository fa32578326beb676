/** Information about the venue: minimum levels, fees, limits, clock, version and health. */
import * as z from "zod";
import { NOT_READY_REASONS, type NotReadyReason } from "../../engine/engine.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { type BuildInfo, DEGRADED, DEGRADED_REASONS } from "../../edge/figures.ts";
import { backendPaths, MARKET_DATA, ok, okPage, SERVICE } from "../endpoint_parts.ts";
import { ApiError } from "../../edge/errors.ts";
import {
  memberLevelsJson,
  tradingFeeJson,
  withdrawLimitJson,
} from "../../edge/wire/market_wire.ts";
import { WITHDRAW_LIMIT, WITHDRAW_LIMIT_EXAMPLE } from "../../edge/schemas/admin/admin_bounds.ts";
import { PAGE_QUERY, pageOf } from "../../edge/schemas/lists.ts";
import {
  MEMBER_LEVELS,
  MEMBER_LEVELS_EXAMPLE,
  TRADING_FEE,
  TRADING_FEE_EXAMPLE,
} from "../../edge/schemas/market_answers.ts";

/** Answers with the levels that calls need. */
export function readMemberLevels(call: Call): Response {
  return call.json(200, memberLevelsJson(call.engine.venue.levels));
}

/** Answers with a page of the fee table. */
export function listTradingFees(call: QueryCall<typeof PAGE_QUERY>): Response {
  const { query, fraction } = call;
  const { venue } = call.engine;
  const rows = venue.fees.rows().map((row) => tradingFeeJson(venue, row, fraction));
  const page = pageOf(rows, query, "pagination");
  return call.page(page.items, query, page);
}

/** Answers with a page of the table of withdrawal limits. */
export function listWithdrawLimits(call: QueryCall<typeof PAGE_QUERY>): Response {
  const { query, fraction } = call;
  const rows = call.engine.venue.withdrawLimits.rows()
    .map((row) => withdrawLimitJson(row, fraction));
  const page = pageOf(rows, query, "pagination");
  return call.page(page.items, query, page);
}

function readTimestamp(call: Call): Response {
  return call.json(200, new Date(call.engine.now()).toISOString());
}

function readVersion(call: Call): Response {
  return call.json(200, call.services.build);
}

function readAlive(call: Call): Response {
  return call.json(200, call.isPeatio ? 200 : { status: "alive" });
}

const PEATIO_HEALTH = "Under `/api/v2/peatio` the body is just the status, `200`.";

function readReady(call: Call): Response {
  const { reason } = call.services.health();
  if (reason === "") {
    const degraded = call.services.degraded();
    const told = degraded.length === 0 ? {} : { degraded };
    return call.json(200, call.isPeatio ? 200 : { status: "ready", ...told });
  }
  throw new ApiError(503, ["server.not_ready", notReadyError(reason)], {
    headers: { "Retry-After": "1" },
  });
}

/** Returns the identifier that accompanies `server.not_ready` with the reason. */
function notReadyError(reason: NotReadyReason): string {
  return `server.${reason}`;
}

/** Answer with a page of the fee table. */
export const TRADING_FEES_ANSWER = okPage("Rows of the table.", TRADING_FEE, TRADING_FEE_EXAMPLE);

/** Answer with a page of the table of withdrawal limits. */
export const WITHDRAW_LIMITS_ANSWER = okPage(
  "Rows of the table.",
  WITHDRAW_LIMIT,
  WITHDRAW_LIMIT_EXAMPLE,
);

const VERSION_INFO = z.object({
  version: z.string(),
  build: z.string().nullable().meta({ description: "The commit that runs; null if unknown." }),
  formats: z.object({ log: z.int(), rows: z.int() }).meta({
    description: "The formats of log and rows that it writes.",
  }),
}).meta({ id: "BuildInfo" }) satisfies z.ZodType<BuildInfo>;

const READY = z.object({
  status: z.literal("ready"),
  degraded: z.array(z.enum(DEGRADED_REASONS)).optional().meta({
    description: `${DEGRADED} Absent if there is nothing.`,
  }),
});

/** Endpoints about the venue. */
export const VENUE_INFO_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMemberLevels",
    method: "GET",
    paths: backendPaths("public/member-levels"),
    ...MARKET_DATA,
    summary: "Get the minimum member levels",
    answer: ok(
      "The minimum member level for each privilege.",
      MEMBER_LEVELS,
      MEMBER_LEVELS_EXAMPLE,
    ),
    handle: readMemberLevels,
  }),
  endpoint({
    id: "listTradingFees",
    method: "GET",
    paths: backendPaths("public/trading_fees"),
    ...MARKET_DATA,
    summary: "List the fee table",
    description: "The most specific row applies to an order: market and group, group, market, any.",
    query: PAGE_QUERY,
    answer: TRADING_FEES_ANSWER,
    handle: listTradingFees,
  }),
  endpoint({
    id: "listWithdrawLimits",
    method: "GET",
    paths: backendPaths("public/withdraw_limits"),
    ...MARKET_DATA,
    summary: "List the withdrawal limit table",
    description: "The most specific row applies to a member: level and group, level, group, any.",
    query: PAGE_QUERY,
    answer: WITHDRAW_LIMITS_ANSWER,
    handle: listWithdrawLimits,
  }),
  endpoint({
    id: "readTimestamp",
    method: "GET",
    paths: backendPaths("public/timestamp"),
    ...SERVICE,
    summary: "Get the server time",
    answer: ok(
      "The time, in ISO 8601 with milliseconds.",
      z.string().meta({ format: "date-time" }),
      "2020-03-02T10:51:00.000Z",
    ),
    handle: readTimestamp,
  }),
  endpoint({
    id: "readVersion",
    method: "GET",
    paths: backendPaths("public/version"),
    ...SERVICE,
    summary: "Get the software version",
    answer: ok("The version.", VERSION_INFO, {
      version: "1.0.0",
      build: "8f3c2a1b",
      formats: { log: 5, rows: 4 },
    }),
    handle: readVersion,
  }),
  endpoint({
    id: "readAlive",
    method: "GET",
    paths: backendPaths("public/health/alive"),
    ...SERVICE,
    summary: "Check whether the process is running",
    description: PEATIO_HEALTH,
    answer: ok("The process is running.", z.object({ status: z.literal("alive") }), {
      status: "alive",
    }),
    handle: readAlive,
  }),
  endpoint({
    id: "readReady",
    method: "GET",
    paths: backendPaths("public/health/ready"),
    ...SERVICE,
    summary: "Check whether the process can take orders",
    description: "Says nothing of markets or trading that an operator has stopped: see `status`. " +
      `If the process can't, a second error after \`server.not_ready\` says why. ${PEATIO_HEALTH}`,
    answer: ok("The process can take orders.", READY, {
      status: "ready",
      degraded: ["backup_old"],
    }),
    errors: { 503: ["server.not_ready", ...NOT_READY_REASONS.map(notReadyError)] },
    handle: readReady,
  }),
];
