/** One call of an endpoint, as handlers see it. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { present } from "../domain/assert.ts";
import {
  type Author,
  type Command,
  isRejection,
  type Outcome,
  type PersonCall,
  type Receipt,
} from "../domain/command.ts";
import { NO_KEY } from "../domain/event.ts";
import type { OperatorRole } from "../domain/people/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import {
  type Act,
  type ActApproval,
  type ActAuthor,
  actRows,
  readReceipt,
} from "../secrets/acts.ts";
import type { Engine, HeldRow, Page, Sidecar } from "../engine/engine.ts";
import { VaultError } from "../secrets/vault.ts";
import {
  type Activity,
  type FreshCode,
  type Origin,
  type SessionCaller,
  USER_AGENT_LENGTH_MAX,
} from "../identity/identity.ts";
import { actChange, type ChangeBeside } from "./act_change.ts";
import type { OnceCall } from "./act_once.ts";
import { addHeaders, answerBody, type AnswerHeaders, answerText } from "../edge/answer.ts";
import { readDeviceCookie } from "../edge/callers/device_cookie.ts";
import type { Caller, Env } from "../edge/env.ts";
import { failedCall, rejectionError, REQUEST_ID_HEADER } from "../edge/errors.ts";
import { inOlderNames, isPeatioPath, isTradingPath } from "./older_paths.ts";
import type { RejectionAnswers } from "../edge/rejection_answers.ts";
import { costOfRecords } from "../edge/callers/rate_limit.ts";
import { pageHeaders, type PageQuery } from "../edge/schemas/lists.ts";
import type { Fraction } from "../edge/wire/wire.ts";
import type { ActName } from "../domain/people/act_names.ts";
import type { Services } from "./route_needs.ts";

/** Roughly what the platform buffers of a statement that nobody reads: some pages of lines. */
const CSV_UNSENT_BYTES = 256 * 1024;

/** A call of an endpoint that has passed authentication and validation. */
export class Call<Q = undefined, B = undefined> {
  #earlier: Receipt | null;

  constructor(
    readonly c: Context<Env>,
    readonly services: Services,
    readonly query: Q,
    readonly body: B,
    /** Path as declared, with its `{parameters}`. */
    readonly path: string,
    /** What the audit trail records of the call; null if it is not an operator's act. */
    readonly act: ActNote | null = null,
    /** What the venue knows of the call by its key; null if it has none. */
    readonly once: OnceCall | null = null,
  ) {
    this.#earlier = once?.earlier ?? null;
  }

  /** What the call was told the first time, if it is a repeat: nothing happens any more. */
  get earlier(): Receipt | null {
    return this.#earlier;
  }

  get engine(): Engine {
    return this.services.engine;
  }

  /** Who signed the call or is signed in; absent on public and visitors' endpoints. */
  get caller(): Caller {
    return present(this.c.get("caller"), "a call that is not public is somebody's");
  }

  /** Who acts, as the audit trail names an operator. */
  get author(): ActAuthor {
    const { member, key } = this.caller;
    return { uid: this.engine.venue.holder(member).member.uid, kid: key?.kid ?? null };
  }

  /** The session of the call; present only on endpoints for people. */
  get session(): SessionCaller {
    return present(this.caller.session, "a call for people comes in a session");
  }

  /** The address and user agent that the call comes from. */
  get origin(): Origin {
    const userAgent = this.c.req.header("user-agent") ?? "";
    const { auth } = this.services;
    return {
      address: auth.clientAddress(this.c),
      device: readDeviceCookie(this.c, auth.isBehindProxy),
      userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    };
  }

  /** Trading answers have the shortest form; all others show at least one fractional digit. */
  get fraction(): Fraction {
    return isTradingPath(this.path) ? 0 : 1;
  }

  /** Whether the call came under `/api/v2/peatio`, where fields and answers may be older ones. */
  get isPeatio(): boolean {
    return isPeatioPath(this.path);
  }

  /** Answers with 204 and no body. */
  empty(): Response {
    return answerBody(this.c, 204, null);
  }

  /** Returns a parameter of the path. */
  param(name: string): string {
    return this.c.req.param(name) ?? "";
  }

  /** Answers with JSON. */
  json(status: ContentfulStatusCode, value: unknown, headers?: AnswerHeaders): Response {
    return this.text(status, JSON.stringify(value), headers);
  }

  /** Answers with a JSON text. */
  text(status: ContentfulStatusCode, text: string, headers?: AnswerHeaders): Response {
    const { body, length } = this.services.unsent.text(this.c, text);
    if (length === undefined) return answerText(this.c, status, body, headers);
    return answerText(this.c, status, body, { "Content-Length": String(length), ...headers });
  }

