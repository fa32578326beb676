/** Members and keys that the process itself creates at its start. */
import { present } from "../../domain/assert.ts";
import { type Command, isRejection } from "../../domain/command.ts";
import { ANY_GROUP } from "../../domain/group_table.ts";
import { type Role, SCOPES } from "../../domain/people/member.ts";
import type { RejectionCode } from "../../domain/rejection.ts";
import { type Act, actRows } from "../../secrets/acts.ts";
import type { Contacts } from "../../secrets/contacts.ts";
import type { Credentials } from "../../secrets/credentials.ts";
import {
  type Engine,
  type Sidecar,
  type SidecarRow,
  UnavailableError,
} from "../../engine/engine.ts";
import { ConfigError } from "../config_error.ts";

/** What members and keys are created through. */
export interface MemberSetup {
  readonly engine: Engine;
  readonly credentials: Credentials;
  readonly contacts: Contacts;
}

/** A member to create. */
export interface MemberPlan {
  readonly uid: string;
  readonly email: string;
  readonly level: number;
}

/** Creates the member with the plan's address if it is missing; returns the member's uid. */
export async function ensureMember(setup: MemberSetup, plan: MemberPlan): Promise<string> {
  const { engine, contacts } = setup;
  const { uid, email, level } = plan;
  const emailDigest = await contacts.emailDigest(email);
  if (!engine.venue.emailDigests.has(emailDigest)) {
    const row = await contacts.contactRow(uid, { email });
    await submitOwn(
      engine,
      { kind: "create_member", uid, emailDigest, level, group: ANY_GROUP },
      () => [row],
      "email_taken",
    );
  }
  const index = present(engine.venue.emailDigests.get(emailDigest), `member ${uid} exists`);
  return engine.venue.holder(index).member.uid;
}

/**
 * Creates a key with every scope unless the venue has one of that name.
 *
 * @param act what the audit trail says of it; by default nothing
 */
export async function ensureKey(
  setup: MemberSetup,
  key: { uid: string; kid: string; secret: string; role: Role },
  act: Pick<Act, "action" | "reason"> | null = null,
): Promise<void> {
  const { engine, credentials } = setup;
  const { uid, kid, secret, role } = key;
  if (engine.venue.keyByKid.has(kid)) return;
  const row = await credentials.create(kid, secret, []);
  const command = {
    kind: "create_key",
    uid,
    kid,
    role,
    scopes: SCOPES,
    nonceMode: "single",
  } as const;
  const note = (id: number): SidecarRow[] =>
    act === null ? [] : actRows(id, {
      uid,
      kid,
      target: { kid },
      changes: {},
      made: kid,
      at: engine.now(),
      ...act,
    });
  await submitOwn(
    engine,
    act === null ? command : { ...command, isAct: true },
    ({ act: id }) => id === undefined ? [row] : [row, ...note(id)],
    "key_taken",
  );
}

/**
 * Submits one of the venue's own commands.
 *
 * @param exists the refusal that means that another starting process was faster
 * @throws {ConfigError} the store takes no writes now
 * @throws {Error} the venue refused the command
 */
export async function submitOwn(
  engine: Engine,
  command: Command,
  rows: Sidecar = () => [],
  exists: RejectionCode | null = null,
): Promise<void> {
  const outcome = await engine.submit(command, null, rows).catch(throwUnwritten);
  if (isRejection(outcome) && outcome.rejected !== exists) {
    throw new Error(`The venue refused "${command.kind}" while starting: ${outcome.rejected}`);
  }
}

function throwUnwritten(cause: unknown): never {
  if (!(cause instanceof UnavailableError)) throw cause;
  throw new ConfigError(
    `The venue has to write to its store while starting, but cannot now: ${cause.message}. ` +
      "Start it again once that has passed",
    { cause },
  );
}
