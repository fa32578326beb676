/** The socket side of a connection, for any protocol. */
import { type StreamSocket, TOO_MANY_REQUESTS } from "./sending/stream_socket.ts";

/** Reads streams over a socket, which is attached once it exists; until then nobody reads. */
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

  closeAnswered(code: number, reason: string): void {
    this.#socket?.finish(code, reason);
  }

  /** Stops listening to a client that asks too much, and closes a little later. */
  putOut(): void {
    this.#socket?.putOut(TOO_MANY_REQUESTS);
  }
}
