/** The examples, as somebody starts them. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { eventually } from "../../support/eventually.ts";
import { SharedClientVenue } from "../../support/client_venue.ts";

const EXAMPLES = new URL("../../../src/client/examples/", import.meta.url);
const LINES_MAX = 80;

/** An example that runs. */
interface Running {
  readonly child: Deno.ChildProcess;
  /** What it has printed so far. */
  printed(): string;
  /** Resolves with its exit code once it has ended and all that it has printed is read. */
  readonly ended: Promise<number>;
}

function start(name: string, env: Readonly<Record<string, string>>): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-all", new URL(name, EXAMPLES).href],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  const reading = [read(child.stdout), read(child.stderr)];
  const ended = Promise.all([child.status, ...reading]).then(([{ code }]) => code);
  return { child, printed: () => text, ended };
}

describe("the examples", () => {
  const shared = new SharedClientVenue({ RATE_LIMIT: "off" });

  shared.it("make a market, in few lines", async ({ as, url }) => {
    const lines = Deno.readTextFileSync(new URL("market_maker.ts", EXAMPLES)).split("\n").length -
      1;
    assertEquals(Math.max(lines, LINES_MAX), LINES_MAX);
    const [alice, bob] = [as("alice"), as("bob")];
    const order = { market: "btcusdt", type: "limit", amount: "0.1" } as const;
    const maker = start("market_maker.ts", { VENUE: url, PRICE: "20000" });
    const says = (text: string) => eventually(text, () => maker.printed().includes(`${text}\n`));
    await says("buy 0.1 at 19960");
    await says("sell 0.1 at 20040");
    // It trades at the ask: that is the price now.
    await bob.placeOrder({ ...order, side: "buy", price: "20040" });
    await says("buy 0.1 at 19999.92");
    await says("sell 0.1 at 20080.08");
    // Others quote around 21,000; first above, so that nobody trades.
    await bob.placeOrder({ ...order, side: "sell", price: "22010" });
    await bob.placeOrder({ ...order, side: "buy", price: "19990" });
    await says("buy 0.1 at 20958");
    await says("sell 0.1 at 21042");
    maker.child.kill("SIGINT");
    assertEquals(await maker.ended, 0, maker.printed());
    assertMatch(maker.printed(), /ended\n$/);
    const query = { state: ["wait"] } as const;
    assertEquals(await alice.get("/api/v2/backend/market/orders", { query }), []);
    await bob.post("/api/v2/trading/market/orders/cancel", { body: {} });
  });

  shared.it("test a strategy on a venue that runs, to the last digit", async ({ url }) => {
    const test = start("back_test.ts", { VENUE: url, PRICES: "20000,20000,20000,19000,21000" });
    assertEquals(await test.ended, 0, test.printed());
    // Bought at 19,005 less 0.2 % of the coins, sold at 20,995 less 0.2 % of the money.
    const profit = "profit 190.601 usdt at the last price";
    assertEquals(test.printed(), `trades 2\nbtc -0.0002, usdt 194.801\n${profit}\n`);
  });

  shared.it("test it on a venue of its own, which ends with it", async () => {
    const test = start("back_test.ts", { PRICES: "100,100,90" });
    assertEquals(await test.ended, 0, test.printed());
    assertMatch(test.printed(), /trades 1\nbtc 0\.0998, usdt -9\.5\nprofit -0\.518 usdt/);
  });
});
