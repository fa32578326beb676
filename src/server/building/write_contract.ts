/** Writes the client's types of the contract: `deno task contract`. */
import { contractDeclarations } from "./contract_declarations.ts";

/** Where they stand. */
export const CONTRACT_FILE = new URL("../../client/contract.d.ts", import.meta.url);

if (import.meta.main) await Deno.writeTextFile(CONTRACT_FILE, await contractDeclarations());
