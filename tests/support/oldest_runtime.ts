/** Whether this is Deno 2.5, the oldest supported version, whose platform differs in places. */
export const IS_OLDEST_RUNTIME: boolean = Deno.version.deno.startsWith("2.5.");
