/** Who has opened the page, and the venue as this person reaches it. */
import { type Records, Venue, VenueError } from "../../client/client.ts";
import { Shown } from "./shown.ts";

/** The venue that the page is of. */
export const venue: Venue = new Venue(location.origin);

/** Who is signed in; null for nobody, undefined while that is not known. */
export const me: Shown<Records["Me"] | null | undefined> = new Shown<
  Records["Me"] | null | undefined
>(undefined);

/** Finds out who is signed in; only a browser with a session asks. */
export async function findSession(): Promise<void> {
  if (document.documentElement.dataset["session"] === undefined) return me.set(null);
  try {
    me.set(await venue.resume());
  } catch (error) {
    // A session that has ended is nobody's; of a venue out of reach, the page tells by its streams.
    if (error instanceof VenueError) return me.set(null);
    throw error;
  }
}

/** Ends the session, and leads to the first page. */
export async function leave(): Promise<void> {
  await venue.signOut();
  location.assign("/");
}

/** Whether the venue is a demo: its faucet is open, and its mails stay in the operator's outbox. */
export const isDemo: boolean = document.documentElement.dataset["demo"] !== undefined;
