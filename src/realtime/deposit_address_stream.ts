/**
 * New deposit addresses. The log says who has a new one, a sidecar row which it is; sequences count
 * from 1 for each reader.
 */
import { assert, InvariantError } from "../domain/assert.ts";
import type { DepositAddressMade } from "../domain/money_event.ts";
import type { Engine } from "../engine/engine.ts";
import { knownAddress } from "../wallet/deposit_addresses.ts";
import { closeReaders, type Hub, type StreamSource, type Topic } from "./hub.ts";
import { DepositAddressContent } from "./private_content.ts";
import { StreamMessage } from "./stream_message.ts";
import type { Subscription } from "./subscription.ts";

const STREAM = "deposit_address";

/** What the stream needs of the engine. */
export type DepositAddressEngine = Pick<Engine, "venue" | "onEvent" | "readSidecar">;

/** Tells members of new addresses, whichever process created them. */
export class DepositAddressStream implements StreamSource {
  readonly access = "private";
  readonly #engine: DepositAddressEngine;
  readonly #hub: Pick<Hub, "memberTopics">;
  /** Messages sent so far. */
  readonly #sent = new WeakMap<Subscription, number>();

  constructor(
    engine: DepositAddressEngine,
    hub: Pick<Hub, "memberTopics">,
    onFault: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#hub = hub;
    engine.onEvent((event) => {
      if (event.kind !== "deposit_address_made" || this.#topic(event.member) === undefined) return;
      this.#tellOf(event).catch((error) => {
        onFault(error);
        // A row that is missing will not come; one that could not be read was missed unnoticed.
        const topic = error instanceof InvariantError ? undefined : this.#topic(event.member);
        if (topic !== undefined) closeReaders([topic]);
      });
    });
  }

  has(stream: string): boolean {
    return stream === STREAM;
  }

  begin(subscription: Subscription): void {
    if (subscription.since === null) return;
    subscription.refuse(`${STREAM}: messages are not kept, nothing can be read back`);
  }

  #topic(member: number): Topic | undefined {
    return this.#hub.memberTopics(member)?.get(STREAM);
  }

  async #tellOf({ member, currency }: DepositAddressMade): Promise<void> {
    const { venue } = this.#engine;
    const code = venue.currency(currency).id;
    const known = await knownAddress(this.#engine, venue.holder(member).member.uid, code);
    const address = known?.address ?? null;
    assert(address !== null, "an address that was made has a row");
    const content = new DepositAddressContent(code, address);
    for (const subscription of this.#topic(member)?.subscriptions ?? []) {
      this.#tell(subscription, content);
    }
  }

  #tell(subscription: Subscription, content: DepositAddressContent): void {
    const sequence = (this.#sent.get(subscription) ?? 0) + 1;
    this.#sent.set(subscription, sequence);
    subscription.deliver(new StreamMessage(STREAM, sequence, content));
  }
}
