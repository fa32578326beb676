import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../../support/unless.ts";
import { STARTING_BALANCE } from "../load/venue_setup.ts";
import { orderLoad } from "../load/workloads.ts";
import { findPostgres } from "./postgres_cluster.ts";
import { EXPERT, PLAIN, PostgresVenue } from "./postgres_venue.ts";

const programs = await findPostgres() ?? "";
const MEMBERS = 20;
const ORDERS = 600;
/** At most. */
const seconds = 60;

const skip = programs === "" && "PostgreSQL is not installed";

describeUnless(skip)("the PostgreSQL venues", () => {
  it("trade, lose nothing, leave no crossed book when strict, and take a nonce once", async () => {
    for (const kind of [PLAIN, EXPERT]) {
      const directory = await Deno.makeTempDir({ prefix: "postgres_test_" });
      const venue = await PostgresVenue.start(programs, directory, {
        kind,
        members: MEMBERS,
        feeRate: "0.002",
        nonceWindowMs: 60_000,
      });
      try {
        await assertTrades(venue);
        await assertUncrossed(venue);
        await assertAuthenticates(venue);
      } finally {
        await venue.stop();
      }
      assertEquals([...Deno.readDirSync(directory)], [], "nothing is left behind");
      await Deno.remove(directory, { recursive: true });
    }
  });
});

async function assertTrades(venue: PostgresVenue): Promise<void> {
  for (const isStrict of [false, true]) {
    const load = orderLoad(venue.signers, ORDERS, isStrict ? 1 : 2);
    const result = await venue.run({ connections: 8, isStrict }, { seconds, load });
    assertEquals([...result.statuses], [[201, ORDERS]]);
  }
  const [counts] = await venue.query<{ orders: number; trades: number }>(
    `select (select count(*)::int from orders) orders, (select count(*)::int from trades) trades`,
  );
  assertEquals(counts?.orders, 2 * ORDERS);
  assert((counts?.trades ?? 0) > ORDERS / 5);
  assertEquals(
    await venue.query(`
        select currency from accounts
        group by currency
        having sum(available + locked)
          + (select coalesce(sum(
              case currency when base then buyer_fee when quote then seller_fee else 0 end), 0)
            from trades join markets on markets.id = trades.market)
          <> ${MEMBERS} * ${STARTING_BALANCE}`),
    [],
    "currencies whose balances and fees do not sum up",
  );
  assertEquals(
    await venue.query(`
        select member, currency from accounts
        where locked <> (select coalesce(sum(
            case when is_buy then price * remaining else remaining end), 0)
          from orders join markets on markets.id = orders.market
          where state = 'wait' and orders.member = accounts.member
            and currency = case when is_buy then quote else base end)`),
    [],
    "accounts with more or less locked than their open orders need",
  );
  assertEquals(
    await venue.query(`
        select id from orders
        where remaining <> amount - (select coalesce(sum(trades.amount), 0) from trades
            where orders.id in (buy_order, sell_order))
          or (state = 'done') <> (remaining = 0)`),
    [],
    "orders that are not what their trades have left of them",
  );
}

async function assertUncrossed(venue: PostgresVenue): Promise<void> {
  await venue.query("update orders set state = 'cancel' where state = 'wait'");
  const load = orderLoad(venue.signers, ORDERS, 3);
  await venue.run({ connections: 16, isStrict: true }, { seconds, load });
  assertEquals(
    await venue.query(`
        select market from orders where state = 'wait' group by market
        having max(price) filter (where is_buy) >= min(price) filter (where not is_buy)`),
    [],
  );
}

async function assertAuthenticates(venue: PostgresVenue): Promise<void> {
  const load = orderLoad(venue.signers, MEMBERS, 4);
  const serving = { connections: 2, isStrict: true };
  assertEquals([...(await venue.run(serving, { seconds, load })).statuses], [[201, MEMBERS]]);
  assertEquals([...(await venue.run(serving, { seconds, load })).statuses], [[401, MEMBERS]]);
  const { signers, nonces } = venue.signers;
  const shifted = { signers: [...signers.slice(1), ...signers.slice(0, 1)], nonces };
  const foreign = orderLoad(shifted, MEMBERS, 5);
  const forged = {
    ...foreign,
    write(buffer: Uint8Array, index: number) {
      const length = foreign.write(buffer, index);
      const text = new TextDecoder().decode(buffer.subarray(0, length))
        .replace(/X-Auth-Apikey: \w+/, `X-Auth-Apikey: ${signers[index]?.credential.kid}`);
      return new TextEncoder().encodeInto(text, buffer).written;
    },
  };
  assertEquals([...(await venue.run(serving, { seconds, load: forged })).statuses], [[
    401,
    MEMBERS,
  ]]);
}
