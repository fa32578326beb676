/**
 * What a client makes of answers that are not the venue's: those of somebody on the way, who knows
 * nothing of what was asked. It tells no falsehood, and waits for nobody without end.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  OutcomeUnknownError,
  UnreachableError,
  VenueError,
} from "../../src/client/calls/venue_error.ts";
import type { OrderInput } from "../../src/client/orders/order_placing.ts";
import { Venue } from "../../src/client/venue.ts";

const ORDER: OrderInput = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.5",
  price: "20000",
  client_order_id: "mine",
};
const OTHER = { id: 7, uuid: "0773a03f-2727-4b50-bfd1-76d4e503cc96", client_order_id: "other" };
const OWN = { ...OTHER, client_order_id: "mine" };
const SECRET = "a secret that nobody sees";
const KEY = { kid: "key", secret: SECRET };
const PATIENCE_MS = 500;
const OPTIONS = { key: KEY, patienceMs: PATIENCE_MS, timeoutMs: 200 };
const DAY_S = 86_400;

/** A text is sent as it is, anything else as JSON. */
interface Answer {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a client to whom each call is answered alike; it counts them. */
function lying(answer: Answer): { venue: Venue; calls: () => number } {
  let calls = 0;
  const { body, status = 200, headers = {} } = answer;
  const venue = new Venue("http://venue.example", {
    ...OPTIONS,
    fetch: () => {
      calls += 1;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return Promise.resolve(new Response(text, { status, headers }));
    },
  });
  return { venue, calls: () => calls };
}

describe("a client of a venue for which somebody else answers", () => {
  const NO_ORDERS = [{}, [], null, OTHER, { ...OWN, uuid: 5 }, "well", "<h1>Well</h1>", ""];
  for (const body of NO_ORDERS) {
    it(`takes ${JSON.stringify(body)} for no order`, async () => {
      const { venue } = lying({ body });
      await assertRejects(() => venue.placeOrder(ORDER), OutcomeUnknownError, "mine");
      await assertRejects(() => venue.cancelOrder("client:mine"), OutcomeUnknownError);
      await assertRejects(() => venue.cancelOrder(8), OutcomeUnknownError);
      await assertRejects(() => venue.keepAlive(5), OutcomeUnknownError);
    });
  }

  it("takes no others' orders, nor some of its own, for all that it has placed", async () => {
    for (const body of [[], [OWN], [OWN, OTHER], [OWN, OWN], {}]) {
      const { venue } = lying({ body });
      const orders = [ORDER, { ...ORDER, client_order_id: "mine, too" }];
      await assertRejects(() => venue.placeOrders(orders), OutcomeUnknownError);
    }
    const { venue } = lying({ body: OWN });
    assertEquals((await venue.placeOrder(ORDER)).uuid, OWN.uuid);
    assertEquals((await venue.cancelOrder(OWN.uuid.toUpperCase())).id, OWN.id);
    assertEquals((await venue.cancelOrder(OWN.id)).id, OWN.id);
  });

  it("takes success without content for none, but of what is deleted", async () => {
    const empty = lying({ body: "", headers: { "Content-Length": "0" } }).venue;
    const body = { currency: "btc", amount: "1", beneficiary_id: 1, otp: 123456 };
    const writing = () => empty.post("/api/v2/backend/account/withdraws", { body });
    await assertRejects(writing, OutcomeUnknownError);
  });

  it("is refused by the venue's errors alone", async () => {
    for (const body of [{ errors: [] }, { errors: [5] }, { errors: "no" }, { error: "no" }]) {
      const { venue } = lying({ body, status: 422 });
      await assertRejects(() => venue.placeOrder(ORDER), OutcomeUnknownError);
    }
  });

  it("believes no time that can't be the venue's", async () => {
    const ahead = Date.now() + 2 * DAY_S * 1000;
    for (const server_time of ["soon", null, -5, 0, 1e300, ahead, {}, undefined]) {
      const body = { errors: ["authz.nonce_expired"], server_time };
      const { venue, calls } = lying({ body, status: 401 });
      await assertRejects(() => venue.placeOrder(ORDER), VenueError, "authz.nonce_expired");
      assertEquals(calls(), 1);
      assert(Math.abs(venue.now() - Date.now()) < DAY_S * 1000);
    }
  });

  it("says so where it is to wait for longer than it is patient", async () => {
    const headers = { "Retry-After": String(DAY_S) };
    const { venue, calls } = lying({
      body: { errors: ["server.rate_limited"] },
      status: 429,
      headers,
    });
    await assertRejects(() => venue.placeOrder(ORDER), VenueError, "server.rate_limited");
    await assertRejects(() => venue.placeOrder(ORDER), UnreachableError);
    const reading = () => venue.get("/api/v2/backend/public/markets");
    await assertRejects(reading, UnreachableError);
    assertEquals(calls(), 1);
  });

  it("keeps to no rate that can't be the venue's", async () => {
    for (const [limit, remaining] of [["0.0001", "0"], ["no", "no"], ["10", "-1e9"], ["0", "0"]]) {
      const headers = { "RateLimit-Limit": limit ?? "", "RateLimit-Remaining": remaining ?? "" };
      const { venue, calls } = lying({ body: [], headers });
      for (let i = 0; i < 3; i++) await venue.get("/api/v2/backend/public/markets");
      assertEquals(calls(), 3);
    }
  });

  it("hears of beats that don't arrive before its patience ends", async () => {
    let isVenue = true;
    const venue = new Venue("http://venue.example", {
      key: KEY,
      patienceMs: DAY_S * 1000,
      fetch: () => {
        const set = { current_time: "2026-11-29T10:00:00Z", trigger_time: "2026-11-29T10:00:01Z" };
        const cleared = { ...set, trigger_time: null };
        if (isVenue) return Promise.resolve(Response.json(isEnding ? cleared : set));
        return Promise.resolve(Response.json({ errors: ["server.unavailable"] }, { status: 503 }));
      },
    });
    let isEnding = false;
    const failed = Promise.withResolvers<unknown>();
    const heart = await venue.keepAlive(1, { onError: failed.resolve });
    isVenue = false;
    assert(await failed.promise instanceof VenueError);
    [isVenue, isEnding] = [true, true];
    await heart.stop();
  });

  it("shows its secret in no error", async () => {
    const answers = [{ body: {} }, { body: { errors: ["no"] }, status: 403 }, { body: "no" }];
    for (const answer of answers) {
      const { venue } = lying(answer);
      const error = await assertRejects(() => venue.placeOrder(ORDER), Error);
      const shown = Deno.inspect([error, error.cause, venue], { depth: 20, showHidden: true });
      assert(!shown.includes(SECRET));
    }
  });
});

/** Frames that are not the venue's: what follows them can't be told. */
const STRANGE_FRAMES = [
  "<h1>Well</h1>",
  "null",
  "5",
  '{"success":null}',
  '{"error":null}',
  '{"error":{"message":5}}',
  '{"order":null}',
  '{"order":5}',
  '{"btcusdt.ob-snap":null}',
  '{"error":{"event":"login","message":"no","errors":null}}',
];
/** Frames with parts that are not what they should be: there is nothing else to be feared of them. */
const BROKEN_FRAMES = [
  '{"success":{"message":"subscribed","sequences":null}}',
  '{"btcusdt.ob-snap":{"asks":5,"bids":[null],"sequence":1}}',
  '{"btcusdt.ob-snap":{"asks":[[1,2]],"sequence":"x","checksum":0}}',
];
const STRANGE_REPLIES = ["no", "null", "{}", '[2,1,"error",null]', '[2,1,"error",[]]'];

describe("a client's sockets on which somebody else answers", () => {
  it("come back from frames that are not the venue's", async () => {
    await using liar = new LyingSockets([...STRANGE_FRAMES, ...BROKEN_FRAMES]);
    const venue = new Venue(liar.url, { ...OPTIONS, socketHeaders: true });
    const thrown: unknown[] = [];
    const onThrown = (event: ErrorEvent) => {
      event.preventDefault();
      thrown.push(event.error);
    };
    globalThis.addEventListener("error", onThrown);
    const book = venue.book("btcusdt");
    venue.listen("order", { onMessage: () => {} });
    await liar.all;
    globalThis.removeEventListener("error", onThrown);
    assertEquals(thrown, []);
    assert(!book.isKnown);
    venue.close();
  });

  it("tell what is not known to be placed as unknown", async () => {
    await using liar = new LyingSockets(STRANGE_REPLIES, true);
    const venue = new Venue(liar.url, { ...OPTIONS, socketHeaders: true });
    const socket = venue.orderSocket();
    for (let i = 0; i < STRANGE_REPLIES.length; i++) {
      await socket.opened();
      await assertRejects(() => socket.placeOrder(ORDER), OutcomeUnknownError);
    }
    socket.close();
  });

  it("take a reply without a uuid for no order, and one without a time for no time to wait", async () => {
    const replies = ["[]", "null", "[5]", '{"uuid":"5"}'].map((args) =>
      `[2,1,"create_order",${args}]`
    );
    const later = '[2,1,"error",["server.unavailable"],{"retry_after":"soon"}]';
    for (const reply of [...replies, later]) {
      await using liar = new LyingSockets([reply], true);
      const venue = new Venue(liar.url, { ...OPTIONS, timeoutMs: 60_000, socketHeaders: true });
      const socket = venue.orderSocket();
      await socket.opened();
      const error = await assertRejects(() => socket.placeOrder(ORDER), Error);
      assertEquals(error.name, reply === later ? "VenueError" : "OutcomeUnknownError");
      socket.close();
    }
  });

  it("open another connection where a log-in has no answer", async () => {
    await using liar = new LyingSockets([]);
    const venue = new Venue(liar.url, { ...OPTIONS, socketHeaders: false });
    const socket = venue.orderSocket();
    venue.listen("order", { onMessage: () => {} });
    await liar.connections(4);
    socket.close();
    venue.close();
  });
});

/** Sockets that send one of these frames each: as they open, or for an answer. */
class LyingSockets implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #all = Promise.withResolvers<void>();
  readonly #frames: string[];
  readonly #isAnswering: boolean;
  #connections = 0;
  #awaited = Promise.withResolvers<void>();

  constructor(frames: readonly string[], isAnswering = false) {
    this.#frames = [...frames];
    this.#isAnswering = isAnswering;
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Resolves once all frames have been sent and answered by another connection. */
  get all(): Promise<void> {
    return this.#all.promise;
  }

  /** Resolves once there have been so many connections. */
  async connections(count: number): Promise<void> {
    while (this.#connections < count) await this.#awaited.promise;
  }

  #answer(request: Request): Response {
    if (request.headers.get("upgrade") !== "websocket") return new Response("{}");
    const { socket, response } = Deno.upgradeWebSocket(request);
    this.#connections += 1;
    this.#awaited.resolve();
    this.#awaited = Promise.withResolvers<void>();
    const frame = this.#frames.shift();
    if (frame === undefined) this.#all.resolve();
    const tell = () => {
      if (frame === undefined) return;
      socket.send(frame);
      if (BROKEN_FRAMES.includes(frame)) setTimeout(() => socket.close(), 100);
    };
    if (this.#isAnswering) socket.onmessage = tell;
    else socket.onopen = tell;
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
