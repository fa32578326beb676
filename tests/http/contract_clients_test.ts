/** What generators of clients need of the contract. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createEndpoints } from "../../src/http/endpoints.ts";
import { createOpenApi } from "../../src/http/docs/openapi.ts";
import type { JsonObject } from "../../src/http/docs/openapi_schema.ts";
import { withVenue } from "../support/with_venue.ts";

const FORM = "application/x-www-form-urlencoded";
// deno-lint-ignore no-explicit-any
const document = createOpenApi(createEndpoints(), "1.2.3") as any;

describe("for generators of clients, the contract", () => {
  it("has one kind of body per operation but where the specification has forms", () => {
    const operations = Object.values<Record<string, JsonObject>>(document.paths)
      .flatMap((methods) => Object.values(methods));
    const formFirst = new Set(["createWithdraw", "createBeneficiary", "activateBeneficiary"]);
    for (const { operationId, requestBody } of operations) {
      if (requestBody === undefined) continue;
      const { content } = requestBody as { content: JsonObject };
      const kinds = formFirst.delete(String(operationId)) ? [FORM, "application/json"] : [
        "application/json",
      ];
      assertEquals(Object.keys(content), kinds, String(operationId));
    }
    assertEquals([...formFirst], []);
    const { post } = document.paths["/api/v2/backend/account/beneficiaries"];
    const { [FORM]: form } = post.requestBody.content;
    assertEquals(form.encoding, { data: { contentType: "application/json" } });
    for (const form of ["`application/x-www-form-urlencoded`", "`multipart/form-data`"]) {
      assertStringIncludes(document.info.description, form);
    }
  });

  it("has no field of two types, which many client generators refuse", () => {
    const found: string[] = [];
    JSON.stringify(document, (name, value) => {
      const choices = [value?.type ?? [], value?.anyOf ?? []].flat();
      const types = choices.filter((type) => type !== "null" && type?.type !== "null");
      if (types.length > 1) found.push(name);
      return name === "example" || name === "examples" ? undefined : value;
    });
    assertEquals(found, []);
  });

  it("says which integers need more than 32 bits", () => {
    const { Error, Order, MemberInput } = document.components.schemas;
    assertEquals(Error.properties.server_time.format, "int64");
    assertEquals([Order.properties.id.format, Order.properties.id.maximum], ["int64", undefined]);
    assertEquals(MemberInput.properties.level.format, undefined);
    const { parameters: [id] } = document.paths["/api/v2/admin/deposits/{id}"].get;
    assertEquals(id.schema, { type: "integer", format: "int64", minimum: 1 });
  });

  it("has no name twice that becomes the same in a client", () => {
    const { schemas, securitySchemes } = document.components;
    const types = [...Object.keys(schemas), ...Object.keys(securitySchemes)];
    const plain = types.map((name) => name.toLowerCase());
    assertEquals(plain.filter((name, at) => plain.indexOf(name) !== at), []);
    // A client made for Python reads a schema into a variable beside those of its fields.
    const own = Object.entries<JsonObject>(schemas).filter(([name, { properties = {} }]) =>
      Object.keys(properties as JsonObject).some((field) =>
        field.replaceAll("_", "") === name.toLowerCase()
      )
    );
    assertEquals(own.map(([name]) => name), []);
  });

  it("tells the defaults of bodies in words, which oblige no client to send them", () => {
    const { schemas } = document.components;
    assertEquals(JSON.stringify(schemas).includes('"default":'), false);
    const { OrderInput, MemberInput, BeneficiaryInput } = schemas;
    const texts = [
      OrderInput.properties.self_trade_prevention,
      MemberInput.properties.group,
      BeneficiaryInput.properties.description,
    ].map(({ description }) => description);
    const ends = ["Default `cancel_newest`.", "Default `any`.", "Empty by default."];
    texts.forEach((text, at) => assertEquals(text.endsWith(ends[at]), true, text));
  });

  it("lets lists of bodies be null, so that no client sends an empty one for none", () => {
    const { ApiKeyInput, ApiKeyChanges, OwnApiKeyInput, OwnApiKeyChanges, Session } =
      document.components.schemas;
    for (const { properties } of [ApiKeyInput, ApiKeyChanges, OwnApiKeyInput, OwnApiKeyChanges]) {
      assertEquals(properties.scopes.type, ["array", "null"]);
    }
    for (const { properties } of [ApiKeyChanges, OwnApiKeyChanges]) {
      assertEquals(properties.ip_allow_list.type, ["array", "null"]);
    }
    // A new key without a list works from anywhere, as one with an empty list does.
    for (const { properties } of [ApiKeyInput, OwnApiKeyInput]) {
      assertEquals(properties.ip_allow_list.type, "array");
    }
    assertEquals(JSON.stringify(Session).includes('"array"'), false);
  });

  it("takes a list that is null for one that is absent", () =>
    withVenue(async (venue) => {
      const keys = "/api/v2/admin/members/IDA11CE00001/api_keys";
      const ip_allow_list = ["203.0.113.0/24"];
      const { body } = await venue.post("operator", keys, { ip_allow_list, scopes: null });
      const changed = await venue.call("operator", "PATCH", `${keys}/${body.kid}`, {
        json: { state: "disabled", ip_allow_list: null, scopes: null },
      });
      assertEquals([changed.status, changed.body.ip_allow_list], [200, ip_allow_list]);
    }));

  it("has no field that is always null, which client generators don't know", () => {
    const text = JSON.stringify(document.components.schemas);
    const alone = [...text.matchAll(/"(\w+)":\{"type":"null"/g)].map(([, name]) => name);
    assertEquals(alone, []);
  });
});
