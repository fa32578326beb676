/** One call of an endpoint, as handlers have it. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { present } from "../domain/assert.ts";
import { type Command, isRejection, type Outcome, type Receipt } from "../domain/command.ts";
import { actRow } from "../engine/acts.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import {
  type Activity,
  type Origin,
  type SessionCaller,
  USER_AGENT_LENGTH_MAX,
} from "../identity/identity.ts";
import type { ActNote } from "./act_note.ts";
import { type AnswerHeaders, answerHeaders, answerText } from "./answer.ts";
import type { Services } from "./contract.ts";
import type { Caller, Env } from "./env.ts";
import { failedCall, rejectionError, REQUEST_ID_HEADER } from "./errors.ts";
import { isTradingPath } from "./older_paths.ts";
import type { RejectionAnswers } from "./rejection_answers.ts";
import type { Fraction } from "./wire.ts";

/** About what the platform has at most of a statement that nobody reads: some pages of lines. */
const CSV_UNSENT_BYTES = 256 * 1024;

/** One call of an endpoint, past authentication and validation. */
export class Call<Q = undefined, B = undefined> {
  constructor(
    readonly c: Context<Env>,
    readonly services: Services,
    readonly query: Q,
    readonly body: B,
    /** Path as declared, with its `{parameters}`. */
    readonly path: string,
    /** What the audit trail keeps of the call; null where no operator acts. */
    readonly act: ActNote | null = null,
  ) {}

  get engine(): Engine {
    return this.services.engine;
  }

  /** Who signed or is signed in; only where the endpoint is neither public nor a visitor's. */
  get caller(): Caller {
    return present(this.c.get("caller"), "a call that is not public is somebody's");
  }

  /** The session of the call; only where the endpoint is for people. */
  get session(): SessionCaller {
    return present(this.caller.session, "a call for people comes in a session");
  }

  /** Where the call comes from. */
  get origin(): Origin {
    const userAgent = this.c.req.header("user-agent") ?? "";
    return {
      address: this.services.clientAddress(this.c),
      userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    };
  }

  /** Trading answers are in shortest form, all others show a fractional digit. */
  get fraction(): Fraction {
    return isTradingPath(this.path) ? 0 : 1;
  }

  /** Came by an older name of its path, under `/api/v2/peatio`. */
  get isClassic(): boolean {
    return this.path.startsWith("/api/v2/peatio/");
  }

  /** Answers that it is done. */
  empty(): Response {
    return this.c.body(null, 204, answerHeaders(this.c));
  }

  /** A parameter of the path. */
  param(name: string): string {
    return this.c.req.param(name) ?? "";
  }

  /** Answers with JSON. */
  json(status: ContentfulStatusCode, value: unknown, headers?: AnswerHeaders): Response {
    return this.text(status, JSON.stringify(value), headers);
  }

  /** Answers with JSON text. */
  text(status: ContentfulStatusCode, text: string, headers?: AnswerHeaders): Response {
    const { body, length } = this.services.unsent.text(this.c, text);
    if (length === undefined) return answerText(this.c, status, body, headers);
    return answerText(this.c, status, body, { "Content-Length": String(length), ...headers });
  }

  /** Answers with CSV as it is made, as a file of this name. */
  csv(name: string, lines: ReadableStream<Uint8Array>, headers: AnswerHeaders): Response {
    this.services.unsent.count(this.c, CSV_UNSENT_BYTES);
    return this.c.body(lines, 200, {
      ...answerHeaders(this.c, "text/csv; charset=utf-8"),
      "Content-Disposition": `attachment; filename="${name}"`,
      ...headers,
    });
  }

  /**
   * Submits a command with the caller's signature, or none in a session.
   *
   * @throws {ApiError} where the venue refuses
   */
  async submit(command: Command, options: SubmitOptions = {}): Promise<Receipt> {
    const { signature } = this.caller;
    const sidecar = this.#noted(options.sidecar);
    const outcome = await this.engine.submit(command, signature, sidecar);
    const { activity } = options;
    const result = activityResult(outcome);
    if (activity !== undefined && result !== null) await this.record({ ...activity, result });
    if (isRejection(outcome)) {
      throw rejectionError(outcome, options.shown ?? "single", options.answers);
    }
    return outcome;
  }

  /** Writes down what has happened to the caller's account; that it fails changes no answer. */
  async record(activity: Pick<Activity, "topic" | "action" | "result">): Promise<void> {
    const { engine, services } = this;
    const { uid } = engine.venue.holder(this.caller.member).member;
    try {
      await services.identity.activity.record(uid, this.origin, activity);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const call = failedCall(this.c);
      services.onUnexpected(error, call);
      this.c.header(REQUEST_ID_HEADER, call.requestId);
    }
  }

  /** With the row of the audit trail, where an operator acts: no route can leave it out. */
  #noted(sidecar: SubmitOptions["sidecar"]): SubmitOptions["sidecar"] {
    const { act, engine } = this;
    if (act === null) return sidecar;
    const { member, key } = this.caller;
    const { uid } = engine.venue.holder(member).member;
    const kept = { ...act, uid, kid: key?.kid ?? "", at: engine.now() };
    return (receipt) => {
      const rows = sidecar?.(receipt) ?? [];
      return receipt.act === undefined ? rows : [...rows, actRow(receipt.act, kept)];
    };
  }
}

/** A call, whatever it carries. */
export type AnyCall = Call<unknown, unknown>;

/** A call with the query that a schema reads. */
export type QueryCall<S extends z.ZodType> = Call<z.infer<S>>;

/** A call with the body that a schema reads. */
export type BodyCall<S extends z.ZodType> = Call<undefined, z.infer<S>>;

/** How a command is submitted. */
export interface SubmitOptions {
  /** What the member's activity log calls it, where that has a word for it. */
  readonly activity?: Pick<Activity, "topic" | "action">;
  /** Rows that are committed beside the command's entry. */
  readonly sidecar?: (receipt: Receipt) => readonly SidecarRow[];
  /** Whether a refusal names the failing item. */
  readonly shown?: "single" | "bulk";
  /** Refusals that are answered otherwise than usual. */
  readonly answers?: RejectionAnswers;
}

/** Done, or not proven; null where it is refused for another reason, which is no activity. */
function activityResult(outcome: Outcome): Activity["result"] | null {
  if (!isRejection(outcome)) return outcome.kind === "pin_wrong" ? "failed" : "succeed";
  const { rejected } = outcome;
  return rejected === "otp_invalid" || rejected === "pin_invalid" ? "failed" : null;
}
