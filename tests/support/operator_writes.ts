import { assert, assertEquals } from "@std/assert";
import { isRejection } from "../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import { pendingActKey } from "../../src/engine/sidecar_rows.ts";
import type { PendingAct } from "../../src/secrets/pending_acts.ts";
import { activeBeneficiary, UIDS } from "./beneficiaries.ts";
import { Withdrawer } from "./withdrawals.ts";
import type { Answer, TestVenue } from "./with_venue.ts";

const ADMIN = "/api/v2/admin";
/** Path of the audit trail. */
export const ACTS = `${ADMIN}/acts`;

/** An adjustment that another operator has asked for. */
const ASKED: PendingAct = {
  asked: { kind: "adjustment", uid: UIDS.bob, currency: "btc", amount: 10n ** 16n },
  action: "createAdjustment",
  target: {},
  changes: {},
  reason: "gift",
  member: UIDS.bob,
  first: { uid: "ID0000000001", kid: "another" },
  at: 1,
};

/** An act as operators read it. */
export interface ActJson {
  readonly id: number;
  readonly action: string | null;
  readonly target: Record<string, string>;
  readonly changes: Record<string, unknown>;
  readonly reason: string | null;
  readonly member: string | null;
  readonly made: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reads the audit trail. */
export async function acts(venue: TestVenue, query = ""): Promise<ActJson[]> {
  const { status, body } = await venue.get("operator", `${ACTS}${query}`);
  assertEquals(status, 200);
  return body;
}

/** Makes a writing call as an operator. */
export function write(
  venue: TestVenue,
  method: string,
  path: string,
  json?: unknown,
): Promise<Answer> {
  return venue.call("operator", method, `${ADMIN}${path}`, json === undefined ? {} : { json });
}

/** Creates the key of who has asked. */
async function createAnother(venue: TestVenue): Promise<void> {
  const { uid, kid } = ASKED.first;
  const terms = { role: "operator", scopes: ["read", "trade"], nonceMode: "single" } as const;
  const row = await venue.credentials.create("another", "another-secret", []);
  const create = { kind: "create_key", uid, kid: kid ?? "", ...terms } as const;
  const outcome = await venue.engine.submit(create, null, () => [row]);
  assert(!isRejection(outcome));
}

/** Calls every writing endpoint of operators; returns the ids of the endpoints in order. */
export async function writeEverything(venue: TestVenue): Promise<string[]> {
  const done: string[] = [];
  const call = async (id: string, method: string, path: string, json?: unknown) => {
    const answer = await write(venue, method, path, json);
    assert(answer.status < 300, `${id}: ${answer.status} ${answer.text}`);
    done.push(id);
    return answer;
  };
  const { body: member } = await call("createMember", "POST", "/members", { email: "c@d.example" });
  const path = `/members/${member.uid}`;
  await call("changeMember", "PATCH", path, { level: 2 });
  await call("unlockMember", "POST", `${path}/unlock`);
  await venue.identity.seedTwoFactor(member.uid, "JBSWY3DPEHPK3PXP");
  await createAnother(venue);
  for (const [id, verb] of [[901, "approve"], [902, "refuse"]] as const) {
    await venue.engine.writeSidecar({ key: pendingActKey(id), value: ASKED });
    const path = `/approvals/${id}/${verb}`;
    await call(`${verb}PendingAct`, "POST", path, { reason: "a test" });
  }
  await call("setOperatorRole", "PUT", `${path}/operator_role`, { role: "viewer" });
  await call("removeOperatorRole", "DELETE", `${path}/operator_role`);
  await call("addMemberNote", "POST", `${path}/notes`, { text: "a test" });
  const moved = { email: "moved@d.example", reason: "a test" };
  await call("changeMemberEmail", "PUT", `${path}/email`, moved);
  const origin = { address: "192.0.2.7", userAgent: "test" };
  const { id: signedIn } = await venue.identity.sessions.begin(UIDS.alice, origin);
  await call("endMemberSession", "DELETE", `/members/${UIDS.alice}/sessions/${signedIn}`);
  await call("endMemberSessions", "DELETE", `/members/${UIDS.alice}/sessions`);
  const own = await activeBeneficiary(venue, "alice", { data: { address: "sandbox-btc-9" } });
  await call("disableBeneficiary", "DELETE", `/members/${UIDS.alice}/beneficiaries/${own}`);
  await call("cancelMemberOrders", "POST", `${path}/orders/cancel`, { side: "buy" });
  const key = await call("createApiKey", "POST", `${path}/api_keys`, { scopes: ["read"] });
  const keyPath = `${path}/api_keys/${key.body.kid}`;
  await call("changeApiKey", "PATCH", keyPath, { ip_allow_list: ["203.0.113.7"] });
  await call("deleteApiKey", "DELETE", keyPath);
  await writeCurrency(call);
  await resumeSepolia(venue, call);
  const market = { base_unit: "xyz", quote_unit: "usdt", price_precision: 2, amount_precision: 2 };
  await call("createMarket", "POST", "/markets", market);
  await call("cancelMarketOrders", "POST", "/markets/xyzusdt/orders/cancel");
  await call("changeMarket", "PATCH", "/markets/xyzusdt", { state: "halted" });
  const adjustment = { uid: UIDS.alice, currency: "btc", amount: "1", reason: "gift" };
  await call("createAdjustment", "POST", "/adjustments", adjustment);
  await call("setTradingFee", "POST", "/trading_fees", { maker: "0.001", taker: "0.002" });
  await call("deleteTradingFee", "DELETE", "/trading_fees/any/any");
  await call("setMemberLevels", "PUT", "/member_levels", { deposit: 0, withdraw: 0, trading: 0 });
  await call("setMemberClasses", "PUT", "/member_classes", { groups: ["vip"], level_max: 3 });
  const limits = { limit_24_hour: "1", limit_1_month: "1" };
  await call("setWithdrawLimit", "POST", "/withdraw_limits", limits);
  await call("deleteWithdrawLimit", "DELETE", "/withdraw_limits/any/any");
  await call("setWithdrawLimit", "POST", "/withdraw_limits", limits);
  await call("setSwitches", "PATCH", "/switches", { trading: true });
  await call("setSettings", "PATCH", "/settings", { price_band: "off" });
  const deposit = { uid: UIDS.alice, currency: "btc", amount: "1" };
  await call("enterDeposit", "POST", "/deposits", deposit);
  await call("acceptDeposit", "POST", "/deposits/1/accept");
  for (const action of ["process", "collect"] as const) {
    await venue.engine.submit({ kind: "change_deposit", id: 1, action }, null);
  }
  await call("reverseDeposit", "POST", "/deposits/1/reverse", { reason: "a mistake" });
  await call("enterDeposit", "POST", "/deposits", deposit);
  await call("rejectDeposit", "POST", "/deposits/3/reject");
  await writeWithdraws(venue, call);
  await call("paySandboxDeposit", "POST", "/sandbox/deposits", deposit);
  const payouts = { currency: "btc", address: "*", outcome: "fail", times: 1 };
  await call("setSandboxPayouts", "POST", "/sandbox/payouts", payouts);
  const reorganisation = { currency: "btc", blocks: 1, transactions: "drop" };
  await call("reorganiseSandbox", "POST", "/sandbox/reorganise", reorganisation);
  return done;
}

type Write = (id: string, method: string, path: string, json?: unknown) => Promise<Answer>;

async function resumeSepolia(venue: TestVenue, call: Write): Promise<void> {
  const path = "/wallets/networks/sepolia/resume";
  venue.resumeNetwork = async (_network, _height, begin) => {
    await begin();
    return "resumed";
  };
  await call("resumeNetwork", "POST", path, { from_height: 7, reason: "a test" });
}

async function writeCurrency(call: Write): Promise<void> {
  const path = "/currencies/xyz";
  await call("createCurrency", "POST", "/currencies", { id: "xyz" });
  await call("changeCurrency", "PATCH", path, { visible: false });
  await call("addCurrencyNetwork", "POST", `${path}/networks`, { network: "sepolia" });
  await call("changeCurrencyNetwork", "PATCH", `${path}/networks/sepolia`, { hot_limit: "5" });
}

async function writeWithdraws(
  venue: TestVenue,
  call: (id: string, method: string, path: string) => Promise<Answer>,
): Promise<void> {
  const alice = await Withdrawer.of(venue, "alice");
  const [rejected, failed, succeeded] = [
    await alice.must("1"),
    await alice.must("1"),
    await alice.must("1"),
  ];
  const { id } = await alice.must("1", { isByHand: true });
  await call("approveWithdraw", "POST", `/withdraws/${id}/approve`);
  await call("handOverWithdraw", "POST", `/withdraws/${id}/hand_over`);
  await call("rejectWithdraw", "POST", `/withdraws/${rejected.id}/reject`);
  for (const { id } of [failed, succeeded]) {
    await call("approveWithdraw", "POST", `/withdraws/${id}/approve`);
    for (const [claims, action] of (["claim", "park"] as const).entries()) {
      const command = { kind: "change_withdraw", id, action, claims } as const;
      assert(!isRejection(await venue.engine.submit(command, null)));
    }
  }
  await call("retryWithdraw", "POST", `/withdraws/${failed.id}/retry`);
  // It cannot fail as long as somebody may be sending it.
  venue.clock.now += CLAIM_LIFE_MS + 1;
  await call("failWithdraw", "POST", `/withdraws/${failed.id}/fail`);
  await call("succeedWithdraw", "POST", `/withdraws/${succeeded.id}/succeed`);
  await call("returnWithdraw", "POST", `/withdraws/${succeeded.id}/return`);
}
