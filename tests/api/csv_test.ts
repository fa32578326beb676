import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { csvLine, freeText } from "../../src/api/csv.ts";

describe("csvLine()", () => {
  it("separates by commas and ends with a line break", () => {
    assertEquals(csvLine(["a", 1, "0.5"]), "a,1,0.5\r\n");
    assertEquals(csvLine([null, ""]), ",\r\n");
  });

  it("quotes what would be taken for something else", () => {
    assertEquals(
      csvLine(["a,b", 'say "hi"', "two\nlines", "\r", "a b"]),
      [
        '"a,b"',
        '"say ""hi"""',
        '"two\nlines"',
        '"\r"',
        "a b\r\n",
      ].join(","),
    );
  });
});

describe("freeText()", () => {
  it("is never the beginning of a formula", () => {
    for (const text of ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "\n=1"]) {
      assertEquals(freeText(text), `'${text}`);
    }
    for (const text of ["a=1", "'=1", "", "1-1"]) assertEquals(freeText(text), text);
    assertEquals(freeText(null), null);
    assertEquals(csvLine([freeText('=cmd|" /c calc"!A1')]), `"'=cmd|"" /c calc""!A1"\r\n`);
  });
});
