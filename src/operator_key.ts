/** The operator's first key, of a venue without demo data. */
import { ConfigError, type OperatorKey } from "./config.ts";
import { DEMO_OPERATOR_KID } from "./demo_venue.ts";
import { ensureKey, ensureMember, type MemberSetup } from "./member_setup.ts";

/** The first operator: it has no mailbox of its own. */
const OPERATOR = { uid: "ID0000000001", email: "operator@venue.invalid", level: 0 };

/**
 * Sees to it that somebody may operate the venue: makes the key given where
 * there is no operator's key yet, and leaves a venue that has one as it is.
 *
 * @throws {ConfigError} the venue has no operator and no key was given, or it is the demo's
 */
export async function ensureOperator(
  setup: MemberSetup,
  operatorKey: OperatorKey | null,
): Promise<void> {
  const { venue } = setup.engine;
  if (venue.keyByKid.has(DEMO_OPERATOR_KID)) {
    throw new ConfigError(
      "KV_PATH leads to a demo venue, whose keys are public: start it with --demo, or take another",
    );
  }
  if (venue.keys.some(({ key }) => key.role === "operator")) return;
  if (operatorKey === null) {
    throw new ConfigError(
      'OPERATOR_KEY is missing: the venue has no operator yet, set it to "access key:secret"',
    );
  }
  const uid = await ensureMember(setup, OPERATOR);
  await ensureKey(setup, { uid, ...operatorKey, role: "operator" });
}
