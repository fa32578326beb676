import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { csvLine, freeText } from "../../src/http/csv.ts";

describe("csvLine()", () => {
  it("separates by commas and ends with a line break", () => {
    assertEquals(csvLine(["a", 1, "0.5"]), "a,1,0.5\r\n");
    assertEquals(csvLine([null, ""]), ",\r\n");
  });

  it("quotes what would be misread", () => {
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
  it("never begins a formula", () => {
    for (const text of ["=1+1", "+1", "-1", "@sum", "\tsum", "\rsum", "\nsum"]) {
      assertEquals(freeText(text), `'${text}`);
    }
    for (const text of ["\uff1d1", "\uff0b1", "\uff0d1", "\uff20sum", "\0sum"]) {
      assertEquals(freeText(text), `'${text}`);
    }
    for (const text of ["a=1", "'=1", "", "1-1"]) assertEquals(freeText(text), text);
    for (const text of ["a;b", "a-1;b=1", "a b", 'a "=1"', "a +1"]) {
      assertEquals(freeText(text), text);
    }
    assertEquals(freeText(null), null);
    assertEquals(csvLine([freeText('=cmd|" /c calc"!A1')]), `"'=cmd|"" /c calc""!A1"\r\n`);
  });

  it("begins none if semicolons, tabs or lines separate cells", () => {
    for (const start of ["a;", "a\t", "a\r\n", "a\n", "a; ", 'a;"', 'a;""', 'a;" ', "a;\0"]) {
      const text = freeText(`${start}=1+1;-2`);
      assertEquals(String(text).replaceAll("'", ""), `${start}=1+1;-2`);
      const [, ...cells] = csvLine([text]).split(/[;\t\r\n]/);
      for (const cell of cells) assertEquals(/^["\s\0]*[=+-]/.test(cell), false, String(text));
    }
  });
});
