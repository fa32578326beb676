import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../src/edge/env.ts";
import {
  ApiError,
  createErrorHandler,
  type FailedCall,
  OrderOutcomeUnknownError,
  rejectionError,
} from "../../src/edge/errors.ts";
import { REJECTION_ANSWERS } from "../../src/edge/rejection_answers.ts";
import { InvariantError } from "../../src/domain/assert.ts";
import { reject, REJECTION_CODES } from "../../src/domain/rejection.ts";
import { UnknownMasterKeyError } from "../../src/secrets/vault.ts";
import { OutcomeUnknownError, UnavailableError, UnreadableError } from "../../src/engine/engine.ts";
import { withVenue } from "../support/with_venue.ts";

/** Returns the answer to an error of a call, and the errors reported to the log. */
async function answerTo(
  error: Error,
  method: "GET" | "POST" = "GET",
  hasHappened = false,
): Promise<
  {
    status: number;
    headers: Headers;
    body: unknown;
    told: Error[];
    calls: FailedCall[];
    uuids: string[];
  }
> {
  const told: Error[] = [];
  const calls: FailedCall[] = [];
  let result: Response | undefined;
  let uuids: string[] = [];
  await withVenue(async ({ engine }) => {
    const app = new Hono<Env>();
    const onUnexpected = (one: Error, call: FailedCall) => {
      told.push(one);
      calls.push(call);
    };
    app.onError(createErrorHandler({ engine, onUnexpected }));
    app.on(method, "/", (c) => {
      if (hasHappened) c.set("hasHappened", true);
      throw error;
    });
    result = await app.request("/", { method });
    uuids = [1, 2].map((id) => engine.uuidOf(id));
  });
  if (result === undefined) throw new Error("There is no answer");
  const { status, headers } = result;
  return { status, headers, body: await result.json(), told, calls, uuids };
}

describe("the error handler", () => {
  it("never says that nothing happened once something has", async () => {
    const away = new UnavailableError("the store is away");
    const broken = new InvariantError("a row is missing");
    const faults = [away, new UnreadableError("away"), broken, new UnknownMasterKeyError("new")];
    for (const error of faults) {
      const { status, body, told } = await answerTo(error, "POST", true);
      assertEquals([status, body], [504, { errors: ["server.outcome_unknown"] }]);
      const isReported = error instanceof InvariantError || error instanceof UnknownMasterKeyError;
      assertEquals(told, isReported ? [error] : []);
    }
    assertEquals((await answerTo(away, "POST")).status, 503);
    assertEquals((await answerTo(new ApiError(422, "a.b"), "POST", true)).status, 422);
  });

  it("answers an ApiError with its identifiers, details, index and headers", async () => {
    const { status, headers, body, told } = await answerTo(
      new ApiError(422, ["a.b", "c.d"], {
        details: { field: "f" },
        index: 3,
        headers: { "X-Test": "1" },
      }),
    );
    assertEquals([status, body], [422, {
      errors: ["a.b", "c.d"],
      index: 3,
      details: { field: "f" },
    }]);
    assertEquals([headers.get("x-test"), headers.get("content-type")], ["1", "application/json"]);
    assertEquals(told, []);
  });

  it("adds the server's clock to nonce errors", async () => {
    const { body } = await answerTo(rejectionError(reject("nonce_expired")));
    assertEquals(Object.keys(body as object), ["errors", "server_time"]);
  });

  it("answers 503 with Retry-After if nothing happened", async () => {
    const { status, headers, body, told } = await answerTo(new UnavailableError("busy"));
    assertEquals([status, headers.get("retry-after"), body], [503, "1", {
      errors: ["server.unavailable"],
    }]);
    assertEquals(told, []);
  });

  it("answers 504 to a write that can't read the store: it may have been made", async () => {
    const error = new UnreadableError("away");
    const written = await answerTo(error, "POST");
    assertEquals([written.status, written.body], [504, { errors: ["server.outcome_unknown"] }]);
    const read = await answerTo(error);
    assertEquals([read.status, read.body], [503, { errors: ["server.unavailable"] }]);
    assertEquals([...written.told, ...read.told], []);
  });

  it("answers 504 with ids to ask by if the outcome is unknown", async () => {
    const bare = await answerTo(new OutcomeUnknownError([1]));
    assertEquals([bare.status, bare.body], [504, {
      errors: ["server.outcome_unknown"],
      uuid: bare.uuids[0],
    }]);
    const named = await answerTo(new OrderOutcomeUnknownError([1], ["my-1"]));
    assertEquals(named.body, {
      errors: ["server.outcome_unknown"],
      uuid: named.uuids[0],
      client_order_id: "my-1",
    });
    const many = await answerTo(new OrderOutcomeUnknownError([1, 2], []));
    assertEquals(many.body, { errors: ["server.outcome_unknown"], uuids: many.uuids });
  });

  it("answers 503 and reports a broken invariant", async () => {
    const { status, told } = await answerTo(new InvariantError("x"));
    assertEquals([status, told.length], [503, 1]);
  });

  it("gives the caller the log's request id for an unexpected failure", async () => {
    const { headers, calls } = await answerTo(new Error("x"));
    const requestId = headers.get("x-request-id");
    assertEquals(calls, [{ requestId, method: "GET", path: "/" }] as FailedCall[]);
    assertMatch(requestId ?? "", /^[0-9a-f-]{36}$/);
    const other = await answerTo(new InvariantError("x"));
    assertNotEquals(other.headers.get("x-request-id"), requestId);
    const expected = await answerTo(new UnavailableError("busy"));
    assertEquals(expected.headers.get("x-request-id"), null);
  });

  it("answers 500 to the unexpected, reports it, and reveals nothing", async () => {
    const { status, body, told } = await answerTo(new Error("secret"));
    assertEquals([status, body, told.length], [500, { errors: ["server.internal_error"] }, 1]);
  });
});

describe("refusals", () => {
  it("have a status and an identifier each", () => {
    for (const code of REJECTION_CODES) {
      const { status, identifier } = REJECTION_ANSWERS[code];
      // The only refusals that are temporary by themselves.
      const isPassing = code === "deposit_check_stale" || code === "act_check_stale";
      assertEquals(isPassing ? status === 503 : status >= 400 && status < 500, true, code);
      assertEquals(/^[a-z0-9_.]+$/.test(identifier), true, code);
    }
  });

  it("show the failing item only for a bulk", () => {
    const rejection = { ...reject("price_too_low", "price", "0.01"), index: 2 };
    assertEquals(rejectionError(rejection, "bulk").extras, {
      details: { field: "price", limit: "0.01", rule: "minimum" },
      index: 2,
    });
    assertEquals(rejectionError(rejection).extras.index, undefined);
  });
});
