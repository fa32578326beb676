/** What operators' roles may do, as the contract has it: buttons that a role can't use are off. */

/** A role that an operator can have. */
export type Role = "viewer" | "support" | "finance" | "admin";

/** All roles, from the one that may least. */
export const ROLES: readonly Role[] = ["viewer", "support", "finance", "admin"];

/** By the operation's id: the role that an act needs. */
export const ROLE_OF = {
  addMemberNote: "support",
  endMemberSessions: "support",
  endMemberSession: "support",
  createMember: "support",
  changeMember: "support",
  unlockMember: "support",
  deleteApiKey: "support",
  disableBeneficiary: "support",
  cancelMemberOrders: "support",
  changeApiKey: "support",
  createAdjustment: "finance",
  enterDeposit: "finance",
  acceptDeposit: "finance",
  rejectDeposit: "finance",
  reverseDeposit: "finance",
  approveWithdraw: "finance",
  handOverWithdraw: "finance",
  rejectWithdraw: "finance",
  retryWithdraw: "finance",
  succeedWithdraw: "finance",
  failWithdraw: "finance",
  returnWithdraw: "finance",
  approvePendingAct: "finance",
  refusePendingAct: "finance",
  paySandboxDeposit: "finance",
  reorganiseSandbox: "finance",
  setSandboxPayouts: "finance",
  changeMemberEmail: "admin",
  createApiKey: "admin",
  cancelMarketOrders: "admin",
  createCurrency: "admin",
  changeCurrency: "admin",
  addCurrencyNetwork: "admin",
  changeCurrencyNetwork: "admin",
  resumeNetwork: "admin",
  createMarket: "admin",
  changeMarket: "admin",
  setTradingFee: "admin",
  deleteTradingFee: "admin",
  setMemberLevels: "admin",
  setMemberClasses: "admin",
  setSettings: "admin",
  setSwitches: "admin",
  setWithdrawLimit: "admin",
  deleteWithdrawLimit: "admin",
  setOperatorRole: "admin",
  removeOperatorRole: "admin",
  listOutbox: "admin",
} as const satisfies Readonly<Record<string, Role>>;

/** An act that needs more than a look. */
export type Operation = keyof typeof ROLE_OF;

/** Returns the role that `me` tells; null for members, and for what no operator can be. */
export function roleOf(told: string | undefined): Role | null {
  return ROLES.find((role) => role === told) ?? null;
}

/** Whether a role may do what another one may. */
export function allows(role: Role | null, needed: Role): boolean {
  return role !== null && (role === needed || role === "admin" || needed === "viewer");
}
