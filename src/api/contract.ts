/**
 * What an endpoint is: one declaration from which its route is mounted and its
 * documentation is made.
 */
import type * as z from "zod";
import type { Scope } from "../domain/member.ts";
import type { Contacts } from "../engine/contacts.ts";
import type { Credentials } from "../engine/credentials.ts";
import type { Engine, Health } from "../engine/engine.ts";
import type { Identity } from "../identity/identity.ts";
import type { Notices } from "../identity/notices.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { BeneficiaryData } from "../wallet/beneficiary_data.ts";
import type { BeneficiaryPins } from "../wallet/beneficiary_pins.ts";
import type { SandboxRail } from "../wallet/sandbox_rail.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WithdrawNotices } from "../wallet/withdraw_notices.ts";
import type { WithdrawTexts } from "../wallet/withdraw_texts.ts";
import type { AuthFailures } from "./auth_failures.ts";
import type { Call } from "./call.ts";
import type { ClientAddress } from "./client_address.ts";
import type { ErrorHandlerOptions } from "./errors.ts";
import type { SocketFigures } from "./figures.ts";
import type { MoneyLevel } from "./level_guard.ts";
import type { UnsentAnswers } from "./unsent_answers.ts";

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
 * Who may call. `visitor`: anybody but another host's page. `member`: keys with
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
