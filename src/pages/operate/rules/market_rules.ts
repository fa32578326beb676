/** What a market's rules mean for whoever places orders, in words and figures. */
import { plain, stepOf, typedUnits, unitsText } from "../../shared/amounts.ts";

/** The rules as they are typed or told. */
export interface MarketRules {
  readonly base: string;
  readonly quote: string;
  readonly pricePrecision: string;
  readonly amountPrecision: string;
  readonly minPrice: string;
  /** Zero for none. */
  readonly maxPrice: string;
  readonly minAmount: string;
  readonly minTotal: string;
}

/** The words for them. */
export interface RuleWords {
  readonly priceSteps: (step: string) => string;
  readonly amountSteps: (step: string) => string;
  readonly priceFrom: (price: string) => string;
  readonly priceTo: (price: string) => string;
  readonly atLeast: (amount: string) => string;
  readonly worthAtLeast: (total: string) => string;
}

/** The most digits that a precision can have. */
const PRECISION_MAX = 16;

/** Returns what the rules mean; what can't be read of them is left out. */
export function ruleText(words: RuleWords, rules: MarketRules): string {
  const { base, quote } = rules;
  const told = (text: string, code: string, say: (what: string) => string) => {
    const units = typedUnits(text);
    return units === null ? "" : say(`${plain(unitsText(units))} ${code}`);
  };
  const steps = (precision: string, code: string, say: (what: string) => string) => {
    const step = stepText(precision);
    return step === null ? "" : say(`${step} ${code}`);
  };
  return [
    steps(rules.pricePrecision, quote, words.priceSteps),
    told(rules.minPrice, quote, words.priceFrom),
    told(rules.maxPrice, quote, words.priceTo),
    steps(rules.amountPrecision, base, words.amountSteps),
    told(rules.minAmount, base, words.atLeast),
    told(rules.minTotal, quote, words.worthAtLeast),
  ].filter((text) => text !== "").join(" ");
}

/** Returns the smallest step of so many digits, such as `0.01` for `2`; null if that is no number. */
export function stepText(precision: string): string | null {
  if (!/^\d{1,2}$/.test(precision.trim()) || Number(precision) > PRECISION_MAX) return null;
  return unitsText(stepOf(Number(precision)));
}
