import { createHash, createHmac } from "node:crypto";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { BodySignatures } from "../../../src/domain/settings.ts";
import { AuthVenue, type TestCall } from "../../support/auth_venue.ts";
import { INTERFACE } from "../../support/documents.ts";
import { Person } from "../../support/person.ts";
import { rawCall } from "../../support/raw_http.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { bodySignature, signedHeaders, type SignedRequest } from "../../support/signed_headers.ts";
import { withVenue } from "../../support/with_venue.ts";

const WRONG = "401 authz.invalid_signature";
const REQUIRED = "401 authz.body_signature_required";
const BALANCES = "/api/v2/backend/account/balances";
const FAILURES_MAX = 10;

const READ = { method: "GET", path: "/read?page=2&state=a%20b", body: "" } as const;
const WRITE = { method: "POST", path: "/write", body: '{"name":"Zoë €😀"}' } as const;

/** Returns a call with all four headers, of which the fourth covers `covered`. */
function coveredCall(
  venue: AuthVenue,
  asked: SignedRequest,
  { kid = "alice", covered = asked, nonce = venue.nextNonce() }: {
    kid?: string;
    covered?: SignedRequest;
    nonce?: number;
  } = {},
): TestCall {
  const { method = "GET", path, body } = asked;
  const usual = signedHeaders(kid, `${kid}-secret`, nonce);
  const headers = { ...usual, ...bodySignature(`${kid}-secret`, usual, covered) };
  return { method, path, headers, ...(body ? { body } : {}) };
}

/** Opens a venue with a key for each of what a key may do. */
async function openWithKeys(bodySignatures: BodySignatures): Promise<AuthVenue> {
  const venue = await AuthVenue.open({ bodySignatures });
  await venue.addKey("alice", { kid: "payer", scopes: ["read", "trade", "withdraw"] });
  await venue.addKey("bob", { kid: "operator", role: "operator" });
  return venue;
}

describe("a body signature", () => {
  it("covers method, path, query and body, whether it is required or not", async () => {
    for (const setting of ["off", "withdraw", "all"] as const) {
      await using venue = await openWithKeys(setting);
      for (const kid of ["alice", "payer"]) {
        assertEquals(await venue.outcome(coveredCall(venue, READ, { kid })), "200");
        assertEquals(await venue.outcome(coveredCall(venue, WRITE, { kid })), "201");
      }
      const admin = { method: "POST", path: "/admin", body: "{}" };
      assertEquals(await venue.outcome(coveredCall(venue, admin, { kid: "operator" })), "201");
      const others = [
        [READ, { ...READ, method: "POST" }],
        [READ, { ...READ, path: "/read" }],
        [READ, { ...READ, path: "/read?page=2&state=a b" }],
        [READ, { ...READ, body: "{}" }],
        [WRITE, { ...WRITE, path: "/write?" }],
        [WRITE, { ...WRITE, body: `${WRITE.body}\n` }],
        [WRITE, { ...WRITE, body: "" }],
      ] as const;
      for (const [asked, covered] of others) {
        const outcome = await venue.outcome(coveredCall(venue, asked, { covered }));
        assertEquals(outcome, WRONG, `${setting} ${JSON.stringify(covered)}`);
      }
    }
  });

  it("is of the same nonce and key, in hex of either case", async () => {
    await using venue = await openWithKeys("off");
    const { headers = {}, ...call } = coveredCall(venue, READ);
    const right = headers["X-Auth-Body-Signature"] ?? "";
    const ofNext = coveredCall(venue, READ).headers ?? {};
    const ofPayer = coveredCall(venue, READ, {
      kid: "payer",
      nonce: Number(headers["X-Auth-Nonce"]),
    });
    const wrong = [
      ofNext["X-Auth-Body-Signature"],
      ofPayer.headers?.["X-Auth-Body-Signature"],
      headers["X-Auth-Signature"],
      right.slice(1),
      `${right}0`,
      "",
    ];
    for (const signature of wrong) {
      const changed = { ...headers, "X-Auth-Body-Signature": signature ?? "" };
      assertEquals(await venue.outcome({ ...call, headers: changed }), WRONG, signature);
    }
    assertEquals(await venue.outcome({ ...call, headers }), "200", "the nonce is still good");
  });

  it("never stands in for the three other headers", async () => {
    await using venue = await openWithKeys("all");
    const { headers = {} } = coveredCall(venue, READ);
    for (const name of Object.keys(headers).slice(0, 3)) {
      const { [name]: _, ...others } = headers;
      assertEquals(await venue.outcome({ headers: others }), "422 authz.invalid_api_key_headers");
    }
    const alone = { "X-Auth-Body-Signature": headers["X-Auth-Body-Signature"] ?? "" };
    assertEquals(await venue.outcome({ headers: alone }), "422 authz.invalid_api_key_headers");
    assertEquals(await venue.outcome({ headers: {} }), "401 authz.invalid_session");
  });

  it("is refused like a wrong signature, in the same words and counts", async () => {
    await using venue = await AuthVenue.open({ isShared: true, rateLimit: 100 });
    const other = { covered: { ...READ, path: "/read" } };
    const byOther = await venue.call(coveredCall(venue, READ, other));
    const bySecret = await venue.call({ secret: "guess" });
    assertEquals([byOther.status, byOther.body], [bySecret.status, bySecret.body]);
    assertEquals([...byOther.headers], [...bySecret.headers]);
    assertEquals(venue.failures[0], venue.failures[1]);
    assertEquals(venue.observed.freshCount, 2, "both were looked at again");
    for (let count = 2; count < FAILURES_MAX; count++) {
      assertEquals(await venue.outcome(coveredCall(venue, READ, other)), WRONG);
    }
    const beyond = await venue.call(coveredCall(venue, READ, other));
    assertEquals(beyond.status, 429);
  });

  it("tells nothing of a key whose signature is wrong", async () => {
    for (const setting of ["off", "all"] as const) {
      await using venue = await openWithKeys(setting);
      for (const kid of ["alice", "nobody"]) {
        const { headers = {} } = coveredCall(venue, READ, { kid });
        const forged = { ...headers, "X-Auth-Signature": "0".repeat(64) };
        assertEquals(await venue.outcome({ path: READ.path, headers: forged }), WRONG);
        assertEquals(await venue.outcome({ kid, secret: "guess" }), WRONG);
      }
      assertEquals(await venue.outcome(coveredCall(venue, READ, { kid: "nobody" })), WRONG);
    }
  });
});

