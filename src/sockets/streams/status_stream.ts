/**
 * `global.status`: what the venue, its markets and its currencies take at present, as the call of
 * that name tells it, whenever it changes: whoever hears of no trades knows whether there can be any.
 */
import type { VenueEvent } from "../../domain/event.ts";
import { statusJson, type VenueStatus } from "../../edge/wire/status_wire.ts";
import type { Engine, Health } from "../../engine/engine.ts";
import { Portions } from "../sending/portions.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";
import { StreamMessage } from "../stream_message.ts";
import { StatusChanged } from "./market_contents.ts";

/** Name of the stream. */
export const STATUS_STREAM = "global.status";
/** How often to look whether the process is ready, of which no event tells, in ms. */
const LOOK_MS = 1_000;
/** Frames sent before others get their turn: with 300 markets one has 10 KB. */
const STATUS_PORTION_FRAMES = 64;

/** What the stream needs of the engine. */
export type StatusStreamEngine = Pick<Engine, "venue" | "onEvent" | "whenHeard" | "now">;

/** The status, while somebody reads it. */
export class StatusStream implements StreamSource {
  readonly access = "public";
  readonly #engine: StatusStreamEngine;
  readonly #health: () => Pick<Health, "isReady">;
  /** Null while nobody reads. */
  #topic: Topic | null = null;
  #portions: Portions | null = null;
  /** The last message, and what it tells but for the time. */
  #told: StreamMessage | null = null;
  #text = "";
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(engine: StatusStreamEngine, health: () => Pick<Health, "isReady">) {
    this.#engine = engine;
    this.#health = health;
    engine.onEvent((event) => {
      if (this.#topic !== null && changesStatus(event)) engine.whenHeard(() => this.#look());
    });
  }

  has(stream: string): boolean {
    return stream === STATUS_STREAM;
  }

  begin(subscription: Subscription): void {
    if (this.#topic === null) {
      this.#topic = subscription.topic;
      this.#portions = new Portions(subscription.topic, STATUS_PORTION_FRAMES);
      this.#timer = setInterval(() => this.#engine.whenHeard(() => this.#look()), LOOK_MS);
      Deno.unrefTimer(this.#timer);
      this.#told = this.#changed() ?? this.#told;
    }
    // What the others know or are being sent.
    if (this.#told !== null) subscription.send(this.#told);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#topic = null;
    this.#portions = null;
  }

  #look(): void {
    const message = this.#portions === null ? null : this.#changed();
    if (message === null) return;
    this.#told = message;
    void this.#portions?.send(message);
  }

  /** Returns the message that tells of what has changed; null if nothing has. */
  #changed(): StreamMessage | null {
    const status = statusJson(this.#engine.venue, this.#health().isReady, this.#engine.now());
    const text = textOf(status);
    if (text === this.#text) return null;
    this.#text = text;
    const sequence = (this.#told?.sequence ?? 0) + 1;
    return new StreamMessage(STATUS_STREAM, sequence, new StatusChanged(status));
  }
}

function textOf({ time: _, ...status }: VenueStatus): string {
  return JSON.stringify(status);
}

function changesStatus({ kind }: VenueEvent): boolean {
  return kind === "market_set" || kind === "currency_set" || kind === "switches_set";
}
