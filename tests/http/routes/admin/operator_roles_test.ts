/** Each endpoint of operators, called by people of each role. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OPERATOR_ROLES, type OperatorRole } from "../../../../src/domain/people/member.ts";
import { createEndpoints } from "../../../../src/http/endpoints.ts";
import { OperatorPerson } from "../../../support/operator_person.ts";
import { Person } from "../../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

/** Writes that take no fresh code. */
const WITHOUT_CODE = ["addMemberNote", "endMemberSession", "endMemberSessions"];

/** Endpoints that not every operator may call. */
const ROLES: Readonly<Record<Exclude<OperatorRole, "viewer">, readonly string[]>> = {
  support: [
    ...WITHOUT_CODE,
    "createMember",
    "changeMember",
    "unlockMember",
    "changeApiKey",
    "deleteApiKey",
    "disableBeneficiary",
    "cancelMemberOrders",
  ],
  finance: [
    "createAdjustment",
    "enterDeposit",
    "acceptDeposit",
    "rejectDeposit",
    "reverseDeposit",
    "approveWithdraw",
    "rejectWithdraw",
    "handOverWithdraw",
    "failWithdraw",
    "retryWithdraw",
    "succeedWithdraw",
    "returnWithdraw",
    "approvePendingAct",
    "refusePendingAct",
    "paySandboxDeposit",
    "reorganiseSandbox",
    "setSandboxPayouts",
  ],
  admin: [
    "listOutbox",
    "changeMemberEmail",
    "createApiKey",
    "setOperatorRole",
    "removeOperatorRole",
    "cancelMarketOrders",
    "createCurrency",
    "changeCurrency",
    "addCurrencyNetwork",
    "changeCurrencyNetwork",
    "createMarket",
    "changeMarket",
    "setTradingFee",
    "deleteTradingFee",
    "setMemberLevels",
    "setMemberClasses",
    "setSettings",
    "resumeNetwork",
    "setSwitches",
    "setWithdrawLimit",
    "deleteWithdrawLimit",
  ],
};

const ENDPOINTS = createEndpoints().filter(({ tag }) => tag === "Operator");

function roleOf(id: string): OperatorRole {
  return (["support", "finance", "admin"] as const).find((role) => ROLES[role].includes(id)) ??
    "viewer";
}

function mayCall(role: OperatorRole, needed: OperatorRole): boolean {
  if (role === "admin") return true;
  return needed === "viewer" || needed === role;
}

/** Calls each endpoint with as little as it takes to pass its guard. */
async function callAll(person: Person): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const { id, method, paths: [path] } of ENDPOINTS) {
    const asked = path.replace(/\{\w+\}/g, "1");
    answers.set(id, await person.call(method, asked, method === "GET" ? {} : { json: {} }));
  }
  return answers;
}

function refusalOf({ status, body }: Answer): string {
  const error = body?.errors?.[0] ?? "";
  return error.startsWith("authz.") ? `${status} ${error}` : "";
}

/** Returns the refusals that differ from what a role's are. */
async function wrongOf(
  venue: TestVenue,
  role: OperatorRole,
  hasCode: boolean,
): Promise<string[]> {
  const person = hasCode
    ? await OperatorPerson.ready(venue, role)
    : await OperatorPerson.start(venue, role);
  const wrong: string[] = [];
  for (const [id, answer] of await callAll(person)) {
    const isWrite = ENDPOINTS.some((one) => one.id === id && one.method !== "GET");
    const needsCode = isWrite && !WITHOUT_CODE.includes(id);
    const expected = !mayCall(role, roleOf(id))
      ? "403 authz.role_not_permitted"
      : needsCode && !hasCode
      ? "403 authz.code_required"
      : "";
    const found = refusalOf(answer);
    if (found !== expected) wrong.push(`${id}: ${answer.status} ${answer.text}, not ${expected}`);
  }
  return wrong;
}

describe("an operator's endpoint", () => {
  it("needs the role that is listed here", () => {
    for (const names of Object.values(ROLES)) {
      for (const name of names) assert(ENDPOINTS.some(({ id }) => id === name), name);
    }
    for (const { access, id, method } of ENDPOINTS) {
      if (access.kind !== "operator") throw new Error(`${id} is for ${access.kind}`);
      assertEquals(access.role, roleOf(id), id);
      assertEquals(access.needsCode === true, method !== "GET" && !WITHOUT_CODE.includes(id), id);
      if (method !== "GET") assert(access.role !== "viewer", id);
    }
  });

  for (const role of OPERATOR_ROLES) {
    it(`admits ${role} where the role suffices`, () =>
      withVenue(async (venue) => {
        assertEquals(await wrongOf(venue, role, true), []);
      }));

    it(`asks ${role} for a fresh code where one is needed`, () =>
      withVenue(async (venue) => {
        assertEquals(await wrongOf(venue, role, false), []);
      }));
  }

  it("admits no member without a role, and nobody who is not signed in", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      for (const [id, answer] of await callAll(carol)) {
        assertEquals(refusalOf(answer), "401 authz.invalid_permission", id);
      }
      for (const [id, answer] of await callAll(new Person(venue, "nobody@example.org"))) {
        assertEquals(refusalOf(answer), "401 authz.invalid_session", id);
      }
    }));

  it("takes no write in a session without its token", () =>
    withVenue(async (venue) => {
      const admin = await OperatorPerson.ready(venue, "admin");
      admin.csrfToken = null;
      for (const [id, answer] of await callAll(admin)) {
        const isWrite = ENDPOINTS.some((one) => one.id === id && one.method !== "GET");
        assertEquals(refusalOf(answer), isWrite ? "401 authz.missing_csrf_token" : "", id);
      }
    }));
});
