/** Shares as percentages, exactly. */
import { plain, toldUnits, unitsText } from "./amounts.ts";

/** Returns a share of one as a percentage: "0.002" as "0.2 %". */
export function percentText(share: string): string {
  return `${plain(unitsText(toldUnits(share) * 100n))} %`;
}
