/** Lines about payouts in the log of a process, which outlive a store that is restored. */
import { z } from "zod";
import { formatDecimal } from "../domain/money/money.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import type { Logger } from "./logger.ts";

const PAYOUT = "payout";
const HEAD = "head";

const LOGGED_PAYOUT = z.object({
  /** Id of the withdrawal. */
  withdraw: z.number(),
  uid: z.string(),
  /** Currency code. */
  currency: z.string(),
  /** Decimal. */
  amount: z.string(),
  state: z.string(),
  /** Empty before it is sent. */
  txid: z.string(),
  /** Stamped time of its event, in ms. */
  stamped: z.number(),
});
const LOGGED_HEAD = z.object({ epoch: z.string(), sequence: z.number() });

/** A payout as a line tells of it; a withdrawal may have several, the last one counts. */
export type LoggedPayout = Readonly<z.output<typeof LOGGED_PAYOUT>>;

/** What lines tell of a venue. */
export interface LoggedVenue {
  /** By id of the withdrawal. */
  readonly payouts: ReadonlyMap<number, LoggedPayout>;
  /** The highest sequence of each epoch that the lines tell of. */
  readonly heads: ReadonlyMap<string, number>;
}

/** Logs each payout when it is begun, sent and done, whoever does it. */
export function logPayouts(
  engine: Pick<Engine, "onEvent" | "venue">,
  log: Pick<Logger, "record">,
): void {
  engine.onEvent((event, _sequence, at) => {
    if (event.kind !== "withdraw_set" || !isPaid(event.withdraw)) return;
    const { id, amount, state, txid, currency, member } = event.withdraw;
    const payout: LoggedPayout = {
      withdraw: id,
      uid: engine.venue.holder(member).member.uid,
      currency: engine.venue.currency(currency).id,
      amount: formatDecimal(amount),
      state,
      txid,
      stamped: at,
    };
    log.record(PAYOUT, { ...payout });
  });
}

function isPaid({ confirmations, state }: Withdraw): boolean {
  // Later ones only count confirmations.
  if (state === "confirming") return confirmations === 0;
  return state === "processing" || state === "succeed";
}

/** Reads lines of a log; what others have written between them, and before each, is passed over. */
export function readLogged(text: string): LoggedVenue {
  const payouts = new Map<number, LoggedPayout>();
  const heads = new Map<string, number>();
  for (const line of text.split("\n")) {
    const fields = fieldsOf(line);
    if (fields.event === PAYOUT) {
      const { data } = LOGGED_PAYOUT.safeParse(fields);
      if (data !== undefined) payouts.set(data.withdraw, data);
    } else if (fields.event === HEAD) {
      const { data } = LOGGED_HEAD.safeParse(fields);
      if (data !== undefined) {
        heads.set(data.epoch, Math.max(data.sequence, heads.get(data.epoch) ?? 0));
      }
    }
  }
  return { payouts, heads };
}

/** Returns the fields of a line that is of interest; a journal writes before each what it likes. */
function fieldsOf(line: string): Record<string, unknown> {
  const start = line.indexOf("{");
  if (start < 0 || !(line.includes(`"${PAYOUT}"`) || line.includes(`"${HEAD}"`))) return {};
  try {
    return JSON.parse(line.slice(start));
  } catch {
    return {};
  }
}
