/** A reader that moves between processes; needs `denokv` (`cargo install denokv --locked`). */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import type { ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { type Frame, StreamClient } from "../support/stream_client.ts";
import { hasKvServer } from "./kv_server.ts";
import { OrderRace } from "./order_race.ts";
import { SharedVenue, until } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

const ORDERS = 600;
/** Number of messages read before each move. */
const MESSAGES_PER_VISIT = 60;
const VISITS = 6;

describeUnless(isSkipped)(`a member's stream, read at several processes${WHY}`, () => {
  it("misses nothing under load when resumed by sequence number", async () => {
    await using venue = await SharedVenue.start();
    const members = await venue.createMembers(2) as [VenueMember, VenueMember];
    const race = new OrderRace(members, venue.nonces);
    const reading = new MovingReader(venue, members[0]);
    await reading.begin(venue.a);
    const runs = [venue.a, venue.b].map((server) => race.run(server, ORDERS));
    for (let visit = 1; visit <= VISITS; visit++) {
      await reading.read(MESSAGES_PER_VISIT);
      await reading.moveTo(visit % 2 === 0 ? venue.a : venue.b);
    }
    await Promise.all(runs);
    assertEquals([race.refusals, race.answered], [[], 2 * ORDERS]);
    await reading.readUpTo(await lastSequence(venue, members[0]));
    assertEquals(reading.sequences, reading.sequences.map((_, i) => i + 1), "One after the other");
    assertEquals(reading.accepted.size, ORDERS, "Each order of the member was told of");
    await reading.end();
  });
});

/** Reads a member's order stream at changing processes. */
class MovingReader {
  readonly sequences: number[] = [];
  readonly accepted = new Set<string>();
  #client: StreamClient | null = null;

  constructor(readonly venue: SharedVenue, readonly member: VenueMember) {}

  async begin(server: ServerProcess): Promise<void> {
    this.#client = await this.#connect(server, "?stream=order");
    await this.#client.message("success");
  }

  /** Disconnects and continues at another process. */
  async moveTo(server: ServerProcess): Promise<void> {
    await this.end();
    const since = this.sequences.at(-1) ?? 0;
    this.#client = await this.#connect(server, `?stream=order&since=${since}`);
  }

  /** Reads `count` messages. */
  async read(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#readOne();
  }

  async readUpTo(sequence: number): Promise<void> {
    while ((this.sequences.at(-1) ?? 0) < sequence) await this.#readOne();
  }

  async end(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
  }

  async #readOne(): Promise<void> {
    assert(this.#client !== null, "It is connected");
    const message: Frame = await (this.#client as StreamClient).message("order");
    assert(message.snapshot !== true, "What was missed is replayed");
    this.sequences.push(message.sequence);
    this.accepted.add(message.order.uuid);
  }

  #connect(server: ServerProcess, query: string): Promise<StreamClient> {
    const { nonces } = this.venue;
    const headers = this.member.signer.headers(nonces.take(1));
    return StreamClient.open(`${server.baseUrl}/api/v2/stream/private${query}`, headers);
  }
}

/** Returns the number of the member's last order message once the venue is at rest. */
async function lastSequence(venue: SharedVenue, { signer }: VenueMember): Promise<number> {
  let sequence = 0;
  await until(async () => {
    const before = sequence;
    const headers = signer.headers(venue.nonces.take(1));
    const url = `${venue.b.baseUrl}/api/v2/stream/private?stream=order`;
    const client = await StreamClient.open(url, headers);
    sequence = (await client.message("success")).success.sequences.order;
    await client.close();
    return sequence === before;
  }, Boolean);
  return sequence;
}