  /** Answers with a page of a list, and takes what finding it has cost. */
  page(
    items: unknown,
    query: PageQuery,
    page: Page<unknown>,
    headers: AnswerHeaders = {},
  ): Response {
    this.chargeRecords(page.scanned);
    return this.json(200, items, { ...pageHeaders(query, page), ...headers });
  }

  /** Takes from the caller what looking at so many records costs. */
  chargeRecords(count: number): void {
    // What is public costs nobody anything.
    const isSomebodys: boolean = this.c.get("caller") !== undefined;
    const cost = costOfRecords(count);
    if (cost > 0 && isSomebodys) this.services.auth.charge(this.c, cost);
  }

  /** Answers with CSV while it is being made, as a file with this name. */
  csv(name: string, lines: ReadableStream<Uint8Array>, headers: AnswerHeaders): Response {
    this.services.unsent.count(this.c, CSV_UNSENT_BYTES);
    return answerBody(this.c, 200, lines, "text/csv; charset=utf-8", {
      "Content-Disposition": `attachment; filename="${name}"`,
      ...headers,
    });
  }

  /**
   * Submits a command, with the caller's signature unless the call came in a session. An operator's
   * there takes effect only if the session, the role and the code are good until then.
   *
   * @throws {ApiError} if the venue refuses it
   */
  async submit(command: Command, options: SubmitOptions = {}): Promise<Receipt> {
    if (this.#earlier !== null) return this.#earlier;
    const { session, signature } = this.caller;
    const { act, once } = this;
    const { held: rows = [] } = options;
    const sidecar = act === null ? options.sidecar : this.#noted(act, command, options);
    const named = once === null ? command : { ...command, once: once.sought };
    const outcome = session !== null && (act !== null || options.needsSession === true)
      ? await this.#submitHeld(session, named, sidecar, options)
      : await this.engine.submit(
        named,
        signature === null ? null : { ...signature, ...this.#asker(options.approval) },
        sidecar,
        ...rows,
      );
    if (!isRejection(outcome) && outcome.kind === "act_repeated") {
      return this.#earlier = await readReceipt(this.engine, outcome.earlier);
    }
    if (!isRejection(outcome)) this.c.set("hasHappened", true);
    const { activity } = options;
    const result = activityResult(outcome);
    if (activity !== undefined && result !== null) await this.record({ ...activity, result });
    if (isRejection(outcome)) {
      const refusal = command.kind === "place_orders" ? this.asNamed(outcome) : outcome;
      throw rejectionError(refusal, options.shown, options.answers);
    }
    return outcome;
  }

  /** Submits a command that takes effect only if the session has not ended by then. */
  #submitHeld(
    session: SessionCaller,
    command: Command,
    sidecar: Sidecar | undefined,
    options: SubmitOptions,
  ): Promise<Outcome> {
    const { held: rows = [] } = options;
    return this.services.identity.sessions.holding(session, async (held, code) => {
      const author = this.#person(code, options.approval);
      return "rejected" in author
        ? author
        : await this.engine.submit(command, author.by, sidecar, held, ...rows);
    });
  }

  /** Returns as whom a command in a session is given: an operator, or (null) nobody in particular. */
  #person(
    code: FreshCode | null,
    asked: SubmitOptions["approval"],
  ): Rejection | { readonly by: PersonCall | null } {
    if (this.act === null) return { by: null };
    const { needsCode, role } = this.act;
    if (needsCode && code === null) return reject("operator_code_missing");
    const touched = asked?.member ?? touchedUid(this.act);
    return {
      by: {
        key: null,
        nonce: null,
        person: this.caller.member,
        role,
        ...(typeof touched === "string" ? { touched } : {}),
        ...(needsCode && code !== null ? { codeGeneration: code.generation } : {}),
        ...this.#asker(asked),
      },
    };
  }

