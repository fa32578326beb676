/** @jsxImportSource hono/jsx/dom */
/** The page of one's own account. */
import { CopyButton } from "../shared/copy_button.tsx";
import { t } from "../shared/language.ts";
import { goTo, place } from "../shared/place.ts";
import { me } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Tab, Tabs } from "../shared/tabs.tsx";
import { Group, type View } from "../shared/view.ts";
import { ActivityLists } from "./activity.tsx";
import { ApiKeys } from "./api_keys.tsx";
import { PasswordChange } from "./password_change.tsx";
import { Sessions } from "./sessions.tsx";
import { Terms } from "./terms.tsx";
import { TwoFactor } from "./two_factor.tsx";

type Name = "security" | "keys" | "activity" | "limits";

const TABS: readonly Tab<Name>[] = [
  { name: "security", title: t.account.security },
  { name: "keys", title: t.account.keys },
  { name: "activity", title: t.account.activity },
  { name: "limits", title: t.account.limits },
];

/** Who one is here, and everything about it, one tab at a time. */
export function Settings(): View {
  const asked = useShown(place).get("tab");
  const chosen = TABS.find(({ name }) => name === asked)?.name ?? "security";
  return (
    <Group>
      <Who />
      <Tabs
        label={t.shell.account}
        tabs={TABS}
        chosen={chosen}
        onChoose={(tab) => goTo({ tab })}
      >
        <Chosen tab={chosen} />
      </Tabs>
    </Group>
  );
}

function Chosen({ tab }: { readonly tab: Name }): View {
  switch (tab) {
    case "security":
      return (
        <Group>
          <div class="pair">
            <TwoFactor />
            <PasswordChange />
          </div>
          <Sessions />
        </Group>
      );
    case "keys":
      return <ApiKeys />;
    case "activity":
      return <ActivityLists />;
    case "limits":
      return <Terms />;
  }
}

function Who(): View | null {
  const who = useShown(me);
  if (who === null || who === undefined) return null;
  const { email, uid, level, group, otp } = who;
  return (
    <dl class="sheet who-am-i">
      <div>
        <dt>{t.signIn.email}</dt>
        <dd class="breaking">{email ?? "–"}</dd>
      </div>
      <div>
        <dt>{t.account.uid}</dt>
        <dd class="row">
          <code class="figures">{uid}</code>
          <CopyButton text={uid} label={t.account.copyUid} />
        </dd>
      </div>
      <div>
        <dt>{t.account.level}</dt>
        <dd>{level}</dd>
      </div>
      {group === "any" ? null : (
        <div>
          <dt>{t.account.group}</dt>
          <dd>{group}</dd>
        </div>
      )}
      <div>
        <dt>{t.account.twoFactor}</dt>
        <dd>
          <span class={otp === true ? "state good" : "state bad"}>
            {otp === true ? t.account.on : t.account.off}
          </span>
        </dd>
      </div>
    </dl>
  );
}
