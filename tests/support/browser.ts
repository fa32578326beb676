/** What a browser keeps of a site: the cookie of its session, and the token against forged calls. */
export class Browser {
  cookie: string | null = null;
  csrfToken: string | null = null;

  /** Headers of a call. */
  headers(method: string): Record<string, string> {
    return {
      ...(this.cookie === null ? {} : { "Cookie": `_kvenue_session=${this.cookie}` }),
      ...(method === "GET" || this.csrfToken === null ? {} : { "X-CSRF-Token": this.csrfToken }),
    };
  }

  /** Keeps what an answer brings; an empty cookie takes the present one away. */
  keep(headers: Headers, body: unknown): void {
    const set = headers.get("set-cookie");
    if (set !== null) this.cookie = /^_kvenue_session=([^;]+)/.exec(set)?.[1] ?? null;
    const { csrf_token } = (body ?? {}) as { csrf_token?: unknown };
    if (typeof csrf_token === "string") this.csrfToken = csrf_token;
  }
}
