/** A server's websocket whose platform and peer do what a test says. */
export class FakeSocket {
  binaryType = "blob";
  readyState: number = WebSocket.OPEN;
  /** Bytes that the peer has not taken. */
  bufferedAmount = 0;
  closedWith: number | null = null;
  closedFor = "";
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: ((event: Event) => void) | null = null;

  /** Itself, as who uses it sees it. */
  get webSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(frame: string): void {
    this.bufferedAmount += frame.length;
  }

  /** Begins to close; a silent peer never answers it. */
  close(code: number, reason: string): void {
    if (this.closedWith === null) [this.closedWith, this.closedFor] = [code, reason];
    this.readyState = WebSocket.CLOSING;
  }
}
