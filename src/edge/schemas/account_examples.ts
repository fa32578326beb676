/** Examples of account records for the contract. */

const ADDRESS = "sandbox-btc-4be1d0";

/** A balance. */
export const ACCOUNT_EXAMPLE = { currency: "btc", balance: "5.0", locked: "0.5" };

/** A deposit. */
export const DEPOSIT_EXAMPLE = {
  id: 2041,
  currency: "btc",
  amount: "0.5",
  fee: "0.0",
  txid: "5b1d6c8e",
  confirmations: 1,
  state: "collected",
  transfer_type: "crypto",
  created_at: "2020-03-02T10:51:00Z",
  completed_at: "2020-03-02T10:52:00Z",
  tid: "TID9493F6CD41",
};

/** A deposit address. */
export const DEPOSIT_ADDRESS_EXAMPLE = {
  id: null,
  currency: "btc",
  amount: "0.0",
  fee: "0.0",
  txid: null,
  confirmations: 0,
  transfer_type: "crypto",
  created_at: null,
  completed_at: null,
  tid: null,
  currencies: ["btc"],
  address: ADDRESS,
  state: "active",
};

/** A withdrawal. */
export const WITHDRAW_EXAMPLE = {
  id: 815,
  currency: "btc",
  type: "coin",
  amount: "0.25",
  fee: "0.0005",
  blockchain_txid: null,
  rid: ADDRESS,
  state: "accepted",
  waits_for: "approval",
  approval_reason: "member_limit",
  confirmations: 0,
  note: null,
  transfer_type: "crypto",
  created_at: "2020-03-02T10:51:00Z",
  updated_at: "2020-03-02T10:51:00Z",
  done_at: null,
};

/** Totals of recent withdrawals. */
export const WITHDRAW_SUMS_EXAMPLE = {
  last_4_hours: "5000.0",
  last_24_hours: "5000.0",
  last_1_month: "12500.5",
};

/** The same withdrawal as a transaction. */
export const TRANSACTION_EXAMPLE = {
  id: 815,
  address: ADDRESS,
  currency: "btc",
  amount: "0.2495",
  fee: "0.0005",
  txid: null,
  state: "accepted",
  note: null,
  confirmations: 0,
  created_at: "2020-03-02T10:51:00Z",
  updated_at: "2020-03-02T10:51:00Z",
  type: "Withdraw",
};

/** A beneficiary. */
export const BENEFICIARY_EXAMPLE = {
  id: 7,
  currency: "btc",
  uid: "ID0A1B2C3D4E",
  name: "My cold wallet",
  description: "",
  data: { address: ADDRESS },
  state: "pending",
  sent_at: "2020-03-02T10:51:00Z",
  held_until: null,
};
