/** Ids that a fuzzing client has seen in answers, by what they identify. */
import type { Prng } from "../support/prng.ts";

const KEPT_MAX = 60;

/** Collections whose ids later calls use; a path belongs to the last one that it names. */
const COLLECTIONS = [
  "orders",
  "orders_by_id",
  "trades",
  "beneficiaries",
  "withdraws",
  "deposits",
  "sessions",
  "currencies",
  "markets",
  "api_keys",
  "members",
  "balances",
  "tickers",
] as const;

/** Names of ids that mean the same in all collections. */
const EVERYWHERE = new Set([
  "uuid",
  "uid",
  "kid",
  "txid",
  "rid",
  "client_order_id",
  "address",
  "code",
  "secret",
  "sequence",
]);

/** The latest values by name. */
export class KnownValues {
  readonly #values = new Map<string, string[]>();

  /** Adds a value. */
  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    this.#values.set(name, values);
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > KEPT_MAX) values.splice(1 + (values.length % (KEPT_MAX - 1)), 1);
  }

  /** Returns one of the values, often the latest; null if none is known. */
  pick(prng: Prng, name: string): string | null {
    const values = this.#values.get(name);
    if (values === undefined) return null;
    return prng.chance(0.4) ? values.at(-1) ?? null : prng.pick(values);
  }

  /** Adds the ids of an answer and their owners. */
  learn(path: string, caller: string, value: unknown): void {
    this.#walk(collectionOf(path), caller, value, 0);
  }

  #walk(collection: string, caller: string, value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || depth > 4) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.#walk(collection, caller, item, depth + 1);
      return;
    }
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === "object") {
        this.#walk(collection, caller, one, depth + 1);
      } else if (typeof one === "string" || typeof one === "number") {
        const known = name === "id" ? `${collection}.id` : name;
        if (name !== "id" && !EVERYWHERE.has(name)) continue;
        this.add(known, String(one));
        this.add(`${known} of ${caller}`, String(one));
      }
    }
  }
}

/** Returns the collection that the ids of a path belong to. */
export function collectionOf(path: string): string {
  const named = path.split("/").filter((part) => (COLLECTIONS as readonly string[]).includes(part));
  const last = named.at(-1) ?? "";
  return last === "orders_by_id" ? "orders" : last === "balances" ? "currencies" : last;
}
