/** Attacks below HTTP: heads that no client sends, and clients that never finish. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { rawCall, RawHttp } from "../support/raw_http.ts";
import { Person } from "../support/person.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
const BALANCES = "/api/v2/backend/account/balances";
const ALIVE = "/api/v2/backend/public/health/alive";
const UNFINISHED = 150;

function head(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: "localhost", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

async function isAlive({ url }: ServedVenue): Promise<void> {
  const answer = await fetch(`${url}${ALIVE}`);
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
}

describe("an odd request head", () => {
  it("is refused if it could mean two requests", () =>
    withServedVenue(async (served) => {
      const start = `POST ${ORDERS} HTTP/1.1\r\nHost: localhost\r\n`;
      const twofold = [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "Content-Length: 5, 6\r\n\r\nhello!",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: +5\r\n\r\nhello",
        "Content-Length: 0x5\r\n\r\nhello",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Content-Length : 5\r\n\r\nhello",
        "X-A: a\r\n b\0c\r\n\r\n",
      ];
      for (const rest of twofold) {
        const { status } = await rawCall(served.url, start + rest);
        assertEquals(status, 400, rest);
      }
      await isAlive(served);
    }));

  it("is refused if it is too long or has too many lines", () =>
    withServedVenue(async (served) => {
      const long = head("GET", ALIVE, { "X-Long": "a".repeat(1_000_000) });
      const path = `GET ${ALIVE}?a=${"b".repeat(1_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const names = Array.from({ length: 2_000 }, (_, i) => [`X-${i}`, "a"] as const);
      for (const request of [long, path, head("GET", ALIVE, Object.fromEntries(names))]) {
        const { status } = await rawCall(served.url, request);
        assert([400, 414, 431, 0].includes(status), String(status));
      }
      await isAlive(served);
    }));

  it("injects nothing into an answer's head", () =>
    withServedVenue(async (served) => {
      const paths = [
        `${ORDERS}/%0d%0aX-Injected:%201`,
        "/api/v2/backend/account/statements/trades.csv?market=%0d%0aX-Injected:%201",
        "/api/v2/%0d%0a%0d%0aHTTP/1.1%20200%20OK",
        "/docs%0d%0aSet-Cookie:%20a=b",
      ];
      for (const path of paths) {
        const headers = { ...served.venue.sign("alice"), "X-Request-Id": "a\tb", Cookie: "a=b" };
        const { status, head: answered } = await rawCall(served.url, head("GET", path, headers));
        assert(status >= 400 && status < 500, `${path} ${status}`);
        assert(!answered.includes("injected") && !answered.includes("set-cookie"), answered);
      }
    }));

  it("reaches no endpoint by another spelling of its path", () =>
    withServedVenue(async (served) => {
      const paths = [
        "/api/v2/backend/public/../account/balances",
        "/api/v2/backend/public/%2e%2e/account/balances",
        "/api/v2/backend//account/balances",
        "//api/v2/backend/account/balances",
        "/api/v2/backend/account%2fbalances",
        "/api/v2/backend/account/balances%00",
        "/api/v2/backend/account/balances;a=b",
        "/api/v2/backend/account/Balances",
        "/api/v2/backend/account/./balances",
        "http://evil.example/api/v2/backend/account/balances",
        "/api/v2/backend/account/b\u00e4lances",
        "*",
      ];
      for (const path of paths) {
        const { status, body } = await rawCall(served.url, head("GET", path));
        // Either there is no endpoint, or it requires authentication.
        assert([400, 401, 404].includes(status), `${path} ${status} ${body}`);
      }
      for (const method of ["TRACE", "CONNECT", "PROPFIND", "get", "BREW"]) {
        const { status } = await rawCall(served.url, head(method, BALANCES));
        assert(status === 405 || status === 400, `${method} ${status}`);
      }
    }));

  it("is read or refused if it holds malformed text", () =>
    withServedVenue(async (served) => {
      const odd = ["%", "%E0%A4%A", "%ff%fe", "%c0%ae", "%u0041", "a%2", "%F0%9F%92"];
      for (const one of odd) {
        for (
          const path of [
            `/api/v2/backend/market/orders/${one}`,
            `/api/v2/backend/account/deposits/${one}`,
            `${BALANCES}?search=${one}&${one}=1`,
            `/api/v2/backend/public/currencies/${one}`,
            `/api/v2/${one}`,
            `/${one}`,
          ]
        ) {
          const cookie = `_kvenue_session=${one}; ${one}=${one}`;
          for (const headers of [served.venue.sign("alice"), { Cookie: cookie }]) {
            const { status, body } = await rawCall(served.url, head("GET", path, headers));
            assert(status >= 200 && status < 500, `${path} ${status} ${body}`);
          }
        }
      }
      const bytes = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf, 0x7b, 0x7d], [0]];
      for (const type of ["application/json", "application/x-www-form-urlencoded", "\xff/\xfe"]) {
        for (const some of bytes) {
          const headers = {
            ...served.venue.sign("alice"),
            "Content-Type": type,
            "Content-Length": String(some.length),
          };
          const connection = await RawHttp.open(served.url);
          await connection.send(head("POST", ORDERS, headers));
          await connection.send(new Uint8Array(some));
          const { status } = await connection.answer();
          assert(status === 400 || status === 422, `${type} ${some} ${status}`);
          connection.close();
        }
      }
      assertEquals(served.venue.unexpected, []);
    }));

  it("can't override its method", () =>
    withServedVenue(async (served) => {
      await served.venue.order("alice");
      const headers = {
        "X-HTTP-Method-Override": "POST",
        "X-Method-Override": "POST",
        "X-HTTP-Method": "POST",
        ...served.venue.sign("alice"),
      };
      const cancel = head("GET", `${ORDERS}/cancel?_method=POST`, headers);
      assertEquals((await rawCall(served.url, cancel)).status, 405);
      const open = await served.venue.get("alice", "/api/v2/backend/market/orders?state=wait");
      assertEquals(open.body.length, 1);
    }));

  it("is unsigned if it repeats a signing header", () =>
    withServedVenue(async (served) => {
      const signed = served.venue.sign("alice");
      const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`);
      for (const line of lines) {
        const request = `GET ${BALANCES} HTTP/1.1\r\nHost: a\r\n${lines.join("")}${line}\r\n`;
        assertEquals((await rawCall(served.url, request)).status, 401, line);
      }
    }));
});

describe("a Host with more than a host", () => {
  it("is refused, and chooses no route", () =>
    withServedVenue(async (served) => {
      const members = "x/api/v2/admin/members?";
      const hosts = ["a b", "a\tb", "x/", "x?", "x#", "x\\y", "u@x", `x${ALIVE}?`, members, ""];
      for (const host of hosts) {
        for (const path of ["/nothing", BALANCES]) {
          const headers = { ...served.venue.sign("operator"), Host: host };
          const { status, body } = await rawCall(served.url, head("GET", path, headers));
          assertEquals([status, body], [400, '{"errors":["server.invalid_host"]}'], host);
        }
      }
      for (const host of ["x", "x:80", "127.0.0.1:1", "[::1]:80", "xn--a_b.example."]) {
        const { status } = await rawCall(served.url, head("GET", ALIVE, { Host: host }));
        assertEquals(status, 200, host);
      }
      const unnamed = await rawCall(served.url, `GET ${ALIVE} HTTP/1.0\r\n\r\n`);
      assertEquals(unnamed.status, 200);
      assertEquals(served.venue.unexpected, []);
    }));
});

describe("an absolute target", () => {
  it("needs a plain host and a path, and its query chooses no route", () =>
    withServedVenue(async (served) => {
      const targets = [
        "http://x?a",
        "http://x?",
        "http://[::1]?q",
        `http://x?${ALIVE}`,
        `http://x?a${ALIVE}`,
        `http://x?${BALANCES}`,
        `http://x#${ALIVE}`,
        `http://u@x${ALIVE}`,
      ];
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const call = (target: string) => {
          const headers = { ...served.venue.sign("alice"), Host: "x", Connection: "close" };
          return rawCall(served.url, head(method, target, headers));
        };
        // Older platforms put the path in that is missing.
        const root = await call("http://x/");
        for (const target of targets) {
          const { status } = await call(target);
          assert([400, root.status].includes(status), `${method} ${target}: ${status}`);
        }
      }
      const whole = head("GET", `http://x${ALIVE}`, { Host: "x" });
      assertEquals((await rawCall(served.url, whole)).status, 200);
      assertEquals(served.venue.unexpected, []);
    }));
});

describe("an invalid host", () => {
  it("breaks no sign-in and no stream", () =>
    withServedVenue(async (served) => {
      const { email, password } = await Person.join(served.venue);
      const json = JSON.stringify({ email, password });
      const length = String(json.length);
      const headers = { Host: "a:b", "Content-Type": "application/json", "Content-Length": length };
      const path = "/api/v2/auth/identity/sessions";
      const { status, head: answered } = await rawCall(
        served.url,
        head("POST", path, headers) + json,
      );
      assertEquals(status, 200);
      assert(answered.includes("; secure"), answered);
      const listened = await rawCall(
        served.url,
        head("GET", "/api/v2/stream/public/?stream=x", { Host: "a:b" }),
      );
      assertEquals(listened.status, 426);
      const upgrade = {
        Host: "a:b",
        Upgrade: "websocket",
        Connection: "Upgrade, close",
        "Sec-WebSocket-Version": "13",
      };
      for (const stream of ["public", "private"]) {
        const { status } = await rawCall(
          served.url,
          head("GET", `/api/v2/stream/${stream}/?stream=x`, {
            ...upgrade,
            ...served.venue.sign("alice"),
          }),
        );
        assertEquals(status, 426, stream);
      }
      assertEquals(served.venue.unexpected, []);
    }));
});

describe("clients that never finish", () => {
  it("keep nobody else waiting, in head or body", () =>
    withServedVenue(async (served) => {
      const slow = await Promise.all(
        Array.from({ length: UNFINISHED }, () => RawHttp.open(served.url)),
      );
      try {
        const unfinished = [
          `POST ${ORDERS} HTTP/1.1\r\nHost: a\r\nX-A: `,
          `POST ${ORDERS} HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{"market":`,
          `POST ${ORDERS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
        ];
        await Promise.all(
          slow.map((connection, i) => connection.send(unfinished[i % unfinished.length] ?? "")),
        );
        await isAlive(served);
        const placed = await served.venue.order("alice");
        assertEquals(placed.status, 201);
      } finally {
        for (const connection of slow) connection.close();
      }
      await isAlive(served);
      assertEquals(served.venue.unexpected, []);
    }));

  it("place no order with half a body, and have spent its nonce", () =>
    withServedVenue(async (served) => {
      const connection = await RawHttp.open(served.url);
      const signed = served.venue.sign("alice");
      const headers = { ...signed, "Content-Type": "application/json", "Content-Length": "200" };
      const order = '{"market":"btcusdt","side":"buy","type":"limit","amount":"1","price":"1"}';
      await connection.send(head("POST", ORDERS, headers) + order);
      await isAlive(served);
      connection.close();
      await isAlive(served);
      const open = await served.venue.get("alice", "/api/v2/backend/market/orders");
      assertEquals(open.body, []);
      const again = await served.venue.call(null, "GET", BALANCES, { headers: signed });
      assertEquals(again.body.errors, ["authz.nonce_already_used"]);
    }));

  it("that read no answer block nobody", () =>
    withServedVenue(async (served) => {
      const deaf = await Promise.all(Array.from({ length: 20 }, () => RawHttp.open(served.url)));
      try {
        const request = head("GET", "/api/v2/openapi.json").repeat(20);
        await Promise.all(deaf.map((connection) => connection.send(request)));
        await isAlive(served);
      } finally {
        for (const connection of deaf) connection.close();
      }
      await isAlive(served);
    }));
});
