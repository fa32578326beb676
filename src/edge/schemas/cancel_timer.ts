/** Schemas of the call that sets a cancel timer. */
import * as z from "zod";
import { CANCEL_TIMER_MS_MAX, CANCEL_TIMER_MS_MIN } from "../../domain/limits.ts";
import { decimal, OBJECT } from "./fields.ts";

const INVALID_TIMEOUT = "market.order.invalid_timeout";

/** Decimals are parsed to ledger units of 10⁻¹⁶. */
const UNITS_PER_MS = 10n ** 13n;

const timeout = decimal({ prefix: "market.order", name: "timeout" }, {
  description: `Seconds from now, with up to three decimals: ${CANCEL_TIMER_MS_MIN / 1000} to ` +
    `${CANCEL_TIMER_MS_MAX / 1000}; 0 clears the timer.`,
  example: 60,
});

/** The request, with its timeout in ms. */
export const CANCEL_TIMER = z.object({
  timeout: timeout.transform((units, context) => {
    const ms = Number(units / UNITS_PER_MS);
    const isWhole = units % UNITS_PER_MS === 0n;
    if (isWhole && (ms === 0 || (ms >= CANCEL_TIMER_MS_MIN && ms <= CANCEL_TIMER_MS_MAX))) {
      return ms;
    }
    context.addIssue({ code: "custom", message: INVALID_TIMEOUT });
    return z.NEVER;
  }),
}, OBJECT);

/** The timer after the request. */
export const CANCEL_TIMER_SET = z.object({
  current_time: z.string().meta({
    description: "The venue's time, from which the timeout counts.",
    examples: ["2020-03-02T10:51:00.250Z"],
  }),
  trigger_time: z.string().nullable().meta({
    description: "Time when all orders are cancelled; null if the timer is cleared.",
    examples: ["2020-03-02T10:52:00.250Z"],
  }),
}).meta({ id: "CancelTimer", description: "A cancel timer after the request." });
