import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { nearestName } from "../../src/edge/nearest_name.ts";

const ORDER = [
  "market",
  "side",
  "amount",
  "type",
  "price",
  "trigger_price",
  "time_in_force",
  "post_only",
  "self_trade_prevention",
  "client_order_id",
];

describe("the nearest known name", () => {
  it("is the one that differs in case or marks alone", () => {
    assertEquals(nearestName("Market", ORDER), "market");
    assertEquals(nearestName("postOnly", ORDER), "post_only");
    assertEquals(nearestName("clientOrderId", ORDER), "client_order_id");
    assertEquals(nearestName("client-order-id", ORDER), "client_order_id");
  });

  it("is another word for the same thing, if it is known there", () => {
    assertEquals(nearestName("symbol", ORDER), "market");
    assertEquals(nearestName("tif", ORDER), "time_in_force");
    assertEquals(nearestName("stop_price", ORDER), "trigger_price");
    assertEquals(nearestName("volume", ORDER), "amount");
    assertEquals(nearestName("amount", ["market", "volume"]), "volume");
    assertEquals(nearestName("permissions", ["scope", "ip_allow_list"]), "scope");
    assertEquals(nearestName("ip_whitelist", ["scope", "ip_allow_list"]), "ip_allow_list");
  });

  it("is the one with the fewest wrong letters", () => {
    assertEquals(nearestName("sde", ORDER), "side");
    assertEquals(nearestName("isde", ORDER), "side");
    assertEquals(nearestName("markets", ORDER), "market");
    assertEquals(nearestName("trigger_prise", ORDER), "trigger_price");
  });

  it("is none if nothing is near, nor if it is absurdly long", () => {
    assertEquals(nearestName("validate", ORDER), undefined);
    assertEquals(nearestName("", ORDER), undefined);
    assertEquals(nearestName("☃", ORDER), undefined);
    assertEquals(nearestName("market".repeat(10_000), ORDER), undefined);
    assertEquals(nearestName("market", []), undefined);
  });
});
