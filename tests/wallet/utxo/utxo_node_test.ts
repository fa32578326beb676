import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NodeRefusalError, UtxoFaultError } from "../../../src/wallet/utxo/utxo_faults.ts";
import { UtxoNode, withExactAmounts } from "../../../src/wallet/utxo/utxo_node.ts";

const PASSWORD = "secret-password";

/** What a test's node is asked. */
interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

describe("UtxoNode", () => {
  it("asks with its password, and reads amounts exactly", async () => {
    const asked: unknown[] = [];
    await using server = serve((question, request) => {
      asked.push([request.method, request.headers.get("authorization"), question]);
      const { id } = question;
      return new Response(
        `{"result":{"value":0.1,"whole":7,"feerate":20999999.97690000},"error":null,"id":${id}}`,
      );
    });
    const node = new UtxoNode({ url: server.url });
    const answer = { value: "0.1", whole: 7, feerate: "20999999.97690000" };
    assertEquals(await node.call("getblock", "ab", 2), answer);
    const authorization = `Basic ${btoa(`user:${PASSWORD}`)}`;
    const question = { jsonrpc: "1.0", id: 1, method: "getblock", params: ["ab", 2] };
    assertEquals(asked, [["POST", authorization, question]]);
  });

  it("reads the many names of a mempool, each of which is what it was", async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => i.toString(16).padStart(64, "0"));
    await using server = serve(({ id }) =>
      new Response(`{"result":${JSON.stringify(names)},"error":null,"id":${id}}`)
    );
    const node = new UtxoNode({ url: server.url });
    const revived: string[] = [];
    const { parse } = JSON;
    JSON.parse = (text: string, reviver?: Parameters<typeof parse>[1]) => {
      if (reviver !== undefined) revived.push(text.slice(0, 12));
      return parse(text, reviver);
    };
    try {
      assertEquals(await node.call("getrawmempool"), names);
      assertEquals(revived, [], "each name would cost a call");
    } finally {
      JSON.parse = parse;
    }
  });

  it("tells refusals from answers that make no sense", async () => {
    const answers: readonly [text: (id: number) => string, status: number, message: string][] = [
      [
        (id) => `{"result":null,"error":{"code":-5,"message":"x"},"id":${id}}`,
        500,
        "refuses a (-5)",
      ],
      [(id) => `{"result":null,"error":{"code":-28},"id":${id}}`, 500, "still starting"],
      [(id) => `{"result":1,"error":null,"id":${id + 1}}`, 200, "no sense"],
      [() => "Work queue depth exceeded", 503, "no sense"],
      [() => "[]", 200, "no sense"],
      [() => "", 200, "no sense"],
      [() => `{"result":`, 200, "no sense"],
      [() => "", 401, "credentials"],
    ];
    for (const [text, status, message] of answers) {
      await using server = serve(({ id }) => new Response(text(id), { status }));
      const node = new UtxoNode({ url: server.url });
      const error = await assertRejects(() => node.call("a"), Error, message);
      assert(error instanceof NodeRefusalError || error instanceof UtxoFaultError);
    }
  });

  it("waits not for ever, and reads no answer without an end", async () => {
    await using slow = serve(() => new Response(new ReadableStream({ start: () => {} })));
    const late = new UtxoNode({ url: slow.url, answerMsMax: 50 });
    await assertRejects(() => late.call("a"), UtxoFaultError, "too slow");
    await using long = serve(({ id }) =>
      new Response(`{"result":"${"x".repeat(5_000)}","error":null,"id":${id}}`)
    );
    const short = new UtxoNode({ url: long.url, answerBytesMax: 4_000 });
    await assertRejects(() => short.call("a"), UtxoFaultError, "too long");
  });

  it("takes for each question no more than an honest node has to say", async () => {
    let result = "";
    await using server = serve(({ id }) =>
      new Response(`{"result":${result},"error":null,"id":${id}}`)
    );
    const node = new UtxoNode({ url: server.url });
    const large = ["getblock", "getrawmempool", "getrawtransaction"];
    result = JSON.stringify("x".repeat(100_000));
    for (const method of ["getblockchaininfo", "gettxout", "estimatesmartfee", "a"]) {
      await assertRejects(() => node.call(method), UtxoFaultError, "too long");
    }
    for (const method of large) assertEquals(await node.call(method), "x".repeat(100_000));
    for (const one of ["{},", "[],", "["]) {
      result = `[${one.repeat(20_000)}0]`;
      for (const method of large) {
        await assertRejects(() => node.call(method), UtxoFaultError, "makes no sense");
      }
    }
  });

  it("reads a full block exactly, and lets others have turns meanwhile", async () => {
    const tx = Array.from({ length: 5_000 }, (_, n) => ({ n, hex: "0".repeat(1_000) }));
    const values = tx.map(({ n, hex }) => `{"value":${n}.00000001,"hex":"${hex}"}`);
    await using server = serve(({ id }) =>
      new Response(`{"result":{"tx":[${values}]},"error":null,"id":${id}}`)
    );
    const node = new UtxoNode({ url: server.url });
    const { parse } = JSON;
    let longest = 0;
    JSON.parse = (text: string) => {
      longest = Math.max(longest, text.length);
      return parse(text);
    };
    try {
      const exact = tx.map(({ n, hex }) => ({ value: `${n}.00000001`, hex }));
      assertEquals(await node.call("getblock"), { tx: exact });
      assert(longest < 500_000, `${longest} characters at once`);
    } finally {
      JSON.parse = parse;
    }
  });

  it("names neither its URL nor its password when it can't be reached", async () => {
    const server = serve(() => new Response(""));
    await server[Symbol.asyncDispose]();
    const node = new UtxoNode({ url: server.url });
    const error = await assertRejects(() => node.call("getblockcount"), UtxoFaultError);
    assertEquals(error.message, "The node can't be asked for getblockcount");
    assertEquals([error.fault, error.cause], ["unreachable", undefined]);
    assert(!Deno.inspect(node).includes(PASSWORD));
  });

  it("follows nobody elsewhere", async () => {
    await using other = serve(({ id }) => new Response(`{"result":1,"error":null,"id":${id}}`));
    await using server = serve(() => Response.redirect(other.url, 307));
    const node = new UtxoNode({ url: server.url });
    await assertRejects(() => node.call("a"), UtxoFaultError, "can't be asked");
  });

  it("asks few questions at once, and all of them", async () => {
    let now = 0;
    let most = 0;
    await using server = serve(async ({ id, params }) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return new Response(`{"result":${params[0]},"error":null,"id":${id}}`);
    });
    const node = new UtxoNode({ url: server.url });
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    assertEquals(await Promise.all(numbers.map((i) => node.call("a", i))), numbers);
    assertEquals(most, 4);
  });
});

describe("withExactAmounts", () => {
  it("keeps the texts of amounts, wherever they are", () => {
    const text = '{"value":0.1,"of":[{"value": 90071992547.40993,"n":1},{"value":12}],' +
      '"feerate":1e-8,"value2":2,"text":"\\"value\\":1,","value\\"value":3}';
    const read = (json: string) => JSON.parse(withExactAmounts(json));
    assertEquals(read(text), {
      value: "0.1",
      of: [{ value: "90071992547.40993", n: 1 }, { value: "12" }],
      feerate: "1e-8",
      value2: 2,
      text: '"value":1,',
      'value"value': "3",
    });
    assertEquals(read('{"value":"0.1","b":null,"c":true}'), {
      value: "0.1",
      b: null,
      c: true,
    });
  });
});

interface TestServer extends AsyncDisposable {
  readonly url: string;
}

function serve(
  answer: (question: Asked, request: Request) => Response | Promise<Response>,
): TestServer {
  const stop = new AbortController();
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: stop.signal,
    onListen: () => {},
  }, async (request) => await answer(await request.json(), request));
  return {
    url: `http://user:${PASSWORD}@127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await server.finished;
    },
  };
}
