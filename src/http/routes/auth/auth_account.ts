/** A member's own account, password and activity. */
import type * as z from "zod";
import type { Member } from "../../../domain/people/member.ts";
import { readMemberActs } from "../../../secrets/acts.ts";
import { type Activity, ACTIVITY_TOPICS, type PasswordChange } from "../../../identity/identity.ts";
import { IdentityError } from "../../../identity/identity_error.ts";
import type { AnyCall, BodyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { definedFields } from "../../../edge/answer.ts";
import {
  created,
  KNOWN_DEVICE,
  ok,
  okPage,
  PROOFS_THROTTLED,
  SIGNED_IN,
  withCookie,
} from "../../endpoint_parts.ts";
import { invalidField } from "../../../edge/errors.ts";
import { ACTIVITY, DONE, ME, OWN_ACT, PASSWORD_CHANGE } from "../../../edge/schemas/identity.ts";
import { PAGE_QUERY, pageHeaders, pageRequest } from "../../../edge/schemas/lists.ts";
import { limitText } from "../../../edge/wire/market_wire.ts";
import { isoSeconds } from "../../../edge/wire/wire.ts";
import { onKnownDevice, USER_EXAMPLE, userInSessionJson } from "./auth_answers.ts";

const BASE = "/api/v2/auth/resource/users";

async function readMe(call: Call): Promise<Response> {
  const { caller: { session, member: index }, engine } = call;
  const { member } = engine.venue.holder(index);
  const { uid, level, group, state } = member;
  const own = { uid, level, group, state, limits: limitsJson(call, member) };
  if (session === null) return call.json(200, own);
  return call.json(200, { ...await userInSessionJson(call, { ...session, member }), ...own });
}

/** Returns what a member may do, by its own settings or else the venue's. */
function limitsJson(
  { engine, fraction }: AnyCall,
  member: Member,
): z.infer<typeof ME>["limits"] {
  const { openOrdersMax, bulkOrdersMax, untradedOrdersMax } = engine.venue.settings;
  const limit = engine.venue.withdrawLimits.choose(member.level, member.group);
  return {
    open_orders_max: member.openOrdersMax || openOrdersMax,
    bulk_orders_max: member.bulkOrdersMax || bulkOrdersMax,
    untraded_orders_max: (member.untradedOrdersMax || untradedOrdersMax) || null,
    withdraw_24_hour: limitText(limit?.limit24h ?? null, fraction),
    withdraw_1_month: limitText(limit?.limit1m ?? null, fraction),
  };
}

type KeyChoice = Pick<PasswordChange, "keptKeys" | "code">;

async function sendOwnerCode(call: Call): Promise<Response> {
  await call.services.identity.sendOwnerCode(call.session, call.origin);
  return call.json(201, {});
}

async function changePassword(call: BodyCall<typeof PASSWORD_CHANGE>): Promise<Response> {
  const { old_password: oldPassword, new_password: newPassword, confirm_password } = call.body;
  const { keep_keys: keptKeys, totp_code: code } = call.body;
  if (newPassword !== confirm_password) {
    throw invalidField("resource.password.doesnt_match", "confirm_password");
  }
  try {
    await call.services.identity.changePassword(
      call.session,
      { oldPassword, newPassword, ...definedFields<KeyChoice>({ keptKeys, code }) },
      call.origin,
    );
  } catch (error) {
    if (!(error instanceof IdentityError) || error.refusal !== "password_weak") throw error;
    throw invalidField(error.identifier, "new_password");
  }
  return await onKnownDevice(call, call.session.member, call.json(201, {}));
}

function activityJson(activity: Activity): z.infer<typeof ACTIVITY> {
  return {
    user_ip: activity.address,
    user_agent: activity.userAgent,
    topic: activity.topic,
    action: activity.action,
    result: activity.result,
    created_at: isoSeconds(activity.createdAt),
  };
}

async function listActivity(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  return await answerActivity(call, call.session.member.uid);
}

/** Answers with a page of a member's activity. */
export async function answerActivity(
  call: QueryCall<typeof PAGE_QUERY>,
  uid: string,
): Promise<Response> {
  const { query } = call;
  const name = call.param("topic");
  const topic = ACTIVITY_TOPICS.find((known) => known === name);
  if (topic === undefined && name !== "all") {
    throw invalidField("resource.user.wrong_topic", "topic", name);
  }
  const { offset, limit } = pageRequest(query, "desc", "pagination");
  const { items, total } = await call.services.identity.activity.list(uid, {
    offset,
    limit,
    ...(topic === undefined ? {} : { topic }),
  });
  const headers = pageHeaders(query, { items, total, isScanLimited: false });
  return call.json(200, items.map(activityJson), headers);
}

/** Example of an activity. */
export const ACTIVITY_EXAMPLE = {
  user_ip: "203.0.113.7",
  user_agent: "Mozilla/5.0",
  topic: "session" as const,
  action: "login",
  result: "succeed" as const,
  created_at: "2020-03-02T10:51:00Z",
};

const ME_EXAMPLE = {
  ...USER_EXAMPLE,
  group: "any",
  limits: {
    open_orders_max: 1000,
    bulk_orders_max: 100,
    untraded_orders_max: 1_000_000,
    withdraw_24_hour: "1000.0",
    withdraw_1_month: "10000.0",
  },
  csrf_token: "f00d…",
};

async function listOwnActs(call: QueryCall<typeof PAGE_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const { uid } = engine.venue.holder(call.caller.member).member;
  const page = await readMemberActs(engine, uid, pageRequest(query, "desc", "pagination"));
  const items = page.items.flatMap(({ id, act }): z.infer<typeof OWN_ACT>[] => {
    if (act === null) return [];
    // Of what took two operators, what was asked for has happened, for the reason given then.
    const { action, reason } = act.approval ?? act;
    return [{ id, action, reason: reason === "" ? null : reason, at: isoSeconds(act.at) }];
  });
  return call.page(items, query, page);
}

/** Endpoints of the account. */
export const AUTH_ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMe",
    method: "GET",
    paths: [`${BASE}/me`],
    ...SIGNED_IN,
    access: { kind: "member", scope: "read" },
    summary: "Get the signed-in member",
    description: "Keys with the scope `read` see no personal data.",
    answer: ok("The member, and in a session its `csrf_token`.", ME, ME_EXAMPLE),
    handle: readMe,
  }),
  endpoint({
    id: "listOwnActs",
    method: "GET",
    paths: [`${BASE}/acts`],
    ...SIGNED_IN,
    access: { kind: "member", scope: "read" },
    summary: "List what operators did to your account, and why",
    query: PAGE_QUERY,
    answer: okPage("Acts, newest first.", OWN_ACT, {
      id: 31,
      action: "changeMember",
      reason: "papers seen",
      at: "2020-03-02T10:51:00Z",
    }),
    handle: listOwnActs,
  }),
  endpoint({
    id: "changePassword",
    method: "PUT",
    paths: [`${BASE}/password`],
    ...SIGNED_IN,
    summary: "Change your password",
    description:
      "Ends all other sessions. A code to reset the password is no longer valid. The API keys that " +
      "you made are disabled for good, except those listed in `keep_keys`; without it, none is " +
      "kept. Keys that operators made are not affected.",
    body: {
      schema: PASSWORD_CHANGE,
      example: {
        old_password: "Tr0ub4dor&3x",
        new_password: "C0rrect-h0rse",
        confirm_password: "C0rrect-h0rse",
      },
    },
    answer: withCookie(created("An empty object.", DONE, {}), KNOWN_DEVICE),
    errors: {
      422: [
        "resource.password.doesnt_match",
        "resource.password.prev_pass_not_correct",
        "resource.password.no_change_provided",
        "password.requirements",
        "resource.api_key.2fa_disabled",
        "resource.api_key.missing_totp",
        "resource.api_key.invalid_totp",
      ],
      ...PROOFS_THROTTLED,
    },
    handle: changePassword,
  }),
  endpoint({
    id: "sendOwnerCode",
    method: "POST",
    paths: [`${BASE}/generate_code`],
    ...SIGNED_IN,
    summary: "Send a code that proves it is you",
    description:
      "Takes the place of the password where the second factor or API keys change. The previous " +
      "code is no longer valid.",
    answer: created("An empty object.", DONE, {}),
    errors: { 429: ["identity.code.sent_recently"] },
    handle: sendOwnerCode,
  }),
  endpoint({
    id: "listActivity",
    method: "GET",
    paths: [`${BASE}/activity/{topic}`],
    ...SIGNED_IN,
    summary: "List account activity",
    description: `Topics: \`all\`, ${ACTIVITY_TOPICS.map((topic) => `\`${topic}\``).join(", ")}.`,
    query: PAGE_QUERY,
    answer: okPage("Events, newest first.", ACTIVITY, ACTIVITY_EXAMPLE),
    errors: { 422: ["resource.user.wrong_topic"] },
    handle: listActivity,
  }),
];
