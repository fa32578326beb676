/** The outline of a QR code. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { qrPath } from "../../src/pages/shared/qr_path.ts";

describe("the path of a QR code", () => {
  it("has a rectangle for each run of dark pixels", () => {
    const path = qrPath([[true, true, false], [false, false, false], [true, false, true]]);
    assertEquals(path, "M0 0h2v1h-2zM0 2h1v1h-1zM2 2h1v1h-1z");
  });
});
