/** Schemas of operators' calls about orders. */
import * as z from "zod";
import { OBJECT } from "../fields.ts";
import { CANCEL_FILTER } from "../orders.ts";

/** What a call that cancels members' orders has done. */
export const ORDERS_CANCELLED = z.object({
  cancelled: z.int().meta({ description: "Number of orders that the call cancelled." }),
}).meta({ id: "OrdersCancelled", description: "Orders cancelled by an operator." });

/** Which of a member's open orders to cancel; a schema of its own, to which a reason is added. */
export const SWEEP_FILTER = z.object(CANCEL_FILTER.shape, OBJECT).meta({
  id: "SweepFilter",
  description: "Which open orders to cancel; both fields are optional.",
});
