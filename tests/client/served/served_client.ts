/** The client as a venue serves it, and programs that use it. */
import { SharedClientVenue } from "../../support/client_venue.ts";
import { buildClient } from "../../../src/server/building/build_client.ts";

/** Returns a demo venue that serves the client as its sources are now. */
export function servingVenue(): SharedClientVenue {
  return new SharedClientVenue({ RATE_LIMIT: "off" }, () => buildClient());
}

/**
 * Returns a bot in plain JavaScript that prints what it has met, as JSON. Its first argument is the
 * venue's URL.
 *
 * @param client from where it imports the client
 * @param url how the platform's arguments are read
 */
export function botText(client: string, url: string): string {
  return `
import { OutcomeUnknownError, UnreachableError, Venue, VenueError } from ${JSON.stringify(client)};
const url = ${url};
const key = { kid: "demo-alice", secret: "demo-alice-secret" };
const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.5", price: "20000" };
const Sockets = globalThis.WebSocket;
// What a platform without websockets does, and that it can be given them.
delete globalThis.WebSocket;
const bare = new Venue(url, { key });
const thrown = (work) => { try { work(); } catch (error) { return error; } };
const missing = thrown(() => bare.listen("order", { onMessage() {} }));
const venue = new Venue(url, { key, WebSocket: Sockets });
const hasSockets = Sockets !== undefined;
const told = [];
if (hasSockets) venue.listen("order", { onMessage: ({ state }) => told.push(state) });
const book = hasSockets ? venue.book("btcusdt") : null;
const until = async (look) => {
  for (let i = 0; !look() && i < 3000; i++) await new Promise((resolve) => setTimeout(resolve, 20));
};
await until(() => book === null || book.isKnown);
const placed = await venue.placeOrder(order);
await until(() => book === null || book.bids.length === 1);
const bids = book === null ? null : [...book.bids];
const found = await venue.get("/api/v2/backend/market/orders/{id}", { path: { id: placed.id } });
const cancelled = await venue.cancelOrder(placed.id);
await until(() => book === null || told.includes("cancel"));
const caught = async (work) => { try { return await work(); } catch (error) { return error; } };
const refused = await caught(() => venue.placeOrder({ ...order, price: "1.123456789" }));
const wrong = new Venue(url, { key: { kid: "demo-alice", secret: "x" } });
const strange = await caught(() => wrong.get("/api/v2/backend/account/balances"));
const nowhere = new Venue("http://127.0.0.1:1", { patienceMs: 300 });
const away = await caught(() => nowhere.get("/api/v2/backend/public/markets"));
const many = await Promise.all(Array.from({ length: 50 }, () => venue.get("/api/v2/backend/account/balances")));
let accepted = null;
if (hasSockets) {
  const socket = venue.orderSocket();
  await socket.opened();
  accepted = await socket.placeOrder(order);
  await socket.cancelOrder(accepted.uuid);
  socket.close();
}
venue.close();
console.log(JSON.stringify({
  hasSockets,
  missing: missing instanceof TypeError && missing.message,
  placed: typeof placed.uuid,
  found: found.uuid === placed.uuid,
  cancelled: cancelled.state,
  refused: refused instanceof VenueError && [refused.status, refused.field, refused.rule],
  strange: strange instanceof VenueError && strange.code,
  away: away instanceof UnreachableError && !(away instanceof OutcomeUnknownError),
  many: many.length,
  bids,
  told: [...new Set(told)],
  accepted: typeof accepted?.uuid,
}));
`;
}

/** What the bot prints. */
export function botReport(hasSockets: boolean): Record<string, unknown> {
  return {
    hasSockets,
    missing: "this platform has no WebSocket: give the venue's options a class of them",
    placed: "string",
    found: true,
    cancelled: "cancel",
    refused: [422, "price", "precision"],
    strange: "authz.invalid_signature",
    away: true,
    many: 50,
    bids: hasSockets ? [["20000.0", "0.5"]] : null,
    told: hasSockets ? ["wait", "cancel"] : [],
    accepted: hasSockets ? "string" : "undefined",
  };
}

/** Runs a program in a folder of its own with these files; returns what it prints. */
export async function runProgram(
  files: Readonly<Record<string, string>>,
  [program, ...args]: readonly string[],
): Promise<{ readonly success: boolean; readonly out: string; readonly err: string }> {
  const folder = await Deno.makeTempDir({ prefix: "venue_client_" });
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const { success, stdout, stderr } = await new Deno.Command(program ?? "", {
      args,
      cwd: folder,
      // Modules of this venue are kept for nobody else.
      env: { DENO_DIR: `${folder}/deno_dir`, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { success, out, err };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
