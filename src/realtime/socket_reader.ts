/** The socket's side of a connection, whichever protocol is spoken over it. */
import type { StreamSocket } from "./stream_socket.ts";

/** Reads streams by a socket, which it is given when that is made; before, nobody reads. */
export abstract class SocketReader {
  #socket: StreamSocket | null = null;

  get isOpen(): boolean {
    return this.#socket?.isOpen ?? false;
  }

  get unread(): number {
    return this.#socket?.unread ?? 0;
  }

  attach(socket: StreamSocket): void {
    this.#socket = socket;
  }

  send(frame: string): void {
    this.#socket?.send(frame);
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
  }

  /** Listens no more to a client that asks too much, and closes a little later. */
  putOut(): void {
    this.#socket?.putOut("too many requests");
  }
}
