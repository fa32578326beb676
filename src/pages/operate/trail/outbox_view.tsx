/** @jsxImportSource hono/jsx/dom */
/** What a venue without a mail server would have mailed. */
import { type Records, VenueError } from "../../../client/client.ts";
import { CopyButton } from "../../shared/copy_button.tsx";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButtons } from "../acting/act_button.tsx";
import { TextFilter } from "../acting/filter.tsx";
import { useRole } from "../acting/operator.ts";
import { useReading } from "../acting/reading.ts";
import { MemberLink, Part, timeText, WholeTable, wordOf } from "../acting/record_views.tsx";
import { allows, ROLE_OF } from "../acting/roles.ts";
import { sandboxActs } from "./sandbox_acts.ts";
import { go, route } from "../acting/route.ts";

type Message = Records["OutboxMessage"];

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Message>[] = [
  { title: t.trade.time, show: ({ created_at }) => timeText(created_at) },
  { title: o.trail.to, show: ({ uid, to }) => <MemberLink uid={uid} name={to} /> },
  { title: o.trail.kind, show: ({ kind }) => wordOf(o.trail.kinds, kind) },
  { title: o.trail.code, show: ({ code }) => code === null ? "–" : <Code code={code} /> },
];

/** The list, which has codes that only admins may see, and the sandbox. */
export function OutboxView(): View {
  const role = useRole();
  const { nav, trail } = o;
  const needed = ROLE_OF.listOutbox;
  return (
    <Group>
      <Part title={nav.outbox} note={trail.outboxNote} isWhole>
        {allows(role, needed) ? <Messages /> : <p class="note">{o.roleNeeded(o.roles[needed])}</p>}
      </Part>
      <Sandbox />
    </Group>
  );
}

/** A code, which breaks where it is longer than its column, and copies whole. */
function Code({ code }: { readonly code: string }): View {
  return (
    <span>
      <b class="figures wrapped">{code}</b> <CopyButton text={code} label={o.trail.copyCode} />
    </span>
  );
}

/** What the sandbox can be made to do; nothing where the rail is another one. */
function Sandbox(): View | null {
  const settings = useReading("settings", () => venue.get("/api/v2/admin/settings"));
  const currencies = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  if (settings.value?.wallet_rail !== "sandbox" || currencies.value === null) return null;
  const coins = currencies.value.filter(({ type }) => type === "coin");
  return (
    <Part title={o.sandbox.title} note={o.sandbox.note}>
      <ActButtons acts={sandboxActs(coins)} />
    </Part>
  );
}

/** Reads the messages, newest first; none where the venue mails them. */
async function readOutbox(uid: string): Promise<readonly Message[]> {
  try {
    const all = await venue.get("/api/v2/admin/outbox", { query: uid === "" ? {} : { uid } });
    return [...all].sort((one, other) => other.id - one.id);
  } catch (error) {
    // A venue with a mail server has no outbox.
    if (error instanceof VenueError && error.status === 404) return [];
    throw error;
  }
}

function Messages(): View {
  const { query } = useShown(route);
  const { uid = "" } = query;
  const reading = useReading(
    `outbox ${uid}`,
    () => readOutbox(uid),
    EVERY_MS,
  );
  return (
    <div>
      <div class="filters row">
        <TextFilter
          label={o.members.uid}
          chosen={uid}
          onChoose={(to) => go(["outbox"], { uid: to })}
        />
      </div>
      <WholeTable
        caption={o.nav.outbox}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={o.trail.noMessages}
      />
    </div>
  );
}
