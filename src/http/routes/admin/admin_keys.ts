/** API keys, for operators. */
import * as z from "zod";
import { type ChangeKey, expectedReceipt, type Receipt } from "../../../domain/command.ts";
import type { ApiKey } from "../../../domain/people/member.ts";
import { IpAllowList } from "../../../secrets/ip_allow_list.ts";
import type { AnyCall, BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import { created, NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";
import { ApiError } from "../../../edge/errors.ts";
import {
  API_KEY,
  CREATED_API_KEY,
  KEY_CHANGES,
  NEW_KEY,
} from "../../../edge/schemas/admin/admin_members.ts";
import { API_KEY_EXAMPLE } from "../../../edge/schemas/examples.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { holderOf } from "./admin_members.ts";
import {
  allowListAfter,
  checkedAllowList,
  DEFAULT_SCOPES,
  refuseUnconfined,
  scopeList,
} from "../auth/key_fields.ts";
import { createKid, createSecret } from "../../../identity/random_names.ts";

const PREFIX = "admin.api_key";
const UNCONFINED = `${PREFIX}.missing_ip_allow_list`;

function keyJson(key: ApiKey, allowList: readonly string[]): z.infer<typeof API_KEY> {
  return {
    kid: key.kid,
    algorithm: "HS256",
    scopes: [...key.scopes],
    state: key.state,
    role: key.role,
    nonce_mode: key.nonceMode,
    ip_allow_list: [...allowList],
    created_at: isoSeconds(key.createdAt),
    updated_at: isoSeconds(key.updatedAt),
  };
}

/**
 * Returns the key that the path names.
 *
 * @throws {ApiError} 404 if the member has no such key
 */
function keyOf(call: AnyCall): ApiKey {
  const { member } = holderOf(call);
  const key = call.engine.venue.keyByKid.get(call.param("kid"))?.key;
  if (key === undefined || key.member !== member.index || key.state === "deleted") {
    throw new ApiError(404, "record.not_found");
  }
  return key;
}

async function createKey(call: BodyCall<typeof NEW_KEY>): Promise<Response> {
  const { uid } = holderOf(call).member;
  const { credentials, notices } = call.services;
  const allowList = call.body.ip_allow_list ?? [];
  const scopes = call.body.scopes === undefined ? DEFAULT_SCOPES : scopeList(call.body.scopes);
  refuseUnconfined(call.services, PREFIX, { role: "member", scopes }, allowList);
  const kid = createKid(call.engine.venue);
  const secret = createSecret();
  const row = await checkedAllowList(
    PREFIX,
    allowList,
    () => credentials.create(kid, secret, allowList),
  );
  const receipt = await call.submit({
    kind: "create_key",
    uid,
    kid,
    role: "member",
    scopes,
    nonceMode: call.body.nonce_mode,
  }, { sidecar: () => [row] });
  await notices.send(uid, { kind: "api_key_created", kid });
  return call.json(201, { ...keyJson(keyIn(receipt), allowList), secret });
}

async function changeKey(call: BodyCall<typeof KEY_CHANGES>): Promise<Response> {
  const before = keyOf(call);
  const { kid } = before;
  const { credentials, notices } = call.services;
  const { state, ip_allow_list } = call.body;
  const scopes = call.body.scopes === undefined ? undefined : scopeList(call.body.scopes);
  const changes = { scopes, allowList: ip_allow_list };
  const allowList = await allowListAfter(call.services, PREFIX, before, changes);
  const rows = ip_allow_list === undefined ? [] : [
    await checkedAllowList(PREFIX, ip_allow_list, () => {
      if (kid === call.caller.key?.kid) refuseShuttingOut(ip_allow_list, call.origin.address);
      return credentials.setAllowList(kid, ip_allow_list);
    }),
  ];
  const command: ChangeKey = {
    kind: "change_key",
    uid: call.param("uid"),
    kid,
    ...definedFields<Pick<ChangeKey, "state" | "scopes">>({ state, scopes }),
  };
  const receipt = await call.submit(command, { sidecar: () => rows });
  await notices.send(call.param("uid"), { kind: "api_key_changed", kid });
  return call.json(200, keyJson(keyIn(receipt), allowList));
}

/** Refuses a list that excludes the caller's own address: the key could not undo the change. */
function refuseShuttingOut(allowList: readonly string[], address: string): void {
  if (IpAllowList.parse(allowList)?.has(address) === false) {
    throw new RangeError(`The list excludes "${address}", from which this request was sent`);
  }
}

async function deleteKey(call: Call): Promise<Response> {
  const { kid } = keyOf(call);
  const { credentials } = call.services;
  const allowList = await credentials.allowList(kid);
  const receipt = await call.submit(
    { kind: "change_key", uid: call.param("uid"), kid, state: "deleted" },
    { sidecar: () => credentials.erase(kid) },
  );
  return call.json(200, keyJson(keyIn(receipt), allowList));
}

function keyIn(receipt: Receipt): ApiKey {
  return expectedReceipt(receipt, "key_set").key;
}

async function listKeys(call: Call): Promise<Response> {
  const keys = holderOf(call).keys();
  const rows = await Promise.all(
    keys.map(async (key) => keyJson(key, await call.services.credentials.allowList(key.kid))),
  );
  return call.json(200, rows);
}

const KEY_OVER = "resource.api_key.disabled_for_good";
const LAST_OPERATOR = "admin.api_key.last_operator";
const ANSWER = ok("The API key.", API_KEY, API_KEY_EXAMPLE);

/** Endpoints of keys. */
export const ADMIN_KEY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createApiKey",
    method: "POST",
    paths: ["/api/v2/admin/members/{uid}/api_keys"],
    ...ofOperators("admin", { needsCode: true }),
    needsReason: true,
    summary: "Create an API key for a member",
    description: "The secret is shown only once.",
    body: {
      schema: NEW_KEY,
      example: { scopes: ["read", "trade"], ip_allow_list: ["203.0.113.0/24"] },
    },
    answer: created("The API key with its secret.", CREATED_API_KEY, {
      ...API_KEY_EXAMPLE,
      secret: "0123456789abcdef0123456789abcdef",
    }),
    errors: { ...NOT_FOUND, 422: ["resource.api_key.limit_exceeded", UNCONFINED] },
    handle: createKey,
  }),
  endpoint({
    id: "listApiKeys",
    method: "GET",
    paths: ["/api/v2/admin/members/{uid}/api_keys"],
    ...ofOperators("viewer"),
    summary: "List a member's API keys",
    answer: ok("API keys that are not deleted, oldest first.", z.array(API_KEY), [API_KEY_EXAMPLE]),
    errors: NOT_FOUND,
    handle: listKeys,
  }),
  endpoint({
    id: "changeApiKey",
    method: "PATCH",
    paths: ["/api/v2/admin/members/{uid}/api_keys/{kid}"],
    ...ofOperators("support", {
      needsCode: true,
      others: {
        role: "admin",
        calls: "for all but disabling it",
        isMeant: ({ state, scopes = null, ip_allow_list: list = null }) =>
          state !== "disabled" || scopes !== null || list !== null,
      },
    }),
    needsReason: true,
    summary: "Change a member's API key",
    body: { schema: KEY_CHANGES, example: { state: "disabled" } },
    answer: ANSWER,
    errors: { ...NOT_FOUND, 422: [LAST_OPERATOR, UNCONFINED, KEY_OVER] },
    handle: changeKey,
  }),
  endpoint({
    id: "deleteApiKey",
    method: "DELETE",
    paths: ["/api/v2/admin/members/{uid}/api_keys/{kid}"],
    ...ofOperators("support", { needsCode: true }),
    needsReason: true,
    summary: "Delete a member's API key",
    description:
      "The last key that operates the venue cannot be deleted: start it with another one first.",
    answer: { ...ANSWER, example: { ...API_KEY_EXAMPLE, state: "deleted" } },
    errors: { ...NOT_FOUND, 422: [LAST_OPERATOR] },
    handle: deleteKey,
  }),
];
