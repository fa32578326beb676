import { assertEquals } from "@std/assert";
import type { Answer, Signer, TestVenue } from "./with_venue.ts";

/** The path of beneficiaries. */
export const BENEFICIARIES = "/api/v2/backend/account/beneficiaries";

/** Uids of the demo's members. */
export const UIDS = { alice: "IDA11CE00001", bob: "IDB0B0000001" } as const;

/** Creates a beneficiary for btc unless `fields` say otherwise. */
export function createBeneficiary(
  venue: TestVenue,
  signer: Signer,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  return venue.post(signer, BENEFICIARIES, {
    currency: "btc",
    name: "Cold wallet",
    data: { address: "sandbox-btc-1" },
    ...fields,
  });
}

/** Returns the last pin sent to a member. */
export async function lastPin(venue: TestVenue, member: "alice" | "bob"): Promise<string> {
  const messages = await venue.outbox.list(UIDS[member]);
  return messages.find(({ kind }) => kind === "beneficiary_pin")?.code ?? "";
}

/** Tries to activate a beneficiary with a pin. */
export function activate(
  venue: TestVenue,
  signer: Signer,
  id: number,
  pin: unknown,
): Promise<Answer> {
  return venue.call(signer, "PATCH", `${BENEFICIARIES}/${id}/activate`, { json: { pin } });
}

/** Requests another pin. */
export function resend(venue: TestVenue, signer: Signer, id: number): Promise<Answer> {
  return venue.call(signer, "PATCH", `${BENEFICIARIES}/${id}/resend_pin`);
}

/** Creates and activates a beneficiary; returns its id. */
export async function activeBeneficiary(
  venue: TestVenue,
  member: "alice" | "bob",
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await createBeneficiary(venue, member, fields);
  const answer = await activate(venue, member, body.id, await lastPin(venue, member));
  assertEquals([answer.status, answer.body.state], [200, "active"]);
  return body.id;
}

/** Returns a pin other than the given one. */
export function wrongPin(pin: string): string {
  return pin === "999999" ? "100000" : String(Number(pin) + 1);
}

/** Creates the fiat currency eur. */
export async function createFiat(venue: TestVenue): Promise<void> {
  const answer = await venue.post("operator", "/api/v2/admin/currencies", {
    id: "eur",
    name: "Euro",
    type: "fiat",
    precision: 2,
    price: "1.1",
  });
  assertEquals(answer.status, 201);
}
