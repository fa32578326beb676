import { assert, assertEquals } from "@std/assert";
import type { WithdrawAction } from "../../src/domain/withdraw.ts";
import { nextCode } from "./one_time_codes.ts";
import type { Answer, TestVenue } from "./with_venue.ts";

/** Path of withdrawals. */
export const WITHDRAWS = "/api/v2/backend/account/withdraws";

type Member = "alice" | "bob";

/** Status and identifiers of an answer. */
export function outcome({ status, body }: Answer): string {
  return body?.errors === undefined ? String(status) : `${status} ${body.errors.join(" ")}`;
}

/** Withdraws a bitcoin with a fresh code, but for what is given. */
export async function withdraw(
  venue: TestVenue,
  beneficiary_id: number,
  fields: Record<string, unknown> = {},
  member: Member = "alice",
): Promise<Answer> {
  const otp = "otp" in fields ? {} : { otp: await nextCode(venue, member) };
  return await venue.post(member, WITHDRAWS, {
    beneficiary_id,
    currency: "btc",
    amount: "1",
    ...otp,
    ...fields,
  });
}

/** Has the operator do something. */
export async function operate(
  venue: TestVenue,
  method: string,
  path: string,
  json: Record<string, unknown>,
): Promise<void> {
  const answer = await venue.call("operator", method, `/api/v2/admin/${path}`, {
    json: { reason: "a test", ...json },
  });
  assert(answer.status < 300, answer.text);
}

/** Moves a withdrawal on, as a rail or an operator does. */
export async function move(
  venue: TestVenue,
  id: number,
  ...actions: (WithdrawAction | { action: WithdrawAction; txid: string })[]
): Promise<void> {
  for (const one of actions) {
    const step = typeof one === "string" ? { action: one } : one;
    const claims = venue.engine.venue.withdraws.get(id)?.claims ?? 0;
    const outcome = await venue.engine.submit(
      { kind: "change_withdraw", id, claims, ...step },
      null,
    );
    assertEquals("kind" in outcome && outcome.kind, "withdraw_set");
  }
}
