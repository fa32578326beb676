/** Sets levels, groups and settings of the whole venue. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import {
  type Act,
  type ActField,
  changedBody,
  changesText,
  filledFields,
  reasonPart,
  type Values,
  wordsIn,
} from "../acting/act.ts";

type Levels = Records["MemberLevels"];
type Classes = Records["MemberClasses"];
type Settings = Records["VenueSettings"];
type Setting = keyof Settings;

const RIGHTS = ["trading", "deposit", "withdraw"] as const;

/** Sets from which level members may trade, deposit and withdraw. */
export function levelsAct(levels: Levels): Act {
  const { settings, members } = o;
  const fields: readonly ActField[] = RIGHTS.map((name) => ({
    name,
    label: settings.levelsOf[name],
    hint: settings.levelHint,
    kind: "whole",
  }));
  const begin = Object.fromEntries(
    RIGHTS.map((name) => [name, String(levels[name].minimum_level)]),
  );
  return {
    operation: "setMemberLevels",
    word: members.change,
    title: settings.levels,
    fields,
    begin,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const body = { ...filledFields(fields, values), ...reasonPart(reason) };
      await venue.put("/api/v2/admin/member_levels", {
        body: body as Records["MemberLevelsInput"],
      });
    },
  };
}

/** Sets which groups and levels there are. */
export function classesAct(classes: Classes): Act {
  const { settings, members } = o;
  const fields: readonly ActField[] = [
    { name: "groups", label: settings.groups, hint: settings.groupsHint, kind: "list" },
    { name: "level_max", label: settings.levelMax, kind: "whole" },
  ];
  const begin = { groups: classes.groups.join(", "), level_max: String(classes.level_max) };
  return {
    operation: "setMemberClasses",
    word: members.change,
    title: settings.classes,
    fields,
    begin,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const groups = wordsIn(values["groups"] ?? "");
      const body = { ...filledFields(fields, values), groups, ...reasonPart(reason) };
      await venue.put("/api/v2/admin/member_classes", {
        body: body as unknown as Records["MemberClassesInput"],
      });
    },
  };
}

/** Settings with a few values, and those with lists; all others are texts or whole numbers. */
const CHOICES: Partial<Readonly<Record<Setting, readonly string[]>>> = {
  body_signatures: allOf<"body_signatures">({ off: true, withdraw: true, all: true }),
  withdraw_ip_lists: allOf<"withdraw_ip_lists">({ optional: true, required: true }),
  wallet_rail: allOf<"wallet_rail">({ none: true, sandbox: true, networks: true }),
};

/** Returns the values of a setting: a field that lacks the one in force would change it unasked. */
function allOf<Name extends Setting>(values: Readonly<Record<Settings[Name] & string, true>>) {
  return Object.keys(values);
}

/** Returns a setting as it is shown, and as its field begins. */
export function shownSetting(name: Setting, settings: Settings): string {
  const value = settings[name];
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function settingField(name: Setting, settings: Settings): ActField {
  const label = o.settings.names[name];
  const hints: Readonly<Record<string, string>> = o.settings.hints;
  const hint = hints[name];
  const choices = CHOICES[name];
  const kind = choices !== undefined
    ? "choice"
    : Array.isArray(settings[name])
    ? "list"
    : typeof settings[name] === "number"
    ? "whole"
    : "text";
  return {
    name,
    label,
    kind,
    ...(hint === undefined ? {} : { hint }),
    ...(choices === undefined ? {} : { choices: choices.map((one) => [one, one] as const) }),
  };
}

/** Changes settings. */
export function settingsAct(now: Settings): Act {
  const { settings, members } = o;
  const names = Object.keys(settings.names) as Setting[];
  const fields = names.map((name) => settingField(name, now));
  const begin: Values = Object.fromEntries(names.map((name) => [name, shownSetting(name, now)]));
  return {
    operation: "setSettings",
    word: members.change,
    title: settings.settings,
    fields,
    begin,
    says: (values) => changesText(fields, begin, values, o),
    send: async ({ values, reason }) => {
      const body = { ...changedBody(fields, begin, values), ...reasonPart(reason) };
      await venue.patch("/api/v2/admin/settings", { body });
    },
  };
}
