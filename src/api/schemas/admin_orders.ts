/** Schemas of operators' calls about orders. */
import * as z from "zod";

/** What a call that cancels members' orders has done. */
export const ORDERS_CANCELLED = z.object({
  cancelled: z.int().meta({ description: "Number of orders that the call cancelled." }),
}).meta({ id: "OrdersCancelled", description: "Orders cancelled by an operator." });
