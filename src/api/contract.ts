/**
 * What an endpoint is: one declaration from which its route is mounted and its
 * documentation is made.
 */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { present } from "../domain/assert.ts";
import type { Command, Outcome, Receipt } from "../domain/command.ts";
import { isRejection } from "../domain/command.ts";
import type { Scope } from "../domain/member.ts";
import type { Contacts } from "../engine/contacts.ts";
import type { Credentials } from "../engine/credentials.ts";
import { actRow } from "../engine/acts.ts";
import type { Engine, Health, SidecarRow } from "../engine/engine.ts";
import {
  type Activity,
  type Identity,
  type Origin,
  type SessionCaller,
  USER_AGENT_LENGTH_MAX,
} from "../identity/identity.ts";
import type { Notices } from "../identity/notices.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { BeneficiaryData } from "../wallet/beneficiary_data.ts";
import type { BeneficiaryPins } from "../wallet/beneficiary_pins.ts";
import type { SandboxRail } from "../wallet/sandbox_rail.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WithdrawNotices } from "../wallet/withdraw_notices.ts";
import type { WithdrawTexts } from "../wallet/withdraw_texts.ts";
import type { ActNote } from "./act_note.ts";
import { type AnswerHeaders, answerHeaders, answerText } from "./answer.ts";
import type { AuthFailures } from "./auth_failures.ts";
import type { ClientAddress } from "./client_address.ts";
import type { Caller, Env } from "./env.ts";
import {
  ApiError,
  type ErrorHandlerOptions,
  failedCall,
  rejectionError,
  REQUEST_ID_HEADER,
} from "./errors.ts";
import type { SocketFigures } from "./figures.ts";
import type { MoneyLevel } from "./level_guard.ts";
import { isTradingPath } from "./older_paths.ts";
import type { RejectionAnswers } from "./rejection_answers.ts";
import type { UnsentAnswers } from "./unsent_answers.ts";
import type { Fraction } from "./wire.ts";

/** About what the platform has at most of a statement that nobody reads: some pages of lines. */
const CSV_UNSENT_BYTES = 256 * 1024;

/** What handlers work with. */
export interface Services {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "create" | "setAllowList" | "erase" | "allowList">;
  readonly contacts: Pick<Contacts, "emailDigest" | "contactRow" | "contact" | "contactsOf">;
  readonly identity: Identity;
  readonly notices: Pick<Notices, "send">;
  readonly withdrawNotices: Pick<WithdrawNotices, "requested" | "ended">;
  /** Null but in the demo. */
  readonly outbox: Pick<Outbox, "list"> | null;
  /** Address that a call comes from. */
  readonly clientAddress: ClientAddress;
  /** Whether calls come through proxies of one's own. */
  readonly isBehindProxy: boolean;
  /** Orders in one bulk request, unless the member has a limit of its own. */
  readonly ordersPerBulkMax: number;
  /** Version of the software. */
  readonly version: string;
  readonly wallet: Pick<
    Wallet,
    "addressOf" | "givenAddress" | "payoutOf" | "receive" | "serves" | "notices"
  >;
  /** Null where the wallet's rail is another one. */
  readonly sandbox: SandboxRail | null;
  /** Whether members may make deposits in the sandbox: in the demo alone. */
  readonly isFaucetOpen: boolean;
  readonly beneficiaries: BeneficiaryData;
  readonly pins: BeneficiaryPins;
  readonly withdrawTexts: WithdrawTexts;
  /** How long a new beneficiary has to wait for its first withdrawal, in ms. */
  readonly beneficiaryHoldMs: number;
  /**
   * How long after a change of password or second factor a beneficiary waits, in ms, unless it is
   * twice as old as that.
   */
  readonly credentialHoldMs: number;
  readonly onUnexpected: ErrorHandlerOptions["onUnexpected"];
  /** Whether orders are taken here, which they are no more while the process ends. */
  readonly health: () => Health;
  readonly sockets: () => SocketFigures;
  readonly authFailures: Pick<AuthFailures, "note" | "figures">;
  readonly unsent: Pick<UnsentAnswers, "body" | "count" | "text">;
  /** Called first of all on each call of an endpoint, by the path that it was declared with. */
  readonly onCall?: (path: string) => void;
}

/** What an endpoint may be called with. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `visitor`: anybody but another site's page. `member`: keys with
 * the scope, and people in a session, unless what is called has a meaning for
 * keys only: people are then refused by its handler. `session`: people only.
 */
export type Access =
  | { readonly kind: "public" }
  | { readonly kind: "visitor" }
  | { readonly kind: "member"; readonly scope: Scope; readonly isForKeysOnly?: true }
  | { readonly kind: "session" }
  | { readonly kind: "operator" };

/** The body of a call. */
export interface BodyContract<B> {
  readonly schema: z.ZodType<B>;
  readonly example: unknown;
  /** The handler reads the value itself, item by item. */
  readonly isReadByHandler?: true;
  /** Takes the larger size limit. */
  readonly isBulk?: true;
  /** Name of the field that is the caller's own: its numbers stay numbers, all others are text. */
  readonly asGiven?: string;
}

/** The answer of a call that went well. */
export interface AnswerContract {
  /** 204 has no body: its schema and example are those of `null`. */
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Carries the paging headers. */
  readonly isPaged?: true;
  /** JSON by default. */
  readonly mediaType?: "text/csv";
  /** Headers of its own, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Identifiers of the errors of one status. */
export type ErrorContract = Readonly<Partial<Record<number, readonly string[]>>>;

/** One endpoint. */
export interface Endpoint<Q = unknown, B = unknown> {
  /** Unique; the operation id of the documentation. */
  readonly id: string;
  readonly method: Method;
  /** Paths with `{parameters}`; the first is documented, the others are aliases. */
  readonly paths: readonly [string, ...string[]];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Takes orders away, now or in time: counted apart, so that no other call stands in its way. */
  readonly isCancel?: true;
  /** Levels that the caller must have reached; asked right after who it is. */
  readonly levels?: readonly MoneyLevel[];
  readonly query?: z.ZodType<Q>;
  readonly body?: BodyContract<B>;
  readonly answer: AnswerContract;
  /** Beside those that its access, its levels and the fields of its schemas bring. */
  readonly errors?: ErrorContract;
  /** Whether the venue has it at all; it does where this is absent. */
  isServed?(services: Services): boolean;
  handle(call: Call<Q, B>): Promise<Response> | Response;
}

/** Declares an endpoint; the types of its query and body reach its handler. */
export function endpoint<Q = undefined, B = undefined>(declared: Endpoint<Q, B>): Endpoint {
  return declared as unknown as Endpoint;
}

/** One call of an endpoint, past authentication and validation. */
export class Call<Q, B> {
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

/** A 422 about one field. */
export function invalidField(identifier: string, field: string, value?: string): ApiError {
  return new ApiError(422, identifier, {
    details: { field, ...(value === undefined ? {} : { value: value.slice(0, VALUE_LENGTH_MAX) }) },
  });
}

/** Characters of a wrong value that an error repeats. */
export const VALUE_LENGTH_MAX = 64;
