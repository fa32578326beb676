/** Whether this is Deno 2.5, the oldest that a venue runs on: some things the platform does otherwise there. */
export const IS_OLDEST_RUNTIME: boolean = Deno.version.deno.startsWith("2.5.");
