/** The demo's messages: printed where it was started, and kept for its operator. */
import type { Engine } from "../engine/engine.ts";
import { OUTBOX_LAST_KEY, OUTBOX_ROWS, outboxKey, sidecarRows } from "../engine/sidecar_rows.ts";
import type { Message, MessageKind, Messenger } from "./messenger.ts";

/** How many messages are kept. */
export const OUTBOX_MESSAGES_MAX = 1000;

/** A message that was sent. */
export interface OutboxMessage {
  /** Counts up across all processes. */
  readonly id: number;
  readonly uid: string;
  readonly to: string;
  readonly kind: MessageKind;
  /** Null when the message carries none. */
  readonly code: string | null;
  /** In ms. */
  readonly createdAt: number;
}

/** What the outbox needs of the engine. */
export type OutboxEngine = Pick<Engine, "changeSidecar" | "listSidecar" | "now">;

/** Prints messages and keeps the latest; for a demo only, since its rows hold codes. */
export class Outbox implements Messenger {
  readonly #engine: OutboxEngine;
  readonly #print: (lines: readonly string[]) => void;

  constructor(engine: OutboxEngine, print: (lines: readonly string[]) => void) {
    this.#engine = engine;
    this.#print = print;
  }

  hasRoomFor(): boolean {
    return true;
  }

  async send(message: Message): Promise<void> {
    const { uid, to, kind } = message;
    const code = "code" in message ? message.code : null;
    const id = await this.#engine.changeSidecar(OUTBOX_LAST_KEY, nextId);
    const row: Omit<OutboxMessage, "id"> = { uid, to, kind, code, createdAt: this.#engine.now() };
    await this.#engine.changeSidecar(outboxKey(id), () => row);
    await this.#engine.changeSidecar(outboxKey(id - OUTBOX_MESSAGES_MAX), () => null);
    this.#print([`  message ${id} to ${to}: ${kind}${code === null ? "" : `, code ${code}`}`]);
  }

  /** Lists the kept messages, newest first, of all members or of one. */
  async list(uid: string | null = null): Promise<readonly OutboxMessage[]> {
    const messages: OutboxMessage[] = [];
    const newestFirst = sidecarRows(this.#engine, { prefix: OUTBOX_ROWS, isReverse: true });
    for await (const { key, value } of newestFirst) {
      const row = value as Omit<OutboxMessage, "id">;
      if (uid === null || row.uid === uid) messages.push({ ...row, id: Number(key.at(-1)) });
    }
    return messages;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function nextId(old: unknown): number {
  return typeof old === "number" ? old + 1 : 1;
}
