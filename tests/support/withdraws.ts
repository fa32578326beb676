import { assert, assertEquals } from "@std/assert";
import type { WithdrawAction } from "../../src/domain/money/withdraw.ts";
import { nextCode } from "./one_time_codes.ts";
import type { Answer, TestVenue } from "./with_venue.ts";

/** The path of withdrawals. */
export const WITHDRAWS = "/api/v2/backend/account/withdraws";

type Member = "alice" | "bob";

/** Returns the status of an answer, followed by its error identifiers. */
export function outcome({ status, body }: Answer): string {
  return body?.errors === undefined ? String(status) : `${status} ${body.errors.join(" ")}`;
}

/** Withdraws 1 btc with a new code unless `fields` say otherwise. */
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

/** Makes an operator's call, which must succeed. */
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

/** Changes a withdrawal's state, as a rail or an operator does. */
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
