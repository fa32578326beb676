/** Creates values that fit a schema, using values known from the venue where a name requires it. */
import type { Prng } from "../support/prng.ts";
import type { Contract, Schema } from "./documented_operation.ts";
import type { KnownValues } from "./known_values.ts";
import { RawJson } from "./odd_values.ts";

/** The sources of values. */
export interface ValueSource {
  readonly prng: Prng;
  readonly contract: Contract;
  readonly known: KnownValues;
  /** Returns the present, in seconds. */
  now(): number;
  /** Returns a code of the caller's second factor, usually an unused one. */
  otp(): string;
  /** Returns who will make the call. */
  caller(): string;
}

const DECIMALS = ["1", "0.1", "0.25", "2", "10", "0.5", "3", "0.01", "100"] as const;
const PRICES = ["99", "100", "100", "101", "102", "98", "9120", "0.5"] as const;
const RATES = ["0.002", "0", "0.001", "0.01"] as const;
const WORDS = ["cold wallet", "a note", "x", "Zoë Ünal", "btc", "a,b", '="x"'] as const;

/** Creates values for names whose meaning the schema does not show. */
const BY_NAME: Readonly<Record<string, (source: ValueSource) => unknown>> = {
  market: marketId,
  market_id: marketId,
  pair: pairName,
  ticker_id: pairName,
  symbol: marketId,
  resolution: ({ prng }) => prng.pick(["1", "60", "1D", "W"]),
  currency: currencyId,
  base_unit: currencyId,
  quote_unit: currencyId,
  pnl_currency: currencyId,
  "search[currency_code]": currencyId,
  uid: (source) => known(source, "uid"),
  txid: (source) => known(source, "txid"),
  rid: (source) => known(source, "rid"),
  address: (source) => known(source, "address"),
  beneficiary_id: (source) => Number(own(source, "beneficiaries.id")) || 1,
  pin: (source) => Number(known(source, "code")) || 123456,
  token: (source) => known(source, "code"),
  reset_password_token: (source) => known(source, "code"),
  otp: (source) => source.otp(),
  otp_code: (source) => source.otp(),
  totp_code: (source) => source.otp(),
  code: (source) => source.otp(),
  email: (source) =>
    source.prng.chance(0.5) ? known(source, "email") : `m${source.prng.below(1e6)}@example.org`,
  password: (source) => known(source, "password"),
  old_password: (source) => known(source, "password"),
  new_password: (source) => known(source, "password"),
  confirm_password: (source) => known(source, "password"),
  price: ({ prng }) => decimal(prng, PRICES),
  trigger_price: ({ prng }) => decimal(prng, PRICES),
  maker: ({ prng }) => prng.pick(RATES),
  taker: ({ prng }) => prng.pick(RATES),
  group: ({ prng }) => prng.pick(["any", "vip-0", "vip-1"]),
  level: ({ prng }) => prng.pick([3, 3, 0, 1, 2, 99]),
  kyc_level: ({ prng }) => prng.pick(["any", "3", 3, "0", 99]),
  timeout: ({ prng }) => prng.pick([0, 1, 60, 3600]),
  time_from: time,
  time_to: time,
  timestamp: time,
  data: beneficiaryData,
  ip_allow_list: ({ prng }) => prng.pick([[], ["10.0.0.0/8"], ["203.0.113.1"], ["::1"]]),
  id: (source) => source.prng.chance(0.5) ? currencyId(source) : `c${source.prng.below(40)}`,
};

/** Returns a value that fits the schema. */
export function fittingValue(source: ValueSource, name: string, given: Schema): unknown {
  const { prng, contract } = source;
  const schema = contract.resolve(given);
  const byName = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (byName !== undefined && schema["enum"] === undefined && schema["type"] !== "boolean") {
    return byName(source);
  }
  const options = schema["anyOf"] as Schema[] | undefined;
  if (options !== undefined) return fittingValue(source, "", prng.pick(options));
  const words = schema["enum"] as unknown[] | undefined;
  if (words !== undefined) return prng.pick(words);
  if ("const" in schema) return schema["const"];
  const [type] = [schema["type"]].flat();
  switch (type) {
    case "object":
      return fittingObject(source, schema);
    case "array":
      return fittingArray(source, schema);
    case "boolean":
      return prng.chance(0.7);
    case "integer":
      return whole(prng, schema);
    default:
      return schema["format"] === "decimal" ? decimal(prng, DECIMALS) : text(source, schema);
  }
}

