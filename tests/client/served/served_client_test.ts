/** The client as a venue serves it, in a bot on Deno, a bot on Node, and a page in a browser. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildClient } from "../../../src/server/building/build_client.ts";
import { BUILT } from "../../../src/server/building/built_files.ts";
import { DEMO_OTP_SECRET } from "../../../src/server/demo/demo_venue.ts";
import { withBrowser } from "../../support/chromium.ts";
import { DemoProcess } from "../../support/demo_process.ts";
import { otpAt } from "../../support/otp_at.ts";
import { botReport, botText, runProgram, servingVenue } from "./served_client.ts";

/** Programs that fail may show all of the client's code, which is one line. */
const ERROR_LENGTH_MAX = 1_000;

/** Returns a typed bot, which misspells a field of the contract once. */
function typedText(client: string): string {
  return `
import { type OrderInput, Venue } from "${client}";
const venue = new Venue(Deno.args[0], { key: { kid: "demo-alice", secret: "demo-alice-secret" } });
const input: OrderInput = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "9" };
const { uuid } = await venue.placeOrder(input);
const [order] = await venue.get("/api/v2/backend/market/orders", { query: { market: "btcusdt" } });
const price: string | null | undefined = order?.price;
// @ts-expect-error: there is no such field.
const misspelt = order?.prise;
const { state } = await venue.cancelOrder(uuid);
console.log(price, misspelt, state);
`;
}

/** Returns the version of Node on this machine; null if it is not there. */
function nodeVersion(): number | null {
  try {
    const { stdout } = new Deno.Command("node", { args: ["--version"] }).outputSync();
    return Number(/^v(\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Returns what a bot has printed, or how it ended. */
function reportOf({ out, err }: { readonly out: string; readonly err: string }): unknown {
  return out === "" ? err.slice(-ERROR_LENGTH_MAX) : JSON.parse(out);
}

const NODE = nodeVersion();
const NODE_MIN = 20;
const hasNoNode = NODE === null || NODE < NODE_MIN;
const WHY_NO_NODE = hasNoNode ? ` (skipped: there is no Node ${NODE_MIN} or later)` : "";

describe("the client as a venue serves it", () => {
  const shared = servingVenue();
  shared.it("is imported by a bot on Deno from the venue's URL", async ({ url }) => {
    const files = { "bot.js": botText(`${url}/client.js`, "Deno.args[0]") };
    const allowed = ["--no-prompt", "--allow-net", `--allow-import=${new URL(url).host}`];
    const command = [Deno.execPath(), "run", ...allowed, "bot.js", url];
    const { out, err } = await runProgram(files, command);
    assertEquals(reportOf({ out, err }), botReport(true));
  });

  shared.it("has its types there", async ({ url }) => {
    const files = { "bot.ts": typedText(`${url}/client.js`) };
    const allowed = ["--no-prompt", "--allow-net", `--allow-import=${new URL(url).host}`];
    const command = [Deno.execPath(), "run", "--check", ...allowed, "bot.ts", url];
    const { out, err } = await runProgram(files, command);
    assertEquals(out, "9.0 undefined cancel\n", err.slice(-ERROR_LENGTH_MAX));
  });

  shared.it(`runs on Node, from a file${WHY_NO_NODE}`, async ({ url }) => {
    const client = await Deno.readTextFile(new URL("client.js", BUILT));
    const files = {
      "client.mjs": client,
      "bot.mjs": botText("./client.mjs", "process.argv[2]"),
    };
    const run = (...args: string[]) => runProgram(files, ["node", ...args, "bot.mjs", url]);
    const plain = await run();
    const hasOwn = (NODE ?? 0) >= 22;
    assertEquals(reportOf(plain), botReport(hasOwn));
    if (hasOwn) return;
    // Node 20 has a class of websockets as well, but not by default.
    const given = await run("--experimental-websocket");
    assertEquals(reportOf(given), botReport(true));
  }, hasNoNode);

  it("runs in a page of the venue", () =>
    withBrowser(async (browser) => {
      await buildClient();
      // In a process of its own: a venue refuses strangers' sockets where memory is short, and what
      // the tests beside it need would count.
      await using venue = await DemoProcess.start();
      // Its icon and one code are missing, one price is wrong, one call comes after the sign-out.
      browser.expect(/the server responded with a status of 4(?:01|04|22)/);
      // Any document of the venue's origin will do that allows scripts.
      const page = await browser.open(`${venue.url}/client.js`);
      const code = otpAt(DEMO_OTP_SECRET, Date.now());
      assertEquals(await page.evaluate(signingIn(code)), {
        missing: "identity.session.missing_otp",
        email: "alice@demo.invalid",
        resumed: "alice@demo.invalid",
        refused: 422,
        states: ["wait", "cancel", "wait", "cancel"],
        bids: [["20000.0", "0.5"]],
        empty: [],
        socket: "string",
        signedOut: 401,
      });
      assertEquals(await page.evaluate(BY_KEY), { states: ["wait", "cancel"], socket: "string" });
    }));
});

const SHARED = `
  const { Venue, VenueError } = await import("/client.js");
  const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.5", price: "20000" };
  const until = async (look) => {
    for (let i = 0; !look() && i < 3000; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };`;

/** A person at a page of the venue's own. */
function signingIn(code: string): string {
  return `(async () => {${SHARED}
    const venue = new Venue();
    const who = { email: "alice@demo.invalid", password: "Demo-alice-1" };
    const missing = await venue.signIn(who).catch(({ code }) => code);
    const { email } = await venue.signIn({ ...who, otp_code: "${code}" });
    // As after loading the page anew.
    const resuming = new Venue();
    const { email: resumed } = await resuming.resume();
    const states = [];
    resuming.listen("order", { onMessage: ({ state }) => states.push(state) });
    const book = resuming.book("btcusdt");
    await until(() => book.isKnown);
    const placed = await resuming.placeOrder(order);
    await until(() => book.bids.length > 0 && states.length === 1);
    const bids = [...book.bids];
    await resuming.cancelOrder(placed.id);
    await until(() => book.bids.length === 0 && states.length === 2);
    const empty = [...book.bids];
    const refused = await venue.placeOrder({ ...order, price: "1.123456789" }).catch(({ status }) => status);
    const orders = resuming.orderSocket();
    await orders.opened();
    const { uuid } = await orders.placeOrder(order);
    await orders.cancelOrder(uuid);
    await until(() => states.length === 4);
    orders.close();
    resuming.close();
    await resuming.signOut();
    const signedOut = await venue.get("/api/v2/backend/account/balances").catch(({ status }) => status);
    return { missing, email, resumed, refused, states, bids, empty, socket: typeof uuid, signedOut };
  })()`;
}

/** A page with a key, whose sockets log in by a message. */
const BY_KEY = `(async () => {${SHARED}
  const venue = new Venue(undefined, { key: { kid: "demo-alice", secret: "demo-alice-secret" } });
  const states = [];
  let isTold = false;
  venue.listen("balances", { onMessage: () => isTold = true });
  venue.listen("order", { onMessage: ({ state }) => states.push(state) });
  await until(() => isTold);
  const orders = venue.orderSocket();
  await orders.opened();
  const { uuid } = await orders.placeOrder(order);
  await until(() => states.length === 1);
  await orders.cancelOrder(uuid);
  await until(() => states.length === 2);
  orders.close();
  venue.close();
  return { states, socket: typeof uuid };
})()`;
