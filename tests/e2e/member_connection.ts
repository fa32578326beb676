/** A member's connection, which signs each request as it is sent. */
import { LoadConnection } from "../bench/load/load_connection.ts";
import { type KeySigner, type NonceRanges, PresignedRequests } from "../bench/load/presigned.ts";

const REQUEST_BYTES_MAX = 64 * 1024;

/** An answer with its body as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends one request at a time. */
export class MemberConnection {
  readonly #buffer = new Uint8Array(REQUEST_BYTES_MAX);

  private constructor(
    readonly connection: LoadConnection,
    readonly signer: KeySigner,
    readonly nonces: NonceRanges,
  ) {}

  /** Connects to a venue on this machine. */
  static async open(
    port: number,
    signer: KeySigner,
    nonces: NonceRanges,
  ): Promise<MemberConnection> {
    return new MemberConnection(await LoadConnection.open(port), signer, nonces);
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws {BrokenAnswerError} or a network error if the venue goes away
   */
  async send(line: string, body = ""): Promise<Answer> {
    const signed = new PresignedRequests([this.signer], 1, this.nonces);
    const length = signed.writeInto(this.#buffer, 0, line, body);
    const status = await this.connection.exchange(this.#buffer.subarray(0, length));
    return { status, body: this.connection.json() };
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}
