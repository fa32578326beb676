import fc from "fast-check";
import { BENEFICIARY_STATES } from "../../src/domain/people/beneficiary.ts";
import { DEPOSIT_STATES, REVERSIBLES } from "../../src/domain/money/deposit.ts";
import { type EventKind, NO_KEY } from "../../src/domain/event.ts";
import { BODY_SIGNATURES } from "../../src/domain/settings.ts";
import { APPROVAL_REASONS, WITHDRAW_STATES } from "../../src/domain/money/withdraw.ts";

const text = fc.string({ unit: "binary", maxLength: 40 });
const uint = fc.oneof(fc.nat(), fc.maxSafeNat());
const amount = fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n });
const balances = {
  available: amount,
  locked: amount,
  feesAvailable: amount,
  outsideAvailable: amount,
};
const times = { createdAt: uint, updatedAt: uint };
const once = fc.record({ name: text, request: text });

/** An arbitrary deposit. */
export const ANY_DEPOSIT = fc.record({
  id: uint,
  member: uint,
  currency: uint,
  amount,
  fee: amount,
  txid: text,
  output: uint,
  confirmations: uint,
  state: fc.constantFrom(...DEPOSIT_STATES),
  ...times,
  completedAt: uint,
  reverses: fc.option(fc.record({ type: fc.constantFrom(...REVERSIBLES), id: uint })),
  network: fc.option(text),
}).map(({ reverses, network, ...deposit }) => ({
  ...deposit,
  ...(reverses === null ? {} : { reverses }),
  ...(network === null ? {} : { network }),
}));

/** An arbitrary withdrawal. */
export const ANY_WITHDRAW = fc.record({
  id: uint,
  member: uint,
  currency: uint,
  amount,
  fee: amount,
  beneficiary: uint,
  state: fc.constantFrom(...WITHDRAW_STATES),
  isApproved: fc.boolean(),
  approvalReason: fc.constantFrom(...APPROVAL_REASONS),
  isByHand: fc.boolean(),
  txid: text,
  confirmations: uint,
  claims: uint,
  ...times,
  doneAt: uint,
}, {
  requiredKeys: [
    "id",
    "member",
    "currency",
    "amount",
    "fee",
    "beneficiary",
    "state",
    "isApproved",
    "txid",
    "confirmations",
    "claims",
    "createdAt",
    "updatedAt",
    "doneAt",
  ],
});

const beneficiary = fc.record({
  id: uint,
  member: uint,
  currency: uint,
  state: fc.constantFrom(...BENEFICIARY_STATES),
  addressDigest: text,
  pinsSent: uint,
  pinTries: uint,
  pinSentAt: uint,
  activatedAt: uint,
  createdAt: uint,
  isDisabled: fc.constant<true>(true),
  network: text,
}, {
  requiredKeys: [
    "id",
    "member",
    "currency",
    "state",
    "addressDigest",
    "pinsSent",
    "pinTries",
    "pinSentAt",
    "activatedAt",
    "createdAt",
  ],
});

function kind<K extends EventKind>(name: K): { readonly kind: fc.Arbitrary<K> } {
  return { kind: fc.constant(name) };
}

/** Arbitrary events of deposits, withdrawals and what concerns them, by kind. */
export const MONEY_EVENTS = {
  deposit_set: fc.tuple(
    fc.record({ ...kind("deposit_set"), deposit: ANY_DEPOSIT, ...balances }),
    fc.oneof(
      fc.constant({}),
      fc.record({ transaction: text }),
      fc.record({ transaction: text, payment: text }),
    ),
  ).map(([event, names]) => ({ ...event, ...names })),
  withdraw_set: fc.record({ ...kind("withdraw_set"), withdraw: ANY_WITHDRAW, ...balances }),
  beneficiary_set: fc.record({ ...kind("beneficiary_set"), beneficiary }),
  withdraw_limit_set: fc.record({
    ...kind("withdraw_limit_set"),
    row: fc.record({
      level: fc.integer({ min: -1 }),
      group: text,
      limit24h: fc.option(amount),
      limit1m: fc.option(amount),
    }),
  }),
  withdraw_limit_deleted: fc.record({
    ...kind("withdraw_limit_deleted"),
    row: fc.record({ level: fc.integer({ min: -1 }), group: text }),
  }),
  switches_set: fc.record({
    ...kind("switches_set"),
    switches: fc.record({
      trading: fc.boolean(),
      withdrawals: fc.boolean(),
      restored: fc.record({ epoch: text, sequence: fc.nat(), at: fc.nat(), reached: fc.nat() }),
    }, { requiredKeys: ["trading", "withdrawals"] }),
  }),
  pnl_currencies_set: fc.tuple(fc.array(text), fc.array(text)).map(([currencies, others]) => ({
    kind: "pnl_currencies_set" as const,
    currencies,
    kept: [...currencies, ...others],
  })),
  settings_set: fc.record({
    ...kind("settings_set"),
    settings: fc.record({
      priceBandBps: fc.nat(),
      bodySignatures: fc.constantFrom(...BODY_SIGNATURES),
      needsWithdrawIpLists: fc.boolean(),
      pnlCurrencies: fc.array(text),
      memberClasses: fc.record({ groups: fc.array(text), levelMax: fc.nat() }),
    }, { requiredKeys: [] }),
  }),
  act_noted: fc.oneof(
    fc.record({ ...kind("act_noted"), id: uint, key: uint, once }, {
      requiredKeys: ["kind", "id", "key"],
    }),
    fc.record({ ...kind("act_noted"), id: uint, key: fc.constant(NO_KEY), person: uint, once }, {
      requiredKeys: ["kind", "id", "key", "person"],
    }),
  ),
  deposit_address_made: fc.record({
    ...kind("deposit_address_made"),
    member: uint,
    currency: uint,
    network: text,
  }, { requiredKeys: ["kind", "member", "currency"] }),
};
