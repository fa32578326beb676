/** A certificate that nobody vouches for, made for this server only. */
const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBdDCCARugAwIBAgIUNpCiYp9HBLEUiRJHW+ECuHfN2GAwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjMyMjM5NThaGA8yMTI2MTAzMDIyMzk1
OFowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMX4
Ej51OZ7Z/ObW/nfHtrF3Bbo5HUhGqC1DFI6sOFhtGraP4z8f5TEjDm3+Sk8oZl+4
mk5RpXuVKMVmRVBjcMCjUzBRMB0GA1UdDgQWBBTh9cZplHRm97ew8OVy7rJJSPzk
VTAfBgNVHSMEGDAWgBTh9cZplHRm97ew8OVy7rJJSPzkVTAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0cAMEQCIQC89OTkt2GpFXyK/HS8MD/4gzM5F/KNkXGf
aJkBBlTixgIfeVZgUVrs9RBE3GJq3sbshC4CDh21rClDInLuMEAprQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJmqSLGPKCJtb1NzC
G1+oc92ob6nK66vvT/PdDsFeb1ShRANCAATF+BI+dTme2fzm1v53x7axdwW6OR1I
RqgtQxSOrDhYbRq2j+M/H+UxIw5t/kpPKGZfuJpOUaV7lSjFZkVQY3DA
-----END PRIVATE KEY-----
`,
};

/** How the server behaves; correctly by default. */
export interface SmtpBehaviour {
  /** The status that answers a recipient, instead of 250. */
  readonly recipient?: string;
  /** Offers STARTTLS, then speaks TLS with a certificate of its own, or hangs up. */
  readonly startTls?: "speaks" | "hangs up";
  /** Accepts connections but never says anything. */
  readonly isSilent?: boolean;
  /** What it says at once, over and over, without a word from the client. */
  readonly endless?: string;
  /** Number of initial connections to drop. */
  readonly dropped?: number;
}

/** A mail as received. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isEncrypted: boolean;
}

/** A mail server on this machine that records the mails it receives. */
export class SmtpTestServer {
  readonly mails: ReceivedMail[] = [];
  /** All received lines except those of mails. */
  readonly lines: string[] = [];
  connections = 0;
  /** Of endless replies. */
  bytesSaid = 0;
  readonly #hungUp = Promise.withResolvers<void>();
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.TcpConn>();
  readonly #behaviour: SmtpBehaviour;
  readonly #running: Promise<void>;
  #waiting: { count: number; resolve: () => void } | null = null;

  constructor(behaviour: SmtpBehaviour = {}, port: number = 0) {
    this.#behaviour = behaviour;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.#running = this.#run();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** Waits until at least `count` mails have arrived. */
  async received(count: number): Promise<readonly ReceivedMail[]> {
    while (this.mails.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting = { count, resolve };
      await promise;
    }
    return this.mails;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) connection.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const sessions: Promise<void>[] = [];
    for await (const connection of this.#listener) {
      this.connections += 1;
      this.#open.add(connection);
      sessions.push(this.#serve(connection).catch(() => {}).finally(() => this.#end(connection)));
    }
    await Promise.all(sessions);
  }

  #end(connection: Deno.TcpConn): void {
    if (!this.#open.delete(connection)) return;
    try {
      connection.close();
    } catch {
      // The peer's end has closed it already.
    }
  }

  async #serve(connection: Deno.TcpConn): Promise<void> {
    const { dropped = 0, isSilent = false, endless } = this.#behaviour;
    if (this.connections <= dropped) return;
    if (endless !== undefined) return await this.#talk(connection, endless);
    if (!isSilent) await sayTo(connection, "220 test");
    await this.#converse(connection, false);
  }

  /** Talks until the client hangs up. */
  async #talk(connection: Deno.TcpConn, endless: string): Promise<void> {
    const bytes = new TextEncoder().encode(endless);
    try {
      for (;;) this.bytesSaid += await connection.write(bytes);
    } catch {
      this.#hungUp.resolve();
    }
  }

  /** Waits until the client of an endless reply has hung up. */
  async hungUp(): Promise<void> {
    await this.#hungUp.promise;
  }

  /** Goes on in TLS, by way of a listener of its own: the platform starts TLS only as a client. */
  async #encrypt(connection: Deno.TcpConn): Promise<void> {
    using listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...CERTIFICATE });
    const inner = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
    const encrypted = await listener.accept();
    // A client that refuses the certificate breaks them off.
    await Promise.allSettled([
      connection.readable.pipeTo(inner.writable),
      inner.readable.pipeTo(connection.writable),
      this.#converse(encrypted, true).finally(() => encrypted.close()),
    ]);
  }

  async #converse(connection: Deno.Conn, isEncrypted: boolean): Promise<void> {
    const { isSilent = false, startTls, recipient = "250 ok" } = this.#behaviour;
    const offersTls = startTls !== undefined && !isEncrypted;
    const say = (text: string) => sayTo(connection, text);
    let mail = { from: "", to: [] as string[], text: "", isEncrypted };
    for await (const line of linesOf(connection)) {
      if (isSilent) continue;
      this.lines.push(line);
      const [verb = ""] = line.toUpperCase().split(" ");
      if (verb === "EHLO" || verb === "HELO") {
        await say(offersTls ? "250-test\r\n250 STARTTLS" : "250-test\r\n250 AUTH PLAIN");
      } else if (verb === "AUTH") {
        await say("235 welcome");
      } else if (verb === "STARTTLS") {
        await say("220 go on");
        if (startTls === "speaks") await this.#encrypt(connection as Deno.TcpConn);
        return;
      } else if (verb === "MAIL") {
        mail = { from: addressIn(line), to: [], text: "", isEncrypted };
        await say("250 ok");
      } else if (verb === "RCPT") {
        mail.to.push(addressIn(line));
        await say(recipient);
      } else if (verb === "DATA") {
        await say("354 go on");
        mail.text = await readMail(connection);
        this.mails.push(mail);
        await say("250 taken");
        if (this.#waiting !== null && this.mails.length >= this.#waiting.count) {
          this.#waiting.resolve();
        }
      } else if (verb === "QUIT") {
        await say("221 bye");
        return;
      } else await say("250 ok");
    }
  }
}

async function sayTo(connection: Deno.Conn, text: string): Promise<void> {
  await connection.write(new TextEncoder().encode(`${text}\r\n`));
}

async function* linesOf(connection: Deno.Conn): AsyncGenerator<string> {
  let text = "";
  for (;;) {
    const end = text.indexOf("\r\n");
    if (end >= 0) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
      continue;
    }
    const chunk = await read(connection);
    if (chunk === null) return;
    text += chunk;
  }
}

async function readMail(connection: Deno.Conn): Promise<string> {
  let text = "";
  while (!text.endsWith("\r\n.\r\n")) {
    const chunk = await read(connection);
    if (chunk === null) break;
    text += chunk;
  }
  return text;
}

async function read(connection: Deno.Conn): Promise<string | null> {
  const bytes = new Uint8Array(4096);
  const count = await connection.read(bytes);
  return count === null ? null : new TextDecoder().decode(bytes.subarray(0, count));
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}
