import type { MutatedFile } from "./mutation.ts";

const STREAMS = ["domain/random_streams", "domain/money_streams"];

/** Breaks of what takes funds out of the venue. */
export const FUNDS_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/decide_withdraw.ts",
    quick: [
      "domain/cancel_withdraw",
      "domain/decide_withdraw",
      "domain/credential_hold",
      "domain/withdraw_approval",
    ],
    broad: STREAMS,
    mutations: [
      ["spendOtp(venue, command.otp, sink);", ""],
      ['if (currency.type === "fiat") return "fiat";', ""],
      ["if (withdraw?.member !== member) return", "if (withdraw === undefined) return"],
      ["if (!isReturnable(withdraw, isServed)) return", "if (member < 0) return"],
      [
        'refused("fee", formatDecimal(withdrawFee))',
        'refused("minimum", formatDecimal(withdrawFee))',
      ],
      [
        "{ available: -amount, locked: amount }",
        "{ available: -amount, locked: amount - currency.withdrawFee }",
      ],
      [
        "holder.member.level < venue.levels.withdraw",
        "holder.member.level <= venue.levels.withdraw",
      ],
      ['if (!venue.switches.withdrawals) return reject("withdrawals_stopped");\n  const', "const"],
      ["|| beneficiary.currency !== currency.index", ""],
      ['if (beneficiary.state !== "active") return', "if (false) return"],
      [
        "at < heldUntil(beneficiary, holder.member, command)",
        "at <= heldUntil(beneficiary, holder.member, command)",
      ],
      ["command.otp.member === member", "command.otp.member >= 0"],
      ["amount > available) return", "amount >= available) return"],
      ["amount - dust <= withdrawFee", "amount - dust < withdrawFee"],
      ["amount - dust <= withdrawFee", "amount <= withdrawFee"],
      ["dust > 0n && amount < available", "false"],
      ["dust > 0n && amount < available", "dust > 0n"],
      ["currency.withdrawFee + dustOf(currency, amount)", "currency.withdrawFee"],
      ["isWithin(last24Hours + value, limit24h)", "isWithin(last24Hours, limit24h)"],
      ["isWithin(lastMonth + value, limit1m)", "true"],
      ["if (limit === null) return null;", 'if (limit === null) return "member_limit";'],
      ["command.claims !== undefined && command.claims !== withdraw.claims", "false"],
      ['if (command.txid === "") return invalid;', ""],
      [
        "!withdraw.isApproved || command.claims === undefined",
        "command.claims === undefined",
      ],
      ["return withdraw.isApproved ? invalid : ", "return "],
      ["claims: withdraw.claims + 1", "claims: withdraw.claims"],
      ["fees: fee, outside: amount - fee", "outside: amount"],
      [
        "{ locked: -amount, available: amount };",
        "{ locked: -amount, available: amount - fee, fees: fee };",
      ],
      ["isDone ? balanceChanges(next) : {}", "balanceChanges(next)"],
      ["const isDone = !isWithdrawOpen(next);", 'const isDone = next.state === "succeed";'],
      ['return state !== "processing";', "return true;"],
      ["return wasApproved && txid !== undefined;", "return wasApproved;"],
      ["return wasApproved && txid !== undefined;", "return txid !== undefined;"],
      ['return state !== "accepted";', "return true;"],
      ["command.updatedAt !== withdraw.updatedAt", "command.updatedAt > withdraw.updatedAt"],
      ["claims !== undefined || !isClaimed", "!isClaimed"],
      ["if (!isMemberUsable(venue.holder(member).member)) return", "if (false) return"],
      ["invalid : refusePayout(venue, withdraw, currency);", "invalid : null;"],
      ['one.state === "accepted" && one.isApproved', "one.isApproved"],
      ["one.member === member && ", ""],
      [' || approvalReason === "member_locked"', ""],
      [
        "Math.min(credentialsChangedAt, activatedAt + credentialHoldMs)",
        "credentialsChangedAt",
      ],
      [
        "Math.min(credentialsChangedAt, activatedAt + credentialHoldMs)",
        "activatedAt + credentialHoldMs",
      ],
      ["Math.max(activatedAt + holdMs, changedAt + credentialHoldMs)", "activatedAt + holdMs"],
      ['if (currency.price === 0n) return "no_price";', ""],
      ["isWithin(last24Hours + amount, withdrawLimit24h)", "isWithin(amount, withdrawLimit24h)"],
      ["isWithin(last72Hours + amount, withdrawLimit72h)", "true"],
    ],
  },
];
