/** What the states of withdrawals allow. */

/** What can be done with a withdrawal. */
export type WithdrawActName =
  | "approve"
  | "reject"
  | "handOver"
  | "retry"
  | "succeed"
  | "fail"
  | "giveBack";

/** By each act: the states in which the venue may take it. */
const STATES: Readonly<Record<WithdrawActName, readonly string[]>> = {
  approve: ["accepted"],
  handOver: ["accepted"],
  retry: ["errored", "skipped"],
  succeed: ["accepted", "processing", "confirming", "errored"],
  fail: ["processing", "confirming", "skipped", "errored"],
  reject: ["accepted", "to_reject"],
  giveBack: ["succeed"],
};

/** Returns the acts that the venue may take; it still refuses some, and says why. */
export function withdrawActNames({ state, is_approved, is_by_hand }: {
  readonly state: string;
  readonly is_approved: boolean;
  readonly is_by_hand: boolean;
}): readonly WithdrawActName[] {
  return (Object.keys(STATES) as WithdrawActName[]).filter((name) =>
    STATES[name].includes(state) &&
    (name !== "approve" || !is_approved) &&
    (name !== "handOver" || is_by_hand)
  );
}
