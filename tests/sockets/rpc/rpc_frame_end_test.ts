import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../../support/eventually.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

describe("a frame of an order socket", () => {
  it("is answered even if it is empty", () =>
    withServedVenue(async (served) => {
      for (const signer of [null, "alice"] as const) {
        const { stream } = await RpcClient.open(served, signer);
        for (const blank of ["", " ", "\n"]) {
          stream.send(blank);
          assertEquals(await stream.next(), [2, null, "error", [
            "server.method.invalid_message_body",
          ]]);
        }
      }
    }));

  it("is carried out though its client closes right behind it", () =>
    withServedVenue(async (served) => {
      const { stream } = await RpcClient.open(served, "alice");
      stream.send([1, 1, "create_order", ["btcusdt", "l", "buy", "1", "100", {
        client_order_id: "last",
      }]]);
      await stream.close();
      const read = "/api/v2/backend/market/orders/client:last";
      await eventually("the order", async () => {
        return (await served.venue.get("alice", read)).body.state === "wait";
      });
    }));
});
