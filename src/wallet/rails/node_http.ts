/** Asks a node something over HTTP. What goes wrong names neither its URL nor its password. */
import { base64 } from "@scure/base";
import { TooLateError, within } from "../../engine/within.ts";
import { BadJsonError, JsonPieces } from "./json_pieces.ts";

/** Why a node's answer can't be read. */
export type NodeAnswerFault = "none" | "late" | "long" | "bad";

/** A node gives no answer that can be read. */
export class NodeAnswerError extends Error {
  override name = "NodeAnswerError";
  constructor(readonly fault: NodeAnswerFault) {
    super(`A node's answer can't be read: ${fault}`);
  }
}

/** What a node answers. */
export interface NodeAnswer {
  readonly status: number;
  /** What its JSON says; undefined where the status tells that it is none. */
  readonly body: unknown;
}

/** How an answer is read. */
export interface AnswerTerms {
  readonly msMax: number;
  readonly bytesMax: number;
  /** Whether the body of an answer with such a status is read. */
  readonly takes: (status: number) => boolean;
  /** Changes the text of an answer, piece by piece, before it is parsed. */
  readonly revise?: (text: string) => string;
}

/** A node that is reached by HTTP. */
export class NodeHttp {
  readonly #url: URL;
  readonly #headers: Record<string, string>;

  /** @param url with a user and a password, if the node wants them */
  constructor(url: URL) {
    const { username, password } = url;
    const person = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#url = new URL(url);
    this.#url.username = "";
    this.#url.password = "";
    this.#headers = {
      "Content-Type": "application/json",
      ...(username === ""
        ? {}
        : { Authorization: `Basic ${base64.encode(new TextEncoder().encode(person))}` }),
    };
  }

  /**
   * Returns what the node answers.
   *
   * @throws {NodeAnswerError} it can't be read
   */
  async post(body: string, terms: AnswerTerms): Promise<NodeAnswer> {
    const stop = new AbortController();
    try {
      return await within(terms.msMax, this.#answer(body, terms, stop.signal));
    } catch (error) {
      if (error instanceof NodeAnswerError) throw error;
      if (error instanceof BadJsonError) throw new NodeAnswerError("bad");
      // What fetch says names the URL.
      throw new NodeAnswerError(error instanceof TooLateError ? "late" : "none");
    } finally {
      stop.abort();
    }
  }

  async #answer(body: string, terms: AnswerTerms, signal: AbortSignal): Promise<NodeAnswer> {
    const { bytesMax, takes, revise } = terms;
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body,
      signal,
      // An answer from elsewhere would be that of another node, told what this one was asked.
      redirect: "error",
    });
    const { status } = answer;
    if (!takes(status)) {
      await answer.body?.cancel();
      return { status, body: undefined };
    }
    const decoder = new TextDecoder();
    const pieces = new JsonPieces(revise);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new NodeAnswerError("long");
      await pieces.take(decoder.decode(chunk, { stream: true }));
      // A piece that has come after the end of the time is nobody's any more.
      signal.throwIfAborted();
    }
    await pieces.take(decoder.decode());
    return { status, body: pieces.end() };
  }
}
