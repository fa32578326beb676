import { createHash, createHmac } from "node:crypto";

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

/** What a body signature covers besides nonce and access key. */
export interface SignedRequest {
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  readonly body?: string;
}

/** Returns the header of a body signature for a call with the three headers. */
export function bodySignature(
  secret: string,
  headers: Readonly<Record<string, string>>,
  { method = "GET", path, body = "" }: SignedRequest,
): Record<string, string> {
  const { "X-Auth-Nonce": nonce, "X-Auth-Apikey": kid } = headers;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = `${nonce}${kid}${method}${path}${bodyHash}`;
  return { "X-Auth-Body-Signature": createHmac("sha256", secret).update(text).digest("hex") };
}
