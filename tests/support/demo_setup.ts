import { verifySignature } from "../../src/edge/callers/signature.ts";
import type { DemoSetup } from "../../src/server/demo/demo.ts";
import { Contacts } from "../../src/secrets/contacts.ts";
import { Credentials } from "../../src/secrets/credentials.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { Vault } from "../../src/secrets/vault.ts";
import { Notices } from "../../src/identity/notices.ts";
import { VenueIdentity } from "../../src/identity/venue_identity.ts";
import type { MemberSetup } from "../../src/server/demo/member_setup.ts";
import { MemberMessages } from "../../src/messages/member_messages.ts";
import { NoMessenger } from "../../src/messages/messenger.ts";
import { signNonce } from "./signed_headers.ts";

/** What a demo is made with. */
export interface TestSetup extends DemoSetup {
  readonly identity: VenueIdentity;
}

/** The parts of a venue that are needed to make its first members and keys. */
export function setupOf(engine: Engine): TestSetup {
  const vault = new Vault([new Uint8Array(32)]);
  const contacts = new Contacts(engine, vault);
  const messages = new MemberMessages(new NoMessenger(), contacts);
  const onFault = (error: unknown) => {
    throw error;
  };
  const identity = new VenueIdentity({
    engine,
    contacts,
    vault,
    messages,
    notices: new Notices(messages, onFault),
    passwordCost: 2,
    onFault,
  });
  return { engine, credentials: new Credentials(engine, vault), contacts, identity };
}

/** Whether a secret is that of an access key. */
export async function verifies(
  { credentials }: MemberSetup,
  kid: string,
  secret: string,
): Promise<boolean> {
  const credential = await credentials.get(kid);
  const signature = signNonce(secret, "1893456000000", kid);
  return credential !== null &&
    verifySignature(credential.keyedHash, "1893456000000", kid, signature);
}
