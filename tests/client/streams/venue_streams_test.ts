import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import type { Book } from "../../../src/client/streams/book.ts";
import { VenueError } from "../../../src/client/calls/venue_error.ts";
import { Venue, type VenueOptions } from "../../../src/client/venue.ts";
import { FaultProxy } from "../../e2e/fault_proxy.ts";
import {
  type ClientVenue,
  SharedClientVenue,
  startClientVenue,
} from "../../support/client_venue.ts";
import { eventually } from "../../support/eventually.ts";

const ORDER = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.5",
  price: "20000",
} as const;

describe("a client's streams", () => {
  const shared = new SharedClientVenue({ RATE_LIMIT: "off" });
  let served: ClientVenue;

  function itServed(name: string, test: () => Promise<void>): void {
    shared.it(name, async (venue) => {
      served = venue;
      await test();
    });
  }

  function proxy(): FaultProxy {
    return new FaultProxy(Number(new URL(served.url).port));
  }

  function through(link: FaultProxy, name: "alice" | "bob", options: VenueOptions = {}): Venue {
    return served.as(name, { ...options, url: link.url });
  }

  itServed("tell what happens to one's orders", async () => {
    const alice = served.as("alice");
    const told: string[] = [];
    alice.listen("order", {
      onMessage: ({ id, state }, { isSnapshot }) => told.push(`${id} ${state} ${isSnapshot}`),
    });
    const { id } = await alice.placeOrder(ORDER);
    await eventually("the order", () => told.some((text) => text.startsWith(`${id} wait`)));
    await alice.cancelOrder(id);
    await eventually("its cancel", () => told.includes(`${id} cancel false`));
    alice.close();
  });

  for (const socketHeaders of [true, false]) {
    const how = socketHeaders ? "a signed handshake" : "a log-in by a message";
    itServed(`go on where they were cut off, each message once, after ${how}`, async () => {
      await goOn(socketHeaders);
    });
  }

  async function goOn(socketHeaders: boolean): Promise<void> {
    await using link = proxy();
    const [alice, direct] = [through(link, "alice", { socketHeaders }), served.as("alice")];
    const told = new Map<number, string[]>();
    let gaps = 0;
    alice.listen("order", {
      onMessage: ({ id, state }) => told.set(id, [...told.get(id) ?? [], state]),
      onGap: () => gaps += 1,
    });
    const first = await direct.placeOrder(ORDER);
    await eventually("the first order", () => told.has(first.id));
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) {
      link.switchTo("cut");
      const { id } = await direct.placeOrder(ORDER);
      await direct.cancelOrder(id);
      ids.push(id);
      link.switchTo("open");
      await eventually("the order's end", () => told.get(id)?.at(-1) === "cancel");
    }
    for (const id of ids) assertEquals(told.get(id), ["wait", "cancel"]);
    assertEquals(gaps, 0);
    alice.close();
  }

  itServed(
    "tell of deposits and the best prices, and miss nothing though numbers leap",
    async () => {
      await using link = proxy();
      const alice = served.as("alice");
      for (const socketHeaders of [true, false]) {
        const reader = through(link, "alice", { socketHeaders });
        const [deposits, gaps, best]: [string[], string[], string[]] = [[], [], []];
        reader.listen("deposit", {
          onMessage: ({ amount, state }) => deposits.push(`${amount} ${state}`),
          onGap: () => gaps.push("deposit"),
        });
        let balances = 0;
        reader.listen("balances", {
          onMessage: () => balances += 1,
          onGap: () => gaps.push("balances"),
        });
        reader.listen("ethbtc.bbo", { onMessage: ({ bid }) => best.push(String(bid?.[0])) });
        await eventually("both beginnings", () => balances > 0 && best.length > 0);
        const deposit = async (amount: string) => {
          const body = { currency: "btc", amount };
          await alice.post("/api/v2/backend/account/faucet", { body });
        };
        await deposit("0.5");
        await eventually("the first deposit", () => deposits.includes("0.5 accepted"));
        const { id } = await alice.placeOrder({ ...ORDER, market: "ethbtc", price: "0.01" });
        await eventually("the best bid", () => best.includes("0.01"));
        await alice.cancelOrder(id);
        link.switchTo("cut");
        await deposit("0.25");
        link.switchTo("open");
        await eventually("the second deposit", () => deposits.includes("0.25 accepted"));
        assertEquals(gaps, []);
        reader.close();
      }
    },
  );

  itServed("are signed by the venue's time, whatever the machine's clock shows", async () => {
    for (const socketHeaders of [true, false]) {
      for (const off of [-3_600_000, 3_600_000]) {
        const alice = served.as("alice", { socketHeaders, now: () => Date.now() + off });
        let told = 0;
        alice.listen("balances", { onMessage: () => told += 1 });
        await eventually("the balances", () => told > 0);
        alice.close();
      }
    }
  });

  itServed("tell that the venue does not let the key in, and public ones go on", async () => {
    for (const socketHeaders of [true, false]) {
      const key = { kid: "demo-alice", secret: "wrong" };
      const nobody = new Venue(served.url, { key, socketHeaders });
      const errors: unknown[] = [];
      nobody.listen("order", { onMessage: () => {}, onError: (error) => errors.push(error) });
      const book = nobody.book("ethbtc");
      await eventually("the refusal", () => errors.length > 0);
      const [error] = errors;
      assertEquals(error instanceof VenueError && error.code, "authz.invalid_signature");
      await eventually("the book", () => book.isKnown);
      nobody.close();
    }
  });

  itServed("are signed as a venue that asks for body signatures wants it", async () => {
    const strict = await startClientVenue({ RATE_LIMIT: "off", BODY_SIGNATURES: "all" });
    try {
      for (const socketHeaders of [true, false]) {
        const alice = strict.as("alice", { socketHeaders });
        let told = 0;
        alice.listen("balances", { onMessage: () => told += 1 });
        await eventually("the balances", () => told > 0);
        const socket = alice.orderSocket();
        await socket.opened();
        await socket.placeOrder(ORDER);
        socket.close();
        alice.close();
      }
    } finally {
      await strict.server.stop();
    }
  });

  itServed("keep a book as it is, also after cuts", async () => {
    await using link = proxy();
    const [reader, bob] = [through(link, "bob"), served.as("bob")];
    const book = reader.book("ethusdt");
    const steps = [..."acbdacdb"].map((letter, i) => ({
      price: `${900 + i}`,
      isCut: letter < "c",
    }));
    for (const { price, isCut } of steps) {
      if (isCut) link.switchTo("cut");
      await bob.placeOrder({ ...ORDER, market: "ethusdt", price });
      link.switchTo("open");
      await eventually("the best bid", () => book.bids[0]?.[0].startsWith(price) ?? false);
      await isAs(book, bob);
    }
    const open = await bob.get("/api/v2/backend/market/orders", { query: { market: "ethusdt" } });
    for (const { id } of open) await bob.cancelOrder(id);
    await eventually("an empty book", () => book.isKnown && book.bids.length === 0);
    reader.close();
  });

  itServed(
    "tell a second book of a market from its start, and both when they are cut off",
    async () => {
      await using link = proxy();
      const [reader, alice] = [through(link, "bob"), served.as("alice")];
      const { id } = await alice.placeOrder({ ...ORDER, market: "bchusdt", price: "90" });
      const lost: string[] = [];
      const one = reader.book("bchusdt", { onLost: () => lost.push("one") });
      await eventually("the first book", () => one.isKnown);
      const other = reader.book("bchusdt", { onLost: () => lost.push("other") });
      await eventually("the second book", () => other.isKnown);
      assertEquals([one.bids, other.bids], [[["90.0", "0.5"]], [["90.0", "0.5"]]]);
      link.switchTo("cut");
      await eventually("both to be lost", () => lost.length === 2);
      assertEquals([one.isKnown, other.isKnown, other.bids], [false, false, []]);
      await alice.cancelOrder(id);
      link.switchTo("open");
      for (const book of [one, other]) {
        await eventually("an empty book", () => book.isKnown && book.bids.length === 0);
      }
      assertEquals(lost, ["one", "other"]);
      reader.close();
    },
  );

  itServed("tell of money without taking the numbers that it leaves out for a loss", async () => {
    await using link = proxy();
    const [alice, direct] = [through(link, "alice"), served.as("alice")];
    const states: string[] = [];
    let gaps = 0;
    alice.listen("deposit", {
      onMessage: ({ id, state }) => states.push(`${id} ${state}`),
      onGap: () => gaps += 1,
    });
    const enter = (amount: string) =>
      direct.post("/api/v2/backend/account/faucet", { body: { currency: "btc", amount } });
    const collected = () => states.filter((state) => state.endsWith(" collected")).length;
    await enter("1");
    await eventually("the first deposit", () => collected() === 1);
    link.switchTo("cut");
    // Balances change in between, and a deposit comes while nobody listens.
    const { id } = await direct.placeOrder(ORDER);
    await direct.cancelOrder(id);
    await enter("2");
    link.switchTo("open");
    await eventually("the second deposit", () => collected() === 2);
    assertEquals(gaps, 0);
    alice.close();
  });

  itServed("tell of trades that were missed", async () => {
    await using link = proxy();
    const [reader, alice, bob] = [through(link, "bob"), served.as("alice"), served.as("bob")];
    let [trades, gaps] = [0, 0];
    reader.listen("btcusdt.trades", { onMessage: () => trades += 1, onGap: () => gaps += 1 });
    const trade = async () => {
      await bob.placeOrder({ ...ORDER, side: "sell", price: "20500", amount: "0.1" });
      await alice.placeOrder({ ...ORDER, price: "20500", amount: "0.1" });
    };
    await trade();
    // The stream may open after the first.
    for (let i = 0; trades === 0 && i < 100; i++) await trade();
    await eventually("a trade", () => trades > 0);
    link.switchTo("cut");
    await trade();
    link.switchTo("open");
    for (let i = 0; gaps === 0 && i < 100; i++) {
      await trade();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert(gaps > 0);
    reader.close();
  });

  itServed("name a stream that there is not", async () => {
    const alice = served.as("alice");
    const errors: string[] = [];
    alice.listen("btcusdt.nothing", {
      onMessage: () => {},
      onError: ({ message }) => errors.push(message),
    });
    await eventually("an error", () => errors.length > 0);
    alice.close();
  });

  /** Waits until the book is what the venue answers. */
  async function isAs(book: Book, venue: Venue): Promise<void> {
    await eventually("the book as the venue answers it", async () => {
      const path = { market: book.market };
      const depth = await venue.get("/api/v2/backend/public/markets/{market}/depth", { path });
      const bids = JSON.stringify(book.bids) === JSON.stringify(depth.bids);
      return bids && JSON.stringify([...book.asks].reverse()) === JSON.stringify(depth.asks);
    });
  }
});
