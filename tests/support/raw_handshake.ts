/** The answer to a handshake, and its connection, which the test reads or leaves unread. */
export interface RawHandshake {
  readonly status: number;
  /** The parsed body, if the upgrade was refused. */
  // deno-lint-ignore no-explicit-any
  readonly body: any;
  readonly headers: Headers;
  readonly connection: Deno.TcpConn;
}

const HANDSHAKE = {
  "Connection": "Upgrade",
  "Upgrade": "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Sends a handshake and reads the whole answer, or only its head if it is an upgrade. */
export async function rawHandshake(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawHandshake> {
  const connection = await beginHandshake(url, headers);
  let answer = "";
  while (!answer.includes("\r\n\r\n")) answer += await readSome(connection);
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...rest] = answer.slice(0, end).split("\r\n");
  const answered = new Headers(rest.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
  }));
  let body = answer.slice(end + 4);
  const length = Number(answered.get("content-length") ?? 0);
  while (body.length < length) body += await readSome(connection);
  const status = Number(first.split(" ")[1]);
  return {
    status,
    body: status === 101 || body === "" ? null : JSON.parse(body),
    headers: answered,
    connection,
  };
}

/** Returns the status and error identifiers of a handshake that is refused. */
export async function refused(
  { url }: { readonly url: string },
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<[number, string[]]> {
  const { status, body, connection } = await rawHandshake(`${url}${path}`, headers);
  connection.close();
  return [status, body?.errors];
}

/** Sends a handshake and hangs up without waiting for the answer. */
export async function givenUpHandshake(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  (await beginHandshake(url, headers)).close();
}

async function beginHandshake(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Deno.TcpConn> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = Object.entries({ "Host": host, ...HANDSHAKE, ...headers })
    .filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Reads until the given bytes arrive; returns the number of bytes read. */
export async function readUpTo(connection: Deno.TcpConn, end: readonly number[]): Promise<number> {
  let total = 0;
  let tail: number[] = [];
  while (tail.length !== end.length || tail.some((byte, at) => byte !== end[at])) {
    const buffer = new Uint8Array(65_536);
    const count = await connection.read(buffer);
    if (count === null) throw new Error("The server hung up before");
    total += count;
    tail = [...tail, ...buffer.subarray(0, count)].slice(-end.length);
  }
  return total;
}

async function readSome(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  if (count === null) throw new Error("The server hung up");
  return new TextDecoder().decode(buffer.subarray(0, count));
}
