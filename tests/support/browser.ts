/** What a browser stores for a site: the session cookie and the CSRF token. */
export class Browser {
  cookie: string | null = null;
  csrfToken: string | null = null;

  /** Returns the headers of a call. */
  headers(method: string): Record<string, string> {
    return {
      ...(this.cookie === null ? {} : { "Cookie": `_kvenue_session=${this.cookie}` }),
      ...(method === "GET" || this.csrfToken === null ? {} : { "X-CSRF-Token": this.csrfToken }),
    };
  }

  /** Stores the cookie and token of an answer; an empty cookie deletes the stored one. */
  keep(headers: Headers, body: unknown): void {
    const set = headers.get("set-cookie");
    if (set !== null) this.cookie = /^_kvenue_session=([^;]+)/.exec(set)?.[1] ?? null;
    const { csrf_token } = (body ?? {}) as { csrf_token?: unknown };
    if (typeof csrf_token === "string") this.csrfToken = csrf_token;
  }
}
