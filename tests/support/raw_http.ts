/** HTTP over a raw connection, for requests that no client sends. */

/** An unparsed answer. */
export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const encoder = new TextEncoder();

/** A connection that sends arbitrary bytes. */
export class RawHttp {
  readonly #connection: Deno.TcpConn;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<RawHttp> {
    const { hostname, port } = new URL(url);
    return new RawHttp(await Deno.connect({ hostname, port: Number(port) }));
  }

  /** Sends a text unchanged; ignores that the server hung up, as its answer has said why. */
  async send(text: string | Uint8Array): Promise<void> {
    let rest = typeof text === "string" ? encoder.encode(text) : text;
    try {
      while (rest.length > 0) rest = rest.subarray(await this.#connection.write(rest));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe || isReset(error))) throw error;
    }
  }

  /** Reads one answer. */
  async answer(): Promise<RawAnswer> {
    let text = "";
    const buffer = new Uint8Array(65_536);
    while (!isWhole(text)) {
      const count = await this.#read(buffer);
      if (count === null) break;
      text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
    }
    const end = text.indexOf("\r\n\r\n");
    const head = end < 0 ? text : text.slice(0, end);
    const body = end < 0 ? "" : text.slice(end + 4);
    return { status: Number(head.split(" ")[1] ?? 0), head: head.toLowerCase(), body };
  }

  close(): void {
    this.#connection.close();
  }

  async #read(buffer: Uint8Array): Promise<number | null> {
    try {
      return await this.#connection.read(buffer);
    } catch (error) {
      if (isReset(error)) return null;
      throw error;
    }
  }
}

/** Sends a request on a connection of its own; returns the answer. */
export async function rawCall(url: string, request: string): Promise<RawAnswer> {
  const connection = await RawHttp.open(url);
  try {
    await connection.send(request);
    return await connection.answer();
  } finally {
    connection.close();
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset;
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}