function fittingObject(source: ValueSource, schema: Schema): Record<string, unknown> {
  const required = new Set(schema["required"] as string[] | undefined);
  const fields = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>)
    .filter(([name]) => required.has(name) || source.prng.chance(name === "price" ? 0.9 : 0.3))
    .map(([name, one]) => [name, fittingValue(source, name, one)]);
  const object: Record<string, unknown> = Object.fromEntries(fields);
  if ("confirm_password" in object && source.prng.chance(0.9)) {
    object["confirm_password"] = object["new_password"] ?? object["password"];
  }
  return object;
}

function fittingArray(source: ValueSource, schema: Schema): unknown[] {
  const items = source.contract.resolve((schema["items"] ?? {}) as Schema);
  const isIds = items["format"] === "uuid" || items["type"] === "integer";
  return Array.from({ length: source.prng.between(1, 4) }, () => {
    if (!isIds) return fittingValue(source, "", items);
    return items["type"] === "integer"
      ? Number(known(source, "orders.id")) || 1
      : known(source, source.prng.chance(0.8) ? "uuid" : "client_order_id");
  });
}

/** Returns one of the caller's own values if one is known. */
export function own(source: ValueSource, name: string): string {
  const { prng, known: values } = source;
  const mine = prng.chance(0.9) ? values.pick(prng, `${name} of ${source.caller()}`) : null;
  return mine ?? known(source, name);
}

function known({ known, prng }: ValueSource, name: string): string {
  return known.pick(prng, name) ?? `${name}-1`;
}

function marketId(source: ValueSource): string {
  return source.prng.chance(0.7) ? "btcusdt" : known(source, "markets.id");
}

function pairName({ prng }: ValueSource): string {
  return prng.pick(["BTC_USDT", "eth_usdt", "BTC_XYZ"]);
}

function currencyId(source: ValueSource): string {
  return source.prng.chance(0.6)
    ? source.prng.pick(["btc", "usdt", "eth"])
    : known(source, "currencies.id");
}

function decimal(prng: Prng, choices: readonly string[]): unknown {
  const chosen = prng.pick(choices);
  return prng.chance(0.2) ? new RawJson(chosen) : chosen;
}

function time({ prng, now }: ValueSource): number {
  return prng.pick([0, now() - 86_400, now() - 60, now(), now() + 60]);
}

function beneficiaryData({ prng }: ValueSource): unknown {
  const address = `bc1q${prng.below(1_000_000).toString(36).padStart(20, "x")}`;
  return prng.pick([{ address }, { address, memo: "7" }, JSON.stringify({ address }), {
    full_name: "Zoë Ünal",
    account_number: "DE02120300000000202051",
    bank_name: "Bank",
  }]);
}

function whole(prng: Prng, schema: Schema): number {
  const low = Number(schema["minimum"] ?? 0);
  const high = Number(schema["maximum"] ?? 1_000_000);
  if (prng.chance(0.15)) return prng.pick([low, high]);
  return prng.between(Math.max(low, 0), Math.min(high, Math.max(low, 0) + 5));
}

function text({ prng, known }: ValueSource, schema: Schema): string {
  const examples = schema["examples"] as unknown[] | undefined;
  if (examples !== undefined && prng.chance(0.5)) return String(prng.pick(examples));
  if (schema["pattern"] === "^[A-Za-z0-9_-]+$") return `my-${prng.below(200)}`;
  if (schema["format"] === "uuid") return known.pick(prng, "uuid") ?? crypto.randomUUID();
  return prng.pick(WORDS);
}
