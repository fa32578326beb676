/** The rules that fields break by themselves, as their error identifiers say. */
import type { ErrorDetails } from "../errors.ts";
import { nearestName } from "../nearest_name.ts";
import type { BrokenRule } from "../rejection_answers.ts";

/** By what the last words of identifiers begin with. */
const RULE_OF_FAULT: readonly (readonly [begins: string, rule: BrokenRule])[] = [
  ["missing_", "required"],
  ["non_positive_", "positive"],
  ["non_", "format"],
  ["too_long_", "length"],
  ["invalid_", "format"],
  ["doesnt_exist", "known"],
  ["not_found", "known"],
  ["unknown_field", "known"],
];

/** Returns the rule that a field breaks of which an error has this identifier, if that tells. */
export function ruleOf(identifier: string): BrokenRule | undefined {
  const fault = identifier.slice(identifier.lastIndexOf(".") + 1);
  return RULE_OF_FAULT.find(([begins]) => fault.startsWith(begins))?.[1];
}

/** Returns what is wrong with a word that is not of a closed list. */
export function unknownWord(
  given: string,
  known: readonly string[],
): Pick<ErrorDetails, "rule" | "nearest"> {
  const nearest = nearestName(given, known);
  return { rule: "known", ...(nearest === undefined ? {} : { nearest }) };
}
