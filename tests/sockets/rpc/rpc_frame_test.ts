import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../../src/edge/errors.ts";
import {
  errorFrame,
  eventFrame,
  JsonText,
  parseRequest,
  peekRequest,
  responseFrame,
} from "../../../src/sockets/rpc/rpc_frame.ts";

describe("peekRequest()", () => {
  it("reads id and method, whatever follows", () => {
    const head = { id: 7, method: "create_order" };
    assertEquals(peekRequest('[1,7,"create_order",["btcusdt"'), head);
    assertEquals(peekRequest(`[1,7,"create_order",${"x".repeat(100_000)}`), head);
    assertEquals(peekRequest(' [ 1 ,\n"a\\"b" , "ping" ]'), { id: 'a"b', method: "ping" });
  });

  it("reads what parseRequest() reads, or nothing", () => {
    const longest = JSON.stringify("\u0001".repeat(64));
    for (const id of ["0", "42", '"x"', '""', longest]) {
      const text = `[1,${id},"list_orders",[]]`;
      assertEquals(peekRequest(text)?.id, parseRequest(text).id, id);
    }
    const odd = ["-1", "1.5", "1e3", "null", "01", "9007199254740993", `"${"x".repeat(65)}"`];
    for (const id of odd) assertEquals(peekRequest(`[1,${id},"ping"]`), null, id);
    for (const text of ["", "[", '[2,1,"ping"]', "[1,1,ping]", '[1,1,"p\\u0069ng"]', '{"a":1}']) {
      assertEquals(peekRequest(text), null, text);
    }
  });
});

describe("parseRequest", () => {
  it("reads id, method and arguments", () => {
    const request = parseRequest('[1,42,"create_order",["btcusdt","l"]]');
    const args = ["btcusdt", "l"];
    assertEquals(request, { id: 42, method: "create_order", args, given: args });
    const nothing = { method: "ping", args: [], given: [] };
    assertEquals(parseRequest('[1,"a-1","ping"]'), { id: "a-1", ...nothing });
    assertEquals(parseRequest('[1,0,"ping",null]'), { id: 0, ...nothing });
  });

  it("keeps numbers as their original text", () => {
    const request = parseRequest('[1,42,"create_order",["m",[0.10000000000000000001],7]]');
    const args = ["m", ["0.10000000000000000001"], "7"];
    const given = ["m", [0.1], 7];
    assertEquals(request, { id: 42, method: "create_order", args, given });
  });

  it("refuses an object that has a key twice, by its name", () => {
    const options = '{"post_only":true,"post_only":false}';
    const frame = `[1,7,"create_order",["btcusdt","l","buy","1","100",${options}]]`;
    const request = parseRequest(frame);
    const { errors, extras } = "error" in request ? request.error : new ApiError(500, "");
    assertEquals([errors, extras.details], [["server.repeated_field"], { field: "post_only" }]);
  });

  it("refuses a deep frame, wherever it is deep", () => {
    const shallow = parseRequest(`[1,7,"m",${"[".repeat(7)}${"]".repeat(7)}]`);
    assertEquals([shallow.id, "error" in shallow], [7, false]);
    for (const depth of [9, 5_000, 60_000]) {
      const deep = "[".repeat(depth) + "]".repeat(depth);
      for (
        const text of [deep, `[1,7,"m",${deep}]`, `[1,7,"m",[5,${deep}]]`, `[1,7,"m",[],${deep}]`]
      ) {
        const request = parseRequest(text);
        assertEquals([request.id, "error" in request], [null, true]);
      }
    }
  });

  it("finds the id of a malformed request where it can", () => {
    const ids = [
      ["no json", null],
      ["{}", null],
      ["[]", null],
      ['[1,-1,"m",[]]', null],
      ['[1,1.5,"m",[]]', null],
      [`[1,"${"x".repeat(65)}","m",[]]`, null],
      ['[2,7,"m",[]]', 7],
      ["[1,7]", 7],
      ['[1,7,"m",{}]', 7],
      ['["1","a","m",[]]', "a"],
    ];
    for (const [text, id] of ids) {
      const read = parseRequest(String(text));
      assertEquals(read.id, id, String(text));
      assertEquals(
        "error" in read && read.error.errors,
        ["server.method.invalid_message_body"],
        String(text),
      );
    }
  });
});

describe("frames of the venue", () => {
  it("echo the request, and add extras only when there are some", () => {
    const request = { id: 7, method: "cancel_order" };
    assertEquals(responseFrame(request, null), '[2,7,"cancel_order",null]');
    assertEquals(responseFrame(request, [1], { a: 2 }), '[2,7,"cancel_order",[1],{"a":2}]');
    assertEquals(responseFrame(request, new JsonText("[[1],2]")), '[2,7,"cancel_order",[[1],2]]');
    assertEquals(errorFrame(null, { errors: ["a.b"] }), '[2,null,"error",["a.b"]]');
    const unknown: { errors: string[]; uuid: string } = { errors: ["a.b"], uuid: "u" };
    assertEquals(errorFrame("x", unknown), '[2,"x","error",["a.b"],{"uuid":"u"}]');
  });

  it("mark events public or private", () => {
    assertEquals(eventFrame("public", "trade", [1], [9]), '[3,"trade",[1],9]');
    assertEquals(eventFrame("private", "systemEvent", ["a"]), '[4,"systemEvent",["a"]]');
  });
});
