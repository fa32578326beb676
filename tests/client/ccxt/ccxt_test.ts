/** The exchange classes for ccxt, each by a life of two members in its own language. */
import { assert, assertEquals } from "@std/assert";
import { describeUnless } from "../../support/unless.ts";
import { describe, it } from "@std/testing/bdd";
import { ccxtForNode, ccxtForPython, type Package } from "../../support/ccxt_packages.ts";
import { type ClientVenue, startClientVenue } from "../../support/client_venue.ts";

/** How an answer of the venue is told by ccxt. */
type ErrorCase = readonly [status: number, identifier: string, name: string, value?: string];

const ERRORS: readonly ErrorCase[] = [
  [422, "market.account.insufficient_balance", "InsufficientFunds"],
  [422, "market.order.invalid_volume_or_price", "InvalidOrder"],
  [422, "market.order.price_out_of_band", "InvalidOrder"],
  [422, "market.order.duplicate_client_order_id", "DuplicateOrderId"],
  [422, "market.order.untraded_orders_limit", "OperationRejected"],
  [413, "market.order.bulk_limit_exceeded", "BadRequest"],
  [422, "market.market.doesnt_exist_or_not_enabled", "BadSymbol"],
  [422, "market.market.doesnt_exist_or_not_enabled", "MarketClosed", "cancel_only"],
  [422, "market.market.halted", "MarketClosed"],
  [422, "market.trade.disabled_api", "OnMaintenance"],
  [403, "market.trade.not_permitted", "PermissionDenied"],
  [403, "authz.scope_not_permitted", "PermissionDenied"],
  [403, "authz.ip_not_permitted", "PermissionDenied"],
  [401, "authz.invalid_signature", "AuthenticationError"],
  [401, "authz.apikey_not_active", "AuthenticationError"],
  [401, "authz.nonce_expired", "InvalidNonce"],
  [401, "authz.nonce_already_used", "InvalidNonce"],
  [422, "record.not_found", "OrderNotFound"],
  [422, "server.unknown_field", "BadRequest"],
  [429, "server.rate_limited", "RateLimitExceeded"],
  [500, "server.internal_error", "ExchangeNotAvailable"],
  [503, "server.unavailable", "ExchangeNotAvailable"],
  [504, "server.outcome_unknown", "RequestTimeout"],
  // Somebody on the way answers well, who knows nothing of the order, or knows of another one.
  [200, "", "BadResponse"],
  [201, "another", "BadResponse"],
];

/** An order that nobody of this test has placed. */
const ANOTHER = {
  id: 7,
  uuid: "0773a03f-2727-4b50-bfd1-76d4e503cc96",
  client_order_id: "another",
  state: "done",
};

/** What a life prints. */
interface Life {
  /** What both members have together, by currency. */
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
  /** Alice's trades: their ids, the currencies of their fees, and these. */
  readonly fees: readonly (readonly [number, string, number])[];
  readonly free: Readonly<Record<string, number>>;
  readonly used: Readonly<Record<string, number>>;
  readonly total: Readonly<Record<string, number>>;
  /** How orders ended: whose they are, their ids, and their statuses. */
  readonly ended:
    readonly (readonly ["alice" | "bob", string, "canceled" | "closed" | "rejected"])[];
  /** The classes of the errors above. */
  readonly classes: readonly string[];
}

/**
 * Makes a way to the venue on which the orders that name an error meet it. Of those that name
 * themselves `lost`, the first answer is lost.
 */
function refusing(venue: string): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  let isLost = true;
  return Deno.serve(options, async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "GET" ? null : await request.text();
    const [, place] = /"error-(\d+)"/.exec(body ?? "") ?? [];
    if (place === undefined) {
      const { method, headers } = request;
      const answer = await fetch(venue + pathname + search, { method, headers, body });
      if (!isLost || !body?.includes('"lost"')) return answer;
      isLost = false;
      await answer.body?.cancel();
      return Response.json({ errors: ["server.outcome_unknown"] }, { status: 504 });
    }
    const [status, identifier, , value] = ERRORS[Number(place)] ?? [599, ""];
    if (status < 400) return Response.json(identifier === "another" ? ANOTHER : {}, { status });
    const details = value === undefined ? {} : { details: { field: "market", value } };
    return Response.json({ errors: [identifier], ...details }, { status });
  });
}

