/** The blocks of the documents that are pasted, by what they do. */
import { assertEquals } from "@std/assert";
import { blocksOf, INTERFACE, OPERATING, README } from "../support/documents.ts";
import { hasProgram } from "./pasted_folder.ts";

/** Whether nothing can be pasted here, and what a test's name says of it. */
export const NO_SHELL: boolean = !hasProgram("curl");
export const WHY: string = NO_SHELL ? " (skipped: `curl` is not on the PATH)" : "";

const SHELL = /^bash$/;

/** Blocks of the README, and those of them that make functions. */
export const FIRST_STEPS: readonly string[] = blocksOf(README, SHELL);
export const FUNCTIONS: readonly string[] = README.text.match(/^(?:signed|call)\(\) \{.*?^\}/gms) ??
  [];

/** Blocks of the interface's guide. */
export const [MEMBERS_LIFE = "", ...CLIENTS] = blocksOf(INTERFACE, SHELL);

/** Blocks of the operators' guide, in its order. */
export const [
  OWN_START = "",
  OWN_SET_UP = "",
  COIN_FUNCTIONS = "",
  LITECOIN_START = "",
  LITECOIN_DEPOSIT = "",
  ETHER_START = "",
  ETHER_DEPOSIT = "",
  TOKEN = "",
  TERMS = "",
  OWN_COINS = "",
  OWN_CURRENCY = "",
  COINS_ON_SERVER = "",
  RESUMPTION = "",
  CHAIN_AUDIT = "",
  TAGGED_CURRENCY = "",
  FIRST_ROLE = "",
  KV_SERVER = "",
  ON_KV_SERVER = "",
  ...UNTESTED
] = blocksOf(OPERATING, SHELL);

/** Checks that no call was refused, and none went to nobody. */
export function assertTaken(printed: string): void {
  const refused = printed.split("\n").filter((line) => /"errors"|^curl: |^bash: /.test(line));
  assertEquals(refused, []);
}
