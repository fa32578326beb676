import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Endpoint } from "../../../src/http/contract.ts";
import { createEndpoints } from "../../../src/http/endpoints.ts";
import { withVenue } from "../../support/with_venue.ts";
import type { MoneyLevel } from "../../../src/edge/callers/money_levels.ts";

const MEMBERS = createEndpoints().filter(({ access }) => access.kind === "member");
const BACKEND = "/api/v2/backend/account";

/** The directions of money whose minimum levels apply, by path. */
const LEVELS: Readonly<Record<string, readonly MoneyLevel[]>> = {
  [`${BACKEND}/deposit`]: ["deposit"],
  [`${BACKEND}/faucet`]: ["deposit"],
  [`${BACKEND}/withdraws`]: ["withdraw"],
  [`${BACKEND}/beneficiaries`]: ["withdraw"],
  [`${BACKEND}/transactions`]: ["deposit", "withdraw"],
  [`${BACKEND}/statements/transactions`]: ["deposit", "withdraw"],
};

function levelsOf({ paths: [path] }: Endpoint): readonly MoneyLevel[] {
  // Whoever has money in a withdrawal may see it and take it back.
  if (path === `${BACKEND}/withdraws/{id}`) return [];
  return Object.entries(LEVELS).find(([start]) => path.startsWith(start))?.[1] ?? [];
}

describe("a member endpoint", () => {
  it("reads with the read scope, and pays out only with the withdraw scope", () => {
    for (const { id, access, method, paths: [path] } of MEMBERS) {
      const isPayee = /\/account\/(withdraws|beneficiaries)/.test(path);
      const scope = method === "GET" ? "read" : isPayee ? "withdraw" : "trade";
      assertEquals(access.kind === "member" && access.scope, scope, id);
    }
  });

  it("requires the level for the money it handles", () => {
    for (const endpoint of MEMBERS) {
      assertEquals(endpoint.levels ?? [], levelsOf(endpoint), endpoint.id);
    }
    for (const start of Object.keys(LEVELS)) {
      assert(MEMBERS.some(({ paths: [path] }) => path.startsWith(start)), start);
    }
  });

  it("takes a large body only for bulk orders", () => {
    for (const { id, body, paths: [path] } of createEndpoints()) {
      assertEquals(body?.isBulk ?? false, path.includes("/bulk/"), id);
    }
  });

  it("has a rate limit of its own if it cancels", () => {
    for (const { id, isCancel = false } of MEMBERS) {
      assertEquals(isCancel, id.startsWith("cancel") && id !== "cancelWithdraw", id);
    }
  });
});

/** Market data, and the feeds for sites that list venues and for charts. */
const PUBLIC_PATHS: readonly string[] = [
  "/api/v2/backend/public/",
  "/api/v2/coingecko/",
  "/api/v2/coinmarketcap/",
  "/api/v2/udf/",
];

describe("an endpoint that needs no member's key", () => {
  it("takes 4 KiB at most where nobody has to sign", () =>
    withVenue(async (venue) => {
      const tried: string[] = [];
      for (const { id, method, paths: [path], access, body } of createEndpoints()) {
        if (body === undefined || !["visitor", "session"].includes(access.kind)) continue;
        const asked = path.replaceAll(/\{\w+\}/g, "1");
        const answer = await venue.call(null, method, asked, { text: " ".repeat(4 * 1024 + 1) });
        assertEquals(answer.status, 413, `${id} ${answer.text}`);
        tried.push(id);
      }
      assert(tried.length > 12, tried.join());
    }));

  it("is public, personal or for operators, as its path says", () => {
    for (const { id, access: { kind }, paths: [path] } of createEndpoints()) {
      if (path.startsWith("/api/v2/admin/")) assertEquals(kind, "operator", id);
      else if (path.startsWith("/api/v2/auth/resource/")) {
        const isForKeys = id === "readMe" || id === "listOwnActs";
        assertEquals(kind, isForKeys ? "member" : "session", id);
      } else if (PUBLIC_PATHS.some((start) => path.startsWith(start))) {
        assert(kind === "public" || kind === "service", id);
      } else assert(["member", "visitor", "session"].includes(kind), id);
    }
  });
});
