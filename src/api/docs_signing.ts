/** What the reference page says of who calls: with a key, or in a session. */
import { textHtml } from "./docs_html.ts";

/** What the examples of the page call, and with which key. */
export interface ShownVenue {
  readonly origin: string;
  readonly kid: string;
  readonly secret: string;
}

/** Of a venue whose address and keys nobody knows here. */
export const SHOWN_VENUE: ShownVenue = {
  origin: "https://venue.example",
  kid: "access-key",
  secret: "its-secret",
};

/** The key of a call and its three headers, in a shell; a nonce is used once. */
export function signingLines({ kid, secret }: ShownVenue): string {
  return `KEY=${kid} SECRET=${secret}
NONCE=$(perl -MTime::HiRes=time -e 'printf "%d", time * 1000')
SIGNATURE=$(printf '%s%s' "$NONCE" "$KEY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`;
}

function signedCall(shown: ShownVenue): string {
  return `${signingLines(shown)}
curl -s ${shown.origin}/api/v2/backend/account/balances \\
  -H "X-Auth-Apikey: $KEY" -H "X-Auth-Nonce: $NONCE" -H "X-Auth-Signature: $SIGNATURE"`;
}

function sessionCalls({ origin }: ShownVenue): string {
  return `URL=${origin}/api/v2
curl -s -c jar $URL/auth/identity/sessions -d email=me@example.org -d password=…
curl -s -b jar $URL/auth/resource/users/me
curl -s -b jar -X POST -H "X-CSRF-Token: …" $URL/auth/resource/otp/generate_qrcode`;
}

/** The two sections. */
export function signingHtml(shown: ShownVenue): string {
  return `<section class="operation" id="signing"><h3>Sign a request</h3>
<p class="note">Three headers, derived from the access key, its secret and the current time.</p>
${textHtml(signedCall(shown))}</section>
<section class="operation" id="sessions"><h3>Call in a session</h3>
<p class="note">Signing in sets a cookie and returns a token, which all requests except GET
send back.</p>
${textHtml(sessionCalls(shown))}</section>`;
}
