import { assertEquals } from "@std/assert";
import type { OperatorRole } from "../../src/domain/people/member.ts";
import { Person } from "./person.ts";
import type { Answer, TestVenue } from "./with_venue.ts";

const ADMIN = "/api/v2/admin";
const CONFIRM = "/resource/users/sessions/confirm";

/** A person who operates the venue in a session. */
export class OperatorPerson extends Person {
  /** Joins with a second factor, and is given a role by an operator's key. */
  static async start(
    venue: TestVenue,
    role: OperatorRole,
    email = `${role}@example.org`,
  ): Promise<OperatorPerson> {
    const person = new OperatorPerson(venue, email);
    await person.signUp();
    await person.confirm();
    assertEquals((await person.signIn()).status, 200);
    await person.turnTwoFactorOn();
    const given = await giveRole(venue, person.uid, role);
    assertEquals(given.status, 200, given.text);
    return person;
  }

  /** Does the same, and gives the session a fresh code. */
  static async ready(
    venue: TestVenue,
    role: OperatorRole,
    email?: string,
  ): Promise<OperatorPerson> {
    const person = await OperatorPerson.start(venue, role, email);
    await person.giveCode();
    return person;
  }

  /** Gives the session a code, by default the next one. */
  async tryCode(code = this.nextOtp()): Promise<Answer> {
    return await this.post(CONFIRM, { code });
  }

  async giveCode(): Promise<void> {
    const answer = await this.tryCode();
    assertEquals(answer.status, 201, answer.text);
  }

  /** Makes an operator's call; a write has a reason. */
  async admin(method: string, path: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    const options = method === "GET" ? {} : { json: { reason: "a test", ...fields } };
    return await this.call(method, `${ADMIN}${path}`, options);
  }
}

/** Gives a member a role by an operator's key. */
export function giveRole(
  venue: TestVenue,
  uid: string,
  role: OperatorRole,
): Promise<Answer> {
  return venue.call("operator", "PUT", `${ADMIN}/members/${uid}/operator_role`, { json: { role } });
}
