import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RelayedSocket } from "../../../src/sockets/relay/relayed_socket.ts";

/** Another thread that takes what it is sent when the test says so. */
class OtherEnd {
  turn = 1;
  sentTurn = 0;
  readonly told: unknown[][] = [];

  send(...told: [id: number, frame: string]): void {
    this.told.push(told);
  }

  close(...told: [id: number, code?: number, reason?: string]): void {
    this.told.push(told);
  }
}

function opened(): { end: OtherEnd; socket: RelayedSocket } {
  const end = new OtherEnd();
  const socket = new RelayedSocket(7, end);
  socket.noteOpen();
  return { end, socket };
}

describe("a relayed socket", () => {
  it("has what is on its way, and what the platform keeps, as unread", () => {
    const { end, socket } = opened();
    socket.send("four");
    socket.send("four");
    end.turn = 2;
    socket.send("x");
    assertEquals(socket.bufferedAmount, 9);
    end.sentTurn = 1;
    socket.noteKept(5);
    assertEquals(socket.bufferedAmount, 6);
    end.sentTurn = 2;
    assertEquals(socket.bufferedAmount, 5);
    socket.noteKept(0);
    assertEquals(socket.bufferedAmount, 0);
    assertEquals(end.told, [[7, "four"], [7, "four"], [7, "x"]]);
  });

  it("closes once, and sends nothing then", () => {
    const { end, socket } = opened();
    socket.close(1013, "later");
    socket.close(1008, "again");
    socket.send("too late");
    assertEquals(end.told, [[7, 1013, "later"]]);
    assertEquals(socket.readyState, WebSocket.CLOSING);
  });

  it("closes as soon as it is open if it was closed before", () => {
    const end = new OtherEnd();
    const socket = new RelayedSocket(7, end);
    let hasOpened = false;
    socket.onopen = () => hasOpened = true;
    socket.close(1012, "restart");
    socket.close(1008, "again");
    assertEquals(end.told, []);
    socket.noteOpen();
    assertEquals([end.told, hasOpened], [[[7, 1012, "restart"]], false]);
  });

  it("tells its end once, to all who listen", () => {
    const { socket } = opened();
    const told: unknown[] = [];
    socket.onclose = ({ code, reason, wasClean }) => told.push([code, reason, wasClean]);
    socket.addEventListener("close", () => told.push("listener"));
    socket.send("unread");
    socket.noteClose(1000, "bye", true);
    socket.noteClose(1006, "", false);
    assertEquals(told, [[1000, "bye", true], "listener"]);
    assertEquals([socket.readyState, socket.bufferedAmount], [WebSocket.CLOSED, 0]);
  });

  it("tells what is no text apart", () => {
    const { socket } = opened();
    const told: unknown[] = [];
    socket.onmessage = ({ data }) => told.push(data);
    socket.noteText("text");
    socket.noteText(null);
    assertEquals(told, ["text", new ArrayBuffer()]);
  });
});
