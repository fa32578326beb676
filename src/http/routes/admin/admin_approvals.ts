/** Acts that take two operators, for the second one. */
import type { Command, Receipt } from "../../../domain/command.ts";
import { definedFields } from "../../../edge/answer.ts";
import { ApiError } from "../../../edge/errors.ts";
import {
  PENDING_ACT,
  PENDING_ACT_EXAMPLE,
  PENDING_ACTS_QUERY,
} from "../../../edge/schemas/admin/admin_approvals.ts";
import { pageRequest } from "../../../edge/schemas/lists.ts";
import { type HeldRow, RowChangedError } from "../../../engine/engine.ts";
import { askedWithdrawKey, decidedActKey } from "../../../engine/sidecar_rows.ts";
import {
  holdPendingAct,
  isSameOperator,
  listPendingActs,
  type PendingAct,
  readPendingAct,
} from "../../../secrets/pending_acts.ts";
import { withdrawWay } from "../../../domain/money/withdraw_network.ts";
import type { AnyCall, Call, QueryCall } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, ok, okPage } from "../../endpoint_parts.ts";
import { answerPending, pendingActsJson } from "../../second_operator.ts";
import { recordId } from "../named_records.ts";

const PATH = "/api/v2/admin/approvals";
const INVALID_STATE = "admin.approval.invalid_state";
const SAME_OPERATOR = "admin.approval.same_operator";
/** How often a decision is tried whose act changes all the time. */
const TRIES_MAX = 3;

async function list(call: QueryCall<typeof PENDING_ACTS_QUERY>): Promise<Response> {
  const { engine, query } = call;
  const request = pageRequest(query, "desc", "pagination");
  const page = await listPendingActs(engine, query.state === "decided", request);
  return call.page(await pendingActsJson(call, page.items), query, page);
}

async function read(call: Call): Promise<Response> {
  const id = recordId(call);
  if (await readPendingAct(call.engine, id) === null) throw new ApiError(404, "record.not_found");
  return await answerPending(call, 200, id);
}

/** Decides on an act once: the commit that does depends on its row, which it deletes. */
async function decide(call: AnyCall, isApproved: boolean): Promise<Response> {
  const id = recordId(call);
  for (let tries = 1; call.earlier === null; tries++) {
    const held = await holdPendingAct(call.engine, id);
    if (held === null) throw await notPending(call, id);
    try {
      await submitDecision(call, id, held, isApproved);
      break;
    } catch (error) {
      // Somebody else may just have decided.
      if (!(error instanceof RowChangedError) || tries >= TRIES_MAX) throw error;
    }
  }
  return await answerPending(call, 200, id);
}

async function notPending({ engine }: AnyCall, id: number): Promise<ApiError> {
  const decision = (await readPendingAct(engine, id))?.decision;
  if (decision === undefined) return new ApiError(404, "record.not_found");
  const value = decision.isApproved ? "approved" : "refused";
  return new ApiError(422, INVALID_STATE, { details: { field: "state", value, rule: "state" } });
}

async function submitDecision(
  call: AnyCall,
  id: number,
  held: HeldRow,
  isApproved: boolean,
): Promise<void> {
  const pending = held.value as PendingAct;
  const { action, asked, changes, first, member, reason } = pending;
  // Who has asked may take it back.
  if (isApproved && isSameOperator(first, call.author)) throw new ApiError(403, SAME_OPERATOR);
  const command = isApproved ? await commandOf(call, pending) : { kind: "note_act" } as const;
  const state = isApproved ? "approved" : "refused";
  const decided = ({ act = 0 }: Receipt): PendingAct => ({
    ...pending,
    decision: {
      isApproved,
      second: call.author,
      act,
      reason: call.act?.reason ?? "",
      at: call.engine.now(),
    },
  });
  const receipt = await call.submit(command, {
    approval: { id, state, action, changes, reason, first, member },
    held: [held],
    sidecar: (done) => [
      { key: held.key, value: null },
      ...(asked.kind === "withdraw" ? [{ key: askedWithdrawKey(asked.id), value: null }] : []),
      { key: decidedActKey(id), value: decided(done) },
    ],
  });
  if (receipt.kind === "withdraw_set") {
    await call.services.withdrawNotices.ended(receipt.withdraw);
  }
}

