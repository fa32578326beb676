/** API keys that members create for themselves, which always takes a second-factor code. */
import type * as z from "zod";
import {
  type ChangeKey,
  type CreateKey,
  expectedReceipt,
  isRejection,
  type Outcome,
} from "../../../domain/command.ts";
import type { ApiKey, Scope } from "../../../domain/people/member.ts";
import type { SidecarRow } from "../../../engine/engine.ts";
import { agreedField } from "../../../edge/agreed_field.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import {
  created,
  noContent,
  NOT_FOUND,
  ok,
  okPage,
  OWNER_ERRORS,
  PROOFS_THROTTLED,
  SIGNED_IN,
} from "../../endpoint_parts.ts";
import { ApiError, invalidField, rejectionError } from "../../../edge/errors.ts";
import {
  CREATED_OWN_KEY,
  KEY_PROOF,
  KEY_PROOF_QUERY,
  NEW_OWN_KEY,
  OWN_KEY,
  OWN_KEY_CHANGES,
} from "../../../edge/schemas/identity.ts";
import { PAGE_QUERY, pageOf } from "../../../edge/schemas/lists.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { asOwner } from "./auth_answers.ts";
import {
  allowListAfter,
  checkedAllowList,
  DEFAULT_SCOPES,
  refuseUnconfined,
  scopeList,
} from "./key_fields.ts";
import { createKid, createSecret } from "../../../identity/random_names.ts";

const PREFIX = "resource.api_key";
const UNCONFINED = `${PREFIX}.missing_ip_allow_list`;
const KEY_OVER = `${PREFIX}.disabled_for_good`;
const BASE = "/api/v2/auth/resource/api_keys";

function keyJson(key: ApiKey, allowList: readonly string[]): z.infer<typeof OWN_KEY> {
  return {
    kid: key.kid,
    algorithm: "HS256",
    scope: [...key.scopes],
    state: key.state === "active" ? "active" : "disabled",
    nonce_mode: key.nonceMode,
    ip_allow_list: [...allowList],
    created_at: isoSeconds(key.createdAt),
    updated_at: isoSeconds(key.updatedAt),
  };
}

/** Returns the member's own keys, except operators' keys, which sessions may not touch. */
function ownKeys(call: AnyCall): readonly ApiKey[] {
  return call.engine.venue.holder(call.caller.member).keys().filter(({ role }) =>
    role === "member"
  );
}

/**
 * Returns the key that the path names.
 *
 * @throws {ApiError} 404 if the member has no such key
 */
function ownKey(call: AnyCall): ApiKey {
  const key = ownKeys(call).find(({ kid }) => kid === call.param("kid"));
  if (key === undefined) throw new ApiError(404, "record.not_found");
  return key;
}

/**
 * Returns the code that the call carries.
 *
 * @throws {ApiError} 422 if there is none, or the member has no second factor
 */
function codeOf(call: AnyCall, code: string | undefined): string {
  if (!call.engine.venue.holder(call.caller.member).member.hasTwoFactor) {
    throw new ApiError(422, `${PREFIX}.2fa_disabled`);
  }
  if (code === undefined) throw invalidField(`${PREFIX}.missing_totp`, "totp_code");
  return code;
}

/**
 * Submits a command, with its rows, that a member who proves to be there authorizes by a code; the
 * same commit spends the code.
 */
function submitProven(
  call: AnyCall & { readonly body: z.infer<typeof KEY_PROOF> },
  action: "create" | "update" | "delete",
  code: string,
  command: CreateKey | ChangeKey,
  rows: readonly SidecarRow[],
): Promise<ApiKey> {
  const { engine, services, caller, session } = call;
  const { sessions, twoFactor } = services.identity;
  return asOwner(call, call.body, async (generation) => {
    const otp = await twoFactor.prove(caller.member, code, session, generation);
    const outcome = await sessions.holding(
      session,
      (held) => engine.submit({ ...command, otp }, null, () => rows, held),
    );
    const result = isRejection(outcome) ? "failed" : "succeed";
    await call.record({ topic: "api_key", action, result });
    return keyIn(outcome);
  });
}

function keyIn(outcome: Outcome): ApiKey {
  if (!isRejection(outcome)) return expectedReceipt(outcome, "key_set").key;
  switch (outcome.rejected) {
    case "otp_invalid":
      throw invalidField(`${PREFIX}.invalid_totp`, "totp_code");
    case "two_factor_off":
      throw new ApiError(422, `${PREFIX}.2fa_disabled`);
    default:
      throw rejectionError(outcome);
  }
}

async function createKey(call: BodyCall<typeof NEW_OWN_KEY>): Promise<Response> {
  const { engine, body, services } = call;
  const code = codeOf(call, body.totp_code);
  const { uid } = call.session.member;
  const allowList = body.ip_allow_list ?? [];
  const scopes = scopesOf(body) ?? DEFAULT_SCOPES;
  refuseUnconfined(services, PREFIX, { role: "member", scopes }, allowList);
  const kid = createKid(engine.venue);
  const secret = createSecret();
  const row = await checkedAllowList(
    PREFIX,
    allowList,
    () => services.credentials.create(kid, secret, allowList),
  );
  const nonceMode = body.nonce_mode ?? "single";
  const command = { kind: "create_key", uid, kid, role: "member", scopes, nonceMode } as const;
  const key = await submitProven(call, "create", code, command, [row]);
  await services.notices.send(uid, { kind: "api_key_created", kid });
  return call.json(201, { ...keyJson(key, allowList), secret });
}

