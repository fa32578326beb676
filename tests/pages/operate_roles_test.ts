/** What the operators' page takes for allowed, beside what the contract says. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createOpenApi } from "../../src/http/docs/openapi.ts";
import { createEndpoints } from "../../src/http/endpoints.ts";
import { allows, ROLE_OF, roleOf } from "../../src/pages/operate/acting/roles.ts";

interface Operation {
  readonly operationId: string;
  readonly "x-operator-role"?: string;
}

describe("roles", () => {
  it("are needed as the contract says, for every act", () => {
    const { paths } = createOpenApi(createEndpoints(), "") as unknown as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    const needed = Object.values(paths).flatMap((path) => Object.values(path))
      .filter((operation) => (operation["x-operator-role"] ?? "viewer") !== "viewer")
      .map((operation) => [operation.operationId, operation["x-operator-role"]]);
    assertEquals(Object.entries(ROLE_OF).sort(), needed.sort());
  });

  it("allow their own, and what everybody may; admins everything", () => {
    assertEquals(allows(null, "viewer"), false);
    assertEquals(allows("viewer", "viewer"), true);
    assertEquals(allows("viewer", "support"), false);
    assertEquals(allows("support", "viewer"), true);
    assertEquals(allows("support", "finance"), false);
    assertEquals(allows("finance", "support"), false);
    assertEquals(allows("finance", "finance"), true);
    assertEquals(allows("admin", "support"), true);
    assertEquals(allows("finance", "admin"), false);
  });

  it("are none for members, and for what is not known", () => {
    assertEquals([roleOf("member"), roleOf(undefined), roleOf("root")], [null, null, null]);
    assertEquals(roleOf("support"), "support");
  });
});