/** Runs a life against a venue of its own, and compares what it tells with what the venue does. */
async function live(program: string, args: (venue: string) => readonly string[]): Promise<void> {
  const environment = { RATE_LIMIT: "1000000", NONCE_WINDOW_MS: "60000" };
  const served = await startClientVenue(environment);
  const way = refusing(served.url);
  try {
    const errors = `http://127.0.0.1:${way.addr.port}`;
    const given = [...args(served.url), errors, String(ERRORS.length)];
    // What Python compiles stands beside nothing of the sources.
    const env = { PYTHONPYCACHEPREFIX: fileOf("../../../.built/python_cache/") };
    const command = new Deno.Command(program, { args: given, env });
    const { success, stdout, stderr } = await command.output();
    assert(success, new TextDecoder().decode(stderr));
    await compare(served, JSON.parse(new TextDecoder().decode(stdout)) as Life);
  } finally {
    await way.shutdown();
    await served.server.stop();
  }
}

async function compare({ as }: ClientVenue, life: Life): Promise<void> {
  assertEquals(life.classes, ERRORS.map(([, , name]) => name));
  const alice = as("alice");
  const query = { limit: 1000, order_by: "asc" } as const;
  const trades = await alice.get("/api/v2/backend/market/trades", { query });
  const fees = trades.map(({ id, fee_currency, fee_amount }) =>
    [id, fee_currency.toUpperCase(), Number(fee_amount)] as const
  );
  assert(fees.length > 250);
  assertEquals(life.fees, fees);
  // The two have traded with each other alone: what is missing are the fees of both.
  const bobs = await as("bob").get("/api/v2/backend/market/trades", { query });
  const paid = new Map<string, number>();
  for (const { fee_currency, fee_amount } of [...trades, ...bobs]) {
    paid.set(fee_currency, (paid.get(fee_currency) ?? 0) + Number(fee_amount));
  }
  for (const [currency, fee] of paid) {
    const code = currency.toUpperCase();
    const missing = (life.before[code] ?? 0) - (life.after[code] ?? 0);
    assert(fee > 0 && Math.abs(missing - fee) < 1e-6, `${code}: ${missing}, not ${fee}`);
  }
  for (const [code, total] of Object.entries(life.total)) {
    const sum = (life.free[code] ?? 0) + (life.used[code] ?? 0);
    assert(Math.abs(total - sum) < 1e-6, `${code}: ${total}, not ${sum}`);
  }
  const states = { canceled: "cancel", closed: "done", rejected: "reject" } as const;
  for (const [name, id, status] of life.ended) {
    const path = { id };
    const order = await as(name).get("/api/v2/backend/market/orders/{id}", { path });
    assertEquals(order.state, states[status]);
  }
}

function fileOf(path: string): string {
  const { pathname } = new URL(path, import.meta.url);
  return decodeURIComponent(Deno.build.os === "windows" ? pathname.slice(1) : pathname);
}

function shown({ why }: Package): string {
  return why === null ? "" : ` (skipped: ${why})`;
}

const [node, python] = await Promise.all([ccxtForNode(), ccxtForPython()]);

describe("the classes for ccxt", () => {
  it("are served by the venue", async () => {
    const served = await startClientVenue();
    try {
      for (const name of ["kvenue.js", "kvenue.py"]) {
        const answer = await fetch(`${served.url}/client/ccxt/${name}`);
        const source = fileOf(`../../../src/client/ccxt/${name}`);
        assertEquals(await answer.text(), await Deno.readTextFile(source));
      }
    } finally {
      await served.server.stop();
    }
  });
});

describeUnless(node.why ?? false)(`a class for ccxt in JavaScript${shown(node)}`, () => {
  it("lives a life that is the venue's", async () => {
    const entry = new URL(`file://${node.folder}/node_modules/ccxt/js/ccxt.js`).href;
    await live("node", (venue) => [fileOf("life.mjs"), entry, venue]);
  });
});

describeUnless(python.why ?? false)(`a class for ccxt in Python${shown(python)}`, () => {
  it("lives a life that is the venue's, waiting and awaited", async () => {
    const folders = [python.folder, fileOf("../../../src/client/ccxt/")];
    await live("python3", (venue) => [fileOf("life.py"), folders.join(","), venue]);
  });
});
