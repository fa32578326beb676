import { createApp } from "../../src/http/app.ts";
import { type DegradedReason, NO_MAIL } from "../../src/edge/figures.ts";
import { type Auth, createAuth } from "../../src/edge/callers/auth.ts";
import { type AuthFailureNotice, AuthFailures } from "../../src/edge/callers/auth_failures.ts";
import type { RateLimit } from "../../src/edge/callers/rate_limit.ts";
import type { ArrivingLimits } from "../../src/edge/reading/arriving_bodies.ts";
import type { UnsentLimits } from "../../src/edge/reading/unsent_answers.ts";
import type { BodySignatures } from "../../src/domain/settings.ts";
import { seedDemo } from "../../src/server/demo/demo.ts";
import { Contacts } from "../../src/secrets/contacts.ts";
import { Credentials } from "../../src/secrets/credentials.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { Vault } from "../../src/secrets/vault.ts";
import { Notices } from "../../src/identity/notices.ts";
import { VenueIdentity } from "../../src/identity/venue_identity.ts";
import { MemberMessages } from "../../src/messages/member_messages.ts";
import { Outbox } from "../../src/messages/outbox.ts";
import { isLockedFault, type Store } from "../../src/store/store.ts";
import { LOG_FORMAT, ROW_FORMAT } from "../../src/store/stored_formats.ts";
import { createWallet, type VenueWallet } from "../../src/server/venue_wallet.ts";
import type { Wallet } from "../../src/wallet/wallet.ts";
import { DocumentedAnswers } from "./documented_answers.ts";
import { signedHeaders } from "./signed_headers.ts";
import { START } from "./domain_venue.ts";
import { takingSettings } from "./venue_options.ts";

/** The lowest cost that the password hash function accepts. */
const PASSWORD_COST = 2;

/** An answer with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** Options of a call. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

/** Whose key signs; null for an unsigned call. */
export type Signer = "alice" | "bob" | "operator" | { kid: string; secret: string } | null;

/** Options for opening a venue under test. */
export interface VenueOptions {
  readonly rateLimit?: RateLimit;
  readonly bodySignatures?: BodySignatures;
  readonly corsOrigins?: readonly string[];
  readonly isBehindProxy?: boolean;
  readonly needsWithdrawIpLists?: boolean;
  readonly walletRail?: "sandbox" | "none";
  readonly isFaucetOpen?: boolean;
  readonly takesTwoOperators?: boolean;
  /** Width of the price band, in basis points; 0, the default, for none. */
  readonly priceBandBps?: number;
  readonly beneficiaryHoldMs?: number;
  readonly credentialHoldMs?: number;
  readonly scanRecordsMax?: number;
  readonly arrivingLimits?: ArrivingLimits;
  readonly unsentLimits?: UnsentLimits;
  /** Whether there is an outbox, as in a demo. */
  readonly hasOutbox?: boolean;
  /** Collects faults of background work, which otherwise are thrown. */
  readonly faults?: unknown[];
  /** A file, if the store must outlive the venue. */
  readonly kvPath?: string;
  /** An open store, on whose file other processes may work as well. */
  readonly sharedStore?: Store;
  /** A clock shared with another process. */
  readonly clock?: { now: number };
}

interface TestServices extends VenueWallet {
  readonly credentials: Credentials;
  readonly contacts: Contacts;
  readonly outbox: Outbox;
  readonly identity: VenueIdentity;
  readonly notices: Notices;
}

/** What the venue says of its program. */
export const BUILD = {
  version: "1.2.3",
  build: "abc",
  formats: { log: LOG_FORMAT, rows: ROW_FORMAT },
};
/** Figures of a process without sockets, of which nothing waits. */
const NONE = { count: 0, oldest_ms: 0 };
const NO_FIGURES = {
  sockets: 0,
  dropped_readers: 0,
  closed_sockets: [],
  ready: true,
  not_ready_reason: "" as const,
  degraded: [],
  waiting: {
    approval: NONE,
    payment_by_hand: NONE,
    rail: NONE,
    decision: NONE,
    hold: NONE,
    deposits: NONE,
  },
  mail: NO_MAIL,
  storage: { disk_free: null, disk_size: null, backup_age_ms: null },
  networks: [],
};

const CONTRACT = "/api/v2/openapi.json";

/**
 * The demo venue's HTTP application, whose answers all have to be as its contract says, with a
 * clock that advances 1 ms per call.
 */
export class TestVenue {
  readonly unexpected: Error[] = [];
  /** Notices to operators about failed authentication. */
  readonly authNotices: AuthFailureNotice[] = [];
  readonly app: ReturnType<typeof createApp>;
  readonly auth: Auth;
  /** Does nothing until a test calls {@linkcode Wallet.tick}. */
  readonly wallet: Wallet;
  readonly outbox: Outbox;
  readonly identity: VenueIdentity;
  readonly credentials: Credentials;
  /** What an operator has to look at. */
  degraded: readonly DegradedReason[] = [];
  /** Answers in the place of a network whose final blocks were replaced, where a test sets it. */
  resumeNetwork: VenueWallet["resumeNetwork"];
  /** Where calls come from. */
  address = "10.0.0.1";
  #nonce = 0;
  #documented: DocumentedAnswers | null = null;

