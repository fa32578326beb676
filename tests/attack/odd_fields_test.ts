/** Odd values in every field of calls, and names that every object inherits. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type TestVenue, withVenue } from "../support/with_venue.ts";
import { type Contract, type DocumentedOperation, readContract } from "./documented_operation.ts";
import { jsonOf, nested, RawJson } from "./odd_values.ts";

const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
const ORDERS = "/api/v2/trading/market/orders";
const SCALARS = new Set(["integer", "boolean"]);
/** Values that no numeric field accepts. */
const NO_NUMBERS: readonly unknown[] = [
  ...["", " ", " 1", "1 ", ".", "1.5.", "1,5", "1_000", "0x10", "0b1", "1e", "NaN", "Infinity"],
  ...["-Infinity", "null", "true", "\u0661", "\uff11", "--1", "1-", "1\u0000", "1\n"],
  ...["1e30", "1e-18", "1e400", "-1e-400"].map((text) => new RawJson(text)),
  ...[true, false, [], [1, 2], {}, { value: 1 }],
];
/** Values that no integer field accepts. */
const NO_INTEGERS: readonly unknown[] = [
  ...NO_NUMBERS,
  ...["1.0", "1.", ".5", "1e2", new RawJson("1.0"), new RawJson("1e2"), new RawJson("10e-1")],
];

async function contractOf(venue: TestVenue): Promise<Contract> {
  return readContract((await venue.get(null, "/api/v2/openapi.json")).text);
}

function signerOf({ access }: DocumentedOperation): "alice" | "operator" | null {
  return access === "operator" ? "operator" : access === "member" ? "alice" : null;
}

/** Returns the numeric fields of a body, and the values that each must refuse. */
function numericFields(
  contract: Contract,
  { body }: DocumentedOperation,
): [name: string, odd: readonly unknown[]][] {
  if (body === null || Array.isArray(body.example)) return [];
  const { properties = {} } = contract.resolve(body.schema) as {
    properties?: Record<string, { type?: unknown; format?: string; pattern?: string }>;
  };
  return Object.entries(properties).filter(([, { type, format }]) =>
    format === "decimal" || type === "integer"
  ).map(([name, { type }]) => [name, type === "integer" ? NO_INTEGERS : NO_NUMBERS]);
}

describe("numbers in odd forms", () => {
  it("are refused with an identifier in every numeric field", () =>
    withVenue(async (venue) => {
      const contract = await contractOf(venue);
      let tried = 0;
      for (const operation of contract.operations) {
        const signer = signerOf(operation);
        if (signer === null) continue;
        const path = operation.path.replace("{uid}", "IDA11CE00001").replace(/\{\w+\}/g, "1");
        for (const [field, values] of numericFields(contract, operation)) {
          for (const odd of values) {
            const json = { ...operation.body?.example as object, [field]: odd };
            const headers = { "Content-Type": "application/json" };
            const text = jsonOf(json);
            const answer = await venue.call(signer, operation.method, path, { text, headers });
            const what = `${operation.id} ${field} ${text} ${answer.status} ${answer.text}`;
            assert(answer.status === 422 || answer.status === 404, what);
            if (answer.status === 422) assertEquals(typeof answer.body.errors[0], "string", what);
            tried += 1;
          }
        }
      }
      assert(tried > 500, `${tried} were tried`);
      assertEquals(venue.unexpected, []);
    }));

  it("never place an order, as text or number", () =>
    withVenue(async (venue) => {
      const refused = [
        "0",
        "-0",
        "-1",
        "0.0000000000000000",
        "1e30",
        "0.00000000000000001",
        "1234567890123456789012345678901234567890",
        "0.1234567890123456789012345678901234567890",
        "18446744073709551616",
      ];
      for (const field of ["amount", "price"]) {
        for (const number of refused) {
          for (const value of [number, new RawJson(number)]) {
            const order = {
              market: "btcusdt",
              side: "buy",
              type: "limit",
              amount: "1",
              price: "1",
            };
            const text = jsonOf({ ...order, [field]: value });
            const headers = { "Content-Type": "application/json" };
            const answer = await venue.call("alice", "POST", ORDERS, { text, headers });
            assertEquals(answer.status, 422, `${text} ${answer.text}`);
          }
        }
      }
      const open = await venue.get("alice", "/api/v2/backend/market/orders");
      assertEquals(open.body, []);
      assertEquals(venue.unexpected, []);
    }));
});

