/** Parses the names of orders: id, uuid, or `client:<id>`. */
import type { OrderName } from "../../domain/command.ts";
import { CLIENT_ORDER_ID_LENGTH_MAX } from "../../domain/limits.ts";
import type { Engine } from "../../engine/engine.ts";
import { type ApiError, invalidField } from "../errors.ts";

const DIGITS = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CLIENT = new RegExp(`^client:([A-Za-z0-9_-]{1,${CLIENT_ORDER_ID_LENGTH_MAX}})$`);

/** An id that no order has: they are counted from one. */
const NO_ORDER = 0;

/** Kinds of names that a call accepts. */
export type NameKind = "id" | "uuid" | "client";

/**
 * Parses a name; a uuid of another venue names an order that does not exist.
 *
 * @returns null if it is none of the kinds
 */
export function parseOrderName(
  engine: Engine,
  name: string,
  kinds: readonly NameKind[],
): OrderName | null {
  if (kinds.includes("id") && DIGITS.test(name)) {
    const id = Number(name);
    return { id: Number.isSafeInteger(id) ? id : NO_ORDER };
  }
  if (kinds.includes("uuid") && UUID.test(name)) {
    return { id: engine.idOf(name.toLowerCase()) ?? NO_ORDER };
  }
  const client = kinds.includes("client") ? CLIENT.exec(name)?.[1] : undefined;
  return client === undefined ? null : { clientOrderId: client };
}

/** Error identifier for an invalid name, in the family's own spelling. */
export const INVALID_NAME = "market.order.invaild_id_or_uuid";

/** Returns the error for an invalid name. */
export function invalidNameError(name: string): ApiError {
  return invalidField(INVALID_NAME, "id", name);
}

/** Returns the id of the member's order with that name, or null if a client order id is unknown. */
export async function orderIdOf(
  engine: Engine,
  member: number,
  name: OrderName,
): Promise<number | null> {
  return "id" in name ? name.id : await engine.orderIdByClient(member, name.clientOrderId);
}
