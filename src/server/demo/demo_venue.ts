/** What the demo venue holds. Its keys are public, so it serves a loopback address only. */
import type { CurrencyDefinition, MarketDefinition } from "../../domain/command.ts";
import type { Levels } from "../../domain/event.ts";
import { parseDecimal } from "../../domain/money/money.ts";
import { assert } from "../../domain/assert.ts";
import { ANY_GROUP } from "../../domain/group_table.ts";
import { ANY_LEVEL, type WithdrawLimit } from "../../domain/money/withdraw_limits.ts";
import type { Venue } from "../../domain/venue.ts";
import type { MemberPlan } from "./member_setup.ts";

/** Access key of the demo's first member. */
export const DEMO_FIRST_KID = "demo-alice";

/** Access key of the demo's operator. */
export const DEMO_OPERATOR_KID = "demo-operator";

/** Two-factor secret of the demo's members, in base32. */
export const DEMO_OTP_SECRET = "JBSWY3DPEHPK3PXP";

/** Maker and taker fee, in parts per million. */
export const DEMO_FEE_PPM = 2_000;

/** Minimum member levels. */
export const DEMO_LEVELS: Levels = { deposit: 1, withdraw: 3, trading: 2 };

/** What a member may withdraw without the operator's approval, in the platform's currency. */
export const DEMO_WITHDRAW_LIMIT: WithdrawLimit = {
  level: ANY_LEVEL,
  group: ANY_GROUP,
  limit24h: ledgerAmount("100000"),
  limit1m: ledgerAmount("3000000"),
};

/** Currencies that profit and loss is kept in unless the setting names others. */
export const DEMO_PNL_CURRENCIES: readonly string[] = ["usdt", "btc"];

/** Currencies in the order of creation. */
export const DEMO_CURRENCIES: readonly CurrencyDefinition[] = [
  currency("btc", "Bitcoin", 8, "20000", "0.0001", "https://bitcoin.org", 1),
  currency("eth", "Ethereum", 8, "1000", "0.001", "https://ethereum.org", 2),
  currency("usdt", "Tether USD", 6, "1", "1", "https://tether.to", 3),
  {
    ...currency("bch", "Bitcoin Cash", 8, "400", "0.001", "https://bitcoincash.org", 4),
    nameForm: "cash",
  },
];

/** Markets in the order of creation. */
export const DEMO_MARKETS: readonly MarketDefinition[] = [
  market("btc", "usdt", { pricePrecision: 2, amountPrecision: 6 }, "0.01", "0.0001", 1),
  market("eth", "usdt", { pricePrecision: 2, amountPrecision: 5 }, "0.01", "0.001", 2),
  market("eth", "btc", { pricePrecision: 6, amountPrecision: 4 }, "0.000001", "0.001", 3),
  market("bch", "usdt", { pricePrecision: 2, amountPrecision: 5 }, "0.01", "0.001", 4),
];

/** A member of the demo and its key, whose secret is the access key with `-secret` appended. */
export interface DemoMember extends MemberPlan {
  readonly kid: string;
  readonly isOperator: boolean;
  /** Signs in together with a second factor; null for a member that does not sign in. */
  readonly password: string | null;
  /** Currency → amount in coins. */
  readonly balances: Readonly<Record<string, string>>;
}

const TRADER_BALANCES = { btc: "100", eth: "1000", usdt: "10000000", bch: "1000" };

/** Members in the order of creation; the operator's key is created last of all. */
export const DEMO_MEMBERS: readonly DemoMember[] = [
  trader("IDA11CE00001", "alice"),
  trader("IDB0B0000001", "bob"),
  {
    uid: "ID0000000001",
    email: "operator@demo.invalid",
    level: 3,
    kid: DEMO_OPERATOR_KID,
    isOperator: true,
    password: "Demo-operator-1",
    balances: {},
  },
];

/** Quotes on all markets, if the demo has bots. */
export const DEMO_MAKER: DemoMember = bot("IDB07A000001", "maker", {
  btc: "500",
  eth: "8000",
  usdt: "30000000",
  bch: "10000",
});

/** Trade with whoever quotes, if the demo has bots. */
export const DEMO_TAKERS: readonly DemoMember[] = [1, 2, 3].map((number) =>
  bot(`IDB07B00000${number}`, `taker-${number}`, {
    btc: "50",
    eth: "800",
    usdt: "3000000",
    bch: "1500",
  })
);

/** Returns whether an access key is one of the demo's, whose secrets are public. */
export function isDemoKid(kid: string): boolean {
  return [...DEMO_MEMBERS, DEMO_MAKER, ...DEMO_TAKERS].some((member) => member.kid === kid);
}

/** Returns the secret of a demo key. */
export function demoSecret(kid: string): string {
  return `${kid}-secret`;
}

/** Returns whether the store holds the demo, even a part: its first member's key comes first. */
export function isDemoVenue({ keyByKid }: Pick<Venue, "keyByKid">): boolean {
  return keyByKid.has(DEMO_FIRST_KID);
}

/** Parses an amount into ledger units. */
export function ledgerAmount(text: string): bigint {
  const amount = parseDecimal(text);
  assert(amount !== null, `"${text}" is an amount`);
  return amount;
}

function trader(uid: string, name: string): DemoMember {
  return {
    uid,
    email: `${name}@demo.invalid`,
    level: 3,
    kid: `demo-${name}`,
    isOperator: false,
    password: `Demo-${name}-1`,
    balances: TRADER_BALANCES,
  };
}

function bot(uid: string, name: string, balances: DemoMember["balances"]): DemoMember {
  return { ...trader(uid, name), password: null, balances };
}

function currency(
  id: string,
  name: string,
  precision: number,
  price: string,
  leastAmount: string,
  homepage: string,
  position: number,
): CurrencyDefinition {
  return {
    id,
    name,
    description: `${name} of the demo venue`,
    homepage,
    type: "coin",
    nameForm: "common",
    precision,
    price: ledgerAmount(price),
    position,
    visible: true,
    depositEnabled: true,
    withdrawalEnabled: true,
    tradingEnabled: true,
    depositFee: 0n,
    minDepositAmount: ledgerAmount(leastAmount),
    withdrawFee: 0n,
    minWithdrawAmount: ledgerAmount(leastAmount),
    withdrawLimit24h: null,
    withdrawLimit72h: null,
    minConfirmations: 2,
    explorerTransaction: "",
    explorerAddress: "",
    iconUrl: "",
  };
}

function market(
  base: string,
  quote: string,
  precision: Pick<MarketDefinition, "pricePrecision" | "amountPrecision">,
  minPrice: string,
  minAmount: string,
  position: number,
): MarketDefinition {
  return {
    base,
    quote,
    ...precision,
    minPrice: ledgerAmount(minPrice),
    maxPrice: 0n,
    minAmount: ledgerAmount(minAmount),
    minTotal: 0n,
    state: "enabled",
    position,
  };
}
