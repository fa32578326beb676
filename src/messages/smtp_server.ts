/** The mail server that messages are handed to. */

const PORT_TLS = 465;
const PORT_STARTTLS = 587;
/** A host name or address: with an unknown scheme, the platform takes any text as the host. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/;

/** A server that takes mail. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isSecure: boolean;
  /** Whether STARTTLS must succeed. */
  readonly requiresTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** How messages are mailed. */
export interface MailSettings {
  readonly server: SmtpServer;
  /** The sender's address. */
  readonly from: string;
}

/**
 * Parses the text of a setting, `smtp://user:password@host:port` or `smtps://…`. TLS is required
 * except for a server on this machine, with which it is used if offered.
 *
 * @throws {RangeError} with a sentence that does not repeat the text
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSecure = url?.protocol === "smtps:";
  if (url === null || (!isSecure && url.protocol !== "smtp:") || url.hostname === "") {
    throw new RangeError("must be smtp://user:password@host:port or smtps://…");
  }
  if (url.search !== "" || url.hash !== "" || !["", "/"].includes(url.pathname)) {
    throw new RangeError("must end with the port");
  }
  if ((url.username === "") !== (url.password === "")) {
    throw new RangeError("must have a user and a password, or neither");
  }
  if (!HOST.test(url.hostname)) {
    throw new RangeError('must have a host of letters, digits, "-" and "." (xn--… for others)');
  }
  if (url.port === "0") throw new RangeError("must have a port from 1 to 65535");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    port: url.port === "" ? (isSecure ? PORT_TLS : PORT_STARTTLS) : Number(url.port),
    isSecure,
    requiresTls: !isSecure && !isLoopback(host),
    login: url.username === "" ? null : loginOf(url),
  };
}

/** Returns whether a host, written without brackets, is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function loginOf({ username, password }: URL): SmtpServer["login"] {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new RangeError('must encode a "%" in the user or the password as "%25"');
  }
}
