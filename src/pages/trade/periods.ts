/** The periods of candles. */
import type { Texts } from "../texts/en.ts";

/** A period, by its name in streams and its length. */
export interface Period {
  readonly name: keyof Texts["trade"]["periods"];
  readonly minutes: 1 | 5 | 15 | 30 | 60 | 120 | 240 | 360 | 720 | 1440 | 4320 | 10080;
}

/** All periods, shortest first. */
export const PERIODS: readonly Period[] = [
  { name: "1m", minutes: 1 },
  { name: "5m", minutes: 5 },
  { name: "15m", minutes: 15 },
  { name: "30m", minutes: 30 },
  { name: "1h", minutes: 60 },
  { name: "2h", minutes: 120 },
  { name: "4h", minutes: 240 },
  { name: "6h", minutes: 360 },
  { name: "12h", minutes: 720 },
  { name: "1d", minutes: 1440 },
  { name: "3d", minutes: 4320 },
  { name: "1w", minutes: 10080 },
];
