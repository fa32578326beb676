/** The key that the operator of a venue without demo data gives at the start. */
import type { OperatorKey } from "./config.ts";
import { isDemoKid, isDemoVenue } from "./demo/demo_venue.ts";
import { operatorKeys } from "../domain/people/operators.ts";
import { isMemberUsable } from "../domain/people/member.ts";
import type { Venue } from "../domain/venue.ts";
import { OPERATOR_KEY_ACT } from "../secrets/acts.ts";
import { VaultError } from "../secrets/vault.ts";
import type { Logger } from "./logger.ts";
import { ensureKey, ensureMember, type MemberSetup, submitOwn } from "./demo/member_setup.ts";
import { ConfigError } from "./config_error.ts";

/** The operator, who has no mailbox. */
const OPERATOR = { uid: "ID0000000001", email: "operator@venue.invalid", level: 0 };

/**
 * Checks that the venue has an operator's key or is given one; reads only the venue's keys.
 *
 * @throws {ConfigError} nobody could operate the venue, or anybody: the venue or the key is the
 *   demo's
 */
export function checkOperator(venue: Venue, operatorKey: OperatorKey | null): void {
  if (isDemoVenue(venue)) {
    throw new ConfigError(
      "KV_PATH points to a demo venue, whose keys are public: start it with --demo, or use " +
        "another path",
    );
  }
  if (operatorKey !== null && isDemoKid(operatorKey.kid)) {
    throw new ConfigError(
      `OPERATOR_KEY names "${operatorKey.kid}", a key of the demo: use another access key`,
    );
  }
  if (operatorKeys(venue).length > 0) return;
  if (operatorKey === null) {
    throw new ConfigError(
      "OPERATOR_KEY is missing: no operator of the venue has a working key; set it to " +
        '"access key:secret"',
    );
  }
  if (venue.keyByKid.has(operatorKey.kid)) {
    throw new ConfigError(
      `OPERATOR_KEY names "${operatorKey.kid}", which is taken but does not operate the ` +
        "venue: set it to another access key and secret",
    );
  }
}

/**
 * Creates the given key beside the existing ones unless the venue has one of that name, so whoever
 * starts the venue can always operate it. Warns when a key of that name exists but does not work as
 * given: an access key is good only once.
 *
 * @throws {ConfigError} as {@linkcode checkOperator}
 */
export async function ensureOperator(
  setup: MemberSetup,
  operatorKey: OperatorKey | null,
  log: Pick<Logger, "warn">,
): Promise<void> {
  const { engine } = setup;
  const { venue } = engine;
  checkOperator(venue, operatorKey);
  if (operatorKey === null) return;
  const { kid } = operatorKey;
  if (venue.keyByKid.has(kid)) {
    if (!await isInForce(setup, operatorKey)) log.warn("operator_key_not_in_force", { kid });
    return;
  }
  const uid = await ensureMember(setup, OPERATOR);
  const holder = venue.holderByUid.get(uid);
  if (holder !== undefined && !isMemberUsable(holder.member)) {
    await submitOwn(engine, { kind: "change_member", uid, changes: { state: "active" } });
  }
  const act = { action: OPERATOR_KEY_ACT, reason: "given by OPERATOR_KEY when a process started" };
  await ensureKey(setup, { uid, ...operatorKey, role: "operator" }, act);
}

async function isInForce(
  { credentials, engine }: MemberSetup,
  { kid, secret }: OperatorKey,
): Promise<boolean> {
  if (!operatorKeys(engine.venue).some((key) => key.kid === kid)) return false;
  try {
    return await credentials.hasSecret(kid, secret);
  } catch (error) {
    // A secret that can't be opened can't verify a signature either.
    if (error instanceof VaultError) return false;
    throw error;
  }
}
