/**
 * Restores a venue from a copy, ends all sessions, and lists what may have been paid since that was
 * made.
 */
import type { Config } from "./config.ts";
import { formatDecimal } from "../domain/money/money.ts";
import type { CopyEnd } from "../domain/event.ts";
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import { readRestores } from "../engine/start/restores.ts";
import { openEngine } from "../engine/start/open_engine.ts";
import { type RestoredCopy, runRestore } from "./restore.ts";
import { within } from "../engine/within.ts";
import { endAllSessions } from "../identity/member_sessions.ts";
import { sealingCheck } from "../secrets/sealing_mark.ts";
import { type LoggedPayout, type LoggedVenue, readLogged } from "./logged_payouts.ts";
import { sandboxOf } from "./venue_wallet.ts";
import { payoutId, type Rail } from "../wallet/rails/rail.ts";
import { ConfigError } from "./config_error.ts";

/** Time limit for an answer of the rail, in ms. */
const RAIL_MS_MAX = 10_000;

/** What a restore has to say. */
export interface Restoring {
  readonly copy: RestoredCopy;
  readonly lines: readonly string[];
}

/**
 * Restores the venue in the store of the settings.
 *
 * @throws {ConfigError} a log that is named can't be read; nothing is changed then
 */
export async function restoreVenue(config: Config): Promise<Restoring> {
  const texts = await Promise.all(config.logFiles.map(logText));
  const logged = readLogged(texts.join("\n"));
  const copy = await runRestore(config.kvPath, Date.now, sealingCheck(config.masterKeys));
  if (!copy.isBegun) return { copy, lines: [] };
  const { clientOrderIdsMax, kvPath, settings } = config;
  const engine = await openEngine({ clientOrderIdsMax, kvPath, settings });
  try {
    // Among those of the copy are some that were ended since.
    await endAllSessions(engine);
    const rail = sandboxOf(engine.venue.settings.walletRail, engine);
    const paid = await payoutLines(engine, rail, copy, logged);
    const addresses = await addressLines(engine);
    return { copy, lines: [...lossLines(copy, logged), ...paid, ...addresses, ...NEXT_STEPS] };
  } finally {
    await engine.close();
  }
}

async function logText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `--log names "${path}", which cannot be read: ${reason}. Nothing was changed`;
    throw new ConfigError(message, { cause: error });
  }
}

const NEXT_STEPS = [
  "A new epoch has begun: processes that still hold the old one write no more. Trading and " +
  "withdrawals are stopped. All sessions have ended: people sign in again.",
  "Undone is also what was done for safety since the copy, of which nothing here knows. Do it again " +
  "before opening: API keys that were deleted, disabled or confined are in force as they were, " +
  "members that were locked or banned are let in, and passwords, second factors and mailboxes that " +
  "were changed are the former ones, also where the former were stolen.",
  "Settle what was paid before you open again. In whatever state the copy has it, a withdrawal that " +
  "was paid ends with its transaction: POST /api/v2/admin/withdraws/{id}/succeed with txid and reason. " +
  "For one that the copy does not know, make an adjustment. Of a coin on a network, what the copy knows " +
  "and no payment of is parked at the next start, and waits for your decision; look for it with a " +
  "block explorer. All else is paid once withdrawals are open: PATCH /api/v2/admin/switches.",
];

/** Tells where the addresses are of members who join from now on, if coins live on networks. */
async function addressLines(engine: Engine): Promise<string[]> {
  const last = (await readRestores(engine))?.branches.at(-1);
  if (last === undefined || engine.venue.currencies.every(({ networks }) => !networks)) return [];
  const { branch, from } = last;
  return [
    `Members who join from now on have their addresses at m/…/${branch}/n, n from ${from} on. What is ` +
    "paid to addresses of members whom the copy does not know is credited to nobody.",
  ];
}

/** Tells how much of the log is lost. */
function lossLines({ end, first }: RestoredCopy, { heads }: LoggedVenue): string[] {
  const text = ({ at, epoch, reached, sequence }: CopyEnd) => {
    const once = Math.max(reached, heads.get(epoch) ?? 0);
    const lost = once > sequence
      ? `the log was at ${once} at least: ${once - sequence} events or more are lost`
      : "nothing tells that the log was any further";
    return `ends at ${sequence}, at ${new Date(at).toISOString()}; ${lost}.`;
  };
  if (first === end) return [`The copy ${text(end)}`];
  const isFurther = Math.max(end.reached, heads.get(end.epoch) ?? 0) > end.sequence;
  return [
    `It was restored before, and withdrawals were not opened since. The copy of then ${
      text(first)
    }`,
    ...(isFurther ? [`What was put back now ${text(end)}`] : []),
  ];
}

/** Lists what the copy owes, with what rail and log say of it, and what only the log knows. */
async function payoutLines(
  engine: Engine,
  rail: Rail | null,
  { first: { at } }: RestoredCopy,
  { payouts }: LoggedVenue,
): Promise<string[]> {
  const later = [...payouts.values()].filter(({ stamped }) => stamped > at);
  const logged = new Map(later.map((payout) => [payout.withdraw, payout]));
  const lines: string[] = [];
  for (const withdraw of engine.venue.withdraws.values()) {
    const said = [await saidByRail(engine, rail, withdraw), saidByLog(logged.get(withdraw.id))];
    lines.push(`${openText(engine, withdraw)}: ${said.filter((text) => text !== "").join("; ")}`);
  }
  for (const payout of later.filter(({ withdraw }) => !engine.venue.withdraws.has(withdraw))) {
    const { amount, currency, uid, withdraw } = payout;
    // An operator has settled it since it was restored before.
    if ((await engine.withdraw(withdraw))?.state === "succeed") continue;
    lines.push(
      `may be paid: withdrawal ${withdraw} of ${uid}, ${amount} ${currency}, not open in the ` +
        `copy: ${saidByLog(payout)}`,
    );
  }
  return lines.length === 0 ? ["Nothing is known that may have been paid since."] : lines;
}

function openText(engine: Engine, { amount, currency, id, member, state }: Withdraw): string {
  const { uid } = engine.venue.holder(member).member;
  const what = `${formatDecimal(amount)} ${engine.venue.currency(currency).id}`;
  return `may be paid: withdrawal ${id} of ${uid}, ${what}, ${state} in the copy`;
}

async function saidByRail(engine: Engine, rail: Rail | null, withdraw: Withdraw): Promise<string> {
  const { type } = engine.venue.currency(withdraw.currency);
  const way = withdrawWay(engine.venue, withdraw);
  if (rail === null || type !== "coin" || !rail.serves(way)) return "no rail can tell";
  try {
    const name = payoutId(withdraw, await readRestores(engine));
    const found = await within(RAIL_MS_MAX, rail.find(name, way));
    return found.kind === "sent" ? `the rail sent it as ${found.txid}` : "the rail did not send it";
  } catch {
    return "the rail gives no answer";
  }
}

function saidByLog(payout: LoggedPayout | undefined): string {
  if (payout === undefined) return "";
  const { stamped, state, txid } = payout;
  const name = txid === "" ? "" : ` as ${txid}`;
  return `the log says ${state}${name} at ${new Date(stamped).toISOString()}`;
}
