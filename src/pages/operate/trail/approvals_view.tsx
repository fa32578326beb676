/** @jsxImportSource hono/jsx/dom */
/** What one operator has asked for and a second one has to approve. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButtons } from "../acting/act_button.tsx";
import { Filter } from "../acting/filter.tsx";
import { usePages } from "../acting/reading.ts";
import {
  MemberLink,
  PagedTable,
  Part,
  State,
  timeText,
  type Tone,
  wordOf,
} from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { detailsText } from "./act_details.ts";
import { approvePendingAct, refusePendingAct } from "./approval_acts.ts";

type Pending = Records["PendingAct"];

const EVERY_MS = 5_000;
const TONES: Readonly<Record<Pending["state"], Tone>> = {
  pending: "warn",
  approved: "good",
  refused: "bad",
};

function columns(): readonly Column<Pending>[] {
  const { approvals, audit, money } = o;
  return [
    { title: audit.number, isFigure: true, show: ({ id }) => id },
    {
      title: audit.what,
      show: ({ action, target, changes, reason }) => (
        <span class="wrapped">
          {wordOf(approvals.actions, action)}
          {detailsText({ ...target, ...changes }).map((line) => (
            <span key={line} class="line figures">{line}</span>
          ))}
          <span class="line">{reason ?? ""}</span>
        </span>
      ),
    },
    { title: money.member, show: ({ member }) => <MemberLink uid={member} /> },
    {
      title: approvals.askedBy,
      show: ({ first, created_at }) => (
        <span>
          <MemberLink uid={first.uid} name={first.email} />
          <span class="line soft">{timeText(created_at)}</span>
        </span>
      ),
    },
    {
      title: money.state,
      show: ({ state, second }) => (
        <span class="wrapped">
          <State tone={TONES[state]} words={approvals.states[state]} />
          {second === null ? null : (
            <span class="line soft">
              <MemberLink uid={second.uid} name={second.email} />
              {second.reason === null ? "" : `: ${second.reason}`}
            </span>
          )}
        </span>
      ),
    },
    {
      title: money.rowActs,
      isUntitled: true,
      show: (one) =>
        one.state === "pending"
          ? <ActButtons acts={[approvePendingAct(one), refusePendingAct(one)]} />
          : null,
    },
  ];
}

/** The list; at first of what waits. */
export function ApprovalsView(): View {
  const { query } = useShown(route);
  const isDecided = query["state"] === "decided";
  const reading = usePages(
    `approvals ${isDecided}`,
    (paging) =>
      venue.get("/api/v2/admin/approvals", {
        query: { ...paging, state: isDecided ? "decided" : "pending" },
      }),
    EVERY_MS,
  );
  const { approvals, nav } = o;
  return (
    <Part title={nav.approvals} note={approvals.note} isWhole>
      <div class="filters row">
        <Filter
          label={o.money.state}
          all={approvals.waiting}
          choices={[["decided", approvals.decided]]}
          chosen={isDecided ? "decided" : ""}
          onChoose={(state) => go(["approvals"], { state })}
        />
      </div>
      <PagedTable
        caption={nav.approvals}
        columns={columns()}
        reading={reading}
        keyOf={({ id }) => id}
        empty={isDecided ? approvals.noneDecided : approvals.none}
      />
    </Part>
  );
}
