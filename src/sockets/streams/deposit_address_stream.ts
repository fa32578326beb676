/**
 * New deposit addresses. The log says who has a new one, a sidecar row which it is; sequences count
 * those of a member since the process started, whether or not anybody reads.
 */
import { assert, InvariantError, present } from "../../domain/assert.ts";
import type { DepositAddressMade } from "../../domain/event.ts";
import type { Engine } from "../../engine/engine.ts";
import { knownAddress } from "../../wallet/deposit_addresses.ts";
import { closeReaders, type Hub } from "../sending/hub.ts";
import { DepositAddressContent } from "./private_content.ts";
import { StreamMessage } from "../stream_message.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";

const STREAM = "deposit_address";

/** What the stream needs of the engine. */
export type DepositAddressEngine = Pick<Engine, "venue" | "onEvent" | "whenHeard" | "readSidecar">;

/** Tells members of new addresses, whichever process created them. */
export class DepositAddressStream implements StreamSource {
  readonly access = "private";
  readonly #engine: DepositAddressEngine;
  readonly #hub: Pick<Hub, "memberTopics">;
  /** Resolves when all members have been told of what was made. */
  #telling: Promise<void> = Promise.resolve();
  /** By member: how many it has made since the process started. */
  readonly #made = new Map<number, number>();
  /** By member: how many of those its readers have been told of, or will never be. */
  readonly #told = new Map<number, number>();

  constructor(
    engine: DepositAddressEngine,
    hub: Pick<Hub, "memberTopics">,
    onFault: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#hub = hub;
    engine.onEvent((event) => {
      if (event.kind !== "deposit_address_made") return;
      const sequence = (this.#made.get(event.member) ?? 0) + 1;
      this.#made.set(event.member, sequence);
      engine.whenHeard(() => this.#tell(event, sequence, onFault));
    });
  }

  has(stream: string): boolean {
    return stream === STREAM;
  }

  begin(subscription: Subscription): void {
    const { since, topic: { member } } = subscription;
    // What is made and still to be pushed it will get.
    const told = this.#told.get(present(member, "a private stream is a member's")) ?? 0;
    subscription.goOnBehind(told);
    if (since === null || since === told) return;
    const why = since < told
      ? `was followed by ${told - since} more, which are not kept`
      : "was never sent by this process of the venue";
    subscription.refuse(`${STREAM}: since ${since} ${why}; read the addresses over HTTP`);
  }

  #topic(member: number): Topic | undefined {
    return this.#hub.memberTopics(member)?.get(STREAM);
  }

  #tell(event: DepositAddressMade, sequence: number, onFault: (error: unknown) => void): void {
    // One after the other, since a later row may be read sooner.
    this.#telling = this.#telling.then(() => this.#tellOf(event, sequence)).catch((error) => {
      onFault(error);
      this.#told.set(event.member, sequence);
      // A row that is missing will not come; one that could not be read was missed unnoticed.
      const topic = error instanceof InvariantError ? undefined : this.#topic(event.member);
      if (topic !== undefined) closeReaders([topic]);
    });
  }

  async #tellOf(
    { member, currency, network }: DepositAddressMade,
    sequence: number,
  ): Promise<void> {
    if (this.#topic(member) === undefined) {
      this.#told.set(member, sequence);
      return;
    }
    const { venue } = this.#engine;
    const code = venue.currency(currency).id;
    const { uid } = venue.holder(member).member;
    const known = await knownAddress(this.#engine, uid, { currency: code, network });
    const { address = null, tag } = known ?? {};
    assert(address !== null, "an address that was made has a row");
    const content = new DepositAddressContent(venue, { currency, network, address, tag });
    this.#told.set(member, sequence);
    this.#topic(member)?.publish(new StreamMessage(STREAM, sequence, content));
  }
}