/** Returns the command that an act comes to now. */
async function commandOf({ engine, services }: AnyCall, { asked }: PendingAct): Promise<Command> {
  if (asked.kind === "adjustment") {
    const { uid, currency, amount } = asked;
    return { kind: "adjust_balance", uid, currency, amount };
  }
  const withdraw = await engine.withdraw(asked.id);
  if (withdraw === null) throw new ApiError(404, "record.not_found");
  const isByHand = services.wallet.isPaidByHand(withdrawWay(engine.venue, withdraw));
  return {
    kind: "change_withdraw",
    id: asked.id,
    action: "approve",
    ...definedFields<{ isByHand: true }>({ isByHand: isByHand ? true : undefined }),
  };
}

const ANSWER = ok("The act.", PENDING_ACT, PENDING_ACT_EXAMPLE);
const DECIDED_ANSWER = {
  ...ANSWER,
  example: {
    ...PENDING_ACT_EXAMPLE,
    state: "approved",
    second: {
      uid: "ID0C0C0C0C0C",
      email: "bea@example.org",
      kid: null,
      act: 32,
      reason: null,
      at: "2020-03-02T10:54:00Z",
    },
  },
};

/** Endpoints of acts that take two operators. */
export const ADMIN_APPROVAL_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listPendingActs",
    method: "GET",
    paths: [PATH],
    ...ofOperators("viewer"),
    summary: "List acts that wait for a second operator",
    query: PENDING_ACTS_QUERY,
    answer: okPage("Acts, newest first.", PENDING_ACT, PENDING_ACT_EXAMPLE),
    handle: list,
  }),
  endpoint({
    id: "readPendingAct",
    method: "GET",
    paths: [`${PATH}/{id}`],
    ...ofOperators("viewer"),
    summary: "Get an act that takes two operators",
    answer: ANSWER,
    errors: NOT_FOUND,
    handle: read,
  }),
  endpoint({
    id: "approvePendingAct",
    method: "POST",
    paths: [`${PATH}/{id}/approve`],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Approve what another operator has asked for",
    description:
      "It happens then, once, and is refused for whatever would refuse it now, also if who has asked " +
      "for it may not do it any more; it then goes on waiting. Who has asked for it can't approve it, " +
      "nor can a key of the person who has. The member is told the reason that was given first.",
    isOnce: true,
    needsReason: true,
    answer: DECIDED_ANSWER,
    errors: {
      ...NOT_FOUND,
      403: [SAME_OPERATOR, "admin.approval.first_not_permitted"],
      422: [
        INVALID_STATE,
        "market.account.insufficient_balance",
        "admin.adjustment.above_maximum",
        "admin.venue.invalid_amount",
        "admin.withdraw.invalid_state",
        "admin.withdraw.member_locked",
        "admin.withdraw.beneficiary_disabled",
        "account.currency.withdrawal_disabled",
        "account.withdraw.disabled_api",
      ],
    },
    handle: (call: AnyCall) => decide(call, true),
  }),
  endpoint({
    id: "refusePendingAct",
    method: "POST",
    paths: [`${PATH}/{id}/refuse`],
    ...ofOperators("finance", { needsCode: true }),
    summary: "Refuse what an operator has asked for",
    description: "Also what one has asked for oneself. The member is told nothing.",
    needsReason: true,
    answer: { ...DECIDED_ANSWER, example: { ...DECIDED_ANSWER.example, state: "refused" } },
    errors: { ...NOT_FOUND, 422: [INVALID_STATE] },
    handle: (call: AnyCall) => decide(call, false),
  }),
];