function scopesOf(
  { scope, scopes }: Pick<z.infer<typeof NEW_OWN_KEY>, "scope" | "scopes">,
): readonly Scope[] | undefined {
  const given = agreedField(`${PREFIX}.invalid_scopes`, "scopes", scope, scopes);
  return given === undefined ? undefined : scopeList(given);
}

async function changeKey(call: BodyCall<typeof OWN_KEY_CHANGES>): Promise<Response> {
  const { body } = call;
  const { credentials, notices } = call.services;
  const code = codeOf(call, body.totp_code);
  const before = ownKey(call);
  const { kid } = before;
  const { uid } = call.session.member;
  const { state, ip_allow_list } = body;
  const scopes = scopesOf(body);
  const changes = { scopes, allowList: ip_allow_list };
  const allowList = await allowListAfter(call.services, PREFIX, before, changes);
  const rows = ip_allow_list === undefined ? [] : [
    await checkedAllowList(
      PREFIX,
      ip_allow_list,
      () => credentials.setAllowList(kid, ip_allow_list),
    ),
  ];
  const command: ChangeKey = {
    kind: "change_key",
    uid,
    kid,
    ...definedFields<Pick<ChangeKey, "state" | "scopes">>({ state, scopes }),
  };
  const key = await submitProven(call, "update", code, command, rows);
  await notices.send(uid, { kind: "api_key_changed", kid });
  return call.json(200, keyJson(key, allowList));
}

async function deleteKey(
  call: Call<z.infer<typeof KEY_PROOF_QUERY>, z.infer<typeof KEY_PROOF>>,
): Promise<Response> {
  const [inQuery, inBody] = [call.query.totp_code, call.body.totp_code];
  const code = codeOf(call, agreedField(`${PREFIX}.invalid_totp`, "totp_code", inQuery, inBody));
  const { kid } = ownKey(call);
  const { uid } = call.session.member;
  const command = { kind: "change_key", uid, kid, state: "deleted" } as const;
  await submitProven(call, "delete", code, command, call.services.credentials.erase(kid));
  return call.empty();
}

async function listKeys(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  const page = pageOf(ownKeys(call), call.query, "pagination");
  const rows = await Promise.all(
    page.items.map(async (key) => keyJson(key, await call.services.credentials.allowList(key.kid))),
  );
  return call.page(rows, call.query, page);
}

const KEY_EXAMPLE = {
  kid: "0123456789abcdef",
  algorithm: "HS256",
  scope: ["read", "trade"],
  state: "active",
  nonce_mode: "single",
  ip_allow_list: [],
  created_at: "2020-03-02T10:51:00Z",
  updated_at: "2020-03-02T10:51:00Z",
};
const PROOF_ERRORS = [
  ...OWNER_ERRORS,
  `${PREFIX}.2fa_disabled`,
  `${PREFIX}.missing_totp`,
  `${PREFIX}.invalid_totp`,
];

const PROOF_EXAMPLE = { totp_code: "123456", password: "Tr0ub4dor&3x" };

/** Endpoints of members' own keys. */
export const AUTH_API_KEY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createOwnApiKey",
    method: "POST",
    paths: [BASE],
    ...SIGNED_IN,
    isClosed: true,
    summary: "Create an API key",
    description: "Requires the second factor and the password. The secret is shown only once.",
    body: { schema: NEW_OWN_KEY, example: { ...PROOF_EXAMPLE, scope: ["read", "trade"] } },
    answer: created("The API key with its secret.", CREATED_OWN_KEY, {
      ...KEY_EXAMPLE,
      secret: "0123456789abcdef0123456789abcdef",
    }),
    errors: {
      422: [...PROOF_ERRORS, UNCONFINED, `${PREFIX}.limit_exceeded`],
      ...PROOFS_THROTTLED,
    },
    handle: createKey,
  }),
  endpoint({
    id: "listOwnApiKeys",
    method: "GET",
    paths: [BASE],
    ...SIGNED_IN,
    summary: "List your API keys",
    query: PAGE_QUERY,
    answer: okPage("API keys that are not deleted, oldest first.", OWN_KEY, KEY_EXAMPLE),
    handle: listKeys,
  }),
  endpoint({
    id: "changeOwnApiKey",
    method: "PATCH",
    paths: [`${BASE}/{kid}`],
    ...SIGNED_IN,
    isClosed: true,
    summary: "Change an API key",
    description:
      "A key that was disabled for good, by a change of your password or second factor, can only " +
      "be deleted.",
    body: { schema: OWN_KEY_CHANGES, example: { ...PROOF_EXAMPLE, state: "disabled" } },
    answer: ok("The API key.", OWN_KEY, KEY_EXAMPLE),
    errors: { ...NOT_FOUND, 422: [...PROOF_ERRORS, UNCONFINED, KEY_OVER], ...PROOFS_THROTTLED },
    handle: changeKey,
  }),
  endpoint({
    id: "deleteOwnApiKey",
    method: "DELETE",
    paths: [`${BASE}/{kid}`],
    ...SIGNED_IN,
    isClosed: true,
    summary: "Delete an API key",
    description: "`totp_code` may be in the query or in the body, `password` only in the body.",
    query: KEY_PROOF_QUERY,
    body: { schema: KEY_PROOF, example: PROOF_EXAMPLE },
    answer: noContent("The API key is deleted."),
    errors: { ...NOT_FOUND, 422: PROOF_ERRORS, ...PROOFS_THROTTLED },
    handle: deleteKey,
  }),
];
