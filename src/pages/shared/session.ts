/** Who has opened the page, and the venue as this person reaches it. */
import { type Records, Venue, VenueError } from "../../client/client.ts";
import { Shown } from "./shown.ts";

const UNAUTHORIZED = 401;

/** The venue that the page is of. */
export const venue: Venue = new Venue(location.origin, {
  fetch: async (input, init) => {
    const answer = await fetch(input, init);
    // The session has ended, or the browser's session is another person's by now.
    if (answer.status === UNAUTHORIZED) checkSession().catch(() => {});
    return answer;
  },
  beforeSocket: async () => {
    if (isSessionNew) isSessionNew = false;
    else await checkSession();
  },
});

/** Who is signed in; null for nobody, undefined while that is not known. */
export const me: Shown<Records["Me"] | null | undefined> = new Shown<
  Records["Me"] | null | undefined
>(undefined);
/** Whether the session has ended in which the page was opened. */
export const hasEnded: Shown<boolean> = new Shown(false);

/** Whether it was just found out, and no stream was opened since. */
let isSessionNew = true;
let checking: Promise<void> | null = null;
/** Other pages in this browser, which share its session. */
const others = new BroadcastChannel("session");

/** Finds out who is signed in; only a browser with a session asks. */
export async function findSession(): Promise<void> {
  await readSession();
  watchSession();
}

async function readSession(): Promise<void> {
  if (document.documentElement.dataset["session"] === undefined) return me.set(null);
  try {
    me.set(await venue.resume());
  } catch (error) {
    // A session that has ended is nobody's; of a venue out of reach, the page tells by its streams.
    if (error instanceof VenueError) return me.set(null);
    throw error;
  }
}

/**
 * Sees whether the browser's session is still of whom the page was opened by. Where it is another
 * person's, the page begins anew, and this never resolves, so that nothing of theirs is mixed.
 *
 * @throws {Error} if that could not be found out
 */
export function checkSession(): Promise<void> {
  const { uid } = me.value ?? {};
  if (uid === undefined) return Promise.resolve();
  return checking ??= checkPerson(uid).finally(() => checking = null);
}

async function checkPerson(uid: string): Promise<void> {
  try {
    const now = await venue.resume();
    if (now.uid !== uid) return await beginAnew();
    const isSame = JSON.stringify(now) === JSON.stringify(me.value);
    if (!isSame) me.set(now);
  } catch (error) {
    if (!(error instanceof VenueError && error.status === UNAUTHORIZED)) throw error;
    hasEnded.set(true);
    me.set(null);
  }
}

async function beginAnew(): Promise<never> {
  location.reload();
  return await new Promise<never>(() => {});
}

/** Looks when somebody comes back to the page, and when another page tells that it has changed. */
function watchSession(): void {
  const check = () => void checkSession().catch(() => {});
  addEventListener("focus", check);
  addEventListener("pageshow", check);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") check();
  });
  others.onmessage = ({ data }) => {
    if (data !== (me.value?.uid ?? null)) check();
  };
  others.postMessage(me.value?.uid ?? null);
}

/** Ends the session, and leads to the first page. */
export async function leave(): Promise<void> {
  await venue.signOut();
  location.assign("/");
}

/** Whether the venue is a demo: its mails stay in the operator's outbox. */
export const isDemo: boolean = document.documentElement.dataset["demo"] !== undefined;

/** Whether the venue gives worthless coins to whoever asks. */
export const hasFaucet: boolean = document.documentElement.dataset["faucet"] !== undefined;