  /** Returns who has asked for what is approved now: it happens only if that one still may do it. */
  #asker(approval: SubmitOptions["approval"]): Pick<Author, "askedBy"> {
    if (this.act === null || approval?.state !== "approved") return {};
    const { first: { uid, kid }, member: touched } = approval;
    const { holderByUid, keyByKid } = this.engine.venue;
    if (kid !== null) {
      return { askedBy: { key: keyByKid.get(kid)?.key.index ?? NO_KEY, nonce: null } };
    }
    const { index } = present(holderByUid.get(uid), "members stay").member;
    const { role } = this.act;
    return { askedBy: { key: null, nonce: null, person: index, role, touched } };
  }

  /** Returns a refusal of new orders that names the field as the caller did. */
  asNamed(rejection: Rejection): Rejection {
    return this.isPeatio ? inOlderNames(rejection, this.body) : rejection;
  }

  /** Records an activity of the caller's account; a failure to do so does not change the answer. */
  async record(activity: Pick<Activity, "topic" | "action" | "result">): Promise<void> {
    const { engine, services } = this;
    const { uid } = engine.venue.holder(this.caller.member).member;
    await this.tell(services.identity.activity.record(uid, this.origin, activity));
  }

  /** Waits for what tells of a thing that has happened; a failure to do so does not change the answer. */
  async tell(telling: Promise<void>): Promise<void> {
    try {
      await telling;
    } catch (error) {
      this.#report(error);
    }
  }

  /**
   * Returns what the answer to a thing that has happened shows besides, or `without` if that is
   * sealed and this process can't open it.
   */
  async shown<T>(reading: Promise<T>, without: T): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      this.#report(error);
      return without;
    }
  }

  /** Reports a fault that the caller is not told of. */
  #report(error: unknown): void {
    if (!(error instanceof Error)) throw error;
    const call = failedCall(this.c);
    this.services.onUnexpected(error, call);
    addHeaders(this.c, { [REQUEST_ID_HEADER]: call.requestId });
  }

  /** Adds the row of the audit trail if an operator acts, so that no route can leave it out. */
  #noted(act: ActNote, command: Command, options: SubmitOptions): Sidecar {
    const { engine, once } = this;
    const { sidecar, beside, approval } = options;
    const { action, target, changes, reason } = act;
    const at = engine.now();
    const kept = { action, target, changes, reason, ...this.author, at };
    return (receipt) => {
      // Nothing happens again.
      if (receipt.kind === "act_repeated") return [];
      const rows = sidecar?.(receipt) ?? [];
      if (receipt.act === undefined) return rows;
      const id = receipt.act;
      const noted = {
        ...kept,
        ...actChange(engine.venue, command, receipt, act, beside),
        ...(approval === undefined ? {} : approvalFields(approval, id)),
      };
      return [...rows, ...actRows(id, once === null ? noted : { ...noted, receipt })];
    };
  }
}

/** A call with any query and body. */
export type AnyCall = Call<unknown, unknown>;

/** A call whose query a schema parses. */
export type QueryCall<S extends z.ZodType> = Call<z.infer<S>>;

/** A call whose body a schema parses. */
export type BodyCall<S extends z.ZodType> = Call<undefined, z.infer<S>>;

/** Options for submitting a command. */
export interface SubmitOptions {
  /** The name of the command in the member's activity log, if it has one. */
  readonly activity?: Pick<Activity, "topic" | "action">;
  /** Returns rows that are committed together with the command's entry. */
  readonly sidecar?: Sidecar;
  /** What those rows change, for the audit trail, if it is not the command that does. */
  readonly beside?: ChangeBeside;
  /** What the act is to one that takes two operators; without an id it asks for it. */
  readonly approval?: Omit<ActApproval, "id"> & {
    readonly id?: number;
    /** Uid of the member that it touches. */
    readonly member: string;
  };
  /** Rows that must not have changed by then. */
  readonly held?: readonly HeldRow[];
  /** Whether it only happens if the session that it came in, if any, has not ended by then. */
  readonly needsSession?: true;
  /** Whether a refusal names the failing item. */
  readonly shown?: "single" | "bulk";
  /** Refusals with an answer other than the usual one. */
  readonly answers?: RejectionAnswers;
}

/** Returns what a row of the audit trail says of an act that takes two operators. */
function approvalFields(
  { id, member, ...approval }: NonNullable<SubmitOptions["approval"]>,
  act: number,
): Pick<Act, "approval" | "member"> {
  return { member, approval: { id: id ?? act, ...approval } };
}

/** Returns the uid of the member that a call names, in its path or its body. */
function touchedUid({ target, changes }: Pick<ActNote, "target" | "changes">): unknown {
  return target["uid"] ?? changes["uid"];
}

/** Returns whether the command succeeded or its proof was wrong; null for other refusals. */
function activityResult(outcome: Outcome): Activity["result"] | null {
  if (!isRejection(outcome)) return outcome.kind === "pin_wrong" ? "failed" : "succeed";
  const { rejected } = outcome;
  return rejected === "otp_invalid" || rejected === "pin_invalid" ? "failed" : null;
}

/** The part of an audit record that the call alone determines. */
export interface ActNote {
  /** Id of the endpoint. */
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, unknown>>;
  /** Empty if none was given. */
  readonly reason: string;
  /** The name under which the call takes effect once; null if it has none. */
  readonly once: ActName | null;
  /** The role that it takes if it comes in a session. */
  readonly role: OperatorRole;
  /** Whether it then takes a fresh code, too. */
  readonly needsCode: boolean;
}
