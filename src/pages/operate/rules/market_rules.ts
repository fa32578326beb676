/** What a market's rules mean for whoever places orders, in words and figures. */
import { plain, stepOf, typedUnits, unitsText } from "../../shared/amounts.ts";

/** The rules as they are typed or told. */
export interface MarketRules {
  readonly base: string;
  readonly quote: string;
  readonly pricePrecision: string;
  readonly amountPrecision: string;
  readonly minAmount: string;
  readonly minTotal: string;
}

/** The words for them. */
export interface RuleWords {
  readonly priceSteps: (step: string) => string;
  readonly amountSteps: (step: string) => string;
  readonly atLeast: (amount: string) => string;
  readonly worthAtLeast: (total: string) => string;
}

/** The most digits that a precision can have. */
const PRECISION_MAX = 16;

/** Returns what the rules mean; what can't be read of them is left out. */
export function ruleText(words: RuleWords, rules: MarketRules): string {
  const { base, quote, pricePrecision, amountPrecision, minAmount, minTotal } = rules;
  const priceStep = stepText(pricePrecision);
  const amountStep = stepText(amountPrecision);
  const least = typedUnits(minAmount);
  const total = typedUnits(minTotal);
  return [
    priceStep === null ? "" : words.priceSteps(`${priceStep} ${quote}`),
    amountStep === null ? "" : words.amountSteps(`${amountStep} ${base}`),
    least === null ? "" : words.atLeast(`${plain(unitsText(least))} ${base}`),
    total === null ? "" : words.worthAtLeast(`${plain(unitsText(total))} ${quote}`),
  ].filter((text) => text !== "").join(" ");
}

/** Returns the smallest step of so many digits, such as `0.01` for `2`; null if that is no number. */
export function stepText(precision: string): string | null {
  if (!/^\d{1,2}$/.test(precision.trim()) || Number(precision) > PRECISION_MAX) return null;
  return unitsText(stepOf(Number(precision)));
}
