/** @jsxImportSource hono/jsx/dom */
/** The sessions of a member, which it may end. */
import { useEffect, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { useAction } from "../shared/action.ts";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { type Column, Table } from "../shared/table.tsx";
import type { View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { deviceName } from "./device_name.ts";

type Session = Records["Session"];

/** The list of sessions. */
export function Sessions(): View {
  const [sessions, setSessions] = useState<readonly Session[] | null>(null);
  const load = async () => setSessions(await venue.get("/api/v2/auth/resource/users/sessions"));
  const reading = useAction(load);
  const ending = useAction(async (id: string) => {
    await venue.delete("/api/v2/auth/resource/users/sessions/{id}", { path: { id } });
    await load();
  });
  const endingOthers = useAction(async () => {
    await venue.delete("/api/v2/auth/resource/users/sessions");
    await load();
  });
  useEffect(() => void reading.run(), []);
  const fault = reading.fault ?? ending.fault ?? endingOthers.fault;
  const others = (sessions ?? []).filter(({ current }) => !current).length;
  return (
    <section class="sheet" aria-labelledby="sessions">
      <div class="head">
        <h2 id="sessions">{t.account.sessions}</h2>
        <button
          type="button"
          class="quiet small"
          disabled={others === 0 || endingOthers.isBusy}
          onClick={() => void endingOthers.run()}
        >
          {t.account.endOthers}
        </button>
      </div>
      {fault === null ? null : <p class="note bad" role="alert">{fault.text}</p>}
      {sessions === null ? <p class="soft" role="status">{t.shell.loading}</p> : (
        <Table
          caption={t.account.sessions}
          columns={columnsOf((id) => void ending.run(id))}
          rows={sessions}
          keyOf={({ id }) => id}
          empty={t.account.noSessions}
        />
      )}
    </section>
  );
}

function columnsOf(end: (id: string) => void): readonly Column<Session>[] {
  return [
    {
      title: t.account.device,
      show: ({ user_agent: agent, current }) => (
        <span title={agent}>
          {deviceName(agent)} {current ? <b class="tag">{t.account.thisOne}</b> : null}
        </span>
      ),
    },
    { title: t.account.address, show: ({ user_ip: ip }) => <span class="figures">{ip}</span> },
    {
      title: t.account.signedIn,
      isWide: true,
      show: ({ created_at: at }) => <When at={at} />,
    },
    {
      title: t.account.lastSeen,
      isWide: true,
      show: ({ last_seen_at: at }) => <When at={at} />,
    },
    { title: t.account.ends, isWide: true, show: ({ expires_at: at }) => <When at={at} /> },
    {
      title: t.wallet.actions,
      isUntitled: true,
      isFigure: true,
      show: ({ id, current, user_ip: ip }) =>
        current ? null : (
          <button
            type="button"
            class="quiet small"
            aria-label={t.account.endSession(ip)}
            onClick={() => end(id)}
          >
            {t.account.end}
          </button>
        ),
    },
  ];
}
