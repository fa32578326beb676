/** @jsxImportSource hono/jsx/dom */
/** The page's views, by the names that its address has for them. */
import type { View } from "../shared/view.ts";
import { MemberRecord } from "./people/member_record.tsx";
import { MembersView } from "./people/members_view.tsx";
import { OverviewView } from "./watch/overview_view.tsx";

interface OneView {
  /** @param of what the view is of, such as a member's uid */
  readonly show: (of: string | undefined) => View;
}

/** All views, in the order of the list. */
export const VIEWS = {
  overview: { show: () => <OverviewView /> },
  members: { show: (uid) => uid === undefined ? <MembersView /> : <MemberRecord uid={uid} /> },
} satisfies Readonly<Record<string, OneView>>;

/** Name of a view. */
export type ViewName = keyof typeof VIEWS;

/** Returns the view of a name; the first of all if there is none. */
export function viewOf(name: string | undefined): ViewName {
  return name !== undefined && Object.hasOwn(VIEWS, name) ? name as ViewName : "overview";
}
