import type { MutatedFile } from "./mutation.ts";
import { ACCOUNT_MUTATIONS } from "./mutations_account.ts";
import { AUDIT_MUTATIONS } from "./mutations_audit.ts";
import { BATCH_MUTATIONS } from "./mutations_batches.ts";
import { CALL_MUTATIONS } from "./mutations_calls.ts";
import { DECISION_MUTATIONS } from "./mutations_decisions.ts";
import { DOMAIN_MUTATIONS } from "./mutations_domain.ts";
import { ENGINE_MUTATIONS } from "./mutations_engine.ts";
import { EVM_MUTATIONS } from "./mutations_evm.ts";
import { EPOCH_MUTATIONS } from "./mutations_epoch.ts";
import { TURNS_MUTATIONS } from "./mutations_turns.ts";
import { FOLD_MUTATIONS } from "./mutations_fold.ts";
import { FORMAT_MUTATIONS } from "./mutations_formats.ts";
import { FUNDS_MUTATIONS } from "./mutations_funds.ts";
import { GUARD_MUTATIONS } from "./mutations_guards.ts";
import { HELD_ROWS_MUTATIONS } from "./mutations_held_rows.ts";
import { IDENTITY_MUTATIONS } from "./mutations_identity.ts";
import { MONEY_MUTATIONS } from "./mutations_money.ts";
import { NETWORK_MUTATIONS } from "./mutations_networks.ts";
import { ORDER_MUTATIONS } from "./mutations_orders.ts";
import { OUTER_MUTATIONS } from "./mutations_outer.ts";
import { PAYOUT_MUTATIONS } from "./mutations_payouts.ts";
import { READ_MUTATIONS } from "./mutations_reads.ts";
import { RELAY_MUTATIONS } from "./mutations_relay.ts";
import { SETTING_MUTATIONS } from "./mutations_settings.ts";
import { STATE_MUTATIONS } from "./mutations_state.ts";
import { STORE_MUTATIONS } from "./mutations_store.ts";
import { UTXO_MUTATIONS } from "./mutations_utxo.ts";

/** All breaks. */
export const TABLES: readonly MutatedFile[] = [
  ...DOMAIN_MUTATIONS,
  ...SETTING_MUTATIONS,
  ...STATE_MUTATIONS,
  ...MONEY_MUTATIONS,
  ...ACCOUNT_MUTATIONS,
  ...DECISION_MUTATIONS,
  ...FUNDS_MUTATIONS,
  ...ORDER_MUTATIONS,
  ...STORE_MUTATIONS,
  ...FORMAT_MUTATIONS,
  ...CALL_MUTATIONS,
  ...AUDIT_MUTATIONS,
  ...BATCH_MUTATIONS,
  ...HELD_ROWS_MUTATIONS,
  ...ENGINE_MUTATIONS,
  ...READ_MUTATIONS,
  ...FOLD_MUTATIONS,
  ...EPOCH_MUTATIONS,
  ...TURNS_MUTATIONS,
  ...GUARD_MUTATIONS,
  ...RELAY_MUTATIONS,
  ...OUTER_MUTATIONS,
  ...UTXO_MUTATIONS,
  ...NETWORK_MUTATIONS,
  ...IDENTITY_MUTATIONS,
  ...EVM_MUTATIONS,
  ...PAYOUT_MUTATIONS,
];
