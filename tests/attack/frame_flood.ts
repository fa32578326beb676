/**
 * A process that sends frames to a socket as fast as they are taken, and reads whatever comes back;
 * it reads a {@linkcode Flood} in JSON. It prints how many frames were taken, in a line.
 */
import { rawHandshake } from "../support/raw_handshake.ts";

/** What to send, and where. */
export interface Flood {
  /** Of the socket. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly frame: string;
  readonly count: number;
  /** Whether the frames are fragments of one message, which never ends. */
  readonly isEndless: boolean;
}

const [TEXT, CONTINUATION] = [1, 0];
const FINAL = 0x80;
const MASKED = 0x80;
const HEAD_BYTES = 14;

if (import.meta.main) {
  const taken = await flood(await new Response(Deno.stdin.readable).json());
  await Deno.stdout.write(new TextEncoder().encode(`${taken}\n`));
}

async function flood({ url, headers, frame, count, isEndless }: Flood): Promise<number> {
  const { connection, status } = await rawHandshake(url, headers);
  if (status !== 101) throw new Error(`The handshake was answered ${status}`);
  const reading = readAll(connection);
  const bytes = framed(frame, isEndless ? TEXT : TEXT | FINAL);
  let taken = 0;
  try {
    for (; taken < count; taken++) {
      if (isEndless && taken === 1) bytes[0] = CONTINUATION;
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    }
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 3_000))]);
    connection.close();
  } catch {
    // The venue has closed the connection.
  }
  await reading;
  return taken;
}

async function readAll(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  try {
    while (await connection.read(buffer) !== null);
  } catch {
    // Closed by either side.
  }
}

/** Returns a frame with a mask of zeros. */
function framed(text: string, opcode: number): Uint8Array {
  const payload = new TextEncoder().encode(text);
  const bytes = new Uint8Array(HEAD_BYTES + payload.length);
  bytes.set([opcode, MASKED | 127]);
  new DataView(bytes.buffer).setBigUint64(2, BigInt(payload.length));
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}
