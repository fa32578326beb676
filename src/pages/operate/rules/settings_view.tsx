/** @jsxImportSource hono/jsx/dom */
/** What holds for the whole venue: switches, levels, groups, and settings. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { Group, type View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Fact, Facts, Part, Read, State } from "../acting/record_views.tsx";
import { SwitchButtons } from "../acting/switch_acts.tsx";
import { classesAct, levelsAct, settingsAct, shownSetting } from "./setting_acts.ts";

/** The view. */
export function SettingsView(): View {
  return (
    <Group>
      <SwitchesPart />
      <LevelsPart />
      <ClassesPart />
      <SettingsPart />
    </Group>
  );
}

function SwitchesPart(): View {
  const { settings, overview } = o;
  const reading = useReading("switches", () => venue.get("/api/v2/admin/switches"));
  const shown = (isOn: boolean) => (
    <State tone={isOn ? "good" : "bad"} words={isOn ? overview.on : overview.off} />
  );
  return (
    <Part title={settings.switches}>
      <Read reading={reading}>
        {(now) => (
          <Group>
            <Facts>
              <Fact name={overview.trading}>{shown(now.trading)}</Fact>
              <Fact name={overview.withdrawals}>{shown(now.withdrawals)}</Fact>
            </Facts>
            <SwitchButtons now={now} />
          </Group>
        )}
      </Read>
    </Part>
  );
}

function LevelsPart(): View {
  const { settings } = o;
  const reading = useReading("levels", () => venue.get("/api/v2/admin/member_levels"));
  return (
    <Part title={settings.levels} note={settings.levelsNote}>
      <Read reading={reading}>
        {(levels) => (
          <Group>
            <Facts>
              {(["trading", "deposit", "withdraw"] as const).map((name) => (
                <Fact key={name} name={settings.levelsOf[name]}>
                  {settings.fromLevel(String(levels[name].minimum_level))}
                </Fact>
              ))}
            </Facts>
            <p class="part-foot">
              <ActButton key={JSON.stringify(levels)} act={levelsAct(levels)} />
            </p>
          </Group>
        )}
      </Read>
    </Part>
  );
}

function ClassesPart(): View {
  const { settings } = o;
  const reading = useReading("classes", () => venue.get("/api/v2/admin/member_classes"));
  return (
    <Part title={settings.classes} note={settings.classesNote}>
      <Read reading={reading}>
        {(classes) => (
          <Group>
            <Facts>
              <Fact name={settings.groups}>{["any", ...classes.groups].join(", ")}</Fact>
              <Fact name={settings.levelMax}>{classes.level_max}</Fact>
            </Facts>
            <p class="part-foot">
              <ActButton key={JSON.stringify(classes)} act={classesAct(classes)} />
            </p>
          </Group>
        )}
      </Read>
    </Part>
  );
}

function SettingsPart(): View {
  const { settings } = o;
  const reading = useReading("settings", () => venue.get("/api/v2/admin/settings"));
  return (
    <Part title={settings.settings} note={settings.settingsNote}>
      <Read reading={reading}>
        {(now) => (
          <Group>
            <Facts>
              {(Object.keys(settings.names) as (keyof Records["VenueSettings"])[]).map((name) => (
                <Fact key={name} name={settings.names[name]}>{shownSetting(name, now)}</Fact>
              ))}
            </Facts>
            <p class="part-foot">
              <ActButton key={JSON.stringify(now)} act={settingsAct(now)} />
            </p>
          </Group>
        )}
      </Read>
    </Part>
  );
}
