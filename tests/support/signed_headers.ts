import { createHmac } from "node:crypto";

/** Signs a nonce for an access key, as a client does. */
export function signNonce(secret: string, nonce: string | number, kid: string): string {
  return createHmac("sha256", secret).update(`${nonce}${kid}`).digest("hex");
}

/** Returns the three headers of a signed call. */
export function signedHeaders(
  kid: string,
  secret: string,
  nonce: string | number,
): Record<string, string> {
  return {
    "X-Auth-Apikey": kid,
    "X-Auth-Nonce": String(nonce),
    "X-Auth-Signature": signNonce(secret, nonce, kid),
  };
}
