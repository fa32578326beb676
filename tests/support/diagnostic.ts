const ENCODER = new TextEncoder();

/** Tells what a test has measured, whatever its result. */
export function diagnostic(text: string): void {
  Deno.stderr.writeSync(ENCODER.encode(`${text}\n`));
}
