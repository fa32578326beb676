/** Attacks on the memory that bodies occupy whose end never comes. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { sleep } from "../../src/store/kv/in_time.ts";
import { eventually } from "../support/eventually.ts";
import { type RawAnswer, RawHttp } from "../support/raw_http.ts";
import { withServedVenue } from "../support/served_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
/** Takes the longest bodies. */
const BULK = "/api/v2/trading/market/bulk/orders";
const BYTES = 10_000;
/** Three have room; a slow machine may take longer to tell. */
const TRIES_MAX = 20;
const ANSWER_MS = 200;

it("bodies that do not end are limited, without a key, until their clients are gone", () =>
  withServedVenue(async ({ url, venue }) => {
    const order = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "100" };
    const ordered = async () => {
      const headers = { ...venue.sign("alice"), "Content-Type": "application/json" };
      const answer = await fetch(url + ORDERS, {
        method: "POST",
        headers,
        body: JSON.stringify(order),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const endless = `POST ${BULK} HTTP/1.1\r\nHost: venue\r\nContent-Length: ${BYTES}\r\n\r\n{`;
    const held: RawHttp[] = [];
    const answers: Promise<RawAnswer>[] = [];
    let refused: RawAnswer | null = null;
    while (refused === null && held.length < TRIES_MAX) {
      const connection = await RawHttp.open(url);
      held.push(connection);
      await connection.send(endless);
      answers.push(connection.answer());
      // One that has room gets no answer, and that of another may be late.
      refused = await Promise.race([...answers, sleep(ANSWER_MS).then(() => null)]);
    }
    assertEquals([refused?.status, refused?.head.includes("\nconnection: close")], [503, true]);
    assertEquals(await ordered(), 201);
    for (const connection of held) connection.close();
    await eventually("room again", async () => {
      const connection = await RawHttp.open(url);
      await connection.send(`${endless.slice(0, -1)}${" ".repeat(BYTES)}`);
      const { status } = await connection.answer();
      connection.close();
      return status === 401;
    });
  }, { arrivingLimits: { freeMax: 20_000, perAddressMax: 12_000, totalMax: 100_000 } }));
