/** What devices are called. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { deviceName } from "../../src/pages/settings/device_name.ts";

const ON_LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)";
const ON_PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15";

describe("a device's name", () => {
  it("is its browser and its system", () => {
    assertEquals(deviceName(`${ON_LINUX} Chrome/130.0.0.0 Safari/537.36`), "Chrome, Linux");
    assertEquals(deviceName(`${ON_LINUX} Chrome/130.0 Safari/537.36 Edg/130.0`), "Edge, Linux");
    assertEquals(deviceName(`${ON_PHONE} Version/17.0 Mobile Safari/604.1`), "Safari, iOS");
  });

  it("is else what it says of itself", () => {
    assertEquals(deviceName("my-bot/1.0"), "my-bot/1.0");
    assertEquals(deviceName("x".repeat(500)).length, 40);
    assertEquals(deviceName(""), "–");
  });
});
