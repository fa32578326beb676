import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HttpNode } from "../../../src/wallet/evm/evm_node.ts";
import {
  EvmNodeError,
  LongAnswerError,
  RpcRefusedError,
} from "../../../src/wallet/evm/evm_node_error.ts";

const QUESTION = { method: "eth_blockNumber", params: [] };

/** What a request to the node was, and how it is answered. */
type Answering = (request: Request) => Response | Promise<Response>;

/** Asks a node that answers in some way; returns the answers. */
async function ask(
  answering: Answering,
  options: { answerMsMax?: number; answerBytesMax?: number; login?: string } = {},
  questions: number = 1,
): Promise<readonly unknown[]> {
  const { login = "", ...limits } = options;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answering);
  try {
    const url = `http://${login}127.0.0.1:${server.addr.port}/secret-path`;
    const node = new HttpNode({ url, ...limits });
    return await node.ask(Array.from({ length: questions }, () => QUESTION));
  } finally {
    await server.shutdown();
  }
}

/** Returns the error of a node that answers in some way, which tells nothing of where it is. */
async function faultOf(answering: Answering, options: Parameters<typeof ask>[1] = {}) {
  const error = await assertRejects(() => ask(answering, options), EvmNodeError);
  for (const secret of ["127.0.0.1", "secret", "pass", "http"]) {
    assert(!error.message.includes(secret) && error.cause === undefined);
  }
  return error.fault;
}

