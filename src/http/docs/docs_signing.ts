/** The sections of the reference page on authentication: with a key, or in a session. */
import { listHtml, textHtml } from "./docs_html.ts";

/** The venue that the page's examples call, and the key that they use. */
export interface ShownVenue {
  readonly origin: string;
  readonly kid: string;
  readonly secret: string;
}

/** The venue shown if address and keys are unknown. */
export const SHOWN_VENUE: ShownVenue = {
  origin: "https://venue.example",
  kid: "access-key",
  secret: "its-secret",
};

/**
 * Returns shell lines that set a call's key, nonce and signature; a nonce is used once. The secret
 * goes through a pipe: every user of a machine can read its command lines.
 */
export function signingLines({ kid, secret }: ShownVenue): string {
  return `KEY=${kid} SECRET=${secret}
NONCE=$(perl -MTime::HiRes=time -e 'printf "%d", time * 1000')
SIGNATURE=$(printf '%s' "$SECRET" | perl -MDigest::SHA=hmac_sha256_hex \\
  -e 'print hmac_sha256_hex($ARGV[0], <STDIN>)' "$NONCE$KEY")`;
}

const NONCES = [
  "A nonce is good for one request of a key, reads and writes alike, and has to be within 5 s of " +
  "the venue's clock (unless it is set otherwise). Within that, they may come in any order.",
  "Threads or processes with one key would pick the same millisecond: let them share a counter, or " +
  "give each a key of its own. With `nonce_mode` `request`, a key may use a nonce for several " +
  "requests, as long as they differ in method, path, query or body.",
  "Errors about nonces hold `server_time`, by which a clock can be set. A repeated request takes a " +
  "new nonce.",
];

function signedCall(shown: ShownVenue): string {
  return `${signingLines(shown)}
curl -s ${shown.origin}/api/v2/backend/account/balances \\
  -H "X-Auth-Apikey: $KEY" -H "X-Auth-Nonce: $NONCE" -H "X-Auth-Signature: $SIGNATURE"`;
}

/** Shell lines that make the fourth header of the call above, and send it. */
export const BODY_SIGNED = `BODY_SIGNATURE=$(printf '%s' "$SECRET" |
  perl -MDigest::SHA=hmac_sha256_hex,sha256_hex \\
  -e 'print hmac_sha256_hex(join("", @ARGV, sha256_hex("")), <STDIN>)' \\
  "$NONCE" "$KEY" GET /api/v2/backend/account/balances)
# curl … -H "X-Auth-Body-Signature: $BODY_SIGNATURE"`;

function sessionCalls({ origin }: ShownVenue): string {
  return `URL=${origin}/api/v2
umask 077
read -rsp 'Password: ' PASSWORD
printf '{"email":"me@example.org","password":"%s"}' "$PASSWORD" |
  curl -s -c jar $URL/auth/identity/sessions -H 'Content-Type: application/json' -d @-
curl -s -b jar $URL/auth/resource/users/me
printf 'X-CSRF-Token: %s' "$CSRF_TOKEN" |
  curl -s -b jar -X POST -H @- $URL/auth/resource/otp/generate_qrcode`;
}

/** Returns the two sections as HTML. */
export function signingHtml(shown: ShownVenue): string {
  return `<section class="operation" id="signing"><h3>Sign a request</h3>
<p class="note">Three headers, derived from the access key, its secret and the current time.</p>
${textHtml(signedCall(shown))}${listHtml(NONCES)}
<p class="note">A fourth header also covers method, path and query, and the SHA-256 of the body
(here there is none). A venue may require it of some keys, or of all.</p>
${textHtml(BODY_SIGNED)}</section>
<section class="operation" id="sessions"><h3>Call in a session</h3>
<p class="note">Signing in sets a cookie and returns a token, which all requests except GET
send back.</p>
${textHtml(sessionCalls(shown))}</section>`;
}
