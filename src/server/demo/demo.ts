/** Fills an empty store with the demo venue and tells how to use it. */
import { dirname } from "node:path";
import type { ShownVenue } from "../../http/docs/docs_signing.ts";
import {
  DEMO_CURRENCIES,
  DEMO_FEE_PPM,
  DEMO_FIRST_KID,
  DEMO_LEVELS,
  DEMO_MAKER,
  DEMO_MARKETS,
  DEMO_MEMBERS,
  DEMO_OPERATOR_KID,
  DEMO_OTP_SECRET,
  DEMO_TAKERS,
  DEMO_WITHDRAW_LIMIT,
  type DemoMember,
  demoSecret,
  isDemoVenue,
  ledgerAmount,
} from "./demo_venue.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Engine } from "../../engine/engine.ts";
import { DEMO_SEEDING_KEY } from "../../engine/sidecar_rows.ts";
import { createMasterKeyText, parseMasterKeys } from "../../secrets/vault.ts";
import type { Identity } from "../../identity/identity.ts";
import { ensureKey, ensureMember, type MemberSetup, submitOwn } from "./member_setup.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { isFilePath, OWN_FILE_MODE } from "../../store/file/venue_file.ts";
import { ConfigError } from "../config_error.ts";

/** How long others wait for the process that seeds the demo, and how often they look, in ms. */
const SEEDING_MS_MAX = 10_000;
const SEEDING_POLL_MS = 100;

/** How many orders of a bot may end without a trade on a day: at its pace, fewer than half do. */
const BOT_UNTRADED_ORDERS_MAX = 1_000_000;

/** What the demo is seeded through. */
export interface DemoSetup extends MemberSetup {
  readonly identity: Pick<Identity, "seedPassword" | "seedTwoFactor">;
}

/**
 * Creates whatever is missing of the demo venue. The operator's key comes last: a store that has it
 * is complete and stays as its users have left it.
 *
 * @throws {ConfigError} the store holds another venue
 */
export async function seedDemo(setup: DemoSetup): Promise<void> {
  const { engine } = setup;
  const { venue } = engine;
  checkDemo(venue);
  if (venue.keyByKid.has(DEMO_OPERATOR_KID)) return;
  if (engine.isShared && await isSeededByOther(engine)) return;
  await seedMarkets(engine);
  for (const member of DEMO_MEMBERS) await seedMember(setup, member);
}

/**
 * Creates whatever is missing of the members whose bots trade. Each key comes last: a member that has
 * it stays as its bot has left it.
 */
export async function seedBots(setup: DemoSetup): Promise<void> {
  const { venue } = setup.engine;
  for (const member of [DEMO_MAKER, ...DEMO_TAKERS]) {
    if (venue.keyByKid.has(member.kid)) continue;
    const uid = await ensureMember(setup, member);
    const changes = { untradedOrdersMax: BOT_UNTRADED_ORDERS_MAX };
    await submitOwn(setup.engine, { kind: "change_member", uid, changes });
    await seedMember(setup, member);
  }
}

/**
 * Checks that the store is empty or the demo's; reads only the venue's keys.
 *
 * @throws {ConfigError} the store holds another venue
 */
export function checkDemo(venue: Venue): void {
  if (venue.keys.length === 0 || isDemoVenue(venue)) return;
  throw new ConfigError(
    "KV_PATH points to a venue other than the demo's: use another path for the demo",
  );
}

/** Waits for the process that began first; false if this is the first or the other seems dead. */
async function isSeededByOther(engine: Engine): Promise<boolean> {
  const isFirst = await engine.createSidecar({ key: DEMO_SEEDING_KEY, value: true });
  for (let waited = 0; !isFirst && waited < SEEDING_MS_MAX; waited += SEEDING_POLL_MS) {
    await sleep(SEEDING_POLL_MS);
    await engine.fresh();
    if (engine.venue.keyByKid.has(DEMO_OPERATOR_KID)) return true;
  }
  return false;
}

/** Returns what the demo's reference page calls; all of it is public. */
export function demoShown(origin: string): ShownVenue {
  return { origin, kid: DEMO_FIRST_KID, secret: demoSecret(DEMO_FIRST_KID) };
}

/**
 * Returns the text for whoever started the demo.
 *
 * @param hasBots whether bots trade there
 */
