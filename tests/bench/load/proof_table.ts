/** Figures beside what is wanted of them. */
import { printLine } from "./report.ts";

/** How a figure reads. */
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

  /** Adds a figure that nothing, or something else, is wanted of. */
  add(figure: string, wanted: string, measured: string): void {
    this.#rows.push({ figure, wanted, measured });
  }

  /** Adds a figure that is not to be smaller. */
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

  /** Adds a time in ms that is to be shorter. */
  addBelow(figure: string, wantedMs: number, ms: number): void {
    this.add(figure, `under ${wantedMs} ms`, marked(`${msText(ms)} ms`, ms < wantedMs));
  }

  /** Prints it as Markdown. */
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

function msText(ms: number): string {
  return ms < 100 ? ms.toFixed(2) : ms.toFixed(0);
}