  constructor(
    readonly engine: Engine,
    readonly clock: { now: number },
    services: TestServices,
    options: VenueOptions,
  ) {
    const { rateLimit = "off", isFaucetOpen = true, isBehindProxy = false } = options;
    const { takesTwoOperators = false } = options;
    this.identity = services.identity;
    this.credentials = services.credentials;
    this.wallet = services.wallet;
    this.outbox = services.outbox;
    this.resumeNetwork = services.resumeNetwork;
    const authFailures = new AuthFailures(() => clock.now, (notice) => {
      this.authNotices.push(notice);
    });
    this.auth = createAuth({
      engine,
      credentials: services.credentials,
      sessions: services.identity.sessions,
      rateLimit,
      clientAddress: () => this.address,
      isBehindProxy,
      authFailures,
    });
    this.app = createApp({
      corsOrigins: new Set(options.corsOrigins ?? []),
      engine,
      auth: this.auth,
      ...services,
      resumeNetwork: (network, height, begin) => this.resumeNetwork(network, height, begin),
      outbox: options.hasOutbox === false ? null : services.outbox,
      build: BUILD,
      isFaucetOpen,
      takesTwoOperators,
      onUnexpected: (error) => this.unexpected.push(error),
      health: () => engine.health(),
      figures: () => ({ ...engine.metrics(), ...NO_FIGURES, ...authFailures.figures() }),
      degraded: () => this.degraded,
      ...(options.arrivingLimits === undefined ? {} : { arrivingLimits: options.arrivingLimits }),
      ...(options.unsentLimits === undefined ? {} : { unsentLimits: options.unsentLimits }),
    });
  }

  /** Makes a call. */
  async call(
    signer: Signer,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    this.clock.now += 1;
    const json = withReason(signer, method, path, options);
    const body = options.text ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await this.app.request(path, {
      method,
      headers: {
        ...(options.text === undefined && body !== undefined
          ? { "Content-Type": "application/json" }
          : {}),
        ...this.sign(signer),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    this.#documented ??= DocumentedAnswers.of(await (await this.app.request(CONTRACT)).text());
    this.#documented.check(method, path, { status, headers, text });
    const isJson = headers.get("content-type") === "application/json";
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Returns the headers of a call signed now. */
  sign(signer: Signer): Record<string, string> {
    if (signer === null) return {};
    this.#nonce = Math.max(this.clock.now, this.#nonce + 1);
    const { kid, secret } = typeof signer === "string"
      ? { kid: `demo-${signer}`, secret: `demo-${signer}-secret` }
      : signer;
    return { ...signedHeaders(kid, secret, this.#nonce) };
  }

  get(signer: Signer, path: string): Promise<Answer> {
    return this.call(signer, "GET", path);
  }

  post(signer: Signer, path: string, json?: unknown): Promise<Answer> {
    return this.call(signer, "POST", path, json === undefined ? {} : { json });
  }

  /** Places an order on btcusdt; by default a limit order to buy 1 at 100. */
  order(signer: Signer, terms: Record<string, unknown> = {}): Promise<Answer> {
    return this.post(signer, "/api/v2/trading/market/orders", {
      market: "btcusdt",
      side: "buy",
      amount: "1",
      type: "limit",
      price: "100",
      ...terms,
    });
  }
}

/** Operators' calls that touch a member. */
const TOUCHING =
  /^\/api\/v2\/admin\/(?:members\/|deposits$|(?:deposits|withdraws)\/[^/]+\/|markets\/[^/]+\/orders\/)/;

/** Gives an operator's call that touches a member a reason, unless the test gives one. */
function withReason(
  signer: Signer,
  method: string,
  path: string,
  { json, text }: CallOptions,
): unknown {
  const isTouching = signer === "operator" && method !== "GET" && TOUCHING.test(path);
  const isFields = typeof json === "object" && json !== null && !Array.isArray(json);
  if (!isTouching || text !== undefined || (json !== undefined && !isFields)) return json;
  return { reason: "a test", ...json as object };
}

/** Runs a test against the demo venue, by default on a store in memory. */
export async function withVenue(
  test: (venue: TestVenue) => Promise<void>,
  options: VenueOptions = {},
): Promise<void> {
  const { clock = { now: START }, sharedStore } = options;
  const onFault = (error: unknown) => {
    if (options.faults === undefined) throw error;
    options.faults.push(error);
  };
  const engine = await openEngine({
    kvPath: options.kvPath ?? ":memory:",
    ...(sharedStore === undefined ? {} : { store: sharedStore, isShared: true }),
    now: () => clock.now,
    ...(options.scanRecordsMax === undefined ? {} : { scanRecordsMax: options.scanRecordsMax }),
    onFault: (error) => {
      // Two processes on one file lock each other out now and then, which passes.
      if (sharedStore === undefined || !isLockedFault(error)) onFault(error);
    },
  });
  try {
    const vault = new Vault([new Uint8Array(32)]);
    const credentials = new Credentials(engine, vault);
    const contacts = new Contacts(engine, vault);
    const outbox = new Outbox(engine, () => {});
    const messages = new MemberMessages(outbox, contacts);
    const notices = new Notices(messages, onFault);
    const identity = new VenueIdentity({
      engine,
      contacts,
      vault,
      messages,
      notices,
      passwordCost: PASSWORD_COST,
      onFault,
    });
    const isSet = engine.venue.storedSettings.pnlCurrencies !== undefined;
    if (!isSet) await engine.submit(takingSettings(options), null);
    await seedDemo({ engine, credentials, contacts, identity });
    clock.now += 60_000;
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const wallet = await createWallet(options.walletRail ?? engine.venue.settings.walletRail, {
      config: { walletNodes: new Map(), walletSeed: null, walletCold: new Map() },
      engine,
      vault,
      messages,
      notices,
      log,
    });
    const services = { credentials, contacts, outbox, identity, notices, ...wallet };
    await test(new TestVenue(engine, clock, services, options));
  } finally {
    await engine.close();
  }
}
