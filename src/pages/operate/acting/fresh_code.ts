/** A fresh code, which the venue asks for before what moves money, stops trading or changes rights. */
import { VenueError } from "../../../client/client.ts";
import { venue } from "../../shared/session.ts";
import { Shown } from "../../shared/shown.ts";

/** An operator who is asked for a code. */
interface Asking {
  readonly confirm: () => void;
  readonly giveUp: () => void;
}

/** Who is being asked for a code; null for nobody. */
export const asking: Shown<Asking | null> = new Shown<Asking | null>(null);

/** The operator has given no code, so that the venue has done nothing. */
export class NoCodeError extends Error {
  override name = "NoCodeError";
}

/**
 * Makes a call; where the venue wants a fresh code for it, asks for one and makes the same call once
 * more.
 *
 * @throws {NoCodeError} if the operator gives none
 */
export async function withFreshCode<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof VenueError) || error.code !== "authz.code_required") throw error;
    await askCode();
    return await call();
  }
}

/** Confirms the session by a code. @throws {VenueError} if the venue refuses it */
export async function confirmCode(code: string): Promise<void> {
  await venue.post("/api/v2/auth/resource/users/sessions/confirm", { body: { code } });
  asking.value?.confirm();
}

function askCode(): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => () => {
      asking.set(null);
      then();
    };
    asking.set({ confirm: end(resolve), giveUp: end(() => reject(new NoCodeError())) });
  });
}
