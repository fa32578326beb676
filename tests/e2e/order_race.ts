/** Orders that several members send to several processes concurrently, and their answers. */
import { assertEquals } from "@std/assert";
import type { Load, LoadResult } from "../bench/load/load_run.ts";
import { runLoad } from "../bench/load/load_run.ts";
import type { NonceRanges } from "../bench/load/presigned.ts";
import type { ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { orderLoad, signedLoad } from "../bench/load/workloads.ts";
import { isGone } from "./killed_member.ts";

const CONNECTIONS = 24;
const SECONDS_MAX = 60;

interface OrderAnswer {
  readonly uuid: string;
  readonly id: number;
  readonly market: string;
  readonly side: string;
  readonly origin_volume: string;
}

/** The members' orders, by uuid. */
export class OrderRace {
  /** Answers other than 201. */
  readonly refusals: string[] = [];
  /** Number of requests whose connection broke before an answer. */
  unanswered = 0;
  readonly #orders = new Map<string, { readonly member: VenueMember; readonly fields: string }>();
  readonly #again: string[] = [];
  #seed = 0;

  constructor(readonly members: readonly VenueMember[], readonly nonces: NonceRanges) {}

  /** Number of orders answered with 201. */
  get answered(): number {
    return this.#orders.size;
  }

  /** Sends `count` orders of all members to a process; ends early if the process is killed. */
  async run(server: ServerProcess, count: number): Promise<void> {
    const load = this.#load(count);
    try {
      await runLoad(server.port, CONNECTIONS, SECONDS_MAX, load);
    } catch (error) {
      if (!isGone(error)) throw error;
      this.unanswered += CONNECTIONS;
    }
  }

  /** Asserts that each order was answered once, and that a process finds it unchanged. */
  async verify(server: ServerProcess): Promise<void> {
    assertEquals(this.#again, [], "One order was the answer to two requests");
    await Promise.all(this.members.map(async (member) => {
      const own = [...this.#orders].filter(([, order]) => order.member === member);
      if (own.length === 0) return;
      const result = await this.#lookUp(server, member, own.map(([uuid]) => uuid));
      assertEquals([result.requests, result.refusedShare], [own.length, 0], result.refusal);
    }));
  }

  #load(count: number): Load {
    const { members, nonces } = this;
    const signers = members.map(({ signer }) => signer);
    const onAnswer = (body: Uint8Array, index: number, status: number) => {
      const text = new TextDecoder().decode(body);
      if (status !== 201) this.refusals.push(`${status} ${text}`);
      else this.#note(members[index % members.length] as VenueMember, JSON.parse(text));
    };
    return { ...orderLoad({ signers, nonces }, count, this.#seed++), onAnswer };
  }

  #note(member: VenueMember, answer: OrderAnswer): void {
    if (this.#orders.has(answer.uuid)) this.#again.push(answer.uuid);
    this.#orders.set(answer.uuid, { member, fields: fieldsOf(answer) });
  }

  #lookUp(
    server: ServerProcess,
    { signer }: VenueMember,
    uuids: readonly string[],
  ): Promise<LoadResult> {
    const by = { signers: [signer], nonces: this.nonces };
    const load = signedLoad(by, uuids.length, 200, (index) => ({
      line: `GET /api/v2/backend/market/orders/${uuids[index]}`,
      body: "",
    }));
    const onAnswer = (body: Uint8Array, index: number, status: number) => {
      if (status !== 200) return;
      const found = JSON.parse(new TextDecoder().decode(body));
      assertEquals(fieldsOf(found), this.#orders.get(uuids[index] ?? "")?.fields);
    };
    return runLoad(server.port, CONNECTIONS, SECONDS_MAX, { ...load, onAnswer });
  }
}

function fieldsOf({ uuid, id, market, side, origin_volume }: OrderAnswer): string {
  return [uuid, id, market, side, Number(origin_volume)].join(" ");
}
