/** A setting is wrong or missing; the message is a sentence that names it. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