describe("names that every object has", () => {
  it("are no market, currency, order, member or field", () =>
    withVenue(async (venue) => {
      for (const operation of (await contractOf(venue)).operations) {
        if (operation.pathParameters.length === 0) continue;
        const at = (name: string) => operation.path.replace(/\{\w+\}/g, name);
        const { method } = operation;
        const signer = signerOf(operation);
        const json = operation.body?.example;
        const options = json === undefined ? {} : { json };
        const missing = await venue.call(signer, method, at("zzz"), options);
        assert(missing.status >= 400, `${method} ${at("zzz")}`);
        for (const name of INHERITED) {
          const answer = await venue.call(signer, method, at(name), options);
          assertEquals(
            [answer.status, answer.text.replaceAll(name, "zzz")],
            [missing.status, missing.text],
            at(name),
          );
        }
      }
      assertEquals(venue.unexpected, []);
    }));

  it("pollute no object as fields of a body", () =>
    withVenue(async (venue) => {
      const order = '"market":"btcusdt","side":"buy","type":"limit","amount":"1"';
      const bodies = [
        `{${order},"__proto__":{"price":"100"}}`,
        `{${order},"constructor":{"prototype":{"price":"100"}}}`,
        `{"__proto__":{${order},"price":"100"}}`,
      ];
      for (const text of bodies) {
        const headers = { "Content-Type": "application/json" };
        const answer = await venue.call("alice", "POST", ORDERS, { text, headers });
        assertEquals([answer.status, answer.body.errors], [422, ["server.unknown_field"]], text);
      }
      const form = "market=btcusdt&side=buy&type=limit&amount=1&__proto__[price]=1&price.x=1" +
        "&constructor=1&toString=1";
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await venue.call("alice", "POST", ORDERS, { text: form, headers });
      assertEquals(answer.body.errors, ["server.unknown_field"]);
      assertEquals(({} as Record<string, unknown>)["price"], undefined);
    }));

  it("are valid client order ids like any others", () =>
    withVenue(async (venue) => {
      for (const client_order_id of INHERITED) {
        const path = `/api/v2/backend/market/orders/client:${client_order_id}`;
        assertEquals((await venue.get("alice", path)).status, 404);
        const placed = await venue.order("alice", { client_order_id });
        assertEquals([placed.status, placed.body.client_order_id], [201, client_order_id]);
        assertEquals((await venue.get("alice", path)).body.id, placed.body.id);
        assertEquals((await venue.get("bob", path)).status, 404);
      }
    }));
});

describe("queries", () => {
  it("that repeat a name are refused if it takes a single value", () =>
    withVenue(async (venue) => {
      let tried = 0;
      for (const operation of (await contractOf(venue)).operations) {
        const signer = signerOf(operation);
        if (signer === null && operation.access !== "public") continue;
        for (const { name, schema } of operation.query) {
          if (!SCALARS.has(String(schema["type"])) && schema["enum"] === undefined) continue;
          const [one] = schema["enum"] as string[] | undefined ??
            [schema["type"] === "boolean" ? "true" : "1"];
          const path = operation.path.replace("{market}", "btcusdt").replace(/\{\w+\}/g, "all");
          const twice = await venue.get(signer, `${path}?${name}=${one}&${name}=${one}`);
          assertEquals(twice.status, 422, `${operation.id} ${name} ${twice.text}`);
          tried += 1;
        }
      }
      assert(tried > 50, `${tried} were tried`);
    }));
});

describe("bodies", () => {
  it("of any depth are read or refused, and never break a call", () =>
    withVenue(async (venue) => {
      const paths = [ORDERS, `${ORDERS}/cancel`, "/api/v2/backend/account/beneficiaries"];
      for (const path of [...paths, "/api/v2/trading/market/bulk/orders"]) {
        for (const depth of [5, 10, 1_000, 5_000, 8_000, 20_000, 32_000]) {
          for (const isArray of [true, false]) {
            const deep = nested(depth, isArray);
            for (const text of [deep, `{"data":${deep},"market":${deep}}`, `[${deep}]`]) {
              const headers = { "Content-Type": "application/json" };
              const answer = await venue.call("alice", "POST", path, { text, headers });
              // An empty object asks to cancel all orders.
              assert([200, 400, 413, 422].includes(answer.status), `${path} ${depth}`);
            }
          }
        }
      }
      assertEquals(venue.unexpected, []);
    }));
});
