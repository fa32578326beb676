/** Attacks on signatures and nonces beyond wrong signatures. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";
import { type DocumentedOperation, readContract } from "./documented_operation.ts";
import { bodySignature, signNonce } from "../support/signed_headers.ts";

const BALANCES = "/api/v2/backend/account/balances";
const KID = "demo-alice";
const SECRET = "demo-alice-secret";

interface Triple {
  readonly kid: string;
  readonly nonce: string;
  readonly signature: string;
}

function headersOf({ kid, nonce, signature }: Triple): Record<string, string> {
  return { "X-Auth-Apikey": kid, "X-Auth-Nonce": nonce, "X-Auth-Signature": signature };
}

async function operations(venue: TestVenue): Promise<readonly DocumentedOperation[]> {
  return readContract((await venue.get(null, "/api/v2/openapi.json")).text).operations;
}

describe("a forged signature", () => {
  it("is refused in the same words, whatever its form", () =>
    withVenue(async (venue) => {
      const nonce = String(venue.clock.now + 1);
      const good = signNonce(SECRET, nonce, KID);
      const forged = [
        good.slice(0, -1),
        good.slice(0, 8),
        `${good}0`,
        `${good}${good}`,
        `0x${good}`,
        `${good.slice(0, -1)}g`,
        good.replace(/./, "\u00e9"),
        [...good].reverse().join(""),
        "0".repeat(64),
        "f".repeat(100_000),
        "null",
        btoa(good),
      ];
      const seen = new Set<string>();
      for (const signature of forged) {
        const headers = headersOf({ kid: KID, nonce, signature });
        const answer = await venue.call(null, "GET", BALANCES, { headers });
        seen.add(`${answer.status} ${answer.text}`);
      }
      assertEquals([...seen], ['401 {"errors":["authz.invalid_signature"]}']);
      const headers = headersOf({ kid: KID, nonce, signature: good });
      const answer = await venue.call(null, "GET", BALANCES, { headers });
      assertEquals(answer.status, 200, "none of them has spent the nonce");
    }));

  it("is refused in the same words for every unknown access key", () =>
    withVenue(async (venue) => {
      const kids = [
        "nobody",
        "DEMO-ALICE",
        "demo-alicE",
        "__proto__",
        "constructor",
        "toString",
        "0",
        "\u00e9".repeat(50),
        "a".repeat(5_000),
        "\u00e9".repeat(50_000),
        `${KID},${KID}`,
        `${KID}'--`,
      ];
      for (const kid of kids) {
        const nonce = String(venue.clock.now + 1);
        const headers = headersOf({ kid, nonce, signature: signNonce(SECRET, nonce, kid) });
        const answer = await venue.call(null, "GET", BALANCES, { headers });
        assertEquals(
          [answer.status, answer.text],
          [401, '{"errors":["authz.invalid_signature"]}'],
          kid.slice(0, 20),
        );
      }
    }));

  it("can't be made by moving digits between nonce and access key", () =>
    withVenue(async (venue) => {
      // The signature covers their concatenation.
      const nonce = String(venue.clock.now + 1);
      const signature = signNonce(SECRET, nonce, KID);
      const moved = { kid: `${nonce.slice(-1)}${KID}`, nonce: nonce.slice(0, -1), signature };
      const answer = await venue.call(null, "GET", BALANCES, { headers: headersOf(moved) });
      assertError(answer, 401, "authz.nonce_expired");
    }));
});

describe("an odd nonce", () => {
  it("is refused by its value, even if well signed", () =>
    withVenue(async (venue) => {
      const now = venue.clock.now;
      const notNumbers = [
        "1e12",
        "1.9e12",
        `+${now}`,
        `-${now}`,
        "-0",
        "0",
        `0${now}`,
        `${now}.0`,
        `${now},${now}`,
        `0x${now.toString(16)}`,
        `${now}n`,
        "1_893_456_000_000",
        "NaN",
        "Infinity",
        "\u00b9\u00b2\u00b3",
      ];
      const farAway = [
        `${now}0`,
        String(now).slice(0, -1),
        String(Math.floor(now / 1000)),
        "1",
        "18446744073709551615",
        "9007199254740993",
        "9".repeat(4_000),
      ];
      for (const nonce of [...notNumbers, ...farAway]) {
        const headers = headersOf({ kid: KID, nonce, signature: signNonce(SECRET, nonce, KID) });
        const answer = await venue.call(null, "GET", BALANCES, { headers });
        const identifier = farAway.includes(nonce)
          ? "authz.nonce_expired"
          : "authz.nonce_not_valid_timestamp";
        assertError(answer, 401, identifier);
      }
    }));
});

describe("a used signature", () => {
  it("opens no endpoint again, whatever it was used for", () =>
    withVenue(async (venue) => {
      const uses = [["GET", BALANCES], ["POST", "/api/v2/trading/market/orders/cancel"]] as const;
      for (const [method, path] of uses) {
        const headers = venue.sign("alice");
        const first = await venue.call(null, method, path, { headers });
        assertEquals(first.status, 200);
        for (const operation of await operations(venue)) {
          if (operation.access !== "member") continue;
          const again = operation.path.replace(/\{\w+\}/g, "1");
          const answer = await venue.call(null, operation.method, again, { headers });
          assertEquals([answer.status, answer.body.errors], [401, ["authz.nonce_already_used"]]);
        }
      }
    }));

  it("opens nothing even if refused for lack of permission", () =>
    withVenue(async (venue) => {
      const headers = venue.sign("alice");
      const refused = await venue.call(null, "GET", "/api/v2/admin/members", { headers });
      assertEquals(refused.status, 401);
      const again = await venue.call(null, "GET", BALANCES, { headers });
      assertError(again, 401, "authz.nonce_already_used");
    }));
});

describe("a captured call that has not arrived", () => {
  it("makes no other call where body signatures are required", () =>
    withVenue(async (venue) => {
      const path = "/api/v2/trading/market/orders";
      const text = '{"market":"btcusdt","side":"buy","type":"limit","amount":"1","price":"100"}';
      const usual = venue.sign("alice");
      const covering = bodySignature(SECRET, usual, { method: "POST", path, body: text });
      const captured = { ...usual, ...covering, "Content-Type": "application/json" };
      const other = [
        ["POST", path, text.replace('"1"', '"10"')],
        ["POST", path, `${text} `],
        ["POST", path, ""],
        ["POST", `${path}?amount=10`, text],
        ["POST", `${path}/`, text],
        ["POST", path.replace("trading", "finex"), text],
        ["POST", `${path}/cancel`, text],
        ["DELETE", "/api/v2/trading/market/bulk/orders", `[${text}]`],
        ["GET", BALANCES, undefined],
      ] as const;
      for (const [method, target, body] of other) {
        const options = { headers: captured, ...(body === undefined ? {} : { text: body }) };
        const answer = await venue.call(null, method, target, options);
        assertError(answer, 401, "authz.invalid_signature");
      }
      const answer = await venue.call(null, "POST", path, { headers: captured, text });
      assertEquals(answer.status, 201, "none of them has spent the nonce");
      const bare = await venue.call("alice", "GET", BALANCES);
      assertError(bare, 401, "authz.body_signature_required");
    }, { bodySignatures: "withdraw" }));
});

describe("protected endpoints", () => {
  it("are all closed to callers without the right role", () =>
    withVenue(async (venue) => {
      for (const { access, method, path } of await operations(venue)) {
        if (access === "public") continue;
        const target = path.replace(/\{\w+\}/g, "1");
        const unsigned = await venue.call(null, method, target);
        assertEquals(unsigned.body.errors, ["authz.invalid_session"], `${method} ${path}`);
        if (access === "member") continue;
        const signer = access === "operator" ? "alice" : "operator";
        const signed = await venue.call(signer, method, target);
        assertEquals(signed.status, 401, `${method} ${path}`);
        assertEquals(signed.body.errors, ["authz.invalid_permission"]);
      }
    }));

  it("never let a page of another origin read them", () =>
    withVenue(async (venue) => {
      for (const { access, method, path } of await operations(venue)) {
        // What is public is so for pages, too.
        if (access === "public" && method === "GET") continue;
        const headers = { "Origin": "https://evil.example" };
        const target = path.replace(/\{\w+\}/g, "1");
        const asked = await venue.call(null, "OPTIONS", target, { headers });
        assertEquals(asked.status, 405, path);
        const answer = await venue.call(null, method, target, { headers });
        for (const [name] of [...asked.headers, ...answer.headers]) {
          assert(!name.startsWith("access-control-"), `${method} ${path}`);
        }
      }
    }));
});
