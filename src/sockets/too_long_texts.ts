/**
 * Keeps the process alive when it is sent a longer text than a string can be: the platform joins a
 * message's fragments, however many, and fails to make a string of them where nobody can catch it.
 * It reads nothing more from that socket, which ends like one that does not answer pings. (In the
 * thread of unsigned sockets it ends the thread, and another one begins.)
 */

/** What the platform's error says, from Deno 2.5 to 2.9; a string has 512 MiB less some bytes. */
const MESSAGE = /^failed to allocate string/;

/**
 * Has the process live on from now on.
 *
 * @param onTooLong called with each such text
 */
export function outliveTooLongTexts(onTooLong: () => void): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    // Any other rejection is a fault, of which the process ends.
    if (!(reason instanceof TypeError && MESSAGE.test(reason.message))) return;
    event.preventDefault();
    onTooLong();
  });
}
