/** Measured figures beside the wanted ones. */
import { printLine } from "./report.ts";

/** The unit of a figure, and an addition. */
export interface FigureText {
  readonly unit?: string;
  readonly more?: string;
}

interface ProofRow {
  readonly figure: string;
  readonly wanted: string;
  readonly measured: string;
}

/** The table at the end of a proof. */
export class ProofTable {
  readonly #rows: ProofRow[] = [];

  /** Adds a figure as text. */
  add(figure: string, wanted: string, measured: string): void {
    this.#rows.push({ figure, wanted, measured });
  }

  /** Adds a figure with a wanted minimum. */
  addAtLeast(
    figure: string,
    wanted: number,
    value: number,
    { unit = "", more = "" }: FigureText,
  ): void {
    const text = `${value.toFixed(2)} ${unit}`.trim();
    const measured = more === "" ? text : `${text} (${more})`;
    this.add(figure, `at least ${wanted} ${unit}`.trim(), marked(measured, value >= wanted));
  }

  /** Adds a time in ms, or a size in the given unit, with a wanted maximum. */
  addBelow(figure: string, wanted: number, value: number, unit = "ms"): void {
    this.add(
      figure,
      `under ${wanted} ${unit}`,
      marked(`${shortText(value)} ${unit}`, value < wanted),
    );
  }

  /** Prints the table as Markdown. */
  print(): void {
    printLine();
    printLine("| figure | wanted | measured |");
    printLine("| --- | --- | --- |");
    for (const { figure, wanted, measured } of this.#rows) {
      printLine(`| ${figure} | ${wanted} | ${measured} |`);
    }
  }
}

function marked(text: string, isMet: boolean): string {
  return isMet ? text : `**${text}**`;
}

function shortText(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}
