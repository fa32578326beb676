import type { OrderLimits } from "../../src/domain/command.ts";

/** What a venue allows of new orders unless it is set up otherwise. */
export const ORDER_LIMITS: OrderLimits = {
  bulkOrdersMax: 100,
  openOrdersMax: 1000,
  untradedOrdersMax: 0,
  priceBandBps: 0,
};
