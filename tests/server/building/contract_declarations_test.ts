import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { contractDeclarations } from "../../../src/server/building/contract_declarations.ts";
import { CONTRACT_FILE } from "../../../src/server/building/write_contract.ts";

describe("the client's types of the contract", () => {
  it("are those of the contract now", async () => {
    const written = await Deno.readTextFile(CONTRACT_FILE);
    // Not compared by assertEquals, which takes minutes to show the difference of long texts.
    assert(written === await contractDeclarations(), 'run "deno task contract"');
  });
});
