import { Hono, type MiddlewareHandler } from "hono";
import type { Member, Scope } from "../../src/domain/people/member.ts";
import { createAuth } from "../../src/edge/callers/auth.ts";
import type { AuthFailure } from "../../src/edge/callers/auth_failures.ts";
import { answerJson } from "../../src/edge/answer.ts";
import { ArrivingBodies } from "../../src/edge/reading/arriving_bodies.ts";
import { BODY_BYTES_MAX, readBody } from "../../src/edge/reading/body.ts";
import type { BodySignatures } from "../../src/domain/settings.ts";
import type { Env } from "../../src/edge/env.ts";
import { ApiError, createErrorHandler } from "../../src/edge/errors.ts";
import type { Guard } from "../../src/edge/callers/guard.ts";
import type { RateLimit } from "../../src/edge/callers/rate_limit.ts";
import { Credentials } from "../../src/secrets/credentials.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { Vault } from "../../src/secrets/vault.ts";
import { ObservedEngine } from "./observed_engine.ts";
import { signedHeaders } from "./signed_headers.ts";
import { START } from "./domain_venue.ts";
import { takingSettings } from "./venue_options.ts";

/** An answer with its whole body. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** A call; by default a valid one with alice's key. */
export interface TestCall {
  readonly method?: string;
  readonly path?: string;
  readonly kid?: string;
  readonly secret?: string;
  readonly nonce?: number | string;
  readonly body?: string;
  /** Replaces the signed headers. */
  readonly headers?: Record<string, string>;
}

/** An API key to create. */
export interface TestKey {
  readonly kid: string;
  readonly role?: "member" | "operator";
  readonly scopes?: readonly Scope[];
  readonly nonceMode?: "single" | "request";
  readonly allowList?: readonly string[];
}

/** Options for opening a venue with signed routes. */
export interface AuthVenueOptions {
  readonly isShared?: boolean;
  readonly rateLimit?: RateLimit;
  readonly needsWithdrawIpLists?: boolean;
  readonly bodySignatures?: BodySignatures;
}

/** A venue with signed routes and a clock that only the test advances. */
export class AuthVenue {
  readonly credentials: Credentials;
  address = "10.0.0.1";
  app: Hono<Env>;
  readonly unexpected: Error[] = [];
  readonly failures: AuthFailure[] = [];
  #nonce = START;

  private constructor(
    readonly observed: ObservedEngine,
    readonly clock: { now: number },
    readonly options: AuthVenueOptions,
  ) {
    this.credentials = new Credentials(this.engine, new Vault([new Uint8Array(32)]));
    this.app = this.createApp();
  }

  /** Opens a venue with the members alice and bob and the key `alice`. */
  static async open(options: AuthVenueOptions = {}): Promise<AuthVenue> {
    const clock = { now: START };
    const observed = await ObservedEngine.open({ clock, isShared: options.isShared ?? false });
    await observed.engine.submit(takingSettings(options), null);
    const venue = new AuthVenue(observed, clock, options);
    await observed.addMember("alice");
    await observed.addMember("bob");
    await venue.addKey("alice", { kid: "alice" });
    venue.clock.now += 60_000;
    venue.app = venue.createApp();
    return venue;
  }

  get engine(): Engine {
    return this.observed.engine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.observed[Symbol.asyncDispose]();
  }

  /** Creates the app of another process on the same venue, with its own memory of nonces. */
  createApp(): Hono<Env> {
    const { engine } = this;
    const { rateLimit = "off" } = this.options;
    const auth = createAuth({
      engine,
      credentials: this.credentials,
      sessions: { authenticate: () => Promise.resolve(null), use: () => {} },
      rateLimit,
      clientAddress: () => this.address,
      isBehindProxy: false,
      authFailures: { note: (failure) => this.failures.push(failure) },
    });
    const bodies = new ArrivingBodies(() => this.address);
    const app = new Hono<Env>();
    app.get("/read", behind(auth.member("read")), (c) => answerJson(c, 200, c.get("caller")));
    app.get(
      "/admin",
      behind(auth.operator({ role: "viewer" })),
      (c) => answerJson(c, 200, c.get("caller")),
    );
    app.use("*", async (c, next) => {
      c.set("rawBody", await readBody(c, BODY_BYTES_MAX, { bodies, isEnding: () => false }));
      await next();
    });
    app.post("/write", behind(auth.member("trade")), async (c) => {
      const { member, signature } = c.get("caller");
      const command = { kind: "cancel_all_orders", member, market: -1, side: null } as const;
      return answerJson(c, 201, await engine.submit(command, signature));
    });
    app.post("/refused", behind(auth.member("trade")), () => {
      throw new ApiError(422, "market.order.missing_price");
    });
    app.post("/withdraw", behind(auth.member("withdraw")), (c) => answerJson(c, 201, {}));
    app.post("/admin", behind(auth.operator({ role: "support" })), (c) => answerJson(c, 201, {}));
    app.onError(
      createErrorHandler({ engine, onUnexpected: (error) => this.unexpected.push(error) }),
    );
    return app;
  }

  /** Creates a key whose secret is `<kid>-secret`; returns the key's index. */
  async addKey(uid: string, key: TestKey): Promise<number> {
    const { kid, role = "member", scopes = ["read", "trade"], nonceMode = "single" } = key;
    const row = await this.credentials.create(kid, `${kid}-secret`, key.allowList ?? []);
    await this.engine.submit(
      { kind: "create_key", uid, kid, role, scopes, nonceMode },
      null,
      () => [row],
    );
    return this.engine.venue.keyByKid.get(kid)?.key.index ?? -1;
  }

  /** Sets a member's state. */
  async setState(uid: string, state: Member["state"]): Promise<void> {
    await this.engine.submit({ kind: "change_member", uid, changes: { state } }, null);
  }

  /** Returns an unused nonce: the present, or 1 ms after the previous one. */
  nextNonce(): number {
    this.#nonce = Math.max(this.clock.now, this.#nonce + 1);
    return this.#nonce;
  }

  /** Returns whether the log holds a key's nonce. */
  isLogged(kid: string, nonce: number): boolean {
    return this.engine.venue.keyByKid.get(kid)?.nonces.has(nonce, 0) ?? false;
  }

  /** Makes a call; by default alice reads. */
  async call(call: TestCall = {}, app: Hono<Env> = this.app): Promise<TestAnswer> {
    const { method = "GET", path = "/read", kid = "alice" } = call;
    const secret = call.secret ?? `${kid}-secret`;
    const headers = call.headers ?? signedHeaders(kid, secret, call.nonce ?? this.nextNonce());
    const body = call.body ?? null;
    const answer = await app.request(new Request(`http://venue${path}`, { method, headers, body }));
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text) };
  }

  /** Returns the status of a call's answer, followed by its error identifiers. */
  async outcome(call: TestCall = {}, app: Hono<Env> = this.app): Promise<string> {
    const { status, body } = await this.call(call, app);
    return body.errors === undefined ? String(status) : `${status} ${body.errors.join(" ")}`;
  }
}

/** Wraps a route in a guard. */
function behind(guard: Guard): MiddlewareHandler<Env> {
  return async function admitAndSettle(c, next) {
    await guard.admit(c);
    await next();
    await guard.settle(c, c.res.status);
  };
}
