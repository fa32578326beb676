/** Breaks of the ways in: what is closed, the way to a socket, and unsigned ones' own thread. */
import type { MutatedFile } from "./mutation.ts";

export const RELAY_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/http/access_errors.ts",
    quick: ["http/routes/admin/closed_calls"],
    broad: ["edge/reading/known_fields", "http/contract"],
    mutations: [
      [" || isClosed === true) return true;", ") return true;"],
      ['return access.kind === "member" && method !== "GET";', "return false;"],
    ],
  },
  {
    file: "src/sockets/relay/relayed_socket.ts",
    quick: ["sockets/relay/relayed_socket"],
    broad: [],
    mutations: [
      ["turn > this.#end.sentTurn", "turn >= this.#end.sentTurn"],
      ["sum + bytes, this.#kept)", "sum + bytes, 0)"],
      ["last.bytes += frame.length;", "last.bytes = frame.length;"],
      ["    if (this.#readyState >= WebSocket.CLOSING) return;\n", ""],
      ["    if (this.#readyState === WebSocket.CLOSED) return;\n", ""],
      ["this.#end.close(this.#id, ...this.#farewell);", "undefined;"],
      ["    this.dispatchEvent(event);\n", ""],
    ],
  },
  {
    file: "src/sockets/relay/relay_line.ts",
    quick: ["sockets/relay/relay_line"],
    broad: [],
    mutations: [
      ["this.#underWay.length < EVENTS_AT_ONCE_MAX && ", ""],
      [" && this.#lengthUnderWay < LENGTH_AT_ONCE_MAX", ""],
      ["this.#lengthUnderWay -= length;", "length;"],
      ["this.#underWay.splice(0, count)", "this.#underWay.slice(0, count)"],
      ["      this.#isPassing = false;\n", ""],
    ],
  },
  {
    file: "src/sockets/relay/relayed_peers.ts",
    quick: ["server/public_sockets"],
    broad: [],
    mutations: [
      [" || peer.waitingLength + length > waitingLengthMax", "", "the venue counts them as well"],
      ["      peer.isPutOut = true;\n", "", "the venue puts it out as well"],
      ["data.slice(0, peer.lengthMax + 1)", "data.slice(0, peer.lengthMax)"],
      ["data.slice(0, peer.lengthMax + 1)", "data"],
      ["if (peer !== undefined) peer.lengthMax = lengthMax;", ""],
      ["      this.#addEnd(id);\n      return upgradeRequired();", "      return goneAnswer();"],
    ],
  },
  {
    file: "src/sockets/socket_gate.ts",
    quick: ["server/public_sockets"],
    broad: [],
    mutations: [
      ["if (isApart) checkPort(c, isPublic);", ""],
      ["isPublic !== isRelayed(c)", "isPublic && !isRelayed(c)"],
      ["isPublic !== isRelayed(c)", "!isPublic && isRelayed(c)"],
    ],
  },
  {
    file: "src/sockets/arrival.ts",
    quick: ["sockets/socket_gate", "sockets/handshake"],
    broad: ["sockets/push/push"],
    mutations: [
      [", [VERSION_HEADER]: VERSION }", " }"],
      ["    return this.#signal.aborted;", "    return false;"],
    ],
  },
];
