/** Defines endpoints: a single declaration mounts the route and generates its documentation. */
import type * as z from "zod";
import type { Scope } from "../domain/people/member.ts";
import type { Contacts } from "../secrets/contacts.ts";
import type { Credentials } from "../secrets/credentials.ts";
import type { Engine, Health } from "../engine/engine.ts";
import type { Identity } from "../identity/identity.ts";
import type { Notices } from "../identity/notices.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { BeneficiaryData } from "../wallet/beneficiary_data.ts";
import type { BeneficiaryPins } from "../wallet/beneficiary_pins.ts";
import type { SandboxRail } from "../wallet/rails/sandbox_rail.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WithdrawNotices } from "../wallet/withdraw_notices.ts";
import type { WithdrawTexts } from "../wallet/withdraw_texts.ts";
import type { Call } from "./call.ts";
import type { ErrorHandlerOptions } from "../edge/errors.ts";
import type { Guards } from "../edge/callers/guard.ts";
import type { BuildInfo, DegradedReason, Figures } from "../edge/figures.ts";
import type { MoneyLevel } from "../edge/callers/money_levels.ts";
import type { UnsentAnswers } from "../edge/reading/unsent_answers.ts";

/** What routes share. */
export interface Services {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "create" | "setAllowList" | "erase" | "allowList">;
  readonly contacts: Pick<Contacts, "emailDigest" | "contactRow" | "contact" | "contactsOf">;
  readonly identity: Identity;
  readonly notices: Pick<Notices, "send" | "sendTo" | "tellOfDisabledKeys">;
  readonly withdrawNotices: Pick<WithdrawNotices, "requested" | "ended">;
  /** Null except in the demo. */
  readonly outbox: Pick<Outbox, "list"> | null;
  readonly auth: Pick<Guards, "charge" | "clientAddress" | "failures" | "isBehindProxy">;
  /** Ids of the endpoints whose calls are operators' acts, and of other acts. */
  readonly actions: ReadonlySet<string>;
  readonly build: BuildInfo;
  readonly wallet: Pick<
    Wallet,
    "addressOf" | "givenAddress" | "isPaidByHand" | "payoutOf" | "receive" | "serves" | "notices"
  >;
  /** Null unless the wallet's rail is the sandbox. */
  readonly sandbox: SandboxRail | null;
  /** Whether members may make sandbox deposits; true only in the demo. */
  readonly isFaucetOpen: boolean;
  readonly beneficiaries: BeneficiaryData;
  readonly pins: BeneficiaryPins;
  readonly withdrawTexts: WithdrawTexts;
  readonly onUnexpected: ErrorHandlerOptions["onUnexpected"];
  /** Tells whether orders are accepted here; they no longer are while the process ends. */
  readonly health: () => Health;
  /** Returns all that the process measures. */
  readonly figures: () => Figures;
  /** Returns what an operator has to look at although orders are taken. */
  readonly degraded: () => readonly DegradedReason[];
  readonly unsent: Pick<UnsentAnswers, "body" | "count" | "text">;
}

/** HTTP method of an endpoint. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `public`: anybody. `service`: anybody, even if the venue can't catch up with its
 * log. `visitor`: anybody except a page of another host. `member`: keys with the scope, and people
 * in a session; the handler refuses people if the endpoint makes sense for keys only. `session`:
 * people only.
 */
export type Access =
  | { readonly kind: "public" }
  | { readonly kind: "service" }
  | { readonly kind: "visitor" }
  | { readonly kind: "member"; readonly scope: Scope; readonly isForKeysOnly?: true }
  | { readonly kind: "session" }
  | { readonly kind: "operator" };

/** The body of a call. */
export interface BodyContract<B> {
  readonly schema: z.ZodType<B>;
  readonly example: unknown;
  /** Set if the handler reads the value itself, item by item. */
  readonly isReadByHandler?: true;
  /** Set if the specification has form fields there: the contract names the form first. */
  readonly isFormFirst?: true;
  /** Status of one that is not what it claims to be; 400 by default. */
  readonly brokenStatus?: 422;
  /** Set if it has several items, each of which costs as much as a call. */
  readonly isBulk?: true;
  /** Its longest size in bytes if that is not the usual one. */
  readonly bytesMax?: number;
  /** Name of the caller's own field, whose numbers stay numbers; all other numbers are text. */
  readonly asGiven?: string;
}

/** The answer of a successful call. */
export interface AnswerContract {
  /** 204 has no body: its schema and example are those of `null`. */
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Set if the answer carries the paging headers. */
  readonly isPaged?: true;
  /** JSON by default. */
  readonly mediaType?: "text/csv";
  /** Additional headers, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Error identifiers by status. */
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
  /** Set on operators' calls that need a `reason`: those that touch a member. */
  readonly needsReason?: true;
  /** Set on operators' calls that take an `idempotency_key`. */
  readonly isOnce?: true;
  /** Set if the call cancels orders, now or later; such calls have a rate limit of their own. */
  readonly isCancel?: true;
  /**
   * Set if fields that the call does not have are refused; those of operators' calls and of
   * members' writes always are.
   */
  readonly isClosed?: true;
  /** Levels that the caller must have reached; checked right after authentication. */
  readonly levels?: readonly MoneyLevel[];
  readonly query?: z.ZodType<Q>;
  readonly body?: BodyContract<B>;
  readonly answer: AnswerContract;
  /** Errors besides those that its access, its levels and its schemas' fields imply. */
  readonly errors?: ErrorContract;
  /** Returns whether the venue has the endpoint; if absent, it does. */
  isServed?(services: Services): boolean;
  handle(call: Call<Q, B>): Promise<Response> | Response;
}

/** Declares an endpoint; its handler gets the types of its query and body. */
export function endpoint<Q = undefined, B = undefined>(declared: Endpoint<Q, B>): Endpoint {
  return declared as unknown as Endpoint;
}