describe("a node by HTTP", () => {
  it("answers in the order of the questions, whatever the order of its answers", async () => {
    const answers = await ask(
      async (request) => {
        const calls = await request.json() as { id: number }[];
        return Response.json(calls.map(({ id }) => ({ id, result: id * 2 })).reverse());
      },
      {},
      150,
    );
    assertEquals(answers.length, 150);
    assertEquals(answers.slice(98, 102), [196, 198, 0, 2]);
  });

  it("is asked one question by itself, with its user and password in a header", async () => {
    let header: string | null = null;
    const [answer] = await ask(async (request) => {
      header = request.headers.get("Authorization");
      const { id, method } = await request.json();
      return Response.json({ id, result: method });
    }, { login: "user:pass%20word@" });
    assertEquals(answer, "eth_blockNumber");
    assertEquals(header, `Basic ${btoa("user:pass word")}`);
  });

  it("is unreachable where it does not answer in time, or not at all, or by HTTP only", async () => {
    const late = () => new Promise<Response>((resolve) => setTimeout(resolve, 200, new Response()));
    assertEquals(await faultOf(late, { answerMsMax: 20 }), "unreachable");
    const trickle = () => {
      let timer: ReturnType<typeof setInterval> | undefined;
      return new Response(
        new ReadableStream({
          start: (controller) => {
            timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 5);
          },
          cancel: () => clearInterval(timer),
        }),
      );
    };
    assertEquals(await faultOf(trickle, { answerMsMax: 50 }), "unreachable");
    assertEquals(await faultOf(() => new Response("", { status: 502 })), "unreachable");
    const away = () => Response.redirect("http://127.0.0.1:1/");
    assertEquals(await faultOf(away), "unreachable");
    const gone = new HttpNode({ url: "http://127.0.0.1:1" });
    assertEquals(
      (await assertRejects(() => gone.ask([QUESTION]), EvmNodeError)).fault,
      "unreachable",
    );
  });

  it("contradicts itself where it answers no JSON-RPC, or without end", async () => {
    assertEquals(await faultOf(() => new Response("<html>")), "contradicting");
    assertEquals(await faultOf(() => Response.json("text")), "contradicting");
    assertEquals(await faultOf(() => Response.json({ id: 0 })), "contradicting");
    assertEquals(await faultOf(() => Response.json({ id: 7, result: 1 })), "contradicting");
    const long = () => new Response("x".repeat(2000));
    assertEquals(await faultOf(long, { answerBytesMax: 1000 }), "contradicting");
  });

  it("answers no more than a question needs, if that is said", async () => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (one) => {
        const calls = [await one.json()].flat() as { id: number }[];
        return Response.json(
          calls.map(({ id }) => ({ id, result: "x".repeat(id === 0 ? 500 : 1) })),
        );
      },
    );
    try {
      const node = new HttpNode({ url: `http://127.0.0.1:${server.addr.port}` });
      await assertRejects(() => node.ask([QUESTION], 400), LongAnswerError, "too long");
      assertEquals((await node.ask([QUESTION, QUESTION], 400)).length, 2);
      assertEquals((await node.ask([QUESTION])).length, 1);
    } finally {
      await server.shutdown();
    }
  });

  it("answers each question with no more than an honest node has to say", async () => {
    let result = "";
    // Older runtimes wait for minutes for an answer that nobody has read to its end.
    const stop = new AbortController();
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
      async (one) => {
        const calls = [await one.json()].flat() as { id: number }[];
        return new Response(`[${calls.map(({ id }) => `{"id":${id},"result":${result}}`)}]`);
      },
    );
    try {
      const node = new HttpNode({ url: `http://127.0.0.1:${server.addr.port}` });
      const block = (isFull: boolean) => ({
        method: "eth_getBlockByNumber",
        params: ["0x1", isFull],
      });
      const logs = { method: "eth_getLogs", params: [] };
      result = JSON.stringify("x".repeat(100_000));
      await assertRejects(() => node.ask([QUESTION]), LongAnswerError);
      assertEquals((await node.ask([QUESTION, QUESTION, block(false)])).length, 3);
      result = JSON.stringify("x".repeat(3_000_000));
      await assertRejects(() => node.ask([block(false)]), LongAnswerError);
      for (const one of [block(true), logs]) assertEquals((await node.ask([one])).length, 1);
      for (const one of ["{},", "[],", "["]) {
        result = `[${one.repeat(20_000)}0]`;
        const error = await assertRejects(() => node.ask([logs]), EvmNodeError, "no JSON");
        assertEquals(error.fault, "contradicting");
      }
    } finally {
      stop.abort();
    }
  });

  it("refuses for a reason, whose words are not repeated", async () => {
    const refusal = async (message: string) => {
      const error = { code: -32000, message };
      const answering = () => Response.json({ id: 0, error });
      const refused = await assertRejects(() => ask(answering), RpcRefusedError);
      assert(!refused.message.includes("0xabc"));
      return refused.reason;
    };
    assertEquals(await refusal("already known"), "known");
    for (
      const words of ["out of gas", "EVM error OutOfGas", "gas required exceeds allowance (300000)"]
    ) assertEquals(await refusal(words), "out_of_gas", words);
    assertEquals(await refusal("nonce too low: address 0xabc, tx: 1 state: 2"), "nonce_used");
    assertEquals(await refusal("replacement transaction underpriced"), "underpriced");
    assertEquals(await refusal("insufficient funds for gas * price + value"), "too_little_money");
    for (
      const words of [
        "execution reverted: 0xabc",
        "EVM error InvalidJump",
        "invalid jump destination",
        "stack underflow (0 <=> 2)",
        "write protection",
        "return data out of bounds",
        "stack limit reached 1024 (1023)",
        "gas uint64 overflow",
        "max call depth exceeded",
      ]
    ) assertEquals(await refusal(words), "reverted", words);
    for (
      const words of [
        "missing trie node 0xabc",
        "World state unavailable",
        "historical state 0xabc is not available",
        "BlockOutOfRangeError: block height is 9 but requested was 1",
      ]
    ) assertEquals(await refusal(words), "no_state", words);
    for (
      const words of [
        "response too large",
        "Response is too big",
        "The batch response was too large",
        "Response size limit exceeded",
        "MaxBatchResponseBodySize of 32768KB exceeded",
      ]
    ) assertEquals(await refusal(words), "too_long", words);
    assertEquals(await refusal("execution reverted: response too large"), "reverted");
    assertEquals(await refusal("0xabc"), "other");
    const whole = () => Response.json({ id: null, error: { code: -32600, message: "batch" } });
    const error = await assertRejects(() => ask(whole, {}, 2), RpcRefusedError);
    assertEquals(error.reason, "other");
  });

  it("has a URL of HTTP", () => {
    for (const url of ["", "secret", "ftp://secret", "file:///secret"]) {
      const error = assertThrows(() => new HttpNode({ url }), EvmNodeError);
      assert(error instanceof Error && !error.message.includes("secret"));
    }
  });
});
