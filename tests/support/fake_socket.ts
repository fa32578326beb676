import { eventually } from "./eventually.ts";

/** A server's websocket whose platform and peer are controlled by the test. */
export class FakeSocket {
  binaryType = "blob";
  readyState: number = WebSocket.OPEN;
  /** Bytes that the peer has not taken. */
  bufferedAmount = 0;
  /** Whether the peer takes whatever it is sent. */
  isRead = false;
  closedWith: number | null = null;
  closedFor = "";
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event?: Partial<CloseEvent>) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;

  /** This socket, typed for the code under test. */
  get webSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(frame: string): void {
    if (!this.isRead) this.bufferedAmount += frame.length;
  }

  /** Has the peer take what it was sent and whatever else waits for it, until `isDone`. */
  async readUntil(isDone: () => boolean): Promise<void> {
    this.bufferedAmount = 0;
    this.isRead = true;
    await eventually("what was sent", isDone);
    this.isRead = false;
  }

  /** Starts the closing handshake, which a silent peer never completes. */
  close(code: number, reason: string): void {
    if (this.closedWith === null) [this.closedWith, this.closedFor] = [code, reason];
    this.readyState = WebSocket.CLOSING;
  }
}
