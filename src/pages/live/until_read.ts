/** Reads what a page can't do without. */
const PAUSE_MS = 5_000;

/** Reads again and again until it works; what fails meanwhile is told, with null once it works. */
export async function untilRead(
  read: () => Promise<void>,
  onFault: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    try {
      await read();
      return onFault(null);
    } catch (error) {
      onFault(error);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
