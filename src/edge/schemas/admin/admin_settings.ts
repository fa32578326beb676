/** Schemas of operators' calls about the venue's settings. */
import * as z from "zod";
import type { Settings } from "../../../domain/settings.ts";
import { definedFields } from "../../answer.ts";
import { SETTING_KEYS, venueSetting, wireName } from "../../venue_settings.ts";
import { withErrors } from "../field_errors.ts";
import { changed, OBJECT } from "../fields.ts";

const WORDS = "admin.settings";

/** Changes of settings, in the terms in which they are shown. */
export const SETTING_CHANGES: z.ZodType<Partial<Settings>> = z.object(
  changed(
    WORDS,
    Object.fromEntries(SETTING_KEYS.map((key) => [wireName(key), field(key)])),
  ),
  OBJECT,
).meta({
  id: "SettingChanges",
  description: "Fields to change; all others stay as they are.",
}).transform((given) =>
  definedFields<Partial<Settings>>(
    Object.fromEntries(SETTING_KEYS.map((key) => [key, given[wireName(key)]])),
  )
);

/** The venue's settings. */
export const VENUE_SETTINGS_ANSWER = z.object(
  Object.fromEntries(SETTING_KEYS.map((key) => {
    const { shown, description, example } = venueSetting(key);
    return [wireName(key), shown.meta({ description, examples: [example] })];
  })),
).meta({
  id: "VenueSettings",
  description: "Settings of the whole venue, which all its processes obey.",
});

/** Example of the venue's settings. */
export const VENUE_SETTINGS_EXAMPLE: Readonly<Record<string, unknown>> = Object.fromEntries(
  SETTING_KEYS.map((key) => [wireName(key), venueSetting(key).example]),
);

function field(key: keyof Settings): z.ZodType {
  const { text, isList = false, shown, description, example } = venueSetting(key);
  const name = wireName(key);
  const [missing, invalid] = [`${WORDS}.missing_${name}`, `${WORDS}.invalid_${name}`];
  const given = isList
    ? z.union([z.string(), z.array(z.string())], { error: invalid })
    : z.string(invalid);
  return withErrors(given, missing, invalid).transform((value, context) => {
    const joined = [value].flat().join(",");
    // An empty list is none, in the environment's word. Any other empty value was lost on its way.
    const read = text.safeParse(isList && joined === "" ? "off" : joined);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const broken = issue?.code === "custom" ? issue.params : undefined;
    context.addIssue({ code: "custom", message: invalid, input: value, params: broken });
    return z.NEVER;
  }).meta({ ...jsonType(shown), description, examples: [example] });
}

/** Returns the documentation of a type without its schema's version. */
function jsonType(shown: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...type } = z.toJSONSchema(shown);
  return type;
}
