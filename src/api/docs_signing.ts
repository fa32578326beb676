/** What the reference page says of who calls: with a key, or in a session. */
import { textHtml } from "./docs_html.ts";

/** The key of a call and its three headers, in a shell; a nonce is used once. */
export const SIGNING_LINES = `KEY=demo-alice SECRET=demo-alice-secret
NONCE=$(perl -MTime::HiRes=time -e 'printf "%d", time * 1000')
SIGNATURE=$(printf '%s%s' "$NONCE" "$KEY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`;

const SIGNED_CALL = `${SIGNING_LINES}
curl -s http://127.0.0.1:8000/api/v2/backend/account/balances \\
  -H "X-Auth-Apikey: $KEY" -H "X-Auth-Nonce: $NONCE" -H "X-Auth-Signature: $SIGNATURE"`;

const SESSION_CALLS = `URL=http://127.0.0.1:8000/api/v2
curl -s -c jar $URL/auth/identity/sessions -d email=me@example.org -d password=…
curl -s -b jar $URL/auth/resource/users/me
curl -s -b jar -X POST -H "X-CSRF-Token: …" $URL/auth/resource/otp/generate_qrcode`;

/** The two sections. */
export const SIGNING_HTML = `<section class="operation" id="signing"><h3>Signing a call</h3>
<p class="note">Three headers, made from the access key, its secret and the present.</p>
${textHtml(SIGNED_CALL)}</section>
<section class="operation" id="sessions"><h3>Calling in a session</h3>
<p class="note">A sign-in sets a cookie and answers a token that all calls but GET send back.</p>
${textHtml(SESSION_CALLS)}</section>`;
