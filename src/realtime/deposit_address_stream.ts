/** New deposit addresses. They are beside the log: the messages of each reader count from 1. */
import type { Engine } from "../engine/engine.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { Hub, StreamSource } from "./hub.ts";
import { DepositAddressContent } from "./private_content.ts";
import { StreamMessage } from "./stream_message.ts";
import type { Subscription } from "./subscription.ts";

const STREAM = "deposit_address";

/** Tells of addresses that the wallet of this process has made. */
export class DepositAddressStream implements StreamSource {
  readonly access = "private";
  /** Messages so far. */
  readonly #sent = new WeakMap<Subscription, number>();

  constructor(
    engine: Pick<Engine, "venue">,
    hub: Pick<Hub, "memberTopics">,
    wallet: Pick<Wallet, "onAddress">,
  ) {
    wallet.onAddress(({ uid, currency, address }) => {
      const member = engine.venue.holderByUid.get(uid)?.member.index;
      const topic = member === undefined ? undefined : hub.memberTopics(member)?.get(STREAM);
      const content = new DepositAddressContent(currency, address);
      for (const subscription of topic?.subscriptions ?? []) this.#tell(subscription, content);
    });
  }

  has(stream: string): boolean {
    return stream === STREAM;
  }

  begin(subscription: Subscription): void {
    if (subscription.since === null) return;
    subscription.refuse(`${STREAM}: messages are not kept, nothing can be read back`);
  }

  #tell(subscription: Subscription, content: DepositAddressContent): void {
    const sequence = (this.#sent.get(subscription) ?? 0) + 1;
    this.#sent.set(subscription, sequence);
    subscription.deliver(new StreamMessage(STREAM, sequence, content));
  }
}