describe("a call without a body signature", () => {
  const outcomes = {
    off: { alice: ["200", "201"], payer: ["200", "201"], operator: ["200", "201"] },
    withdraw: {
      alice: ["200", "201"],
      payer: [REQUIRED, REQUIRED],
      operator: [REQUIRED, REQUIRED],
    },
    all: {
      alice: [REQUIRED, REQUIRED],
      payer: [REQUIRED, REQUIRED],
      operator: [REQUIRED, REQUIRED],
    },
  } as const;

  it("is refused where the setting requires one", async () => {
    for (const setting of ["off", "withdraw", "all"] as const) {
      await using venue = await openWithKeys(setting);
      for (const [kid, expected] of Object.entries(outcomes[setting])) {
        const write = kid === "operator" ? "/admin" : "/write";
        const given = [
          await venue.outcome({ kid, path: kid === "operator" ? "/admin" : "/read" }),
          await venue.outcome({ kid, method: "POST", path: write }),
        ];
        assertEquals(given, [...expected], `${setting} ${kid}`);
      }
    }
  });

  it("is told so before what its key may not do, and has spent its nonce", async () => {
    await using venue = await openWithKeys("all");
    const nonce = venue.nextNonce();
    const call = { method: "POST", path: "/withdraw", nonce };
    assertEquals(await venue.outcome(call), REQUIRED);
    assertEquals(
      await venue.outcome(coveredCall(venue, READ, { nonce })),
      "401 authz.nonce_already_used",
    );
    assertEquals(venue.failures.map(({ reason }) => reason), [
      "authz.body_signature_required",
      "authz.nonce_already_used",
    ]);
  });

  it("is no wrong signature, however often it is made", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 100, bodySignatures: "all" });
    for (let count = 0; count <= FAILURES_MAX; count++) {
      assertEquals(await venue.outcome(), REQUIRED);
    }
  });
});

