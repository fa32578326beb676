import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const OPERATOR = "ID0000000001";
const OWN = `${ADMIN}/members/${OPERATOR}/api_keys/demo-operator`;

describe("an operator's key", () => {
  it("reads with the scope to read, and changes the venue with the scope to trade", () =>
    withVenue(async (venue) => {
      const scoped = async (...scopes: ("read" | "trade" | "withdraw")[]) => {
        await venue.engine.submit(
          { kind: "change_key", uid: OPERATOR, kid: "demo-operator", scopes },
          null,
        );
      };
      const refused = [422, "admin.api_key.last_operator"] as const;
      assertError(
        await venue.call("operator", "PATCH", OWN, { json: { scopes: ["read"] } }),
        ...refused,
      );
      await venue.engine.submit({
        kind: "create_key",
        uid: OPERATOR,
        kid: "another",
        role: "operator",
        scopes: ["trade"],
        nonceMode: "single",
      }, null);
      const change = () =>
        venue.call("operator", "PATCH", `${ADMIN}/members/${UIDS.bob}`, { json: { level: 3 } });
      const read = () => venue.get("operator", `${ADMIN}/members`);
      await scoped("read");
      assertEquals((await read()).status, 200);
      assertError(await change(), 403, "authz.scope_not_permitted");
      await scoped("trade");
      assertError(await read(), 403, "authz.scope_not_permitted");
      assertEquals((await change()).status, 200);
      await scoped("withdraw");
      assertError(await read(), 403, "authz.scope_not_permitted");
      assertError(await change(), 403, "authz.scope_not_permitted");
    }));

  it("can't lock out whoever changes it", () =>
    withVenue(async (venue) => {
      const change = (ip_allow_list: string[]) =>
        venue.call("operator", "PATCH", OWN, { json: { ip_allow_list } });
      const wrong = "admin.api_key.invalid_ip_allow_list";
      assertError(await change(["203.0.113.7"]), 422, wrong);
      assertEquals((await change(["203.0.113.7", "0.0.0.0/0", "::/0"])).status, 200);
      assertEquals((await change([])).status, 200);
      const bob = `${ADMIN}/members/${UIDS.bob}/api_keys/demo-bob`;
      const other = await venue.call("operator", "PATCH", bob, {
        json: { ip_allow_list: ["203.0.113.7"] },
      });
      assertEquals(other.status, 200);
    }));
});

describe("a key that an operator makes for a member", () => {
  it("needs addresses if it may withdraw, where the venue requires it", () =>
    withVenue(async (venue) => {
      const path = `${ADMIN}/members/${UIDS.bob}/api_keys`;
      const missing = "admin.api_key.missing_ip_allow_list";
      const scopes = ["read", "withdraw"];
      assertError(await venue.post("operator", path, { scopes }), 422, missing);
      const given = { scopes, ip_allow_list: ["10.0.0.0/8"] };
      const { status, body } = await venue.post("operator", path, given);
      assertEquals(status, 201);
      const change = (kid: string, json: unknown) =>
        venue.call("operator", "PATCH", `${path}/${kid}`, { json });
      assertError(await change(body.kid, { ip_allow_list: [] }), 422, missing);
      assertEquals((await change(body.kid, { scopes })).status, 200);
      const { body: reader } = await venue.post("operator", path, {});
      assertError(await change(reader.kid, { scopes }), 422, missing);
      // It was made before, may not be used, and can be disabled.
      assertEquals((await change("demo-bob", { state: "disabled" })).status, 200);
    }, { needsWithdrawIpLists: true }));

  it("operates nothing, and is listed until it is deleted", () =>
    withVenue(async (venue) => {
      const path = `${ADMIN}/members/${UIDS.bob}/api_keys`;
      const { body: key } = await venue.post("operator", path, {});
      assertEquals(key.role, "member");
      assertError(await venue.get(key, `${ADMIN}/members`), 401, "authz.invalid_permission");
      const kids = async () =>
        (await venue.get("operator", path)).body.map(({ kid }: { kid: string }) => kid);
      assertEquals(await kids(), ["demo-bob", key.kid]);
      assertEquals((await venue.call("operator", "DELETE", `${path}/${key.kid}`)).status, 200);
      assertEquals(await kids(), ["demo-bob"]);
      assertEquals(await venue.engine.readSidecar(["credentials", key.kid]), null);
    }));

  it("is announced to the member, as are its changes", () =>
    withVenue(async (venue) => {
      const path = `${ADMIN}/members/${UIDS.bob}/api_keys`;
      const kinds = async () => (await venue.outbox.list(UIDS.bob)).map(({ kind }) => kind);
      const before = await kinds();
      const { body: key } = await venue.post("operator", path, {});
      assertEquals(await kinds(), ["api_key_created", ...before]);
      const json = { scopes: ["read", "trade", "withdraw"] };
      await venue.call("operator", "PATCH", `${path}/${key.kid}`, { json });
      assertEquals(await kinds(), ["api_key_changed", "api_key_created", ...before]);
    }));
});
