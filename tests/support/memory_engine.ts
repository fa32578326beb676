import type { Command, Outcome, Receipt, Signature } from "../../src/domain/command.ts";
import { isRejection } from "../../src/domain/command.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Engine, SidecarRow } from "../../src/engine/engine.ts";
import { TestVenue } from "./test_venue.ts";

type Listener = Parameters<Engine["onEntry"]>[0];

/** What of the engine the edge's own parts use: decided by the domain, kept in memory. */
export class MemoryEngine {
  readonly test = new TestVenue();
  /** Called before each command is decided. */
  onSubmit: (command: Command) => void | Promise<void> = () => {};
  freshCount = 0;
  readonly rows = new Map<string, unknown>();
  readonly #listeners: Listener[] = [];

  constructor(readonly clock: { now: number }, readonly isShared: boolean = false) {}

  get venue(): Venue {
    return this.test.venue;
  }

  now(): number {
    return this.clock.now;
  }

  fresh(): Promise<void> {
    this.freshCount += 1;
    return Promise.resolve();
  }

  async submit(
    command: Command,
    signature: Signature | null,
    sidecar?: (receipt: Receipt) => readonly SidecarRow[],
  ): Promise<Outcome> {
    await this.onSubmit(command);
    const { sink } = this.test;
    sink.at = this.clock.now;
    const mark = sink.events.length;
    const outcome = this.test.do(command, signature);
    if (!isRejection(outcome)) {
      for (const row of sidecar?.(outcome) ?? []) this.#write(row);
    }
    const events: VenueEvent[] = sink.events.slice(mark).map(({ event }) => event);
    for (const listener of this.#listeners) listener(events, mark + 1, sink.at);
    return outcome;
  }

  onEntry(listener: Listener): void {
    this.#listeners.push(listener);
  }

  readSidecar(key: SidecarRow["key"]): Promise<unknown> {
    return Promise.resolve(structuredClone(this.rows.get(key.join("/")) ?? null));
  }

  writeSidecar(row: SidecarRow): Promise<void> {
    this.#write(row);
    return Promise.resolve();
  }

  createSidecar(row: SidecarRow): Promise<boolean> {
    const isAbsent = !this.rows.has(row.key.join("/"));
    if (isAbsent) this.#write(row);
    return Promise.resolve(isAbsent);
  }

  #write({ key, value }: SidecarRow): void {
    if (value === null) this.rows.delete(key.join("/"));
    else this.rows.set(key.join("/"), structuredClone(value));
  }
}