describe("the venue's own routes", () => {
  it("take forms, older paths and text of any language as they are sent", () =>
    withVenue(async (venue) => {
      const order = "market=btcusdt&side=buy&type=limit&amount=1&price=100";
      const form = "application/x-www-form-urlencoded";
      const calls = [
        ["POST", "/api/v2/trading/market/orders", order, form],
        ["POST", "/api/v2/finex/market/orders", order, form],
        ["POST", "/api/v2/finex//market/orders/", `{"client_order_id":"é"}`, "application/json"],
        ["GET", `${BALANCES}/`, "", ""],
        ["GET", "/api/v2/peatio//account/balances?currency=btc", "", ""],
      ] as const;
      const statuses: number[] = [];
      for (const [method, path, body, type] of calls) {
        const usual = venue.sign("alice");
        const covering = bodySignature("demo-alice-secret", usual, { method, path, body });
        const headers = { ...usual, ...covering, ...(type === "" ? {} : { "Content-Type": type }) };
        const options = { headers, ...(body === "" ? {} : { text: body }) };
        statuses.push((await venue.call(null, method, path, options)).status);
        const bare = await venue.call("alice", method, path, body === "" ? {} : { text: body });
        assertEquals(bare.body.errors, ["authz.body_signature_required"], path);
      }
      assertEquals(statuses, [201, 201, 422, 200, 200]);
    }, { bodySignatures: "all" }));

  it("see the target of a request as it came over the network", () =>
    withServedVenue(async ({ venue, url }) => {
      for (const target of [`${BALANCES}?a=%7e%2F..&b={}|'`, `${url}${BALANCES}?x`]) {
        const usual = venue.sign("alice");
        const path = target.replace(url, "");
        const covering = bodySignature("demo-alice-secret", usual, { path });
        const lines = Object.entries({ "Host": "venue", ...usual, ...covering })
          .map(([name, value]) => `${name}: ${value}\r\n`);
        const answer = await rawCall(url, `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
        assertEquals(answer.status, 200, `${target} ${answer.body}`);
      }
    }, { bodySignatures: "all" }));

  it("leave visitors, the public and people's sessions alone", () =>
    withVenue(async (venue) => {
      assertEquals((await venue.get(null, "/api/v2/backend/public/markets")).status, 200);
      const alice = new Person(venue, "alice@demo.invalid");
      alice.password = "Demo-alice-1";
      alice.otpSecret = "JBSWY3DPEHPK3PXP";
      assertEquals((await alice.signIn(alice.otp())).status, 200);
      assertEquals((await alice.call("GET", BALANCES)).status, 200);
    }, { bodySignatures: "all" }));
});

describe("a body under a body signature", () => {
  const FORM = '--x\r\nContent-Disposition: form-data; name="market"\r\n\r\nbtcusdt\r\n--x--\r\n';
  const CANCEL = "/api/v2/trading/market/orders/cancel";

  it("is no multipart form, whose fields depend on a type that nobody signed", () =>
    withVenue(async (venue) => {
      await venue.order("alice", {});
      const types = ["x", "y", "--"].map((boundary) => `multipart/form-data; boundary=${boundary}`);
      for (const type of [...types, "Multipart/Mixed; boundary=x", "multipart/form-data"]) {
        const usual = venue.sign("alice");
        const covering = bodySignature("demo-alice-secret", usual, {
          method: "POST",
          path: CANCEL,
          body: FORM,
        });
        const headers = { ...usual, ...covering, "Content-Type": type };
        const answer = await venue.call(null, "POST", CANCEL, { headers, text: FORM });
        assertEquals([answer.status, answer.body.errors], [422, [
          "server.method.invalid_message_body",
        ]]);
        assertEquals(answer.body.details.field, "Content-Type");
      }
      assertEquals(
        (await venue.get("alice", "/api/v2/backend/market/orders")).body[0].state,
        "wait",
      );
    }));

  it("says the same under every type that it may have", () =>
    withVenue(async (venue) => {
      const bodies = [
        '{"market":"ethusdt"}',
        "market=ethusdt",
        FORM,
        " ",
        "null",
        "{}",
        '"x"',
        "&",
      ];
      const types = [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=y",
        "text/plain",
        "",
      ];
      await venue.order("alice", {});
      for (const text of bodies) {
        // What one type reads, another one reads alike or refuses.
        const read = new Set<string>();
        for (const type of types) {
          const usual = venue.sign("alice");
          const asked = { method: "POST", path: CANCEL, body: text };
          const covering = bodySignature("demo-alice-secret", usual, asked);
          const headers = {
            ...usual,
            ...covering,
            ...(type === "" ? {} : { "Content-Type": type }),
          };
          const { status, body } = await venue.call(null, "POST", CANCEL, { headers, text });
          if (status === 200) read.add(body.length === 0 ? "none" : "all");
          if (body.length > 0) await venue.order("alice", {});
        }
        assertEquals(read.size <= 1, true, `${text}: ${[...read]}`);
      }
    }));
});

describe("the guide for clients", () => {
  it("says what a client computes", async () => {
    const [, terms = ""] = /`hex\(HMAC-SHA256\(secret, ([^`]*hex\(SHA-256\(body\)\))\)\)`/
      .exec(INTERFACE.text.replaceAll("\n", " ")) ?? [];
    await using venue = await openWithKeys("all");
    const nonce = venue.nextNonce();
    const values: Record<string, string> = {
      "nonce": String(nonce),
      "access key": "payer",
      "method": WRITE.method,
      "path": `${WRITE.path}?a=b`,
      "hex(SHA-256(body))": createHash("sha256").update(WRITE.body, "utf8").digest("hex"),
    };
    const text = terms.split(" + ").map((term) => values[term]).join("");
    const signature = createHmac("sha256", "payer-secret").update(text).digest("hex");
    const headers = {
      ...signedHeaders("payer", "payer-secret", nonce),
      "X-Auth-Body-Signature": signature,
    };
    assertEquals(await venue.outcome({ ...WRITE, path: values["path"] ?? "", headers }), "201");
  });
});
