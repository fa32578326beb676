import { describe, it } from "@std/testing/bdd";
import type { Command, Outcome } from "../../src/domain/command.ts";
import type { Member } from "../../src/domain/people/member.ts";
import { Oracle } from "./oracle.ts";
import type { Submission } from "./submission.ts";

describe("the judge of the log", () => {
  it("knows which of two unsigned calls has happened, if both begin by spending the same code", () => {
    const kinds = ["spend_otp", "note_password_change"] as const;
    // The one that has happened is submitted last, so that the other is the first to be found.
    for (const happened of kinds) {
      const { oracle, member, calls } = spendSameCode(happened);
      const { sequence, time } = oracle.state;
      const spent: Member = { ...member, otpStep: 1 };
      const changed: Member = { ...spent, generation: 2, credentialsChangedAt: time };
      const isChange = happened === "note_password_change";
      const records = isChange ? [spent, changed] : [spent];
      oracle.entry(records.map((one) => ({ kind: "member_set", member: one })), sequence + 1, time);
      const answers: Record<typeof happened, Outcome> = {
        spend_otp: { kind: "member_set", member: spent },
        note_password_change: { kind: "member_set", member: changed, disabledKeys: [] },
      };
      for (const call of calls) {
        const isIt = call.command.kind === happened;
        const refused: Outcome = { rejected: "otp_invalid", field: "otp" };
        oracle.answered(call, isIt ? answers[happened] : refused, oracle.state.sequence);
      }
      oracle.settled();
    }
  });
});

/** Creates a member without keys, and submits two calls that spend its first code. */
function spendSameCode(last: "spend_otp" | "note_password_change") {
  const oracle = new Oracle({ nonceWindowMs: 5000 });
  let tag = 0;
  const submit = (command: Command): Submission => {
    const submission = { tag: ++tag, command, signature: null };
    oracle.submitted(submission, 0);
    return submission;
  };
  const happen = (command: Command, member: Member) => {
    oracle.abandoned(submit(command));
    oracle.entry([{ kind: "member_set", member }], oracle.state.sequence + 1, oracle.state.time);
  };
  const [uid, emailDigest] = ["ID0000000001", "mail"];
  const index = oracle.state.members.length;
  const created: Member = {
    index,
    uid,
    level: 3,
    group: "any",
    state: "active",
    bulkOrdersMax: 0,
    openOrdersMax: 0,
    marketOrdersEnabled: true,
    hasTwoFactor: false,
    otpStep: 0,
    emailDigest,
    createdAt: oracle.state.time,
  };
  happen({ kind: "create_member", uid, emailDigest, level: 3, group: "any" }, created);
  const credentialsChangedAt = oracle.state.time;
  const member = { ...created, hasTwoFactor: true, generation: 1, credentialsChangedAt };
  happen({ kind: "change_member", uid, changes: { hasTwoFactor: true } }, member);
  const otp = { member: index, step: 1, generation: 1 };
  const change = { kind: "note_password_change", uid, kept: { kids: [], otp } } as const;
  const spend = { kind: "spend_otp", otp } as const;
  const commands = last === "spend_otp" ? [change, spend] : [spend, change];
  return { oracle, member, calls: commands.map(submit) };
}