export function demoLines(url: string, hasBots: boolean): string[] {
  return [
    "",
    "  kvenue, demo venue",
    "",
    ...(hasBots ? [`  Bots trade on all markets: look at ${url}/`, ""] : []),
    `  venue      ${url}/api/v2`,
    `  reference  ${url}/docs`,
    `  contract   ${url}/api/v2/openapi.json`,
    "",
    "  access key       secret",
    ...DEMO_MEMBERS.map(({ kid }) => `  ${kid.padEnd(15)}  ${demoSecret(kid)}`),
    "",
    "  email                  password         two-factor secret",
    ...DEMO_MEMBERS.flatMap(({ email, password }) =>
      password === null ? [] : [`  ${email.padEnd(21)}  ${password.padEnd(15)}  ${DEMO_OTP_SECRET}`]
    ),
    "",
  ];
}

/**
 * Returns the master keys of a demo that was given none: kept in a file beside the store, so that
 * the next start can open what this one seals; random for a store in memory.
 *
 * @param isUsed whether the store holds a venue already, whose secrets no other key would open
 * @throws {ConfigError} the store is not a file, or the key file is damaged or lost
 */
export async function demoMasterKeys(
  kvPath: string | undefined,
  isUsed: boolean = false,
): Promise<Uint8Array[]> {
  if (kvPath === ":memory:") return parseMasterKeys(createMasterKeyText());
  if (!isFilePath(kvPath)) {
    throw new ConfigError("MASTER_KEY is missing: a demo on a KV server needs one too");
  }
  const path = `${kvPath}.key`;
  const kept = await readText(path);
  if (kept === null && isUsed) {
    throw new ConfigError(
      `The file "${path}", the master key of the demo in "${kvPath}", is missing: put it or a ` +
        "copy back, or set MASTER_KEY to what it held",
    );
  }
  const text = kept ?? await createKeyFile(path);
  try {
    return parseMasterKeys(text.trim());
  } catch (cause) {
    throw new ConfigError(`The file "${path}" does not contain a master key`, { cause });
  }
}

async function seedMarkets(engine: Engine): Promise<void> {
  const { venue } = engine;
  for (const currency of DEMO_CURRENCIES) {
    if (venue.currencyById.has(currency.id)) continue;
    await submitOwn(engine, { kind: "create_currency", currency }, undefined, "currency_taken");
  }
  for (const market of DEMO_MARKETS) {
    if (venue.bookById.has(market.base + market.quote)) continue;
    await submitOwn(engine, { kind: "create_market", market }, undefined, "market_taken");
  }
  await submitOwn(engine, { kind: "set_levels", levels: DEMO_LEVELS });
  await submitOwn(engine, { kind: "set_withdraw_limit", row: DEMO_WITHDRAW_LIMIT });
  await submitOwn(engine, {
    kind: "set_fee",
    market: "any",
    group: "any",
    maker: DEMO_FEE_PPM,
    taker: DEMO_FEE_PPM,
  });
}

async function seedMember(setup: DemoSetup, member: DemoMember): Promise<void> {
  const { engine } = setup;
  const { venue } = engine;
  const uid = await ensureMember(setup, member);
  for (const [currency, amount] of Object.entries(member.balances)) {
    const index = venue.currencyById.get(currency)?.index ?? -1;
    const account = venue.holderByUid.get(uid)?.accounts[index];
    // Nobody has traded yet: this balance comes from a seeding that was interrupted.
    if (account !== undefined && account.available > 0n) continue;
    await submitOwn(engine, {
      kind: "adjust_balance",
      uid,
      currency,
      amount: ledgerAmount(amount),
    });
  }
  const { kid, isOperator, password } = member;
  if (password !== null) {
    await setup.identity.seedPassword(uid, password);
    await setup.identity.seedTwoFactor(uid, DEMO_OTP_SECRET);
    if (isOperator) await submitOwn(engine, { kind: "set_operator_role", uid, role: "admin" });
  }
  const role = isOperator ? "operator" : "member";
  await ensureKey(setup, { uid, kid, secret: demoSecret(kid), role });
}

async function readText(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

async function createKeyFile(path: string): Promise<string> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const text = createMasterKeyText();
  await Deno.writeTextFile(path, `${text}\n`, { mode: OWN_FILE_MODE, createNew: true });
  return text;
}
