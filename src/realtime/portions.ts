/** Sending to many readers without holding up everything else. */
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { Topic } from "./hub.ts";
import type { StreamMessage } from "./stream_message.ts";

/**
 * Hands messages to all who read a topic now, reader by reader: so many frames, then everything that
 * is ready. The first portion goes at once.
 */
export async function deliverInPortions(
  topic: Pick<Topic, "subscriptions">,
  messages: readonly StreamMessage[],
  portionFrames: number,
): Promise<void> {
  const readers = [...topic.subscriptions];
  const count = Math.max(1, Math.floor(portionFrames / Math.max(1, messages.length)));
  for (let at = 0; at < readers.length; at += count) {
    if (at > 0) await yieldToOthers();
    for (const reader of readers.slice(at, at + count)) {
      for (const message of messages) reader.deliver(message);
    }
  }
}
